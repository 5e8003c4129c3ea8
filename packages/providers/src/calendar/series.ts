/** Series that we expand ourselves: validates client input and returns occurrences as events. Pure. */

import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { Event, EventChange, When } from '@waypost/contract'
import type { Moment } from '@waypost/formats/icalendar/icalendar'
import { type EventSet, slotName } from '@waypost/formats/itip/invitation-copies'
import { instanceId, slotKey } from '@waypost/formats/recurrence/instance-ids'
import { type Occurrence, occurrencesBetween, whenOfOccurrence } from '@waypost/formats/recurrence/recurrence'
import { normaliseRecurrence } from '@waypost/formats/recurrence/rule'
import type { Series } from '@waypost/formats/recurrence/series'
import { editSeries, type NewPlace } from '@waypost/formats/recurrence/series-edit'
import { RecurrenceTooLarge, STEPS_OF_CHANGE, Steps } from '@waypost/formats/recurrence/steps'
import { dayOf, SECONDS_PER_DAY } from '@waypost/formats/timezones/dates'
import { invalidField } from '@waypost/platform/api-error'
import { seriesZone, startOf } from './event-input.ts'

/**
 * RDATE is accepted. A start outside the rule is rejected, because only some calendars would treat it as an
 * occurrence.
 */
export const rules = { allowRdate: true, startOutsideRule: 'refuse' } as const

/** The series of recurrence lines and a start; throws an error that names the invalid part. */
export function needSeries(when: When, lines: readonly string[]): Series {
  const start = startOf(when)
  const steps = new Steps()
  const result = normaliseRecurrence(lines, start, { ...rules, steps })
  if (!result.ok) throw invalidField('recurrence', result.problem)
  return notTooDense({ start, recurrence: result.value }, steps)
}

const maxOverlapping = 1000

/** Rejects a series with so many overlapping occurrences that no list could return them. */
export function notTooDense(series: Series, steps = new Steps()): Series {
  const { start } = series
  const from = start.kind === 'timed' ? start.at : dayOf(start.date) * SECONDS_PER_DAY
  const to = from + (start.kind === 'timed' ? start.seconds : start.days * SECONDS_PER_DAY)
  if (isOverlapped(series, { from, to }, steps)) {
    throw invalidField('when', `is so long that more than ${maxOverlapping} occurrences of the series would overlap`)
  }
  return series
}

function isOverlapped(series: Series, window: { from: number; to: number }, steps: Steps): boolean {
  try {
    const limit = maxOverlapping + 1
    return occurrencesBetween(series, window, { allDayZone: 'UTC', limit, steps }).length === limit
  } catch (error) {
    if (error instanceof RecurrenceTooLarge) return true
    throw error
  }
}

/** One occurrence as an event of its own. */
export function instanceOf(master: Event, occurrence: Occurrence): Event {
  const { recurrence: _, ...rest } = master
  return {
    ...rest,
    id: instanceId(master.id, occurrence.slot),
    master_event_id: master.id,
    when: whenOfOccurrence(master.when, occurrence),
  }
}

export interface SeriesAfter {
  /** Undefined if the event no longer repeats. */
  series: Series | undefined
  /** The new places of changed occurrences; undefined for removed ones. */
  placesOf(slots: readonly string[]): (NewPlace | undefined)[]
}

const without = (series: Series | undefined): SeriesAfter => ({
  series,
  placesOf: (slots) => slots.map(() => undefined),
})

/** The series after a change of its lines, its time, or both (`formats/recurrence/series-edit.ts`). */
export function seriesAfter(
  series: Series | undefined,
  { after, change }: { after: { when: When }; change: EventChange },
): SeriesAfter {
  const lines = change.recurrence === undefined ? undefined : (change.recurrence ?? [])
  if (lines?.length === 0) return without(undefined)
  if (!series) return without(lines && needSeries(after.when, lines))
  const steps = new Steps(STEPS_OF_CHANGE)
  const edited = editSeries(series, { start: startOf(after.when), lines, allowRdate: true, steps })
  if (!edited.ok) throw invalidField('recurrence', edited.problem)
  return { series: notTooDense(edited.series, steps), placesOf: edited.placesOf }
}

/** The original start of an occurrence, in the form and zone of its series. */
export function momentOf(master: When, slot: string): Moment {
  const { kind, key } = slotKey(slot) ?? { kind: 'timed', key: 0 }
  if (kind === 'timed') return { time: key, timezone: seriesZone(master) }
  return { date: `${slot.slice(0, 4)}-${slot.slice(4, 6)}-${slot.slice(6, 8)}` }
}

const maxBytes = 2 * 1024 * 1024

/**
 * Packs the remaining steps of a change that takes several calls into text. It is stored at the provider together with
 * the first call, so that the change can be finished after a crash.
 */
export const packJournal = (value: unknown): string => deflateRawSync(JSON.stringify(value)).toString('base64url')

/** Undefined if the text is not ours. */
export function unpackJournal(text: string): unknown {
  try {
    return JSON.parse(inflateRawSync(Buffer.from(text, 'base64url'), { maxOutputLength: maxBytes }).toString())
  } catch {
    return undefined
  }
}

/** Whether any part under a UID has guests. */
export const hasGuests = (set: EventSet | undefined): boolean =>
  set !== undefined &&
  [set.main, ...set.overrides.map(({ event }) => event)].some(
    ({ participants, resources }) => participants.length + resources.length > 0,
  )

/** The set with a new version of one occurrence, or without it. */
export function withOverride(set: EventSet, slot: Moment, event: Event | undefined): EventSet {
  const name = slotName(slot)
  const others = set.overrides.filter((one) => slotName(one.slot) !== name)
  return { ...set, overrides: event ? [...others, { slot, event }] : others }
}
