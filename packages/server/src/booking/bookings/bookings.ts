/**
 * Creates and changes bookings: what a request wants, and whether the booking allows it. `booking-states.ts` describes the
 * life of a booking, `booking-changes.ts` which process carries a change out.
 */
import { isDeepStrictEqual } from 'node:util'
import { ApiError } from '@waypost/platform/api-error'
import { newId } from '@waypost/platform/ids'
import type { BookingAddress } from '@waypost/store/tables/scheduling/bookings'
import type { GroupEventAddress } from '@waypost/store/tables/scheduling/group-events'
import { bookingsAt, leaveAllSeats } from '@waypost/store/tables/scheduling/group-seats'
import { newSalt } from '../references.ts'
import { addBooking, changeBooking, settledBooking } from './booking-changes.ts'
import {
  type BookingDetails,
  type BookingRecord,
  guestKeyOf,
  type Intent,
  type IntentKind,
  type IntentTarget,
} from './booking-record.ts'
import { type Cast, type ChosenSlot, withCast } from './cast.ts'
import { textsOf } from './event-draft.ts'
import { withTextsForGuests } from './lost-accounts.ts'
import { unavailable } from './placement.ts'
import type { BookedConfiguration, BookingTools } from './tools.ts'

/** The guest's part of a booking. */
export type GuestDetails = Pick<
  BookingDetails,
  'guest' | 'additionalGuests' | 'additionalFields' | 'timezone' | 'emailLanguage'
>

export interface NewBooking extends ChosenSlot, GuestDetails {
  configuration: BookedConfiguration
  signal: AbortSignal
}

const refused = (message: string): ApiError => new ApiError('invalid_request', message)

const intentOf = (
  { clock, nodeId }: BookingTools,
  kind: IntentKind,
  of: Pick<Intent, 'target'> & Partial<Pick<Intent, 'details' | 'reason'>>,
): Intent => {
  const now = clock.now()
  return { kind, reason: '', details: {}, ...of, validated: false, node: nodeId, since: now, begunAt: now }
}

const targetOf = (
  { host, calendarId, hosts, group }: Cast,
  { startTime, endTime }: Pick<ChosenSlot, 'startTime' | 'endTime'>,
): IntentTarget => ({
  startTime,
  endTime,
  hostGrantId: host.grant.id,
  calendarId,
  hosts,
  ...(group ? { group: group.target } : {}),
})

/**
 * Whether a request repeats the one that made the booking. Somebody who knows only the address of a guest must not
 * read or cancel the guest's booking.
 */
const isRepeated = ({ details }: BookingRecord, { guest, additionalFields }: GuestDetails): boolean =>
  details.guest.name.trim().toLowerCase() === guest.name.trim().toLowerCase() &&
  isDeepStrictEqual({ ...details.additionalFields }, { ...additionalFields })

const create = (tools: BookingTools, wanted: NewBooking): Promise<BookingRecord> =>
  withCast(tools, wanted, {
    async attempt(cast) {
      const { configuration, signal } = wanted
      const record = newRecord(tools, wanted, cast)
      const intent = intentOf(tools, 'create', { target: targetOf(cast, wanted) })
      const { booking, isNew } = await addBooking(tools, { record, intent, configuration, signal })
      if (booking && isNew) return booking
      // If its creation was refused in the meantime, this request would be refused too.
      if (!booking || !isRepeated(booking, wanted)) throw unavailable()
      if (wanted.group && booking.eventId !== wanted.group.eventId) {
        throw refused('this guest has a seat in another event at the same time: cancel that booking first')
      }
      return booking
    },
  })

/** Books a slot. A guest who sends the same request again gets the same booking. */
export const createBooking = withTextsForGuests(create)

function newRecord({ seals, clock }: BookingTools, wanted: NewBooking, cast: Cast): BookingRecord {
  const { configuration: of, startTime, endTime, guest, additionalGuests, additionalFields } = wanted
  const now = clock.now()
  return {
    id: newId(),
    applicationId: of.applicationId,
    configurationId: of.id,
    grantId: of.grantId,
    hostGrantId: cast.host.grant.id,
    status: 'creating',
    revision: 1,
    startTime,
    endTime,
    calendarId: cast.calendarId,
    eventId: null,
    guestKey: guestKeyOf(seals, of.applicationId, guest.email),
    details: {
      guest,
      additionalGuests,
      additionalFields,
      ...textsOf(of.configuration, { guest, additionalFields }),
      organizer: cast.organizer,
      participants: cast.participants,
      timezone: wanted.timezone,
      emailLanguage: wanted.emailLanguage,
      salt: newSalt(),
      guestSalt: newSalt(),
      cancellationReason: '',
      ...cast.group?.details,
    },
    intent: undefined,
    createdAt: now,
    updatedAt: now,
  }
}

interface ChangeRequest extends BookingAddress {
  configuration: BookedConfiguration
  signal: AbortSignal
}

interface DecidedChange extends ChangeRequest {
  /** Decides by the current booking: the intent, or undefined if there is nothing to change. Throws if it is refused. */
  decide(record: BookingRecord): Intent | undefined
}

/** A request gives up after it lost this often against others. */
const maxAttempts = 10

async function change(
  tools: BookingTools,
  { configuration, signal, decide, ...at }: DecidedChange,
): Promise<BookingRecord> {
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const record = await settledBooking(tools, at, signal)
    if (!record) throw new ApiError('not_found')
    const intent = decide(record)
    if (!intent) return record
    const changed = await changeBooking(tools, { record, intent, configuration, signal })
    if (changed) return changed
  }
  throw new ApiError('conflict', 'the booking is being changed by others: try again')
}

const changeForGuest = withTextsForGuests(change)

/** Ends as it is now: the same time and host, with nothing more to claim. */
const sameTarget = ({ startTime, endTime, hostGrantId, calendarId }: BookingRecord): IntentTarget => ({
  startTime,
  endTime,
  hostGrantId,
  calendarId,
  hosts: [],
})

/** Confirms a pending booking. A confirmed one stays as it is. */
export const confirmBooking = (tools: BookingTools, of: ChangeRequest): Promise<BookingRecord> =>
  changeForGuest(tools, {
    ...of,
    decide(record) {
      if (record.status === 'booked') return undefined
      if (record.status === 'cancelled') throw refused('the booking was cancelled, so it cannot be confirmed')
      if (record.endTime * 1000 <= tools.clock.now()) throw refused('the time of the booking is over')
      return intentOf(tools, 'confirm', { target: sameTarget(record) })
    },
  })

/** Declines a pending booking. */
export const declineBooking = (tools: BookingTools, of: ChangeRequest & { reason: string }): Promise<BookingRecord> =>
  changeForGuest(tools, {
    ...of,
    decide(record) {
      if (record.status === 'cancelled') return undefined
      if (record.status === 'booked') throw refused('the booking is confirmed: cancel it instead')
      return intentOf(tools, 'decline', { target: sameTarget(record), reason: of.reason })
    },
  })

export interface Notice {
  /** Whether the caller is bound by the notice of the configuration, as guests are. */
  isBound: boolean
}

/** Refuses a change of a booking that begins too soon or is over. */
function checkNotice(
  tools: BookingTools,
  record: BookingRecord,
  { configuration, isBound }: ChangeRequest & Notice,
): void {
  const now = tools.clock.now()
  if (record.endTime * 1000 <= now) throw refused('the time of the booking is over, so it can no longer be changed')
  const minutes = configuration.configuration.scheduler.min_cancellation_notice ?? 0
  if (isBound && minutes > 0 && record.startTime * 1000 - now < minutes * 60_000) {
    throw refused(`the booking can be changed until ${minutes} minutes before its start: contact the organizer`)
  }
}

/** Cancels a booking. A cancelled one stays as it is. */
export const cancelBooking = (
  tools: BookingTools,
  of: ChangeRequest & Notice & { reason: string },
): Promise<BookingRecord> =>
  changeForGuest(tools, {
    ...of,
    decide(record) {
      if (record.status === 'cancelled') return undefined
      checkNotice(tools, record, of)
      return intentOf(tools, 'cancel', { target: sameTarget(record), reason: of.reason })
    },
  })

/**
 * Cancels the bookings of a group event that is about to be deleted. Every guest is notified once. All seats are marked
 * first, so that one change of the calendar removes all guests. With a series, the bookings of all its occurrences are
 * cancelled.
 */
export async function cancelBookingsAt(
  tools: BookingTools,
  { configuration, at, signal }: { configuration: BookedConfiguration; at: GroupEventAddress; signal: AbortSignal },
): Promise<void> {
  const ids = await bookingsAt(tools.database, at)
  await leaveAllSeats(tools.database, at)
  const of = { applicationId: at.applicationId, configuration, signal, isBound: false }
  for (const id of ids) {
    signal.throwIfAborted()
    await cancelBooking(tools, { ...of, id, reason: 'The event was cancelled.' })
  }
}

async function reschedule(
  tools: BookingTools,
  of: ChangeRequest & Notice & ChosenSlot & { reader: Partial<Pick<GuestDetails, 'timezone' | 'emailLanguage'>> },
): Promise<BookingRecord> {
  const { applicationId, id, configuration, signal } = of
  const current = await settledBooking(tools, of, signal)
  if (!current) throw new ApiError('not_found')
  const isThere = (record: BookingRecord): boolean =>
    record.status !== 'cancelled' &&
    (of.group === undefined || record.eventId === of.group.eventId) &&
    record.startTime === of.startTime &&
    record.endTime === of.endTime
  if (isThere(current)) return current
  if (configuration.removedAt !== null) throw refused('the booking page was closed: the booking can only be cancelled')
  return withCast(tools, of, {
    moved: current,
    attempt: (cast) =>
      changeForGuest(tools, {
        applicationId,
        id,
        configuration,
        signal,
        decide(record) {
          if (record.status === 'cancelled') throw refused('the booking was cancelled: book another time')
          if (isThere(record)) return undefined
          checkNotice(tools, record, of)
          const { organizer, participants, group } = cast
          const details = { organizer, participants, ...group?.details, ...of.reader }
          return intentOf(tools, 'reschedule', { target: targetOf(cast, of), details })
        },
      }),
  })
}

/** Moves a booking to another time, with the same host if possible. */
export const rescheduleBooking = withTextsForGuests(reschedule)
