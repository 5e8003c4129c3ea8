/**
 * Occurrences of a series that its server does not list: some EWS servers answer views with the series itself. They
 * are computed here, and identified by the series and their original start. Pure.
 */
import type { Event, When } from '@waypost/contract'
import { slotKey, slotOfKey } from '@waypost/formats/recurrence/instance-ids'
import { type Occurrence, occurrencesBetween } from '@waypost/formats/recurrence/recurrence'
import { normaliseRecurrence } from '@waypost/formats/recurrence/rule'
import { keyOfWall, type Series, startKey, wallOfKey } from '@waypost/formats/recurrence/series'
import { Steps } from '@waypost/formats/recurrence/steps'
import { SECONDS_PER_DAY } from '@waypost/formats/timezones/dates'
import { instantToWall } from '@waypost/formats/timezones/timezones'
import { startOf } from '../../../calendar/event-input.ts'
import type { EventWindow } from '../../../calendar/event-queries.ts'
import { theirId } from '../../ids.ts'
import type { CalendarItem } from '../../types/calendar-item.ts'

/** An event by its own id, or by its series and its start in it. */
export type EventName = { itemId: string } | { masterId: string; slot: string }

export const occurrenceId = (masterId: string, slot: string): string => `${masterId}.${slot}`

/** The event that an id of the API names, with Exchange's ids; undefined if the id is invalid. */
export function eventName(id: string): EventName | undefined {
  const [item = '', slot, ...more] = id.split('.')
  const itemId = theirId(item)
  if (itemId === undefined || more.length > 0) return undefined
  if (slot === undefined) return { itemId }
  return slotKey(slot) === undefined ? undefined : { masterId: itemId, slot }
}

/** The series of an event; undefined if it cannot be computed. */
function seriesOf({ recurrence = [], when }: Event, steps: Steps, { withoutExdates = false } = {}): Series | undefined {
  const start = startOf(when)
  const lines = withoutExdates ? recurrence.filter((line) => !line.startsWith('EXDATE')) : recurrence
  const result = normaliseRecurrence(lines, start, {
    allowRdate: false,
    startOutsideRule: 'follow-rule',
    steps,
  })
  return result.ok ? { start, recurrence: result.value } : undefined
}

const inUtc = { allDayZone: 'UTC' } as const

function whenOf(when: When, { start, end, startDate = '', endDate = startDate }: Occurrence): When {
  if (when.object === 'date' || when.object === 'datespan') {
    return startDate === endDate
      ? { object: 'date', date: startDate }
      : { object: 'datespan', start_date: startDate, end_date: endDate }
  }
  return when.object === 'time' ? { ...when, time: start } : { ...when, start_time: start, end_time: end }
}

/** One occurrence as an event. */
function occurrenceOf(master: Event, occurrence: Occurrence): Event {
  const { recurrence: _, ...fields } = master
  return {
    ...fields,
    id: occurrenceId(master.id, occurrence.slot),
    when: whenOf(master.when, occurrence),
    master_event_id: master.id,
    original_start_time: occurrence.start,
  }
}

/** The day of an instant in the zone of a series, which has at most one occurrence per day. */
const dayIn = ({ start }: Series, seconds: number): number =>
  start.kind === 'timed'
    ? Math.floor(instantToWall(start.zone, seconds) / SECONDS_PER_DAY)
    : Math.round(seconds / SECONDS_PER_DAY)

/** A changed occurrence, which is an item of its own. */
export interface ChangedOccurrence {
  slot: string
  itemId: string
  /** In milliseconds. */
  start: number
  end: number
}

/**
 * The changed occurrences. Only the day of their original start counts, because not every server reports the time.
 */
export function changedOccurrences({ ModifiedOccurrences = [] }: CalendarItem, master: Event): ChangedOccurrence[] {
  const series = seriesOf(master, new Steps())
  if (!series) return []
  const { start } = series
  const wall = wallOfKey(start, startKey(start))
  const timeOfDay = wall - Math.floor(wall / SECONDS_PER_DAY) * SECONDS_PER_DAY
  return ModifiedOccurrences.map(({ ItemId, Start, End, OriginalStart }) => {
    const day = dayIn(series, Math.floor(OriginalStart / 1000))
    const slot = slotOfKey(start.kind, keyOfWall(start, day * SECONDS_PER_DAY + timeOfDay))
    return { slot, itemId: ItemId.Id, start: Start, end: End }
  })
}

/** The unchanged occurrences of a series in a window; `master` is the mapped series. */
export function plainOccurrences(item: CalendarItem, master: Event, { from, to }: EventWindow): Event[] {
  const steps = new Steps()
  const series = seriesOf(master, steps)
  if (!series) return []
  const changed = new Set(changedOccurrences(item, master).map(({ slot }) => slot))
  return occurrencesBetween(series, { from, to: Math.max(to, from + 1) }, { ...inUtc, steps })
    .filter(({ slot }) => !changed.has(slot))
    .map((each) => occurrenceOf(master, each))
}

/** The index of an occurrence in its series, from 1. Deleted occurrences are counted and have no index themselves. */
export function instanceIndex(master: Event, slot: string, steps: Steps): number | undefined {
  const series = seriesOf(master, steps, { withoutExdates: true })
  const named = slotKey(slot)
  if (!series || !named || named.kind !== series.start.kind) return undefined
  if (seriesOf(master, steps)?.recurrence.exdates.includes(named.key)) return undefined
  const end = named.kind === 'timed' ? named.key + 1 : (named.key + 1) * SECONDS_PER_DAY
  const from = Math.min(series.recurrence.first, end - 1)
  const before = occurrencesBetween(series, { from, to: end }, { ...inUtc, steps })
  return before.at(-1)?.slot === slot ? before.length : undefined
}
