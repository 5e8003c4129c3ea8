/**
 * Group events: events of a calendar that guests can join. The calendar has the event itself; the store has its
 * capacity, its hosts and the number of seats that are taken.
 */
import { type Queries, sql } from '../../engine/database.ts'
import { named, nullable, number, type RowOf, table, text, word } from '../../engine/table.ts'

export interface GroupEventAddress {
  applicationId: string
  grantId: string
  calendarId: string
  eventId: string
}

export type GroupEventKind = 'created' | 'imported' | 'occurrence'

const groupEvents = table('group_events', {
  grant_id: text,
  calendar_id: text,
  event_id: text,
  application_id: text,
  configuration_id: text,
  /** The series, on an occurrence. */
  master_id: nullable(text),
  kind: word<GroupEventKind>(),
  capacity: number,
  /** Whether an occurrence keeps its capacity when that of its series changes: 0 or 1. */
  own_capacity: number,
  /** The people who have a seat. */
  booked: number,
  sealed_details: nullable(text),
  created_at: number,
  updated_at: number,
})
export type GroupEventRow = RowOf<typeof groupEvents>

const { columns, values } = groupEvents
const atEvent = 'application_id = $1 and grant_id = $2 and calendar_id = $3 and event_id = $4'

const insert = named<GroupEventRow>('group_events.insert')`insert into group_events (${columns}, claimed_until)
   values (${values}, 0) on conflict (grant_id, calendar_id, event_id, application_id) do nothing`
const get = groupEvents.select('get')`where ${atEvent}`
const ofConfiguration = groupEvents.select('ofConfiguration')`where application_id = $1 and configuration_id = $2
   order by created_at, event_id`
const count = groupEvents.count('count')`where application_id = $1 and configuration_id = $2 and kind <> 'occurrence'`
const update = groupEvents.update('update')`set capacity = $5, own_capacity = $6, sealed_details = $7, updated_at = $8
   where ${atEvent} and booked <= $5`
const inherit = groupEvents.update('inherit')`
   set capacity = case when booked > $5 then booked else $5 end, updated_at = $6
   where application_id = $1 and grant_id = $2 and calendar_id = $3 and master_id = $4 and own_capacity = 0`
const remove = groupEvents.delete('remove')`where application_id = $1 and grant_id = $2 and calendar_id = $3
   and (event_id = $4 or master_id = $4)`
// One statement decides who gets the last seat: it finds the row only if there is room for all.
const take = groupEvents.update('take')`set booked = booked + $5, updated_at = $7
   where ${atEvent} and booked + $5 + $6 <= capacity`
const giveBack = groupEvents.update('giveBack')`set booked = booked - $5, updated_at = $6
   where ${atEvent} and booked >= $5`
const claim = groupEvents.update('claim')`set claimed_by = $5, claimed_until = $6
   where ${atEvent} and (claimed_until <= $7 or claimed_by = $5)`
const claimant = sql<{ claimed_by: string | null }>('group_events.claimant')`select claimed_by from group_events
   where ${atEvent}`
const release = groupEvents.update('release')`set claimed_by = null, claimed_until = 0
   where ${atEvent} and claimed_by = $5`

const valuesOf = ({ applicationId, grantId, calendarId, eventId }: GroupEventAddress): string[] => [
  applicationId,
  grantId,
  calendarId,
  eventId,
]

/** The address of a row. */
export const addressOf = (row: GroupEventRow): GroupEventAddress => ({
  applicationId: row.application_id,
  grantId: row.grant_id,
  calendarId: row.calendar_id,
  eventId: row.event_id,
})

/** Adds a row. Returns false if the event is already a group event. */
export const insertGroupEvent = async (tx: Queries, row: GroupEventRow): Promise<boolean> =>
  (await tx.run(...insert(row))) === 1

export const getGroupEvent = (queries: Queries, at: GroupEventAddress): Promise<GroupEventRow | undefined> =>
  queries.get(get, valuesOf(at))

interface OfConfiguration {
  applicationId: string
  configurationId: string
}
export const groupEventsOf = (
  queries: Queries,
  { applicationId, configurationId }: OfConfiguration,
): Promise<GroupEventRow[]> => queries.all(ofConfiguration, [applicationId, configurationId])

/** The number of single events and series. */
export const countGroupEvents = async (
  queries: Queries,
  { applicationId, configurationId }: OfConfiguration,
): Promise<number> => (await queries.get(count, [applicationId, configurationId]))?.n ?? 0

type CapacityChange = Pick<GroupEventRow, 'capacity' | 'own_capacity' | 'sealed_details'> & { now: number }

/** Changes an event. Returns false if it is gone, or if more people have a seat than the new capacity allows. */
export const updateGroupEvent = async (
  tx: Queries,
  at: GroupEventAddress,
  { capacity, own_capacity, sealed_details, now }: CapacityChange,
): Promise<boolean> => (await tx.run(update, [...valuesOf(at), capacity, own_capacity, sealed_details, now])) === 1

/** Gives the occurrences of a series its new capacity, except those with their own. Nobody loses a seat. */
export const passCapacityOn = async (
  tx: Queries,
  at: GroupEventAddress,
  { capacity, now }: { capacity: number; now: number },
): Promise<void> => void (await tx.run(inherit, [...valuesOf(at), capacity, now]))

/** Removes an event with its seats; with a series, its occurrences. */
export const removeGroupEvent = async (tx: Queries, at: GroupEventAddress): Promise<void> =>
  void (await tx.run(remove, valuesOf(at)))

/** Takes seats. `others` are people of the event without a booking. Returns false if there is no room for all. */
export const takeSeats = async (
  tx: Queries,
  at: GroupEventAddress,
  { people, others, now }: { people: number; others: number; now: number },
): Promise<boolean> => (await tx.run(take, [...valuesOf(at), people, others, now])) === 1

export const giveSeatsBack = async (
  tx: Queries,
  at: GroupEventAddress,
  { people, now }: { people: number; now: number },
): Promise<void> => void (await tx.run(giveBack, [...valuesOf(at), people, now]))

/** Claims the sole right to change the participants of an event. Returns false while another holder has it. */
export const claimParticipants = async (
  queries: Queries,
  at: GroupEventAddress,
  { by, until, now }: { by: string; until: number; now: number },
): Promise<boolean> => (await queries.run(claim, [...valuesOf(at), by, until, now])) === 1

/** The holder of that claim (the `by` of `claimParticipants`), or undefined. */
export const participantsClaim = async (queries: Queries, at: GroupEventAddress): Promise<string | undefined> =>
  (await queries.get(claimant, valuesOf(at)))?.claimed_by ?? undefined

export const releaseParticipants = async (queries: Queries, at: GroupEventAddress, by: string): Promise<void> =>
  void (await queries.run(release, [...valuesOf(at), by]))
