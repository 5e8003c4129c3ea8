/** Free/busy: when the events of an address block its time, without any other details. */
import { type BusyCalendar, busyIntervals } from './busy-events.ts'
import { clipSpans, type Interval, mergeIntervals, toIntervals } from './intervals.ts'
import { zoneOffsetsAround } from './local-time.ts'

export interface FreeBusyWindow {
  readonly start_time: number
  readonly end_time: number
  /** Absent and null mean true. */
  readonly tentative_as_busy?: boolean | null
}

export interface BusySlot {
  start_time: number
  end_time: number
  status: 'busy'
  object: 'time_slot'
}

export interface FreeBusy {
  email: string
  object: 'free_busy'
  time_slots: BusySlot[]
}

/** The response element for one address. No slots means free. Overlapping and touching blocks are merged. */
export function findFreeBusy(email: string, calendars: readonly BusyCalendar[], requested: FreeBusyWindow): FreeBusy {
  const window = { start: requested.start_time, end: requested.end_time }
  const busy = busyIntervals(calendars, {
    offsets: zoneOffsetsAround(window),
    tentative_as_busy: requested.tentative_as_busy ?? true,
  })
  return { email, object: 'free_busy', time_slots: busySlots(busy, window) }
}

/** Blocks of time as response slots, clipped to the window. Overlapping and touching blocks are merged. */
export const busySlots = (busy: readonly Interval[], window: Interval): BusySlot[] =>
  toIntervals(clipSpans(mergeIntervals(busy), window)).map(
    ({ start, end }): BusySlot => ({ start_time: start, end_time: end, status: 'busy', object: 'time_slot' }),
  )
