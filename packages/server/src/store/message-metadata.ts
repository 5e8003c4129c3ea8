/** Metadata of messages: kept here beside the mailbox, by grant and id of the message. */
import type { MetadataPair } from '@waypost/contract'
import { keysOf } from './calendars.ts'
import { dynamic, type Queries, sql, type Value } from './database.ts'

/** Whose messages are meant. */
export interface Mailbox {
  applicationId: string
  grantId: string
}

type Metadata = Record<string, string>

/** A message that has metadata, and when it was set. */
export interface TaggedMessage {
  messageId: string
  updatedAt: number
}

const ofGrant = 'application_id = $1 and grant_id = $2'

// A grant that is deleted at this moment takes the row with it, or is gone before there is one.
const hold = sql<{ id: string }>(
  'message_metadata.hold',
  'select id from grants where application_id = $1 and id = $2 for no key update',
)
const put = sql(
  'message_metadata.put',
  `insert into message_metadata (application_id, grant_id, message_id, key1, key2, key3, key4, key5, updated_at, document)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
   on conflict (grant_id, message_id) do update
   set key1 = excluded.key1, key2 = excluded.key2, key3 = excluded.key3, key4 = excluded.key4, key5 = excluded.key5,
   updated_at = excluded.updated_at, document = excluded.document`,
)
const remove = sql('message_metadata.remove', `delete from message_metadata where ${ofGrant} and message_id = $3`)
const forget = sql(
  'message_metadata.forget',
  `delete from message_metadata where ${ofGrant} and message_id = $3 and updated_at = $4`,
)

/** Replaces the metadata of a message, an empty object by none; answers whether the grant still stands. */
export async function keepMessageMetadata(
  tx: Queries,
  { applicationId, grantId }: Mailbox,
  { messageId, metadata, now }: { messageId: string; metadata: Metadata; now: number },
): Promise<boolean> {
  const at = [applicationId, grantId]
  if (!(await tx.get(hold, at))) return false
  if (Object.keys(metadata).length === 0) await tx.run(remove, [...at, messageId])
  else await tx.run(put, [...at, messageId, ...keysOf(metadata), now, JSON.stringify(metadata)])
  return true
}

export const removeMessageMetadata = async (tx: Queries, at: Mailbox, messageId: string): Promise<void> =>
  void (await tx.run(remove, [at.applicationId, at.grantId, messageId]))

/** Removes the metadata of a message that is gone, unless it was set anew since. */
export const forgetMessageMetadata = async (queries: Queries, at: Mailbox, message: TaggedMessage): Promise<void> =>
  void (await queries.run(forget, [at.applicationId, at.grantId, message.messageId, message.updatedAt]))

const readTogether = 200
/** Few sizes of the list, and so few statements to prepare. */
const listSizes = [1, 10, 50, readTogether]
/** Each row is found by its key: of a list as one condition PostgreSQL may read the whole grant. */
const documentsOf = (size: number) => {
  const list = Array.from({ length: size }, (_, index) => `($${index + 3})`).join(', ')
  return dynamic<{ id: string; document: string | null }>(
    'message_metadata.documents',
    `select column1 as id,
     (select document from message_metadata where ${ofGrant} and message_id = column1) as document
     from (values ${list}) as wanted`,
  )
}

async function readMetadata(
  queries: Queries,
  { applicationId, grantId }: Mailbox,
  ids: readonly string[],
): Promise<Map<string, Metadata>> {
  const found = new Map<string, Metadata>()
  for (let start = 0; start < ids.length; start += readTogether) {
    const part = ids.slice(start, start + readTogether)
    const size = listSizes.find((one) => one >= part.length) ?? readTogether
    // The last id is repeated up to the size.
    const wanted = Array.from({ length: size }, (_, index) => part[index] ?? part.at(-1) ?? '')
    for (const row of await queries.all(documentsOf(size), [applicationId, grantId, ...wanted])) {
      if (row.document !== null) found.set(row.id, JSON.parse(row.document))
    }
  }
  return found
}

interface Taggable {
  id: string
  metadata?: Metadata | undefined
}

/** Messages of one mailbox with the metadata that each has, read at once. */
export async function withMetadataOfAll<M extends Taggable>(
  queries: Queries,
  at: Mailbox,
  messages: readonly M[],
): Promise<M[]> {
  const found = await readMetadata(
    queries,
    at,
    messages.map(({ id }) => id),
  )
  return messages.map((message) => {
    const metadata = found.get(message.id)
    return metadata ? { ...message, metadata } : message
  })
}

/** A message with its metadata, where it has some. */
export async function withMetadata<M extends Taggable>(queries: Queries, at: Mailbox, message: M): Promise<M> {
  const [tagged] = await withMetadataOfAll(queries, at, [message])
  return tagged ?? message
}

/** The messages whose metadata has all pairs, by when it was set, newest first. */
export async function findTaggedMessages(
  queries: Queries,
  at: Mailbox,
  pairs: readonly MetadataPair[],
  { after, limit }: { after: TaggedMessage | undefined; limit: number },
): Promise<TaggedMessage[]> {
  const parameters: Value[] = [at.applicationId, at.grantId]
  const bind = (value: Value): string => `$${parameters.push(value)}`
  // Key names come from the contract's list of five.
  const where = pairs.map(({ key, value }) => ` and ${key} = ${bind(value)}`).join('')
  const beyond = after ? ` and (updated_at, message_id) < (${bind(after.updatedAt)}, ${bind(after.messageId)})` : ''
  const text = `select message_id, updated_at from message_metadata where ${ofGrant}${where}${beyond}
    order by updated_at desc, message_id desc limit ${bind(limit)}`
  const statement = dynamic<{ message_id: string; updated_at: number }>('message_metadata.find', text)
  const rows = await queries.all(statement, parameters)
  return rows.map((row) => ({ messageId: row.message_id, updatedAt: row.updated_at }))
}
