/**
 * Notifications about calendars and events: one for each call that changes something. A series is reported as its
 * master; changed or cancelled occurrences are listed by id. Changes of metadata are not reported. The events of a
 * deleted calendar are not reported one by one.
 */
import { isDeepStrictEqual } from 'node:util'
import type { Calendar, Event } from '@waypost/contract'
import { isCalendarChanged } from '../shared/list-changes.ts'
import type { Located } from './locate.ts'
import { wholeOf } from './series.ts'
import type { Session } from './session.ts'

/** The event, with the account id from before a migration. */
const objectOf = ({ grant }: Session, event: Event): Event & { account_id?: string } =>
  grant.account_id === undefined ? event : { ...event, account_id: grant.account_id }

/**
 * Whether a change is reported: any field except metadata and counters. Fields are first compared by identity, because
 * unchanged ones are the same objects.
 */
function isReported(before: Event, after: Event): boolean {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]) as Set<keyof Event>
  for (const name of unreported) names.delete(name)
  return Array.from(names).some((name) => before[name] !== after[name] && !isDeepStrictEqual(before[name], after[name]))
}
const unreported = ['metadata', 'updated_at', 'sequence'] as const

export const tellCreated = (session: Session, event: Event): Promise<void> =>
  session.io.notify('event.created', objectOf(session, event))

export async function tellChanged(session: Session, located: Located, after: Event): Promise<void> {
  if (!isReported(located.event, after)) return
  const object =
    located.what === 'occurrence'
      ? { ...objectOf(session, wholeOf(located.master)), occurrences: [after.id] }
      : objectOf(session, after)
  await session.io.notify('event.updated', object)
}

/** Reports an occurrence that was removed from its series; `master` is the series without it. */
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

/** The same fields count as for polled calendars. */
export async function tellCalendarChanged({ io }: Session, before: Calendar, after: Calendar): Promise<void> {
  if (isCalendarChanged(before, after)) await io.notify('calendar.updated', after)
}

export const tellCalendarDeleted = ({ io }: Session, calendar: Calendar): Promise<void> => {
  const { metadata: _, description: _text, location: _place, owner_email: _owner, ...object } = calendar
  return io.notify('calendar.deleted', object)
}
