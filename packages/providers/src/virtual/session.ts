import type { Grant } from '@waypost/contract'
import { ApiError } from '@waypost/platform/api-error'
import { seconds } from '@waypost/platform/clock'
import type { LocalIo } from '../io.ts'
import type { CalendarRow } from './tables.ts'

/** A session of a virtual account: its grant and its io. There is no sign-in. */
export interface Session {
  grant: Grant
  io: LocalIo
}

export const open = (grant: Grant, io: LocalIo): Session => ({ grant, io })

/** `primary` and the account's identifier name the primary calendar. */
const isPrimaryName = (session: Session, id: string): boolean =>
  id === 'primary' || id.trim().toLowerCase() === session.grant.email.trim().toLowerCase()

/** The calendar with an id, or undefined. */
export async function findCalendar(session: Session, id: string): Promise<CalendarRow | undefined> {
  const { calendars } = session.io.tables
  const row = id === 'primary' ? undefined : await calendars.get(id)
  return row ?? (isPrimaryName(session, id) ? calendars.primary() : undefined)
}

export async function needCalendar(session: Session, id: string): Promise<CalendarRow> {
  const row = await findCalendar(session, id)
  if (row) return row
  throw new ApiError(
    'not_found',
    id === 'primary' ? 'calendar_id: this account has no calendar yet: create one first' : 'no calendar with this id',
  )
}

/** The current time in seconds, as objects contain it. */
export const stamp = ({ io }: Session): number => seconds(io.clock.now())
