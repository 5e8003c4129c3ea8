/** Metadata of messages, stored here by grant and message id. */
import { dynamic, type Queries, sql } from '../../engine/database.ts'
import { type Holder, inSizedParts, mailRows, ofGrant } from '../calendars-contacts/metadata-rows.ts'

/** The account of the messages. */
export interface Mailbox extends Holder {
  /** Ids that a message may have had before. */
  formerIds?(id: string): readonly string[]
  /** The stable name under which metadata is stored, if the id of a message can change. */
  lastingName?(id: string): string
}

type Metadata = Record<string, string>

const retainedUnder = (at: Mailbox, id: string): string => at.lastingName?.(id) ?? id

const rows = mailRows('message_metadata', 'message_id')

/** Replaces the metadata of a message; an empty object deletes it. False if the grant no longer exists. */
export async function keepMessageMetadata(
  tx: Queries,
  at: Mailbox,
  { messageId, metadata, now }: { messageId: string; metadata: Metadata; now: number },
): Promise<boolean> {
  const document = Object.keys(metadata).length === 0 ? undefined : metadata
  if (!(await rows.keep(tx, at, { id: retainedUnder(at, messageId), metadata, document, now }))) return false
  await removeAll(tx, at, at.formerIds?.(messageId))
  return true
}

export const removeMessageMetadata = (tx: Queries, at: Mailbox, messageId: string): Promise<void> =>
  removeAll(tx, at, [retainedUnder(at, messageId), ...(at.formerIds?.(messageId) ?? [])])

async function removeAll(tx: Queries, at: Mailbox, ids: readonly string[] = []): Promise<void> {
  for (const id of ids) await rows.remove(tx, at, id)
}

/** Deletes the metadata of a deleted message, unless it was set again in the meantime. */
export const forgetMessageMetadata = rows.forget

/** The messages whose metadata contains all pairs, most recently set first. */
export const findTaggedMessages = rows.find

/** Each row is found by its key. With `in (…)`, PostgreSQL may read the whole grant. */
const documentsOf = (size: number) => {
  const list = Array.from({ length: size }, (_, index) => `($${index + 3})`).join(', ')
  return dynamic<{ id: string; document: string | null }>({
    name: 'message_metadata.documents',
    text: `select column1 as id,
     (select document from message_metadata where ${ofGrant} and message_id = column1) as document
     from (values ${list}) as wanted`,
  })
}

const anyOf = sql<{ one: number }>('message_metadata.any')`select 1 as one from message_metadata where ${ofGrant}
   limit 1`

/** Whether any message of a mailbox has metadata. Usually none has, which saves the lookup of each message. */
export const hasMessageMetadata = async (queries: Queries, { applicationId, grantId }: Holder): Promise<boolean> =>
  (await queries.get(anyOf, [applicationId, grantId])) !== undefined

async function readMetadata(
  queries: Queries,
  { applicationId, grantId }: Mailbox,
  ids: readonly string[],
): Promise<Map<string, Metadata>> {
  const found = new Map<string, Metadata>()
  for (const wanted of inSizedParts(ids)) {
    for (const row of await queries.all(documentsOf(wanted.length), [applicationId, grantId, ...wanted])) {
      if (row.document !== null) found.set(row.id, JSON.parse(row.document))
    }
  }
  return found
}

interface Taggable {
  id: string
  metadata?: Metadata | undefined
}

/** Adds metadata to messages of one mailbox, with one query for all. */
export async function withMetadataOfAll<M extends Taggable>(
  queries: Queries,
  at: Mailbox,
  messages: readonly M[],
): Promise<M[]> {
  const namesOf = ({ id }: M): string[] => [retainedUnder(at, id), ...(at.formerIds?.(id) ?? [])]
  const names = messages.map(namesOf)
  const found = await readMetadata(queries, at, names.flat())
  return messages.map((message, place) => {
    const name = names[place]?.find((id) => found.has(id))
    const metadata = name === undefined ? undefined : found.get(name)
    return metadata ? { ...message, metadata } : message
  })
}

/** Adds metadata to a message, if there is any. */
export async function withMetadata<M extends Taggable>(queries: Queries, at: Mailbox, message: M): Promise<M> {
  const [tagged] = await withMetadataOfAll(queries, at, [message])
  return tagged ?? message
}
