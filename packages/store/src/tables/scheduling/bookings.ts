/**
 * Bookings as they are stored. A change that is under way is the booking's intent. Every statement about an intent
 * compares the stored text, so a process whose intent was taken over by another can no longer change the booking.
 */
import { type Database, type Engine, type Queries, sql } from '../../engine/database.ts'
import {
  type Condition,
  equal,
  type Keyset,
  type KeysetPage,
  type KeysetPosition,
  readKeyset,
} from '../../engine/keyset.ts'
import { named, nullable, number, type RowOf, table, text, word } from '../../engine/table.ts'
import { type GrantScope, scopedRows } from '../grants/grant-scope.ts'

export type BookingState = 'creating' | 'pending' | 'booked' | 'cancelled'

const bookings = table('bookings', {
  id: text,
  application_id: text,
  configuration_id: text,
  /** The owner of the configuration. */
  grant_id: text,
  /** The account whose calendar has the event. */
  host_grant_id: text,
  status: word<BookingState>(),
  revision: number,
  /** Unix seconds. */
  start_time: number,
  end_time: number,
  calendar_id: text,
  event_id: nullable(text),
  guest_key: text,
  sealed_document: text,
  sealed_intent: nullable(text),
  /** Milliseconds. */
  created_at: number,
  updated_at: number,
})
export type BookingRow = RowOf<typeof bookings>

export interface BookingAddress {
  applicationId: string
  id: string
}

const { columns, set } = bookings

const insert = bookings.insert()
const byId = bookings.select('byId')`where application_id = $1 and id = $2`
const ofGuest = bookings.select('ofGuest')`where application_id = $1 and guest_key = $2 and end_time = $5
   and configuration_id = $3 and start_time = $4 and status <> 'cancelled' order by created_at, id limit 1`
const openOfGuest = bookings.count('openOfGuest')`where application_id = $1 and guest_key = $2 and end_time > $3
   and status <> 'cancelled'`
const begin = bookings.update('begin')`set sealed_intent = $4, updated_at = $5
   where application_id = $1 and id = $2 and revision = $3 and sealed_intent is null`
const proceed = bookings.update('proceed')`set sealed_intent = $4
   where application_id = $1 and id = $2 and sealed_intent = $3`
type SettledBooking = Omit<BookingRow, 'sealed_intent' | 'created_at' | 'configuration_id' | 'grant_id' | 'guest_key'>
const settle = named<SettledBooking & { intent: string }>('bookings.settle')`update bookings
   set ${set('host_grant_id', 'status', 'revision', 'start_time', 'end_time')},
   ${set('calendar_id', 'event_id', 'sealed_document', 'updated_at')}, sealed_intent = null
   where application_id = :application_id and id = :id and sealed_intent = :intent`
const giveUp = bookings.update('giveUp')`set sealed_intent = null, updated_at = $4
   where application_id = $1 and id = $2 and sealed_intent = $3`
const removeIntended = bookings.delete('removeIntended')`where application_id = $1 and id = $2 and sealed_intent = $3
   and status = 'creating'`
const upcoming = sql<{ id: string }>('bookings.upcoming')`select id from bookings
   where application_id = $1 and configuration_id = $2 and end_time > $3 and status <> 'cancelled' limit 1`
const ended = sql<{ id: string; application_id: string }>('bookings.ended')`select id, application_id from bookings
   where end_time < $1 order by end_time, id limit 500`
const remove = bookings.delete('remove')`where application_id = $1 and id = $2 and end_time < $3`

export const insertBooking = (tx: Queries, row: BookingRow): Promise<void> => tx.post(...insert(row))

export const readBooking = (queries: Queries, { applicationId, id }: BookingAddress): Promise<BookingRow | undefined> =>
  queries.get(byId, [applicationId, id])

/** The booking of a guest for the same slot of a configuration, if it was not cancelled. */
export const readBookingOfGuest = (
  queries: Queries,
  of: { applicationId: string; guestKey: string; configurationId: string; start: number; end: number },
): Promise<BookingRow | undefined> =>
  queries.get(ofGuest, [of.applicationId, of.guestKey, of.configurationId, of.start, of.end])

/** The number of bookings of a guest that have not ended; seconds. */
export const countOpenBookings = async (
  queries: Queries,
  { applicationId, guestKey }: { applicationId: string; guestKey: string },
  now: number,
): Promise<number> => (await queries.get(openOfGuest, [applicationId, guestKey, now]))?.n ?? 0

/** Writes an intent. False if the booking was changed meanwhile, or another intent is under way. */
export const beginIntent = async (
  tx: Queries,
  { applicationId, id }: BookingAddress,
  { revision, sealedIntent, now }: { revision: number; sealedIntent: string; now: number },
): Promise<boolean> => (await tx.run(begin, [applicationId, id, revision, sealedIntent, now])) === 1

/** Replaces an intent. False if another process has taken it over or settled it. */
export const replaceIntent = async (
  queries: Queries,
  { applicationId, id }: BookingAddress,
  { from, to }: { from: string; to: string },
): Promise<boolean> => (await queries.run(proceed, [applicationId, id, from, to])) === 1

/** Writes the outcome of an intent. False if another process has taken it over or settled it. */
export const settleBooking = async (tx: Queries, row: SettledBooking, intent: string): Promise<boolean> =>
  (await tx.run(...settle({ ...row, intent }))) === 1

/** Leaves a booking as it was before an intent. False if another process has taken it over or settled it. */
export const giveUpIntent = async (
  tx: Queries,
  { applicationId, id }: BookingAddress,
  { sealedIntent, now }: { sealedIntent: string; now: number },
): Promise<boolean> => (await tx.run(giveUp, [applicationId, id, sealedIntent, now])) === 1

/** Removes a booking that was never made, with its claims. */
export const removeIntendedBooking = async (
  tx: Queries,
  { applicationId, id }: BookingAddress,
  sealedIntent: string,
): Promise<boolean> => (await tx.run(removeIntended, [applicationId, id, sealedIntent])) === 1

/** Whether a configuration has bookings that have not ended; seconds. */
export const hasUpcomingBookings = async (
  queries: Queries,
  { applicationId, configurationId }: { applicationId: string; configurationId: string },
  now: number,
): Promise<boolean> => (await queries.get(upcoming, [applicationId, configurationId, now])) !== undefined

/** Removes some bookings that ended before a time in seconds. True if there may be more. */
export async function purgeBookings(queries: Queries, before: number): Promise<boolean> {
  const rows = await queries.all(ended, [before])
  for (const { id, application_id } of rows) await queries.run(remove, [application_id, id, before])
  return rows.length === 500
}

export interface BookingFilter {
  applicationId: string
  configurationId?: string | undefined
  grantId?: string | undefined
  status?: BookingState | undefined
  /** Bookings that end after this time; seconds. */
  after?: number | undefined
  /** Bookings that start before this time; seconds. */
  before?: number | undefined
  order: 'asc' | 'desc'
  /** The grants that the caller may see; undefined: all. */
  scope?: GrantScope | undefined
}

/** By start. The walk uses the index of one filter; the others apply to the rows found. */
function keysetOf(engine: Engine, filter: BookingFilter): Keyset {
  const { applicationId, configurationId, grantId, status, after, before, order, scope } = filter
  const own = equal('application_id', applicationId)
  const [indexed = [], ...rest] = [equal('configuration_id', configurationId), equal('grant_id', grantId)].filter(
    (each) => each.length > 0,
  )
  const starting: Condition[] = before === undefined ? [] : [(bind) => `start_time < ${bind(before)}`]
  const ending: Condition[] = after === undefined ? [] : [(bind) => `end_time > ${bind(after)}`]
  const scoped = scopedRows(engine, applicationId, scope)
  const others = [...rest.flat(), ...scoped, ...equal('status', status), ...ending, () => `status <> 'creating'`]
  return {
    name: 'bookings.list',
    keys: ['start_time', 'id'],
    order,
    walk: { from: 'bookings', where: [...own, ...indexed, ...starting] },
    read: { columns, from: 'bookings', where: others },
    sparse: scoped.length > 0 || rest.length > 0 || status !== undefined || ending.length > 0,
  }
}

/** A page of the bookings of an application, by their start. */
export const listBookings = (
  queries: Queries & Pick<Database, 'engine'>,
  filter: BookingFilter,
  page: { after?: KeysetPosition | undefined; limit: number },
): Promise<KeysetPage<BookingRow>> => readKeyset(queries, [keysetOf(queries.engine, filter)], page)
