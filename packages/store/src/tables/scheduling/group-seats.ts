/**
 * The seats of bookings in group events. A seat begins as `taken`. It is `seated` once the calendar has its people, and
 * `leaving` until the calendar no longer has them.
 */
import { type Queries, sql } from '../../engine/database.ts'
import { statementsOn } from '../../engine/table.ts'
import type { GroupEventAddress } from './group-events.ts'

const groupSeats = statementsOn('group_seats')

export type SeatState = 'taken' | 'seated' | 'leaving'

export interface SeatRow {
  booking_id: string
  state: SeatState
  people: number
  sealed_people: string
}

const atEvent = 'application_id = $1 and grant_id = $2 and calendar_id = $3 and event_id = $4'

const insert = sql('group_seats.insert')`
   insert into group_seats (application_id, grant_id, calendar_id, event_id, booking_id, state, people,
   sealed_people, created_at) values ($1, $2, $3, $4, $5, 'taken', $6, $7, $8)
   on conflict (booking_id, calendar_id, event_id, application_id) do nothing`
const ofEvent = sql<SeatRow>('group_seats.ofEvent')`select booking_id, state, people, sealed_people from group_seats
   where ${atEvent} order by created_at, booking_id`
const get = sql<SeatRow>('group_seats.get')`select booking_id, state, people, sealed_people from group_seats
   where ${atEvent} and booking_id = $5`
const setState = groupSeats.update('setState')`set state = $7 where ${atEvent} and booking_id = $5 and state = $6`
const bookings = sql<{ booking_id: string }>('group_seats.bookings')`select s.booking_id from group_seats s
   join group_events e on e.application_id = s.application_id
   and e.grant_id = s.grant_id and e.calendar_id = s.calendar_id and e.event_id = s.event_id
   where e.application_id = $1 and e.grant_id = $2 and e.calendar_id = $3 and (e.event_id = $4 or e.master_id = $4)
   order by s.created_at, s.booking_id`
const leaveAll = groupSeats.update('leaveAll')`set state = 'leaving'
   where application_id = $1 and grant_id = $2 and calendar_id = $3
   and event_id in (select event_id from group_events where application_id = $1 and grant_id = $2 and calendar_id = $3
     and (event_id = $4 or master_id = $4))`
const remove = groupSeats.delete('remove')`where ${atEvent} and booking_id = $5 and people = $6`

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

/** The bookings with a seat in an event, or in the occurrences of a series. */
export const bookingsAt = async (queries: Queries, at: GroupEventAddress): Promise<string[]> =>
  (await queries.all(bookings, valuesOf(at))).map(({ booking_id }) => booking_id)

/** Marks all these seats as ones to give back. */
export const leaveAllSeats = async (queries: Queries, at: GroupEventAddress): Promise<void> =>
  void (await queries.run(leaveAll, valuesOf(at)))

/** Removes a seat. Returns false if it is already gone. */
export const removeSeat = async (
  tx: Queries,
  at: GroupEventAddress,
  { booking_id, people }: Pick<SeatRow, 'booking_id' | 'people'>,
): Promise<boolean> => (await tx.run(remove, [...valuesOf(at), booking_id, people])) === 1
