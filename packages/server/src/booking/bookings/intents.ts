/**
 * The life of a booking, as pure functions. Every change is an intent that is recorded first and then carried out, so
 * that any process can finish it:
 *
 *   none ──create──▶ creating ──▶ booked, or pending where the organizer confirms
 *   pending ──confirm──▶ booked        pending ──decline──▶ cancelled
 *   pending | booked ──reschedule──▶ the same state at another time
 *   pending | booked ──cancel──▶ cancelled
 *
 * An intent that is refused leaves the booking as it was; a refused creation leaves nothing.
 */
import type { BookingState } from '@waypost/store/tables/scheduling/bookings'
import type { BookingDetails } from './details.ts'

export type IntentKind = 'create' | 'confirm' | 'decline' | 'reschedule' | 'cancel'

/** The values that the booking has afterwards. */
export interface IntentTarget {
  /** Unix seconds. */
  startTime: number
  endTime: number
  hostGrantId: string
  calendarId: string
  /** The accounts whose time is claimed. */
  hosts: readonly string[]
  /** The group event; `others` are its guests without a booking. */
  group?: { eventId: string; masterId: string | null; others: number } | undefined
}

/** An event that a booking leaves. */
export interface FormerEvent {
  /** Null if the provider does not say it. */
  sequence: number | null
  /** Whether the calendar of the host has invited the guest. */
  isInvited: boolean
  /** Whether the event goes on with others. Its number counts on then, and the guest may come back to it. */
  goesOn: boolean
}

export interface Intent {
  kind: IntentKind
  target: IntentTarget
  /** Of a cancellation or refusal. */
  reason: string
  /** Whether the slot was found free in the calendars. From then on an event may exist. */
  validated: boolean
  /** The process that carries it out; null if it gave up without knowing the outcome. */
  node: string | null
  /** When that process began, and when the intent was recorded, in milliseconds. */
  since: number
  begunAt: number
  /** The event that the booking leaves, as it was before calendars were changed. Absent if it keeps its event. */
  former?: FormerEvent | undefined
  /** The details that change with it. */
  details: Partial<BookingDetails>
}

const next: Record<IntentKind, Partial<Record<BookingState, BookingState>>> = {
  create: { creating: 'booked' },
  confirm: { pending: 'booked' },
  decline: { pending: 'cancelled' },
  reschedule: { pending: 'pending', booked: 'booked' },
  cancel: { pending: 'cancelled', booked: 'cancelled' },
}

/** The state after an intent, or undefined if the booking does not allow it. */
export function stateAfter(
  state: BookingState,
  kind: IntentKind,
  { needsConfirmation }: { needsConfirmation: boolean },
): BookingState | undefined {
  const after = next[kind][state]
  return kind === 'create' && needsConfirmation && after ? 'pending' : after
}

/** A process that works on an intent for longer than this has failed: requests end before. */
export const maxWorkMs = 120_000

/** Whether another process may take an intent over. */
export const isAbandoned = ({ node, since }: Intent, live: readonly string[], now: number): boolean =>
  node === null || now - since > maxWorkMs || !live.includes(node)
