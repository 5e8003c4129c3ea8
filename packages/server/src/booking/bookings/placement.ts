/** How a booking takes place: as an event of its own (`event-placement.ts`), or as a seat (`seat-placement.ts`). */
import type { Event } from '@waypost/contract'
import { ApiError } from '@waypost/platform/api-error'
import type { Queries } from '@waypost/store/engine/database'
import type { BookingRecord } from './booking-record.ts'
import type { BookingWork, IntendedChange } from './booking-states.ts'
import type { BookingTools } from './tools.ts'

export const unavailable = (): ApiError => new ApiError('timeslot_not_available')

/** One change of a calendar. */
export interface CalendarStep {
  /** The calendar is in our store: the step is part of the transaction that settles the booking. */
  isLocal: boolean
  /** Creates what the change needs elsewhere, such as a conference, before any calendar is changed. */
  prepare?(): Promise<void>
  /** Takes that back if no calendar was changed; never fails. */
  discard?(): Promise<void>
  /**
   * Reads the event that the booking leaves with this step; undefined if it is gone. `before` the step, because it
   * deletes the event; `after` it, because the event goes on with others.
   */
  poll?: { when: 'before' | 'after'; read(queries: Queries): Promise<Event | undefined> }
  /** Returns the event of the booking, if the step creates or changes it. */
  run(queries: Queries): Promise<Event | undefined>
  /** Takes the step back after a later one was refused. */
  undo?(queries: Queries, event: Event): Promise<void>
}

export interface Placement {
  /** Whether the event exists for this booking alone, and so has its metadata. */
  readonly ownsEvent: boolean
  /** In the transaction that records the intent. Throws if the time or the seat is taken. */
  claim(tx: Queries, tools: BookingTools, intended: IntendedChange): Promise<void>
  /** Whether the slot can be booked, by the calendars as they are now. */
  isFree(tools: BookingTools, work: BookingWork): Promise<boolean>
  /** The changes of calendars, in order. */
  steps(tools: BookingTools, work: BookingWork): Promise<readonly CalendarStep[]>
  /** In the transaction that settles the booking: what is claimed from now on. */
  settle(tx: Queries, tools: BookingTools, work: BookingWork, next: BookingRecord): Promise<void>
  /** In the transaction that gives the intent up. */
  release(tx: Queries, tools: BookingTools, work: BookingWork): Promise<void>
}
