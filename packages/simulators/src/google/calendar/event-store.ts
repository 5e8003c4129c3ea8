// Stores copies of events on calendars. Every change gets a version number and notifies the channels that watch the
// calendar.
import { isDeepStrictEqual } from 'node:util'
import { notify } from './channels.ts'
import { sameTime } from './event-time.ts'
import { exceptionsOf, hasOccurrence, isSeries } from './series.ts'
import { type CalendarState, nextVersion, type StoredCalendar, type StoredEvent } from './state.ts'

/** The fields that a change may set. */
export type EventChange = Partial<
  Pick<StoredEvent, 'status' | 'sequence' | 'start' | 'end' | 'recurrence' | 'attendees' | 'fields' | 'orphan'>
>

/** Stores a new event. */
export function addEvent(
  state: CalendarState,
  calendar: StoredCalendar,
  event: Omit<StoredEvent, 'serial' | 'version' | 'updated' | 'created' | 'former'>,
): StoredEvent {
  const version = nextVersion(state)
  const now = state.world.now()
  const stored: StoredEvent = { ...event, serial: version, version, created: now, updated: now, former: [] }
  calendar.events.set(stored.id, stored)
  notify(state, `events:${calendar.key}`)
  return stored
}

/** Changes a stored event, or makes an instance an exception. Does nothing if nothing differs. */
export function changeStored(
  state: CalendarState,
  calendar: StoredCalendar,
  { event, change }: { event: StoredEvent; change: EventChange },
): StoredEvent {
  const next: StoredEvent = { ...event, ...change }
  const stored = calendar.events.get(event.id)
  if (stored !== undefined && isDeepStrictEqual(next, event)) return stored
  next.version = nextVersion(state)
  if (!isDeepStrictEqual(withoutReminders(next), withoutReminders(event))) next.updated = state.world.now()
  const result = stored === undefined ? { ...next, serial: next.version, former: [] } : withFormer(event, next)
  calendar.events.set(event.id, result)
  notify(state, `events:${calendar.key}`)
  if (stored !== undefined && (isSeries(event) || isSeries(result)))
    followSeries(state, calendar, { before: event, after: result })
  return result
}

function withoutReminders({ fields: { reminders: _, ...fields }, version: __, ...event }: StoredEvent): unknown {
  return { ...event, fields }
}

function withFormer(before: StoredEvent, after: StoredEvent): StoredEvent {
  const { start, end, recurrence } = before
  const stays =
    sameTime(start, after.start) && sameTime(end, after.end) && isDeepStrictEqual(recurrence, after.recurrence)
  return stays ? after : { ...after, former: [...after.former, { version: after.version, start, end, recurrence }] }
}

/**
 * Exceptions adopt changes to fields that equaled those of the series. They are cancelled if their original start is
 * removed.
 */
function followSeries(
  state: CalendarState,
  calendar: StoredCalendar,
  { before, after }: { before: StoredEvent; after: StoredEvent },
): void {
  for (const exception of exceptionsOf(calendar, after.id)) {
    if (exception.originalStart === undefined) continue
    if (exception.orphan) {
      // Delete the exception: the series has an ordinary instance at this time again.
      const isBack = isSeries(after) && after.status !== 'cancelled' && hasOccurrence(after, exception.originalStart)
      if (isBack) calendar.events.delete(exception.id)
      continue
    }
    const gone = !isSeries(after) || after.status === 'cancelled' || !hasOccurrence(after, exception.originalStart)
    if (gone) {
      changeStored(state, calendar, { event: exception, change: { status: 'cancelled', orphan: true } })
      continue
    }
    if (exception.status === 'cancelled') continue
    const fields = { ...exception.fields }
    for (const name of new Set([...Object.keys(before.fields), ...Object.keys(after.fields)])) {
      if (!isDeepStrictEqual(fields[name], before.fields[name])) continue
      if (after.fields[name] === undefined) delete fields[name]
      else fields[name] = after.fields[name]
    }
    const same = isDeepStrictEqual(exception.attendees, before.attendees)
    const change: EventChange = { fields, ...(same && { attendees: after.attendees }) }
    changeStored(state, calendar, { event: exception, change })
  }
}
