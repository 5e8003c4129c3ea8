/** A change of a booking that this process carries out. */
import type { Event } from '@waypost/contract'
import type { Queries } from '@waypost/store/engine/database'
import { type Intent, stateAfter } from './intents.ts'
import type { BookingRecord } from './record.ts'
import type { BookedConfiguration, BookingTools } from './tools.ts'

export interface BookingWork {
  /** As it was when the intent was recorded. */
  record: BookingRecord
  intent: Intent
  /** The stored form of the intent, which proves that this process still has it. */
  sealed: string
  configuration: BookedConfiguration
  /** An earlier attempt may have changed calendars. */
  again: boolean
  signal: AbortSignal
}

/** A change that is about to be recorded. */
export type IntendedChange = Pick<BookingWork, 'record' | 'intent' | 'configuration'>

/** The revision after the change. */
export const nextRevision = ({ record }: Pick<BookingWork, 'record'>): number =>
  record.status === 'creating' ? record.revision : record.revision + 1

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

/** How a booking takes place: as an event of its own, or as a seat at a group event. */
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

export const needsConfirmation = ({ configuration }: BookedConfiguration): boolean =>
  configuration.type !== 'group' && (configuration.event_booking.booking_type ?? 'booking') !== 'booking'

/** The booking after the change, with the event that it has then. */
export function outcomeOf(work: BookingWork, event: Event | undefined, now: number): BookingRecord {
  const { record, intent, configuration } = work
  const status = stateAfter(record.status, intent.kind, { needsConfirmation: needsConfirmation(configuration) })
  if (!status) throw new Error(`a booking that is ${record.status} allows no ${intent.kind}`)
  const { startTime, endTime, hostGrantId, calendarId } = intent.target
  const ends = intent.kind === 'cancel' || intent.kind === 'decline'
  return {
    ...record,
    status,
    revision: nextRevision(work),
    startTime,
    endTime,
    hostGrantId,
    calendarId: event?.calendar_id ?? calendarId,
    eventId: event?.id ?? record.eventId,
    details: { ...record.details, ...intent.details, ...(ends ? { cancellationReason: intent.reason } : {}) },
    intent: undefined,
    updatedAt: now,
  }
}

/** Whether the event is a placeholder after the change. */
export const isPendingAfter = ({ record, intent, configuration }: BookingWork): boolean =>
  stateAfter(record.status, intent.kind, { needsConfirmation: needsConfirmation(configuration) }) === 'pending'
