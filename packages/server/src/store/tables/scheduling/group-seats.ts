/**
 * The seats of bookings in group events. A seat begins as `taken`. It is `seated` once the calendar has its people, and
 * `leaving` until the calendar no longer has them.
 */
import { type Queries, sql } from '../../engine/database.ts'
import type { GroupEventAddress } from './group-events.ts'

export type SeatState = 'taken' | 'seated' | 'leaving'

export interface SeatRow {
  booking_id: string
  state: SeatState
  people: number
  sealed_people: string
}

const atEvent = 'application_id = $1 and grant_id = $2 and calendar_id = $3 and event_id = $4'

const insert = sql({
  name: 'group_seats.insert',
  text: `insert into group_seats (application_id, grant_id, calendar_id, event_id, booking_id, state, people,
   sealed_people, created_at) values ($1, $2, $3, $4, $5, 'taken', $6, $7, $8)
   on conflict (booking_id, calendar_id, event_id, application_id) do nothing`,
  writes: ['group_seats'],
})
const ofEvent = sql<SeatRow>({
  name: 'group_seats.ofEvent',
  text: `select booking_id, state, people, sealed_people from group_seats where ${atEvent} order by created_at, booking_id`,
  reads: ['group_seats'],
})
const get = sql<SeatRow>({
  name: 'group_seats.get',
  text: `select booking_id, state, people, sealed_people from group_seats where ${atEvent} and booking_id = $5`,
  reads: ['group_seats'],
})
const setState = sql({
  name: 'group_seats.setState',
  text: `update group_seats set state = $7 where ${atEvent} and booking_id = $5 and state = $6`,
  writes: ['group_seats'],
})
const remove = sql({
  name: 'group_seats.remove',
  text: `delete from group_seats where ${atEvent} and booking_id = $5 and people = $6`,
  writes: ['group_seats'],
})

const valuesOf = ({ applicationId, grantId, calendarId, eventId }: GroupEventAddress): string[] => [
  applicationId,
  grantId,
  calendarId,
  eventId,
]

export interface NewSeat {
  bookingId: string
  people: number
  sealedPeople: string
  now: number
}

/** Adds a seat. Returns false if the booking already has one in this event. */
export const insertSeat = async (
  tx: Queries,
  at: GroupEventAddress,
  { bookingId, people, sealedPeople, now }: NewSeat,
): Promise<boolean> => (await tx.run(insert, [...valuesOf(at), bookingId, people, sealedPeople, now])) === 1

export const seatsOf = (queries: Queries, at: GroupEventAddress): Promise<SeatRow[]> =>
  queries.all(ofEvent, valuesOf(at))

export const getSeat = (queries: Queries, at: GroupEventAddress, bookingId: string): Promise<SeatRow | undefined> =>
  queries.get(get, [...valuesOf(at), bookingId])

/** Changes the state of a seat that has the state `from`. */
export const moveSeat = async (
  queries: Queries,
  at: GroupEventAddress,
  { bookingId, from, to }: { bookingId: string; from: SeatState; to: SeatState },
): Promise<boolean> => (await queries.run(setState, [...valuesOf(at), bookingId, from, to])) === 1

/** Removes a seat. Returns false if it is already gone. */
export const removeSeat = async (
  tx: Queries,
  at: GroupEventAddress,
  { booking_id, people }: Pick<SeatRow, 'booking_id' | 'people'>,
): Promise<boolean> => (await tx.run(remove, [...valuesOf(at), booking_id, people])) === 1
