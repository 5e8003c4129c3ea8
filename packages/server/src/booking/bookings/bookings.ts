/** Creates and changes bookings. `intents.ts` describes their life, `carry-out.ts` what happens in which order. */
import { isDeepStrictEqual } from 'node:util'
import { ApiError } from '@waypost/platform/api-error'
import { emailKey } from '@waypost/platform/email-key'
import { newId } from '@waypost/platform/ids'
import { methodOf } from '@waypost/scheduling/configurations/slot-plan'
import type { BookingAddress } from '@waypost/store/tables/scheduling/bookings'
import { findSlots } from '../find-slots.ts'
import { newSalt } from '../references.ts'
import { beginChange, beginCreation } from './begin.ts'
import { carryOut, IntentTakenOver } from './carry-out.ts'
import { type Cast, castOf, isRoundRobin, namedHost } from './cast.ts'
import type { BookingDetails } from './details.ts'
import { textsOf } from './event-draft.ts'
import { unavailable } from './event-placement.ts'
import { type ChosenGroupEvent, castOfGroup, type GroupCast } from './group-cast.ts'
import type { Intent, IntentKind, IntentTarget } from './intents.ts'
import { withTextsForGuests } from './lost-accounts.ts'
import { type BookingRecord, guestKeyOf } from './record.ts'
import { leaveToJob, settledBooking } from './settling.ts'
import type { BookedConfiguration, BookingTools } from './tools.ts'
import type { BookingWork } from './work.ts'

/** The guest's part of a booking. */
export type GuestDetails = Pick<
  BookingDetails,
  'guest' | 'additionalGuests' | 'additionalFields' | 'timezone' | 'emailLanguage'
>

interface ChosenTime {
  /** Unix seconds. */
  startTime: number
  endTime: number
  /** Addresses of participants that the guest named. */
  named: readonly string[]
  /** The group event that the guest chose. */
  group?: ChosenGroupEvent | undefined
}

export interface NewBooking extends ChosenTime, GuestDetails {
  configuration: BookedConfiguration
  signal: AbortSignal
}

const isTaken = (error: unknown): boolean => error instanceof ApiError && error.code === 'timeslot_not_available'

/** Calls `attempt` with one host after the other until one is free. */
async function withFirstFree<T>(
  hosts: readonly (string | undefined)[],
  attempt: (host: string | undefined) => Promise<T>,
): Promise<T> {
  for (const host of hosts.slice(0, -1)) {
    try {
      return await attempt(host)
    } catch (error) {
      if (!isTaken(error)) throw error
    }
  }
  if (hosts.length === 0) throw unavailable()
  return attempt(hosts.at(-1))
}

/**
 * The hosts to try. With round robin these are those who are free, in their order. A named host is the only one, but with
 * `max-fairness` the first one: there the page offers hosts by their turn, and the turn may be another one by now.
 */
async function hostsToTry(
  tools: BookingTools,
  { configuration, startTime, endTime, named, signal }: Omit<NewBooking, keyof GuestDetails>,
  moved?: BookingRecord,
): Promise<(string | undefined)[]> {
  const chosen = namedHost(configuration.configuration, named)
  if (!isRoundRobin(configuration.configuration)) return [undefined]
  const isFair = methodOf(configuration.configuration) === 'max-fairness'
  if (chosen !== undefined && !moved && !isFair) return [chosen]
  const { time_slots: slots, order } = await findSlots(tools, {
    ...{ record: configuration, startTime, endTime: startTime + 1, isForBooking: true, signal: () => signal },
    ...(moved ? { exceptBooking: moved } : {}),
  })
  const slot = slots.find((each) => each.start_time === startTime && each.end_time === endTime)
  const offered = (order ?? slot?.emails ?? []).filter((email) => slot?.emails.includes(email))
  // A moved booking keeps its host if possible.
  const own = moved?.details.organizer.email
  const first = [own, chosen].flatMap((wanted) =>
    wanted === undefined ? [] : offered.filter((email) => emailKey(email) === emailKey(wanted)),
  )
  const free = [...new Set([...first, ...offered])]
  if (free.length > 0 || moved) return free
  // Nobody is free, but a request that is repeated finds its booking.
  return [chosen ?? order?.[0]].filter((email) => email !== undefined)
}

const targetOf = (cast: Cast & Partial<GroupCast>, { startTime, endTime }: ChosenTime): IntentTarget => ({
  ...{ startTime, endTime, hostGrantId: cast.host.grant.id, calendarId: cast.calendarId, hosts: cast.hosts },
  ...(cast.target ? { group: cast.target } : {}),
})

/** Who takes part: as the configuration says, or as the chosen group event does. */
const castFor = (
  tools: BookingTools,
  { configuration, named, group, signal, ...time }: Omit<NewBooking, keyof GuestDetails>,
  hostEmail: string | undefined,
): Promise<Cast & Partial<GroupCast>> =>
  group
    ? castOfGroup(tools, { ...time, configuration, group, signal })
    : castOf(tools, configuration, { named, hostEmail })

const intentOf = (
  { clock, nodeId }: BookingTools,
  kind: IntentKind,
  of: Pick<Intent, 'target' | 'details'> & { reason?: string },
): Intent => {
  const now = clock.now()
  return { kind, reason: '', ...of, validated: false, node: nodeId, since: now, begunAt: now }
}

/** Carries out what was recorded. If another process took over, its outcome counts. */
async function run(tools: BookingTools, work: BookingWork): Promise<BookingRecord> {
  try {
    return await carryOut(tools, work)
  } catch (error) {
    if (!(error instanceof IntentTakenOver)) throw await leaveToJob(tools, work, error)
    const { applicationId, id } = work.record
    const record = await settledBooking(tools, { applicationId, id }, work.signal)
    if (!record) throw unavailable()
    return record
  }
}

/**
 * Whether a request repeats the one that made the booking. Somebody who knows only the address of a guest must not
 * read or cancel the guest's booking.
 */
const isRepeated = ({ details }: BookingRecord, { guest, additionalFields }: GuestDetails): boolean =>
  details.guest.name.trim().toLowerCase() === guest.name.trim().toLowerCase() &&
  isDeepStrictEqual({ ...details.additionalFields }, { ...additionalFields })

async function create(tools: BookingTools, wanted: NewBooking): Promise<BookingRecord> {
  const hosts = await hostsToTry(tools, wanted)
  return withFirstFree(hosts, async (hostEmail) => {
    const { configuration, signal } = wanted
    const cast = await castFor(tools, wanted, hostEmail)
    const record = newRecord(tools, wanted, cast)
    const intent = intentOf(tools, 'create', { target: targetOf(cast, wanted), details: {} })
    const begun = await beginCreation(tools, { record, intent, configuration, signal })
    if ('work' in begun) return run(tools, begun.work)
    const { applicationId, id } = begun.existing
    const existing = await settledBooking(tools, { applicationId, id }, signal)
    // Its creation was refused in the meantime, so this request would be refused too.
    if (!existing || !isRepeated(existing, wanted)) throw unavailable()
    if (wanted.group && existing.eventId !== wanted.group.eventId) {
      throw refused('this guest has a seat in another event at the same time: cancel that booking first')
    }
    return existing
  })
}

/** Books a slot. A guest who sends the same request again gets the same booking. */
export const createBooking = withTextsForGuests(create)

function newRecord({ seals, clock }: BookingTools, wanted: NewBooking, cast: Cast & Partial<GroupCast>): BookingRecord {
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
    ...{ startTime, endTime, calendarId: cast.calendarId, eventId: null },
    guestKey: guestKeyOf(seals, of.applicationId, guest.email),
    details: {
      ...{ guest, additionalGuests, additionalFields },
      ...textsOf(of.configuration, { guest, additionalFields }),
      ...{ organizer: cast.organizer, participants: cast.participants },
      ...{ timezone: wanted.timezone, emailLanguage: wanted.emailLanguage },
      ...{ salt: newSalt(), guestSalt: newSalt(), cancellationReason: '' },
      ...cast.details,
    },
    intent: undefined,
    createdAt: now,
    updatedAt: now,
  }
}

interface Change extends BookingAddress {
  configuration: BookedConfiguration
  signal: AbortSignal
  /** Decides by the current booking: the intent, or undefined if there is nothing to change. Throws if it is refused. */
  decide(record: BookingRecord): Intent | undefined
}

/** A request that lost against others this often gives up. */
const maxAttempts = 10

async function change(tools: BookingTools, { configuration, signal, decide, ...at }: Change): Promise<BookingRecord> {
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const record = await settledBooking(tools, at, signal)
    if (!record) throw new ApiError('not_found')
    const intent = decide(record)
    if (!intent) return record
    const work = await beginChange(tools, { record, intent, configuration, signal })
    if (work) return run(tools, work)
  }
  throw new ApiError('conflict', 'the booking is being changed by others: try again')
}

const changeBooking = withTextsForGuests(change)

/** Ends as it is now: the same time and host, with nothing more to claim. */
const sameTarget = ({ startTime, endTime, hostGrantId, calendarId }: BookingRecord): IntentTarget => ({
  ...{ startTime, endTime, hostGrantId, calendarId, hosts: [] },
})

const refused = (message: string): ApiError => new ApiError('invalid_request', message)

type ChangeRequest = Omit<Change, 'decide'>

/** Confirms a pending booking. A confirmed one stays as it is. */
export const confirmBooking = (tools: BookingTools, of: ChangeRequest): Promise<BookingRecord> =>
  changeBooking(tools, {
    ...of,
    decide(record) {
      if (record.status === 'booked') return undefined
      if (record.status === 'cancelled') throw refused('the booking was cancelled, so it cannot be confirmed')
      if (record.endTime * 1000 <= tools.clock.now()) throw refused('the time of the booking is over')
      return intentOf(tools, 'confirm', { target: sameTarget(record), details: {} })
    },
  })

/** Declines a pending booking. */
export const declineBooking = (tools: BookingTools, of: ChangeRequest & { reason: string }): Promise<BookingRecord> =>
  changeBooking(tools, {
    ...of,
    decide(record) {
      if (record.status === 'cancelled') return undefined
      if (record.status === 'booked') throw refused('the booking is confirmed: cancel it instead')
      return intentOf(tools, 'decline', { target: sameTarget(record), details: {}, reason: of.reason })
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
  changeBooking(tools, {
    ...of,
    decide(record) {
      if (record.status === 'cancelled') return undefined
      checkNotice(tools, record, of)
      return intentOf(tools, 'cancel', { target: sameTarget(record), details: {}, reason: of.reason })
    },
  })

async function reschedule(
  tools: BookingTools,
  of: ChangeRequest & Notice & ChosenTime & { reader: Partial<Pick<GuestDetails, 'timezone' | 'emailLanguage'>> },
): Promise<BookingRecord> {
  const { applicationId, id, configuration, signal } = of
  const current = await settledBooking(tools, { applicationId, id }, signal)
  if (!current) throw new ApiError('not_found')
  const isThere = (record: BookingRecord): boolean =>
    record.status !== 'cancelled' &&
    (of.group === undefined || record.eventId === of.group.eventId) &&
    record.startTime === of.startTime &&
    record.endTime === of.endTime
  if (isThere(current)) return current
  if (configuration.removedAt !== null) throw refused('the booking page was closed: the booking can only be cancelled')
  const hosts = await hostsToTry(tools, of, current)
  return withFirstFree(hosts, async (hostEmail) => {
    const cast = await castFor(tools, of, hostEmail)
    return changeBooking(tools, {
      ...{ applicationId, id, configuration, signal },
      decide(record) {
        if (record.status === 'cancelled') throw refused('the booking was cancelled: book another time')
        if (isThere(record)) return undefined
        checkNotice(tools, record, of)
        const details = cast.details ?? { organizer: cast.organizer, participants: cast.participants }
        return intentOf(tools, 'reschedule', { target: targetOf(cast, of), details: { ...details, ...of.reader } })
      },
    })
  })
}

/** Moves a booking to another time, with the same host if possible. */
export const rescheduleBooking = withTextsForGuests(reschedule)
