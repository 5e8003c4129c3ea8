/**
 * Seats of bookings in group events.
 *
 *   take (in a transaction) ──▶ settle: the calendar gets the guest ──▶ seated
 *   leave (in a transaction) ──▶ settle: the calendar loses the guest ──▶ no seat
 *
 * The store decides who gets a seat, in one statement. The guests of an event are one list in the calendar, so two
 * changes at once could overwrite each other: whoever settles first claims the event, and then writes the guests of
 * all seats that wait, also those of other bookings. Settling again changes nothing, so any process can finish what
 * another one began.
 */
import type { Event } from '@waypost/contract'
import { ApiError } from '@waypost/platform/api-error'
import { seconds } from '@waypost/platform/clock'
import { newId } from '@waypost/platform/ids'
import { allowedStarts } from '@waypost/scheduling/configurations/start-times'
import { guestsAfter, othersAmong, type SeatPerson } from '@waypost/scheduling/group-seats'
import type { Queries } from '@waypost/store/engine/database'
import {
  claimParticipants,
  type GroupEventAddress,
  getGroupEvent,
  giveSeatsBack,
  insertGroupEvent,
  participantsClaim,
  releaseParticipants,
  takeSeats,
} from '@waypost/store/tables/scheduling/group-events'
import { getSeat, insertSeat, moveSeat, removeSeat, seatsOf } from '@waypost/store/tables/scheduling/group-seats'
import { isAbandoned, maxWorkMs, pollWork } from '../../outbox/recorded-work.ts'
import {
  changeEvents,
  type GroupAccount,
  type GroupConfiguration,
  type GroupServices,
  readEvent,
} from './group-calendar.ts'
import { type GroupDetails, occurrenceRow, openSeats, type Seat, sealPeople } from './group-details.ts'
import { detailsFor, needGroupEvent } from './group-events.ts'

/** The event that a guest chose. */
export interface ChosenEvent {
  calendarId: string
  eventId: string
  /** The series that the caller named. */
  masterId?: string | null | undefined
  /** Unix seconds. */
  startTime: number
  endTime: number
}

/** An event with room, as the calendar has it now. */
export interface OpenEvent {
  at: GroupEventAddress
  event: Event
  masterId: string | null
  /** Guests of the event without a booking. */
  others: number
  /** Seats that are free. */
  left: number
  details: GroupDetails
}

const unavailable = (why: string): ApiError =>
  new ApiError('timeslot_not_available', `The selected timeslot is unavailable: ${why}`)

interface SeatPoll {
  record: GroupConfiguration
  account: GroupAccount
}

/** Reads a chosen event from its calendar. Fails if it is gone, has moved, or is over. */
export async function inspectEvent(
  services: GroupServices,
  polling: SeatPoll,
  chosen: ChosenEvent,
): Promise<OpenEvent> {
  const found = await needGroupEvent(services, polling, chosen).catch((error: unknown) => {
    if (error instanceof ApiError && error.code === 'not_found') throw unavailable('the event no longer exists')
    throw error
  })
  const { event, at, own } = found
  if (event.recurrence) throw unavailable('it is a series: choose one of its occurrences')
  const masterId = event.master_event_id ?? null
  if (chosen.masterId && chosen.masterId !== masterId) throw unavailable('the event is not part of that series')
  const { when } = event
  if (!('start_time' in when) || when.start_time !== chosen.startTime || when.end_time !== chosen.endTime) {
    throw unavailable('the event was moved to another time')
  }
  const allowed = allowedStarts(polling.record.configuration, seconds(services.clock.now()))
  if (when.start_time < allowed.start) throw unavailable('it starts too soon to be booked')
  if (when.start_time >= allowed.end) throw unavailable('it is too far in the future to be booked')
  const row = own ?? found.master
  if (!row) throw unavailable('the event no longer exists')
  const seats = await openSeats(services.seals, at, await seatsOf(services.database, at))
  const booked = seats.flatMap(({ people }) => people)
  const details = await detailsFor(services, found)
  const others = othersAmong(event.participants, { hosts: details.hosts, booked })
  return { at, event, masterId, others, left: row.capacity - (own?.booked ?? 0) - others, details }
}

/** Refuses an event without enough free seats. */
export function needRoom({ left }: OpenEvent, people: number): void {
  if (left < people) throw unavailable(left > 0 ? `it has only ${left} free seats` : 'it is full')
}

interface NewSeats {
  bookingId: string
  people: readonly SeatPerson[]
  others: number
}

/**
 * Takes the seats of a booking, in its transaction. Fails if there is no room for all of its people. A booking that
 * already has them keeps them.
 */
export async function takeSeat(
  tx: Queries,
  { seals, clock }: Pick<GroupServices, 'seals' | 'clock'>,
  { at, masterId }: Pick<OpenEvent, 'at' | 'masterId'>,
  { bookingId, people, others }: NewSeats,
): Promise<void> {
  const now = clock.now()
  if (masterId !== null) {
    const master = await getGroupEvent(tx, { ...at, eventId: masterId })
    if (master) await insertGroupEvent(tx, occurrenceRow(master, at, now))
  }
  const sealedPeople = sealPeople(seals, at, { bookingId, people })
  if (!(await getGroupEvent(tx, at))) throw unavailable('the event no longer exists')
  if (!(await insertSeat(tx, at, { bookingId, people: people.length, sealedPeople, now }))) return
  if (!(await takeSeats(tx, at, { people: people.length, others, now }))) throw unavailable('it is full')
}

/** Marks the seat of a booking as one to give back. The seat is free once the calendar no longer has its people. */
export async function leaveSeat(queries: Queries, at: GroupEventAddress, bookingId: string): Promise<void> {
  await moveSeat(queries, at, { bookingId, from: 'taken', to: 'leaving' })
  await moveSeat(queries, at, { bookingId, from: 'seated', to: 'leaving' })
}

/** Keeps a seat that was about to be given back. */
export const returnToSeat = async (queries: Queries, at: GroupEventAddress, bookingId: string): Promise<void> =>
  void (await moveSeat(queries, at, { bookingId, from: 'leaving', to: 'taken' }))

/** Frees a seat at once, for a booking that the calendar never saw. */
export async function dropSeat(
  tx: Queries,
  { clock }: Pick<GroupServices, 'clock'>,
  at: GroupEventAddress,
  bookingId: string,
): Promise<void> {
  const seat = await getSeat(tx, at, bookingId)
  if (!seat || !(await removeSeat(tx, at, seat))) return
  await giveSeatsBack(tx, at, { people: seat.people, now: clock.now() })
}

export interface Settling {
  account: GroupAccount
  at: GroupEventAddress
  /** The series of the event: its occurrences share one object at some providers. */
  masterId: string | null
  bookingId: string
  /** The process, as in `nodes`. */
  nodeId: string
  notify: boolean
}

/** Brings the guests of the calendar in line with the seats, and returns once that of the booking is settled. */
export async function settleSeat(services: GroupServices, settling: Settling): Promise<void> {
  const { database, clock } = services
  const { at, masterId, bookingId, nodeId, account } = settling
  const claimAt = masterId === null ? at : { ...at, eventId: masterId }
  const by = `${nodeId} ${newId()}`
  const signal = account.signal()
  const claim = async (): Promise<'seated' | 'claimed' | 'waiting'> => {
    const seat = await getSeat(database, at, bookingId)
    if (!seat || seat.state === 'seated') return 'seated'
    const now = clock.now()
    if (await claimParticipants(database, claimAt, { by, until: now + maxWorkMs, now })) return 'claimed'
    await releaseOfDead(services, claimAt, { nodeId, now })
    return 'waiting'
  }
  const outcome = await pollWork(claim, (state) => state === 'waiting', { signal })
  if (outcome === 'waiting') throw signal.reason
  if (outcome === 'seated') return
  try {
    await settleAll(services, settling)
  } finally {
    await releaseParticipants(database, claimAt, by)
  }
}

/** Ends the claim of another process that no longer runs, at once. */
async function releaseOfDead(
  { database }: GroupServices,
  at: GroupEventAddress,
  { nodeId, now }: { nodeId: string; now: number },
): Promise<void> {
  const by = await participantsClaim(database, at)
  const node = by?.split(' ')[0]
  if (by === undefined || node === undefined || node === nodeId) return
  if (await isAbandoned(database, { node, since: now }, now)) await releaseParticipants(database, at, by)
}

/** Writes the guests of all seats that wait. Only the holder of the claim may call it. */
async function settleAll(services: GroupServices, { account, at, notify, bookingId }: Settling): Promise<void> {
  const seats = await openSeats(services.seals, at, await seatsOf(services.database, at))
  const waiting = seats.filter(({ state }) => state !== 'seated')
  if (waiting.length === 0) return
  const event = await readEvent(services, account, at)
  const own = waiting.find(({ booking_id }) => booking_id === bookingId)
  if (!event && own?.state === 'taken') throw unavailable('the event no longer exists')
  const staying = seats.filter(({ state }) => state !== 'leaving').flatMap(({ people }) => people)
  const participants =
    event &&
    guestsAfter(event.participants, {
      join: peopleOf(waiting, 'taken'),
      leave: peopleOf(waiting, 'leaving').filter(({ email }) => !staying.some((each) => each.email === email)),
    })
  await changeEvents(services, account, {
    transaction: (work) => services.database.transaction(work),
    change: async ({ update }) => {
      if (!participants) return
      await update({ event_id: at.eventId, calendar_id: at.calendarId, notify_participants: notify }, { participants })
    },
    keep: async (tx) => {
      for (const seat of waiting) await keepSettled(tx, services, at, seat)
    },
  })
}

const peopleOf = (seats: readonly Seat[], wanted: Seat['state']): SeatPerson[] =>
  seats.flatMap(({ state, people }) => (state === wanted ? people : []))

async function keepSettled(tx: Queries, { clock }: GroupServices, at: GroupEventAddress, seat: Seat): Promise<void> {
  const { booking_id: bookingId, state, count } = seat
  if (state === 'taken') {
    await moveSeat(tx, at, { bookingId, from: 'taken', to: 'seated' })
    return
  }
  if (await removeSeat(tx, at, { booking_id: bookingId, people: count })) {
    await giveSeatsBack(tx, at, { people: count, now: clock.now() })
  }
}
