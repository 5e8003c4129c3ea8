/** Group events: creating, changing, deleting and listing them. The calendar has the event, the store its seats. */
import {
  type Event,
  type EventChange,
  type GroupEvent,
  type GroupEventChange,
  type GroupEventDraft,
  limits,
} from '@waypost/contract'
import { ApiError, invalidField } from '@waypost/platform/api-error'
import { emailKey } from '@waypost/platform/email-key'
import type { JsonValue } from '@waypost/platform/json/guard'
import { checkLimits } from '@waypost/providers/limits'
import type { Once } from '@waypost/providers/operations'
import { guestsAfter } from '@waypost/scheduling/group-seats'
import type { Queries } from '@waypost/store/engine/database'
import {
  addressOf,
  countGroupEvents,
  type GroupEventAddress,
  type GroupEventRow,
  getGroupEvent,
  insertGroupEvent,
  passCapacityOn,
  removeGroupEvent,
  updateGroupEvent,
} from '@waypost/store/tables/scheduling/group-events'
import {
  changeEvents,
  type EventWindow,
  type GroupAccount,
  type GroupConfiguration,
  type GroupServices,
  readEvent,
  readEventPage,
  refuseUnsupported,
  type Transaction,
} from './group-calendar.ts'
import {
  type GroupDetails,
  type GroupHost,
  newRow,
  occurrenceRow,
  openGroupDetails,
  openGroupEvents,
  sealGroupDetails,
} from './group-details.ts'
import { infoOf, shownEvent } from './group-event-answers.ts'

/** What a request about group events works with. */
export interface GroupRequest {
  record: GroupConfiguration
  account: GroupAccount
}

interface GroupEventEdit<T> extends GroupRequest {
  transaction: Transaction<T>
  notify?: boolean | undefined
}

/** The calendar of a request: the one that it names, or that of the configuration. */
export function calendarOf({ configuration }: GroupConfiguration, named: string | null | undefined): string {
  const { group_booking: group } = configuration
  if (configuration.type !== 'group' || !group) {
    throw invalidField('configuration_id', 'is no group configuration: create one with `type: "group"`')
  }
  return named ?? group.calendar_id
}

export const addressIn = (
  { record }: GroupRequest,
  { id, calendar_id }: Pick<Event, 'id' | 'calendar_id'>,
): GroupEventAddress => ({
  applicationId: record.applicationId,
  grantId: record.grantId,
  calendarId: calendar_id,
  eventId: id,
})

/** The hosts in a request. */
export const hostsIn = (participants: GroupEventDraft['participants']): GroupHost[] =>
  (participants ?? []).map(({ email, name, is_organizer }) => ({
    email: email.trim(),
    name: name ?? '',
    is_organizer: is_organizer ?? false,
  }))

/** Hosts to invite: the account organizes the event, so it does not invite itself. */
const invitees = (hosts: readonly GroupHost[], { record }: GroupAccount): { email: string; name?: string }[] =>
  hosts
    .filter(({ email }) => emailKey(email) !== emailKey(record.grant.email))
    .map(({ email, name }) => ({ email, ...(name ? { name } : {}) }))

/** Guests book a time, so an event needs a start and an end. */
function refuseOtherTimes(when: GroupEventDraft['when'] | null | undefined): void {
  if (!when) return
  const isSpan = typeof when.start_time === 'number' && typeof when.end_time === 'number'
  if (!isSpan) throw invalidField('when', 'must have start_time and end_time: guests book a time, not a day')
}

const noNulls = <T extends object>(value: T): T =>
  Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)) as T

/** The fields of a request that the event itself has. */
const eventFields = (body: GroupEventChange): EventChange =>
  noNulls({
    title: body.title,
    when: body.when ?? undefined,
    description: body.description,
    location: body.location,
    busy: body.busy,
    recurrence: body.recurrence ?? undefined,
    conferencing: body.conferencing,
  })

export async function createGroupEvent(
  services: GroupServices,
  { record, account, transaction, once }: GroupEventEdit<GroupEvent> & { once: Once | undefined },
  { calendarId, draft }: { calendarId: string; draft: GroupEventDraft },
): Promise<GroupEvent> {
  refuseUnsupported(services, account, draft)
  refuseOtherTimes(draft.when)
  if ((await countGroupEvents(services.database, { ...record, configurationId: record.id })) >= limits.groupEvents) {
    throw invalidField('group_events', `there are ${limits.groupEvents} group events, which is the limit: delete some`)
  }
  const hosts = hostsIn(draft.participants)
  const conferencing = draft.conferencing ?? record.configuration.group_booking?.conferencing ?? undefined
  const body = {
    ...eventFields({ ...draft, conferencing }),
    when: draft.when,
    participants: invitees(hosts, account),
  }
  checkLimits(services.sessions.providerOf(account.record, 'events.create'), 'events.create', { query: {}, body })
  return changeEvents(services, account, {
    transaction,
    change: ({ create }) => create({ calendar_id: calendarId, once }, body),
    keep: async (tx, event) => {
      const at = addressIn({ record, account }, event)
      const details: GroupDetails = { hosts, reminders: draft.reminders ?? [] }
      const row = newRow(services, record, { at, kind: 'created', capacity: draft.capacity, details })
      await insertGroupEvent(tx, row)
      const now = row.created_at
      return shownEvent(event, infoOf({ event, row, details, now, rrule: event.recurrence ?? [], exceptions: [] }))
    },
  })
}

/** The row of an event, and that of its series. */
async function rowsFor(queries: Queries, record: GroupConfiguration, at: GroupEventAddress, event: Event) {
  const own = await getGroupEvent(queries, at)
  const master = event.master_event_id
    ? await getGroupEvent(queries, { ...at, eventId: event.master_event_id })
    : undefined
  const isOurs = (row: GroupEventRow | undefined): boolean => row?.configuration_id === record.id
  return { own: isOurs(own) ? own : undefined, master: isOurs(master) ? master : undefined }
}

/** A group event of the configuration, read from its calendar. Unknown and foreign events are not found. */
export async function needGroupEvent(
  services: GroupServices,
  { record, account }: GroupRequest,
  place: { calendarId: string; eventId: string },
): Promise<{ event: Event; at: GroupEventAddress; own: GroupEventRow | undefined; master: GroupEventRow | undefined }> {
  const event = await readEvent(services, account, place)
  if (!event) throw new ApiError('not_found')
  const at = addressIn({ record, account }, event)
  const { own, master } = await rowsFor(services.database, record, at, event)
  if (!own && !master) throw new ApiError('not_found')
  return { event, at, own, master }
}

export async function updateGroupEventIn(
  services: GroupServices,
  changing: GroupEventEdit<GroupEvent>,
  { calendarId, eventId, body }: { calendarId: string; eventId: string; body: GroupEventChange },
): Promise<GroupEvent> {
  const { record, account, transaction, notify } = changing
  refuseUnsupported(services, account, body)
  refuseOtherTimes(body.when)
  const found = await needGroupEvent(services, changing, { calendarId, eventId })
  const before = await detailsFor(services, found)
  const hosts = body.participants ? hostsIn(body.participants) : before.hosts
  const details: GroupDetails = { hosts, reminders: body.reminders ?? before.reminders }
  const change = eventFields(body)
  const participants = body.participants
    ? guestsAfter(found.event.participants, {
        join: invitees(hosts, account),
        leave: before.hosts.filter(({ email }) => !hosts.some((host) => emailKey(host.email) === emailKey(email))),
      })
    : undefined
  if (participants) change.participants = participants
  checkLimits(services.sessions.providerOf(account.record, 'events.update'), 'events.update', {
    query: {},
    body: change,
  })
  const at = { event_id: eventId, calendar_id: found.at.calendarId, notify_participants: notify }
  return changeEvents(services, account, {
    transaction,
    change: ({ update }) => (Object.keys(change).length > 0 ? update(at, change) : Promise.resolve(found.event)),
    keep: async (tx, event) => {
      const row = await keepChange(tx, services, { ...found, details, capacity: body.capacity ?? undefined, record })
      const now = services.clock.now()
      return shownEvent(event, infoOf({ event, row, details, now, rrule: event.recurrence ?? [], exceptions: [] }))
    },
  })
}

type FoundGroupEvent = Awaited<ReturnType<typeof needGroupEvent>>

export async function detailsFor({ seals }: GroupServices, { own, master }: FoundGroupEvent): Promise<GroupDetails> {
  const rows = [own, master].filter((row) => row !== undefined)
  const read = await openGroupDetails(seals, rows)
  const row = own ?? master
  return row ? read(row) : { hosts: [], reminders: [] }
}

async function keepChange(
  tx: Queries,
  { seals, clock }: GroupServices,
  {
    at,
    own,
    master,
    details,
    capacity,
  }: FoundGroupEvent & { details: GroupDetails; capacity: number | undefined; record: GroupConfiguration },
): Promise<GroupEventRow> {
  const now = clock.now()
  let row = own
  if (!row && master) {
    row = occurrenceRow(master, at, now)
    await insertGroupEvent(tx, row)
  }
  if (!row) throw new ApiError('not_found')
  const changed = {
    ...row,
    capacity: capacity ?? row.capacity,
    own_capacity: capacity !== undefined && row.master_id !== null ? 1 : row.own_capacity,
    sealed_details: sealGroupDetails(seals, at, details),
    updated_at: now,
  }
  if (!(await updateGroupEvent(tx, at, { ...changed, now }))) {
    const { booked = 0 } = (await getGroupEvent(tx, at)) ?? {}
    throw invalidField('capacity', `${booked} seats are booked: choose at least that many, or cancel bookings first`)
  }
  if (capacity !== undefined && row.master_id === null) await passCapacityOn(tx, at, { capacity, now })
  return changed
}

/** Where a group event of the configuration is, also if the calendar no longer has it. */
export async function findGroupEventAddress(
  services: GroupServices,
  request: GroupRequest,
  place: { calendarId: string; eventId: string },
): Promise<GroupEventAddress> {
  const at = addressIn(request, { id: place.eventId, calendar_id: place.calendarId })
  const row = await getGroupEvent(services.database, at)
  if (row?.configuration_id === request.record.id) return at
  return (await needGroupEvent(services, request, place)).at
}

/** Deletes an event from the calendar and its seats from the store. */
export async function deleteGroupEvent(
  services: GroupServices,
  changing: GroupEventEdit<void>,
  place: { calendarId: string; eventId: string },
): Promise<void> {
  const { record, account, transaction, notify } = changing
  const at = addressIn(changing, { id: place.eventId, calendar_id: place.calendarId })
  const found = await needGroupEvent(services, changing, place).catch(async (error: unknown) => {
    // The event is gone from the calendar: only the row is left.
    const row = await getGroupEvent(services.database, at)
    if (row?.configuration_id !== record.id) throw error
    return undefined
  })
  if (!found) return transaction((tx) => removeGroupEvent(tx, at))
  const { eventId: event_id, calendarId: calendar_id } = found.at
  return changeEvents(services, account, {
    transaction,
    change: (operations) => operations.delete({ event_id, calendar_id, notify_participants: notify }),
    keep: (tx) => removeGroupEvent(tx, found.at),
  })
}

interface Listing extends EventWindow {
  showAll: boolean
  limit: number
  position: JsonValue | undefined
}

/** One page of group events; with `showAll`, of all events of the calendar. */
export async function listGroupEvents(
  services: GroupServices,
  { record, account }: GroupRequest,
  { showAll, position: first, ...window }: Listing,
): Promise<{ items: GroupEvent[]; next?: JsonValue }> {
  const { rows, rowFor, detailsOf } = await openGroupEvents(services, record)
  for (let position = first; ; ) {
    const { events, next } = await readEventPage(services, account, { ...window, position })
    const shown = events.filter((event) => showAll || rowFor(event) !== undefined)
    if (shown.length === 0 && next !== undefined) {
      position = next
      continue
    }
    const rules = await rulesOf(
      services,
      account,
      shown.flatMap((event) => (rowFor(event) && event.master_event_id ? [event] : [])),
    )
    const now = services.clock.now()
    const items = shown.map((event) => {
      const row = rowFor(event)
      if (!row) return shownEvent(event, undefined)
      const series = row.master_id ?? row.event_id
      const exceptions = rows.filter(({ master_id, own_capacity }) => master_id === series && own_capacity === 1)
      const rrule = event.recurrence ?? rules.get(event.master_event_id ?? '') ?? []
      return shownEvent(
        event,
        infoOf({ event, row, details: detailsOf(row), now, rrule, exceptions: exceptions.map(addressAndCapacity) }),
      )
    })
    return next === undefined ? { items } : { items, next }
  }
}

const addressAndCapacity = (row: GroupEventRow): { event_id: string; capacity: number } => ({
  event_id: addressOf(row).eventId,
  capacity: row.capacity,
})

/** The rules of the series that some occurrences belong to, by the id of the series. */
async function rulesOf(
  services: GroupServices,
  account: GroupAccount,
  occurrences: readonly Event[],
): Promise<Map<string, string[]>> {
  const series = new Map(occurrences.map((event) => [event.master_event_id ?? '', event.calendar_id]))
  const read = await Promise.all(
    [...series].map(async ([eventId, calendarId]) => {
      const master = await readEvent(services, account, { calendarId, eventId })
      return [eventId, master?.recurrence ?? []] as const
    }),
  )
  return new Map(read)
}
