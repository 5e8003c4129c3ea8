/**
 * Plans what happens to a series when its times or its rule change. Google forgets deleted and changed occurrences
 * whose start the series no longer has, leaves all others where they are, and does not adapt UNTIL, RDATE and EXDATE.
 * Here they move with the series, as for every provider (`formats/recurrence/series-edit.ts`). Deleted occurrences
 * become EXDATEs, which are written together with the new time. Pure.
 */

import { isDeepStrictEqual } from 'node:util'
import type { EventChange, When } from '@waypost/contract'
import { dateLine } from '@waypost/formats/recurrence/dates'
import { slotKey, slotOf } from '@waypost/formats/recurrence/instance-ids'
import { type Occurrence, occurrenceAt } from '@waypost/formats/recurrence/recurrence'
import { normaliseRecurrence } from '@waypost/formats/recurrence/rule'
import type { Series, SeriesStart } from '@waypost/formats/recurrence/series'
import { type EditedSeries, editSeries } from '@waypost/formats/recurrence/series-edit'
import { STEPS_OF_CHANGE, Steps } from '@waypost/formats/recurrence/steps'
import { addDays } from '@waypost/formats/timezones/dates'
import { laterByDays } from '@waypost/formats/timezones/when'
import { invalidField } from '@waypost/platform/api-error'
import { needWhen, startOf } from '../../../calendar/event-input.ts'
import type { GoogleEvent, GoogleTime } from '../calendar-api.ts'
import { isCancelled } from './event.ts'
import { type GoogleFields, zoneOfChange } from './event-draft.ts'
import { type MovedOccurrence, withoutJournal } from './move-journal.ts'
import { fromTimes, overTimes, timeText, toTimes } from './when.ts'

const rules = { allowRdate: true, startOutsideRule: 'follow-rule' } as const
/** Occurrences of an all-day series are identified by date, so the zone does not matter. */
const expanding = { allDayZone: 'UTC' }

/** Fields that an occurrence can have of its own. */
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
  /** The lines of the moved series, if they change. */
  recurrence: string[] | undefined
  occurrences: MovedOccurrence[]
  /** The original starts of changed occurrences that the series no longer has. */
  dropped: string[]
}

export const isSeries = ({ recurrence }: GoogleEvent): boolean => (recurrence?.length ?? 0) > 0

const whenOf = ({ start, end }: GoogleEvent): When => fromTimes(start ?? { date: '1970-01-01' }, end)

/** The new time of a series. A time without a zone keeps the zone of the series. */
function newWhen(change: EventChange, master: GoogleEvent): When | undefined {
  if (change.when === undefined) return undefined
  const { start, end } = toTimes(needWhen(change.when), zoneOfChange(change, master))
  return fromTimes(start, end)
}

/** Whether a change gives a series other times or lines, and leaves it a series. */
export function movesSeries(change: EventChange, master: GoogleEvent): boolean {
  if (!isSeries(master)) return false
  if (change.recurrence !== undefined) return (change.recurrence?.length ?? 0) > 0
  const when = newWhen(change, master)
  return when !== undefined && !isDeepStrictEqual(startOf(when), startOf(whenOf(master)))
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

/** The series before and after the change, with its deleted occurrences. */
function seriesOf(
  change: EventChange,
  { master, exceptions, steps }: { master: GoogleEvent; exceptions: readonly GoogleEvent[]; steps: Steps },
): { from: Series; edited: EditedSeries & { ok: true } } {
  const oldStart = startOf(whenOf(master))
  const start = startOf(newWhen(change, master) ?? whenOf(master))
  const deleted = deletedLines(exceptions, oldStart)
  const before = normaliseRecurrence([...(master.recurrence ?? []), ...deleted], oldStart, { ...rules, steps })
  if (!before.ok) {
    const problem = `this series cannot be moved, because its rule at Google is not one of those known here (${before.problem})`
    throw invalidField(change.when === undefined ? 'recurrence' : 'when', problem)
  }
  const from = { start: oldStart, recurrence: before.value }
  const given = change.recurrence ?? undefined
  const edit = (lines: readonly string[] | undefined) => editSeries(from, { start, lines, allowRdate: true, steps })
  // Google does not return deleted occurrences as EXDATE. A client that sends EXDATE lines therefore means exactly
  // these.
  const namesDates = given?.some((line) => /^\s*EXDATE/i.test(line)) ?? false
  const first = edit(given && namesDates ? [...given, ...deleted] : given)
  const edited = !first.ok && namesDates && start.kind !== oldStart.kind ? edit(given) : first
  if (!edited.ok) throw invalidField('recurrence', edited.problem)
  return { from, edited }
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

/** The own fields of an occurrence, as they are written to another occurrence that follows the series. */
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

/** The steps that change a series, given all its exceptions; `body` contains the other fields to write. */
export function planMove(
  change: EventChange,
  { master, exceptions, body = {} }: { master: GoogleEvent; exceptions: readonly GoogleEvent[]; body?: GoogleFields },
): SeriesMove {
  const steps = new Steps(STEPS_OF_CHANGE)
  const { from, edited } = seriesOf(change, { master, exceptions, steps })
  const to = edited.series
  const when = newWhen(change, master) ?? whenOf(master)
  const changed = exceptions.filter((event) => !isCancelled(event)).sort(bySlot)
  const places = edited.placesOf(changed.map(slotOfException))
  const common = { ...master, ...body }
  const stored = new Set(exceptions.map(slotOfException))
  const taken = new Set(places.flatMap((place) => place?.slot ?? []))
  const occurrences = changed.flatMap((event, index): MovedOccurrence[] => {
    const [old, place] = [slotOfException(event), places[index]]
    const options = { ...expanding, steps }
    const [former, occurrence] = [occurrenceAt(from, old, options), place && occurrenceAt(to, place.slot, options)]
    if (!place || !occurrence) return []
    const follows = former !== undefined && followed(event, former)
    const times = follows ? timesOf(occurrence, when) : ownTimes(event, place.days)
    if (place.slot === old) {
      const stays = isDeepStrictEqual(fromTimes(times.start, times.end), whenOf(event))
      return stays ? [] : [{ slot: old, body: overTimes(times) }]
    }
    const own = ownOf(event, master)
    // Google retains the fields of an exception at a start that the series still has, so they are overwritten.
    const fields = stored.has(place.slot) ? { ...commonOf(common), ...own } : own
    return [{ slot: place.slot, body: { ...fields, ...overTimes(times), status: event.status ?? 'confirmed' } }]
  })
  const stays = isDeepStrictEqual({ ...from.start, seconds: 0, days: 0 }, { ...to.start, seconds: 0, days: 0 })
  return {
    recurrence: stays && !change.recurrence ? undefined : [...to.recurrence.lines],
    occurrences: [...occurrences, ...freedPlaces({ to, when, common, exceptions, taken, steps })],
    dropped: changed.flatMap((event, index) => (places[index] ? [] : [slotOfException(event)])),
  }
}

/** The own times of an occurrence, moved by some days. */
function ownTimes(event: GoogleEvent, days: number): { start: GoogleTime; end: GoogleTime } {
  if (days === 0) return { start: event.start ?? {}, end: event.end ?? {} }
  return toTimes(laterByDays(whenOf(event), days))
}

interface FreedPlaces {
  to: Series
  when: When
  /** The series after the change. */
  common: GoogleFields
  exceptions: readonly GoogleEvent[]
  /** The starts that changed occurrences have now. */
  taken: ReadonlySet<string>
  steps: Steps
}

/** Starts that an exception has left and that the series still has. An ordinary occurrence is restored there. */
function freedPlaces({ to, when, common, exceptions, taken, steps }: FreedPlaces): MovedOccurrence[] {
  return exceptions.flatMap((event) => {
    const slot = slotOfException(event)
    const occurrence = taken.has(slot) ? undefined : occurrenceAt(to, slot, { ...expanding, steps })
    if (!occurrence) return []
    return [{ slot, body: { ...commonOf(common), ...overTimes(timesOf(occurrence, when)), status: 'confirmed' } }]
  })
}

/** The fields that all occurrences share. */
const commonOf = (common: GoogleFields): GoogleFields =>
  Object.fromEntries(ownFields.map((name) => [name, Reflect.get(common, name) ?? null]))
