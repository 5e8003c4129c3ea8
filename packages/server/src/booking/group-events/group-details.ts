/**
 * What the store knows about group events and seats. The hosts, the reminders, and the people who have a seat are
 * sealed.
 */
import type { BookingReminder, Event } from '@waypost/contract'
import type { DataSeals } from '@waypost/platform/crypto/data-seals'
import type { SealContext } from '@waypost/platform/crypto/secrets'
import type { SeatPerson } from '@waypost/scheduling/group-seats'
import {
  type GroupEventAddress,
  type GroupEventRow,
  groupEventsOf,
} from '@waypost/store/tables/scheduling/group-events'
import type { SeatRow } from '@waypost/store/tables/scheduling/group-seats'
import type { GroupConfiguration, GroupServices } from './group-calendar.ts'

export interface GroupHost {
  email: string
  name: string
  is_organizer: boolean
}

export interface GroupDetails {
  /** People of the event who take no seat; empty means only the organizer. */
  hosts: readonly GroupHost[]
  /** Empty means those of the configuration. */
  reminders: readonly BookingReminder[]
}

const noDetails: GroupDetails = { hosts: [], reminders: [] }

const rowOf = ({ grantId, calendarId, eventId }: GroupEventAddress): string =>
  JSON.stringify([grantId, calendarId, eventId])
const detailsIn = (at: GroupEventAddress): SealContext => ({
  table: 'group_events',
  column: 'sealed_details',
  application: at.applicationId,
  row: rowOf(at),
})
const peopleIn = (at: GroupEventAddress, bookingId: string): SealContext => ({
  table: 'group_seats',
  column: 'sealed_people',
  application: at.applicationId,
  row: `${bookingId} ${rowOf(at)}`,
})

export const sealGroupDetails = (seals: DataSeals, at: GroupEventAddress, details: GroupDetails): string | null =>
  details.hosts.length === 0 && details.reminders.length === 0
    ? null
    : seals.seal(JSON.stringify(details), detailsIn(at))

/** The details of rows that were just read, by the id of the event. An occurrence has those of its series. */
export async function openGroupDetails(
  seals: DataSeals,
  rows: readonly GroupEventRow[],
): Promise<(row: GroupEventRow) => GroupDetails> {
  await seals.learn(rows.map(({ sealed_details }) => sealed_details))
  const opened = new Map<string, GroupDetails>()
  for (const row of rows) {
    if (row.sealed_details === null) continue
    const at = {
      applicationId: row.application_id,
      grantId: row.grant_id,
      calendarId: row.calendar_id,
      eventId: row.event_id,
    }
    opened.set(`${row.calendar_id} ${row.event_id}`, JSON.parse(seals.open(row.sealed_details, detailsIn(at))))
  }
  return ({ calendar_id, event_id, master_id }) =>
    opened.get(`${calendar_id} ${event_id}`) ?? opened.get(`${calendar_id} ${master_id}`) ?? noDetails
}

/** The group events of a configuration. An occurrence without a row has that of its series. */
export async function openGroupEvents({ database, seals }: GroupServices, record: GroupConfiguration) {
  const rows = await groupEventsOf(database, { ...record, configurationId: record.id })
  const byId = new Map(rows.map((row) => [`${row.calendar_id} ${row.event_id}`, row]))
  const rowFor = ({ id, calendar_id, master_event_id }: Event): GroupEventRow | undefined =>
    byId.get(`${calendar_id} ${id}`) ?? byId.get(`${calendar_id} ${master_event_id}`)
  return { rows, rowFor, detailsOf: await openGroupDetails(seals, rows) }
}

export const sealPeople = (
  seals: DataSeals,
  at: GroupEventAddress,
  { bookingId, people }: { bookingId: string; people: readonly SeatPerson[] },
): string => seals.seal(JSON.stringify(people), peopleIn(at, bookingId))

/** A seat with its people. */
export interface Seat extends Omit<SeatRow, 'sealed_people' | 'people'> {
  count: number
  people: readonly SeatPerson[]
}

export async function openSeats(seals: DataSeals, at: GroupEventAddress, rows: readonly SeatRow[]): Promise<Seat[]> {
  await seals.learn(rows.map(({ sealed_people }) => sealed_people))
  return rows.map(({ booking_id, state, people, sealed_people }) => ({
    booking_id,
    state,
    count: people,
    people: JSON.parse(seals.open(sealed_people, peopleIn(at, booking_id))),
  }))
}

/** The seats of an event whose request and configuration name none. */
const defaultCapacity = 10

interface NewGroupEvent {
  at: GroupEventAddress
  kind: 'created' | 'imported'
  capacity: number | null | undefined
  details: GroupDetails
}

/** The row of an event that becomes a group event. */
export function newRow(
  { seals, clock }: GroupServices,
  record: GroupConfiguration,
  { at, kind, capacity, details }: NewGroupEvent,
): GroupEventRow {
  const now = clock.now()
  return {
    grant_id: at.grantId,
    calendar_id: at.calendarId,
    event_id: at.eventId,
    application_id: at.applicationId,
    configuration_id: record.id,
    master_id: null,
    kind,
    capacity: capacity ?? record.configuration.group_booking?.default_capacity ?? defaultCapacity,
    own_capacity: 0,
    booked: 0,
    sealed_details: sealGroupDetails(seals, at, details),
    created_at: now,
    updated_at: now,
  }
}

/** The row of an occurrence that has none yet. */
export const occurrenceRow = (master: GroupEventRow, at: GroupEventAddress, now: number): GroupEventRow => ({
  ...master,
  event_id: at.eventId,
  master_id: master.event_id,
  kind: 'occurrence',
  own_capacity: 0,
  booked: 0,
  sealed_details: null,
  created_at: now,
  updated_at: now,
})
