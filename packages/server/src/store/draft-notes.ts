/** What the service keeps of a draft beside the provider: metadata, tracking, what it answers. */
import type { MetadataPair, TrackingRequest } from '@waypost/contract'
import { keysOf } from './calendars.ts'
import { dynamic, type Queries, sql, type Value } from './database.ts'
import type { Mailbox, TaggedMessage } from './message-metadata.ts'

export interface DraftNote {
  metadata?: Record<string, string> | undefined
  tracking_options?: TrackingRequest | undefined
  reply_to_message_id?: string | undefined
}

const ofGrant = 'application_id = $1 and grant_id = $2'

const hold = sql<{ id: string }>(
  'draft_notes.hold',
  'select id from grants where application_id = $1 and id = $2 for no key update',
)
const put = sql(
  'draft_notes.put',
  `insert into draft_notes (application_id, grant_id, draft_id, key1, key2, key3, key4, key5, updated_at, document)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
   on conflict (grant_id, draft_id) do update
   set key1 = excluded.key1, key2 = excluded.key2, key3 = excluded.key3, key4 = excluded.key4, key5 = excluded.key5,
   updated_at = excluded.updated_at, document = excluded.document`,
)
const get = sql<{ document: string }>(
  'draft_notes.get',
  `select document from draft_notes where ${ofGrant} and draft_id = $3`,
)
const remove = sql('draft_notes.remove', `delete from draft_notes where ${ofGrant} and draft_id = $3`)
const forget = sql(
  'draft_notes.forget',
  `delete from draft_notes where ${ofGrant} and draft_id = $3 and updated_at = $4`,
)

const isEmpty = ({ metadata, ...rest }: DraftNote): boolean =>
  Object.keys(metadata ?? {}).length === 0 && Object.values(rest).every((value) => value === undefined)

/** Replaces the note of a draft, an empty one by none; answers whether the grant still stands. */
export async function keepDraftNote(
  tx: Queries,
  { applicationId, grantId }: Mailbox,
  { draftId, note, now }: { draftId: string; note: DraftNote; now: number },
): Promise<boolean> {
  const at = [applicationId, grantId]
  if (!(await tx.get(hold, at))) return false
  if (isEmpty(note)) await tx.run(remove, [...at, draftId])
  else await tx.run(put, [...at, draftId, ...keysOf(note.metadata ?? {}), now, JSON.stringify(note)])
  return true
}

export async function readDraftNote(queries: Queries, at: Mailbox, draftId: string): Promise<DraftNote> {
  const row = await queries.get(get, [at.applicationId, at.grantId, draftId])
  return row ? JSON.parse(row.document) : {}
}

/** The notes of several drafts, by id. */
export async function readDraftNotes(
  queries: Queries,
  at: Mailbox,
  ids: readonly string[],
): Promise<Map<string, DraftNote>> {
  if (ids.length === 0) return new Map()
  const list = ids.map((_, index) => `$${index + 3}`).join(', ')
  const text = `select draft_id, document from draft_notes where ${ofGrant} and draft_id in (${list})`
  const statement = dynamic<{ draft_id: string; document: string }>('draft_notes.several', text)
  const rows = await queries.all(statement, [at.applicationId, at.grantId, ...ids])
  return new Map(rows.map((row) => [row.draft_id, JSON.parse(row.document)]))
}

export const removeDraftNote = async (tx: Queries, at: Mailbox, draftId: string): Promise<void> =>
  void (await tx.run(remove, [at.applicationId, at.grantId, draftId]))

/** Removes the note of a draft that is gone, unless it was written anew since. */
export const forgetDraftNote = async (queries: Queries, at: Mailbox, draft: TaggedMessage): Promise<void> =>
  void (await queries.run(forget, [at.applicationId, at.grantId, draft.messageId, draft.updatedAt]))

/** The drafts whose metadata has all pairs, by when it was set, newest first. Drafts are few: the grant's rows are read. */
export async function findTaggedDrafts(
  queries: Queries,
  at: Mailbox,
  pairs: readonly MetadataPair[],
  { after, limit }: { after: TaggedMessage | undefined; limit: number },
): Promise<TaggedMessage[]> {
  const parameters: Value[] = [at.applicationId, at.grantId]
  const bind = (value: Value): string => `$${parameters.push(value)}`
  // Key names come from the contract's list of five.
  const where = pairs.map(({ key, value }) => ` and ${key} = ${bind(value)}`).join('')
  const beyond = after ? ` and (updated_at, draft_id) < (${bind(after.updatedAt)}, ${bind(after.messageId)})` : ''
  const text = `select draft_id, updated_at from draft_notes where ${ofGrant}${where}${beyond}
    order by updated_at desc, draft_id desc limit ${bind(limit)}`
  const statement = dynamic<{ draft_id: string; updated_at: number }>('draft_notes.find', text)
  const rows = await queries.all(statement, parameters)
  return rows.map((row) => ({ messageId: row.draft_id, updatedAt: row.updated_at }))
}
