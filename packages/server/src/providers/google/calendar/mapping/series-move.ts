/**
 * What becomes of a series when its times change. Google forgets deleted and changed occurrences whose start the series
 * does not have any more, and leaves UNTIL, RDATE and EXDATE as they are: here they move with the series, as they do on
 * virtual calendars. Deleted occurrences become EXDATEs, which are written together with the new time. Pure.
 */
import { isDeepStrictEqual } from 'node:util'
import type { EventChange, When } from '@waypost/contract'
import { addDays } from '../../../../formats/dates.ts'
import { slotKey, slotOf } from '../../../../formats/instance-ids.ts'
import { type Occurrence, occurrenceAt } from '../../../../formats/recurrence.ts'
import { dateLine } from '../../../../formats/recurrence-dates.ts'
import { moveRecurrence, replaceRecurrence, shiftExceptions } from '../../../../formats/recurrence-move.ts'
import { normaliseRecurrence } from '../../../../formats/recurrence-rule.ts'
import type { Series, SeriesStart } from '../../../../formats/series.ts'
import { invalidField } from '../../../../lib/api-error.ts'
import { needWhen, startOf } from '../../../calendar/event-input.ts'
import type { GoogleEvent, GoogleTime } from '../calendar-api.ts'
import { type GoogleFields, zoneOfChange } from './event-draft.ts'
import { type MovedOccurrence, withoutJournal } from './move-journal.ts'
import { fromTimes, timeText, toTimes } from './when.ts'

const rules = { allowRdate: true, startOutsideRule: 'follow-rule' } as const
/** An occurrence of an all-day series is told by its dates: the zone does not matter. */
const expanding = { allDayZone: 'UTC' }

/** What an occurrence can have of its own. */
const ownFields = [
  'summary',
  'description',
  'location',
  'colorId',
  'transparency',
  'visibility',
  'reminders',
  'attendees',
  'conferenceData',
  'attachments',
  'source',
  'guestsCanInviteOthers',
  'guestsCanModify',
  'guestsCanSeeOtherGuests',
  'anyoneCanAddSelf',
] as const

export interface SeriesMove {
  /** The lines of the moved series, where they change. */
  recurrence: string[] | undefined
  occurrences: MovedOccurrence[]
}

const isCancelled = ({ status }: GoogleEvent): boolean => status === 'cancelled'
export const isSeries = ({ recurrence }: GoogleEvent): boolean => (recurrence?.length ?? 0) > 0

const whenOf = ({ start, end }: GoogleEvent): When => fromTimes(start ?? { date: '1970-01-01' }, end)

/** The time that a series is to have; one that names no zone keeps that of the series. */
function newWhen(change: EventChange, master: GoogleEvent): When | undefined {
  if (change.when === undefined) return undefined
  const { start, end } = toTimes(needWhen(change.when), zoneOfChange(change, master))
  return fromTimes(start, end)
}

/** Whether a change gives a series other times, and stays a series. */
export function movesSeries(change: EventChange, master: GoogleEvent): boolean {
  const when = newWhen(change, master)
  const ends = change.recurrence !== undefined && (change.recurrence?.length ?? 0) === 0
  return when !== undefined && !ends && isSeries(master) && !isDeepStrictEqual(startOf(when), startOf(whenOf(master)))
}

const slotOfTime = ({ dateTime, date }: GoogleTime): string =>
  dateTime === undefined ? slotOf(date ?? '1970-01-01') : slotOf(Math.floor(Date.parse(dateTime) / 1000))

const slotOfException = ({ originalStartTime }: GoogleEvent): string =>
  originalStartTime ? slotOfTime(originalStartTime) : ''

const bySlot = (a: GoogleEvent, b: GoogleEvent): number => (slotOfException(a) < slotOfException(b) ? -1 : 1)

/** An EXDATE line for deleted occurrences. */
function deletedLines(exceptions: readonly GoogleEvent[], start: SeriesStart): string[] {
  const keys = exceptions.filter(isCancelled).flatMap((event) => {
    const place = slotKey(slotOfException(event))
    return place?.kind === start.kind ? [place.key] : []
  })
  return keys.length === 0 ? [] : [dateLine('EXDATE', start, keys)]
}

/** The series before and after the change, with what was deleted of it. */
function seriesOf(
  change: EventChange,
  master: GoogleEvent,
  exceptions: readonly GoogleEvent[],
): { from: Series; to: Series } {
  const oldStart = startOf(whenOf(master))
  const start = startOf(newWhen(change, master) ?? whenOf(master))
  const deleted = deletedLines(exceptions, oldStart)
  const before = normaliseRecurrence([...(master.recurrence ?? []), ...deleted], oldStart, rules)
  if (!before.ok) {
    const problem = `this series cannot be moved, because its rule at Google is not one of those known here (${before.problem})`
    throw invalidField('when', problem)
  }
  const from = { start: oldStart, recurrence: before.value }
  const lines = change.recurrence ?? undefined
  if (!lines && start.kind !== oldStart.kind) {
    throw invalidField('when', 'a series cannot change between whole days and times: give its recurrence too')
  }
  const given = lines && start.kind === oldStart.kind ? [...lines, ...deleted] : lines
  const after = given ? replaceRecurrence(given, { from, start }, rules) : moveRecurrence(from, start, rules)
  if (!after.ok) throw invalidField('recurrence', after.problem)
  return { from, to: { start, recurrence: after.value } }
}

/** The times of an occurrence that follows its series. */
function timesOf(occurrence: Occurrence, when: When): { start: GoogleTime; end: GoogleTime } {
  const { startDate, endDate } = occurrence
  if (startDate !== undefined) return { start: { date: startDate }, end: { date: addDays(endDate ?? startDate, 1) } }
  const { start, end } = toTimes(when)
  return {
    start: { ...start, dateTime: timeText(occurrence.start) },
    end: { ...end, dateTime: timeText(occurrence.end) },
  }
}

function followed(event: GoogleEvent, { start, end, startDate, endDate }: Occurrence): boolean {
  const when = whenOf(event)
  if (when.object === 'timespan') return when.start_time === start && when.end_time === end
  const [first, last] =
    when.object === 'date'
      ? [when.date, when.date]
      : when.object === 'datespan'
        ? [when.start_date, when.end_date]
        : [undefined, undefined]
  return first === startDate && last === endDate
}

/** What an occurrence has of its own, as it is written to another that follows the series. */
function ownOf(event: GoogleEvent, master: GoogleEvent): GoogleFields {
  const own = ownFields
    .map((name) => ({ name, value: Reflect.get(event, name), common: Reflect.get(master, name) }))
    .filter(({ value, common }) => !isDeepStrictEqual(value, common))
    .map(({ name, value }) => [name, value ?? null])
  const properties = propertiesOf(event, master)
  return { ...Object.fromEntries(own), ...(properties ? { extendedProperties: properties } : {}) }
}

const record = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? { ...value } : {}

function propertiesOf(event: GoogleEvent, master: GoogleEvent): Record<string, unknown> | undefined {
  const differing = (['private', 'shared'] as const).flatMap((kind) => {
    const own = withoutJournal(record(record(event.extendedProperties)[kind]))
    const common = withoutJournal(record(record(master.extendedProperties)[kind]))
    const names = [...new Set([...Object.keys(own), ...Object.keys(common)])].filter(
      (name) => own[name] !== common[name],
    )
    return names.length === 0 ? [] : [[kind, Object.fromEntries(names.map((name) => [name, own[name] ?? null]))]]
  })
  return differing.length === 0 ? undefined : Object.fromEntries(differing)
}

/** What moving a series takes, with all of its exceptions at hand. */
export function planMove(change: EventChange, master: GoogleEvent, exceptions: readonly GoogleEvent[]): SeriesMove {
  const { from, to } = seriesOf(change, master, exceptions)
  const when = newWhen(change, master) ?? whenOf(master)
  const changed = exceptions.filter((event) => !isCancelled(event)).sort(bySlot)
  const slots = shiftExceptions(changed.map(slotOfException), from.start, to)
  const occurrences = changed.flatMap((event, index): MovedOccurrence[] => {
    const [old, slot] = [slotOfException(event), slots[index] ?? '']
    const [former, place] = [occurrenceAt(from, old, expanding), occurrenceAt(to, slot, expanding)]
    if (!former || !place) return []
    const follows = followed(event, former)
    // Google keeps what stays at its place, with the times that it had.
    if (slot === old && !follows) return []
    const times = overTimes(follows ? timesOf(place, when) : { start: event.start ?? {}, end: event.end ?? {} })
    if (slot === old) return [{ slot, body: times }]
    return [{ slot, body: { ...ownOf(event, master), ...times, status: event.status ?? 'confirmed' } }]
  })
  const stays = isDeepStrictEqual({ ...from.start, seconds: 0, days: 0 }, { ...to.start, seconds: 0, days: 0 })
  const recurrence = stays && !change.recurrence ? undefined : [...to.recurrence.lines]
  return { recurrence, occurrences }
}

const overTimes = ({ start, end }: { start: GoogleTime; end: GoogleTime }): GoogleFields => ({
  start: over(start),
  end: over(end),
})

const over = ({ date, dateTime, timeZone }: GoogleTime): object =>
  date === undefined
    ? { dateTime, date: null, ...(timeZone === undefined ? {} : { timeZone }) }
    : { date, dateTime: null, timeZone: null }
