/** Events of the calendar that a group configuration uses, read and changed through the adapter of its account. */
import { type Event, EventListQuery, type GroupEventChange } from '@waypost/contract'
import { ApiError } from '@waypost/platform/api-error'
import type { Clock } from '@waypost/platform/clock'
import type { DataSeals } from '@waypost/platform/crypto/data-seals'
import type { JsonValue } from '@waypost/platform/json/guard'
import { JsonText } from '@waypost/platform/json/values'
import type { CallCount } from '@waypost/providers/call-count'
import type { Database, Queries } from '@waypost/store/engine/database'
import type { GrantRecord } from '@waypost/store/tables/grants/grants'
import type { Sessions, Use } from '../../grants/sessions.ts'
import type { ConfigurationRecord } from '../configurations.ts'

export interface GroupServices {
  database: Database
  sessions: Sessions
  clock: Clock
  seals: DataSeals
}

/** A configuration with group events, as far as they need it. The calendar of its owner has the events. */
export type GroupConfiguration = Omit<ConfigurationRecord, 'createdAt' | 'updatedAt' | 'removedAt'>

/** The account of a configuration while a request uses it. */
export interface GroupAccount {
  record: GrantRecord
  signal(): AbortSignal
  /** Counts the provider calls of the request. */
  calls?: CallCount | undefined
}

const useOf = ({ database }: GroupServices, { signal, calls }: GroupAccount, queries: Queries = database): Use => ({
  queries,
  signal,
  calls,
  responseHeaders: {},
})

/** Whether the service itself stores the calendars of the account. */
const storesEvents = ({ sessions }: GroupServices, { record }: GroupAccount): boolean =>
  sessions.providerOf(record, 'events.list').local !== undefined

const pageSize = 200

export interface EventWindow {
  calendarId: string
  /** Unix seconds. */
  start: number | undefined
  end: number | undefined
}

/** One page of the events in a window, with every occurrence of a series. */
export async function readEventPage(
  services: GroupServices,
  account: GroupAccount,
  {
    calendarId,
    start,
    end,
    limit = pageSize,
    position,
  }: EventWindow & { limit?: number; position?: JsonValue | undefined },
): Promise<{ events: Event[]; next?: JsonValue | undefined }> {
  const query = EventListQuery.parse({ calendar_id: calendarId, start, end, limit, expand_recurring: true })
  const at = { resource: 'events', operation: 'list' } as const
  const list = services.sessions.operation(account.record, at, useOf(services, account))
  const { items, next } = await list(query, position)
  const events = items.map((item): Event => (item instanceof JsonText ? JSON.parse(item.text) : item))
  return { events, next }
}

/** Pages that a search through a window reads at most. */
const maxPages = 25

/** The events in a window. Fails if the calendar has more than a search may read. */
export async function readEvents(
  services: GroupServices,
  account: GroupAccount,
  window: EventWindow,
): Promise<Event[]> {
  const found: Event[] = []
  let position: JsonValue | undefined
  for (let page = 0; page < maxPages; page++) {
    const { events, next } = await readEventPage(services, account, { ...window, position })
    found.push(...events)
    if (next === undefined) return found
    position = next
  }
  throw new ApiError('invalid_request', 'the calendar has too many events in this window: ask for a shorter one')
}

interface EventPlace {
  calendarId: string
  eventId: string
}

/** An event, or undefined if the calendar no longer has it. */
export async function readEvent(
  services: GroupServices,
  account: GroupAccount,
  { calendarId, eventId }: EventPlace,
): Promise<Event | undefined> {
  const at = { resource: 'events', operation: 'get' } as const
  const read = services.sessions.operation(account.record, at, useOf(services, account))
  try {
    const event = await read({ event_id: eventId, calendar_id: calendarId })
    return event.status === 'cancelled' ? undefined : event
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not_found') return undefined
    throw error
  }
}

/** The operations that change events, in the transaction of `queries` if the service stores the calendar. */
function changesOf(services: GroupServices, account: GroupAccount, queries?: Queries) {
  const use = useOf(services, account, queries)
  const { sessions } = services
  const { record } = account
  return {
    create: sessions.operation(record, { resource: 'events', operation: 'create' }, use),
    update: sessions.operation(record, { resource: 'events', operation: 'update' }, use),
    delete: sessions.operation(record, { resource: 'events', operation: 'delete' }, use),
  }
}
type EventChanges = ReturnType<typeof changesOf>

/** Runs a transaction; `database.transaction`, or that of a request, which also stores its answer. */
export type Transaction<T> = (work: (tx: Queries) => Promise<T>) => Promise<T>

/**
 * Changes an event and then writes what the store knows about it. Both are one transaction if the service stores the
 * calendar; otherwise the provider is changed first.
 */
export async function changeEvents<M, T>(
  services: GroupServices,
  account: GroupAccount,
  {
    change,
    keep,
    transaction,
  }: {
    change(operations: EventChanges): Promise<M>
    keep(tx: Queries, made: M): Promise<T>
    transaction: Transaction<T>
  },
): Promise<T> {
  if (storesEvents(services, account)) {
    return transaction(async (tx) => keep(tx, await change(changesOf(services, account, tx))))
  }
  const made = await change(changesOf(services, account))
  return transaction((tx) => keep(tx, made))
}

/** Fields of group events that the provider of an account may not support. */
type Field = 'recurrence' | 'capacity'

/** Why the provider of the account refuses a field; undefined if it does not. */
export const whyUnsupported = (
  { sessions }: GroupServices,
  { record }: GroupAccount,
  field: Field,
): string | undefined => sessions.providerOf(record, 'events.create').groupEventLimits?.[field]

export function refuseUnsupported(
  services: GroupServices,
  account: GroupAccount,
  { recurrence, capacity }: Pick<GroupEventChange, Field>,
): void {
  const requested = { recurrence: (recurrence ?? []).length > 0, capacity: capacity !== undefined && capacity !== null }
  for (const field of ['recurrence', 'capacity'] as const) {
    const why = requested[field] ? whyUnsupported(services, account, field) : undefined
    if (why === undefined) continue
    const { kind } = services.sessions.providerOf(account.record, 'events.create')
    throw new ApiError('not_supported_by_provider', `${field}: ${kind} does not support it: ${why}`, {
      fields: { provider: kind, capability: `groupEvents.${field}` },
      validationErrors: { [field]: why },
    })
  }
}
