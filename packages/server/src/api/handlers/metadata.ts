/**
 * Metadata in answers, stored by the service: of messages and threads, and of calendars and events at a provider. It is read
 * concurrently with the provider's answer, once per page, and only if requested. An instance of a series has its own metadata,
 * or else that of its master.
 */
import type { Calendar, Event } from '@waypost/contract'
import { ApiError } from '@waypost/platform/api-error'
import type { JsonText } from '@waypost/platform/json/values'
import type { Queries } from '@waypost/store/engine/database'
import type { Holder } from '@waypost/store/tables/calendars-contacts/metadata-rows'
import {
  hasObjectMetadata,
  keepObjectMetadata,
  type ObjectName,
  readObjectMetadata,
} from '@waypost/store/tables/calendars-contacts/object-metadata'
import type { GrantRecord } from '@waypost/store/tables/grants/grants'
import { hasMessageMetadata, withMetadataOfAll } from '@waypost/store/tables/mail/message-metadata'
import { plain } from '../../exports/account.ts'
import { mailboxOf } from '../../grants/locator.ts'

/** The query fields that decide which fields the answer contains. */
interface Choice {
  select?: string[] | undefined
  fields?: string | undefined
}

/** `raw_mime` omits all other fields. */
const wants = ({ select, fields }: Choice, field: string): boolean =>
  fields !== 'raw_mime' && (select === undefined || select.length === 0 || select.includes(field))

/** Whether messages of a page may have requested metadata; queried while the provider is called. */
export const areTagged = async (
  queries: Queries,
  record: GrantRecord,
  choice: Choice,
  field = 'metadata',
): Promise<boolean> => wants(choice, field) && hasMessageMetadata(queries, mailboxOf(record))

interface Message {
  id: string
  metadata?: Record<string, string> | undefined
}

/** Messages with their metadata. */
export async function tagMessages<M extends Message>(
  queries: Queries,
  record: GrantRecord,
  messages: readonly (M | JsonText<M>)[],
  choice: Choice,
): Promise<readonly (M | JsonText<M>)[]> {
  if (!wants(choice, 'metadata')) return messages
  return withMetadataOfAll(queries, mailboxOf(record), messages.map(plain))
}

/** Threads with the metadata of their latest message. */
export async function tagThreads<T extends { latest_draft_or_message: Message }>(
  queries: Queries,
  record: GrantRecord,
  threads: readonly (T | JsonText<T>)[],
  choice: Choice,
): Promise<readonly (T | JsonText<T>)[]> {
  if (!wants(choice, 'latest_draft_or_message')) return threads
  const whole = threads.map(plain)
  const shown = whole.map((thread) => thread.latest_draft_or_message)
  const tagged = await withMetadataOfAll(queries, mailboxOf(record), shown)
  return whole.map((thread, index) => ({ ...thread, latest_draft_or_message: tagged[index] ?? shown[index] }))
}

export const holderOf = ({ applicationId, grant }: GrantRecord): Holder => ({ applicationId, grantId: grant.id })

export const eventName = (event: Pick<Event, 'id' | 'calendar_id'>): ObjectName => ({
  object: 'event',
  id: event.id,
  calendarId: event.calendar_id,
})

const masterName = (event: Event): ObjectName[] =>
  event.master_event_id ? [eventName({ id: event.master_event_id, calendar_id: event.calendar_id })] : []

/** Whether events of a page may have requested metadata; queried while the provider is called. */
export const areEventsTagged = async (queries: Queries, record: GrantRecord, choice: Choice): Promise<boolean> =>
  wants(choice, 'metadata') && hasObjectMetadata(queries, holderOf(record), 'event')

/** Adds metadata to events, if it is part of the answer. */
export async function tagEvents(
  queries: Queries,
  record: GrantRecord,
  events: readonly (Event | JsonText<Event>)[],
  choice: Choice = {},
): Promise<readonly (Event | JsonText<Event>)[]> {
  if (!wants(choice, 'metadata') || events.length === 0) return events
  const whole = events.map(plain)
  const names = whole.flatMap((event) => [eventName(event), ...masterName(event)])
  const read = await readObjectMetadata(queries, holderOf(record), names)
  return whole.map((event) => {
    const master = masterName(event)[0]
    const metadata = read(eventName(event)) ?? (master && read(master))
    return metadata ? { ...event, metadata } : event
  })
}

export async function tagEvent(queries: Queries, record: GrantRecord, event: Event): Promise<Event> {
  const [tagged] = await tagEvents(queries, record, [event])
  return tagged ? plain(tagged) : event
}

export async function tagCalendars(
  queries: Queries,
  record: GrantRecord,
  calendars: readonly (Calendar | JsonText<Calendar>)[],
  choice: Choice = {},
): Promise<readonly (Calendar | JsonText<Calendar>)[]> {
  if (!wants(choice, 'metadata') || calendars.length === 0) return calendars
  const whole = calendars.map(plain)
  const nameOf = ({ id }: Calendar): ObjectName => ({ object: 'calendar', id })
  const read = await readObjectMetadata(queries, holderOf(record), whole.map(nameOf))
  return whole.map((calendar) => ({ ...calendar, metadata: read(nameOf(calendar)) ?? calendar.metadata }))
}

export async function tagCalendar(queries: Queries, record: GrantRecord, calendar: Calendar): Promise<Calendar> {
  const [tagged] = await tagCalendars(queries, record, [calendar])
  return tagged ? plain(tagged) : calendar
}

/** Stores the metadata that a client gave for an object, and returns the object with it. */
export async function keepMetadata<T extends Calendar | Event>(
  tx: Queries,
  record: GrantRecord,
  object: T,
  { metadata, now }: { metadata: Record<string, string>; now: number },
): Promise<T> {
  const name: ObjectName = object.object === 'event' ? eventName(object) : { object: 'calendar', id: object.id }
  const masterId = object.object === 'event' ? (object.master_event_id ?? null) : null
  const madeAt = (object.object === 'event' ? object.created_at : null) ?? Math.floor(now / 1000)
  if (!(await keepObjectMetadata(tx, holderOf(record), name, { metadata, masterId, madeAt, now }))) {
    throw new ApiError('grant_not_found')
  }
  return { ...object, metadata }
}
