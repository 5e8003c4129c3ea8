/**
 * What applications are told of calendars and events: one notification for each call that changes something. A series is
 * told as its master; what happened to one occurrence is told by its id beside it. Metadata is the client's own, and
 * nobody is told of it. The events of a deleted calendar go with it: they are not told one by one.
 */
import { isDeepStrictEqual } from 'node:util'
import type { Calendar, Event } from '@waypost/contract'
import { isCalendarChanged } from '../shared/list-changes.ts'
import type { Located } from './locate.ts'
import { wholeOf } from './series.ts'
import type { Session } from './session.ts'

/** The event, with the id that its account had before it was migrated. */
const objectOf = ({ grant }: Session, event: Event): Event & { account_id?: string } =>
  grant.account_id === undefined ? event : { ...event, account_id: grant.account_id }

/** Whether a change is told: in any field but metadata and what is counted along. Fields that nobody wrote are the same. */
function isTold(before: Event, after: Event): boolean {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]) as Set<keyof Event>
  for (const name of untold) names.delete(name)
  return Array.from(names).some((name) => before[name] !== after[name] && !isDeepStrictEqual(before[name], after[name]))
}
const untold = ['metadata', 'updated_at', 'sequence'] as const

export const tellCreated = (session: Session, event: Event): Promise<void> =>
  session.io.notify('event.created', objectOf(session, event))

export async function tellChanged(session: Session, located: Located, after: Event): Promise<void> {
  if (!isTold(located.event, after)) return
  const object =
    located.what === 'occurrence'
      ? { ...objectOf(session, wholeOf(located.master)), occurrences: [after.id] }
      : objectOf(session, after)
  await session.io.notify('event.updated', object)
}

/** Tells that one occurrence was taken out of its series; `master` is the series without it. */
export const tellCancelled = (session: Session, master: Event, { id }: Event): Promise<void> =>
  session.io.notify('event.updated', { ...objectOf(session, master), cancelled_occurrences: [id] })

export const tellDeleted = ({ io, grant }: Session, { id, object, calendar_id, metadata }: Event): Promise<void> =>
  io.notify('event.deleted', {
    id,
    object,
    grant_id: grant.id,
    calendar_id,
    ...(Object.keys(metadata).length > 0 ? { metadata } : {}),
  })

export const tellCalendarCreated = ({ io }: Session, calendar: Calendar): Promise<void> =>
  io.notify('calendar.created', calendar)

/** The same fields count as for calendars that are polled. */
export async function tellCalendarChanged({ io }: Session, before: Calendar, after: Calendar): Promise<void> {
  if (isCalendarChanged(before, after)) await io.notify('calendar.updated', after)
}

export const tellCalendarDeleted = ({ io }: Session, calendar: Calendar): Promise<void> => {
  const { metadata: _, description: _text, location: _place, owner_email: _owner, ...object } = calendar
  return io.notify('calendar.deleted', object)
}
