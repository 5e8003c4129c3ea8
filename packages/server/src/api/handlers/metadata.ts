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

/** The names under which an object may have metadata, its own first. */
function namesOf(object: Calendar | Event): [ObjectName, ...ObjectName[]] {
  if (object.object === 'calendar') return [{ object: 'calendar', id: object.id }]
  const { id, calendar_id: calendarId, master_event_id: master } = object
  return [
    { object: 'event', id, calendarId },
    ...(master ? [{ object: 'event' as const, id: master, calendarId }] : []),
  ]
}

/** Whether events of a page may have requested metadata; queried while the provider is called. */
export const areEventsTagged = async (queries: Queries, record: GrantRecord, choice: Choice): Promise<boolean> =>
  wants(choice, 'metadata') && hasObjectMetadata(queries, holderOf(record), 'event')

/** Adds metadata to calendars or events, if it is part of the answer. */
export async function tagObjects<T extends Calendar | Event>(
  queries: Queries,
  record: GrantRecord,
  objects: readonly (T | JsonText<T>)[],
  choice: Choice = {},
): Promise<readonly (T | JsonText<T>)[]> {
  if (!wants(choice, 'metadata') || objects.length === 0) return objects
  const whole = objects.map(plain)
  const read = await readObjectMetadata(queries, holderOf(record), whole.flatMap(namesOf))
  return whole.map((object) => {
    const metadata = namesOf(object)
      .map(read)
      .find((found) => found !== undefined)
    return metadata ? { ...object, metadata } : object
  })
}

export async function tagObject<T extends Calendar | Event>(
  queries: Queries,
  record: GrantRecord,
  object: T,
): Promise<T> {
  const [tagged] = await tagObjects(queries, record, [object])
  return tagged ? plain(tagged) : object
}

/** Stores the metadata that a client gave for an object, and returns the object with it. */
export async function keepMetadata<T extends Calendar | Event>(
  tx: Queries,
  record: GrantRecord,
  object: T,
  { metadata, now }: { metadata: Record<string, string>; now: number },
): Promise<T> {
  const [name] = namesOf(object)
  const masterId = object.object === 'event' ? (object.master_event_id ?? null) : null
  const madeAt = (object.object === 'event' ? object.created_at : null) ?? Math.floor(now / 1000)
  if (!(await keepObjectMetadata(tx, holderOf(record), name, { metadata, masterId, madeAt, now }))) {
    throw new ApiError('grant_not_found')
  }
  return { ...object, metadata }
}
