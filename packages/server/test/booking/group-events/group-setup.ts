/** A configuration with group events on a virtual calendar, created without the API. */
import type { Configuration, Event } from '@waypost/contract'
import { newId } from '@waypost/platform/ids'
import { insertConfiguration } from '@waypost/store/tables/scheduling/configurations'
import {
  type GroupAccount,
  type GroupConfiguration,
  readEvent,
} from '../../../src/booking/group-events/group-calendar.ts'
import { createGroupEvent } from '../../../src/booking/group-events/group-events.ts'
import {
  type ChosenEvent,
  inspectEvent,
  leaveSeat,
  needRoom,
  settleSeat,
  takeSeat,
} from '../../../src/booking/group-events/seats.ts'
import type { TestService } from '../../harness.ts'

export const hour = 3600

export interface Group {
  record: GroupConfiguration
  account: GroupAccount
}

/** A group configuration on a new virtual calendar. */
export async function openGroup(service: TestService): Promise<Group> {
  const { id: grantId } = await service.createGrant(`${newId()}@group.test`)
  const applicationId: string = (await service.call('GET', '/v3/applications')).body.data.application_id
  const made = await service.call('POST', `/v3/grants/${grantId}/calendars`, { body: { name: 'Courses' } })
  return addGroup(service, { applicationId, grantId, calendarId: made.body.data.id })
}

/** A group configuration on a calendar of any account. */
export async function addGroup(
  { services }: TestService,
  { applicationId, grantId, calendarId }: { applicationId: string; grantId: string; calendarId: string },
): Promise<Group> {
  const { database, clock } = services.storage
  const { sessions } = services.accounts
  const id = newId()
  const configuration: Configuration = {
    id,
    ...{ name: 'Courses', slug: null, type: 'group', requires_session_auth: false, participants: [] },
    ...{ availability: {}, event_booking: {}, scheduler: {}, appearance: null, embed_origins: [] },
    group_booking: { calendar_id: calendarId },
  }
  const now = clock.now()
  await insertConfiguration(database, {
    ...{ id, application_id: applicationId, grant_id: grantId, slug: null, name: 'Courses', type: 'group' },
    ...{ requires_session_auth: 0, sealed_document: '', created_at: now, updated_at: now, removed_at: null },
  })
  const grant = await sessions.find(applicationId, { by: 'id', value: grantId })
  const { signal } = new AbortController()
  return {
    record: { id, applicationId, grantId, configuration },
    account: { record: grant, signal: () => signal },
  }
}

/** The event as the guest selects it. */
export function chosenOf({ event }: { event: Event }): ChosenEvent {
  const { when, id, calendar_id, master_event_id } = event
  if (!('start_time' in when)) throw new Error('no time span')
  const { start_time: startTime, end_time: endTime } = when
  return { calendarId: calendar_id, eventId: id, masterId: master_event_id ?? null, startTime, endTime }
}

/** Books a seat as the booking engine does: first the seat, then the calendar. */
export async function bookSeat(
  { services }: TestService,
  group: Group,
  { chosen, email }: { chosen: ChosenEvent; email: string },
) {
  const bookingId = newId()
  const open = await inspectEvent(services.scheduling, group, chosen)
  const people = [{ email, name: 'Guest' }]
  needRoom(open, 1)
  await services.storage.database.transaction((tx) =>
    takeSeat(tx, services.storage, open, { bookingId, people, others: open.others }),
  )
  const { at, masterId } = open
  const settling = { ...group, at, masterId, bookingId, nodeId: services.runtime.node.id, notify: false }
  await settleSeat(services.scheduling, settling)
  return { bookingId, at, settling }
}

/** Releases a seat as the booking engine does. */
export async function leaveSeatOf(
  { services }: TestService,
  { bookingId, at, settling }: Awaited<ReturnType<typeof bookSeat>>,
): Promise<void> {
  await leaveSeat(services.storage.database, at, bookingId)
  await settleSeat(services.scheduling, settling)
}

/** The addresses of the guests in the calendar. */
export const guestsOf = async (
  { services }: TestService,
  { account }: Group,
  place: { calendarId: string; eventId: string },
): Promise<string[]> => {
  const event = await readEvent(services.scheduling, account, place)
  return (event?.participants ?? []).flatMap(({ email }) => email ?? []).sort()
}

export interface NewEvent {
  capacity?: number
  recurrence?: string[]
  /** Unix seconds; default: in two days. */
  start?: number
}

/** Creates a group event of one hour. */
export function addEvent({ services }: TestService, group: Group, { start, ...fields }: NewEvent = {}) {
  const start_time = start ?? Math.floor(services.storage.clock.now() / 1000 / hour) * hour + 48 * hour
  const when = { start_time, end_time: start_time + hour }
  return createGroupEvent(
    services.scheduling,
    { ...group, once: undefined, transaction: (work) => services.storage.database.transaction(work) },
    {
      calendarId: group.record.configuration.group_booking?.calendar_id ?? '',
      draft: { title: 'Course', when, ...fields },
    },
  )
}
