/**
 * Metadata in answers about mail: read concurrently with the provider's answer, once per page, and only if requested.
 */
import { JsonText } from '@waypost/platform/json/text'
import type { Queries } from '@waypost/store/engine/database'
import type { GrantRecord } from '@waypost/store/tables/grants/grants'
import { hasMessageMetadata, withMetadataOfAll } from '@waypost/store/tables/mail/message-metadata'
import { mailboxOf } from '../../grants/locator.ts'

/** The query fields that decide which fields the answer contains. */
interface Choice {
  select?: string[] | undefined
  fields?: string | undefined
}

/** `raw_mime` omits all other fields. */
const wants = ({ select, fields }: Choice, field: string): boolean =>
  fields !== 'raw_mime' && (select === undefined || select.length === 0 || select.includes(field))

export const plain = <T>(item: T | JsonText<T>): T => (item instanceof JsonText ? JSON.parse(item.text) : item)

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
