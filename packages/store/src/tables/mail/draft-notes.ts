/** Data of drafts that the provider does not store: metadata, tracking, and the message that a draft replies to. */
import type { TrackingRequest } from '@waypost/contract'
import { dynamic, type Queries, sql } from '../../engine/database.ts'
import { mailRows, ofGrant } from '../calendars-contacts/metadata-rows.ts'
import type { Mailbox } from './message-metadata.ts'

export interface DraftNote {
  metadata?: Record<string, string> | undefined
  tracking_options?: TrackingRequest | undefined
  reply_to_message_id?: string | undefined
}

const rows = mailRows('draft_notes', 'draft_id')
const get = sql<{ document: string }>('draft_notes.get')`select document from draft_notes
   where ${ofGrant} and draft_id = $3`

const isEmpty = ({ metadata, ...rest }: DraftNote): boolean =>
  Object.keys(metadata ?? {}).length === 0 && Object.values(rest).every((value) => value === undefined)

/** Replaces the note of a draft; an empty note deletes it. False if the grant no longer exists. */
export const keepDraftNote = (
  tx: Queries,
  at: Mailbox,
  { draftId, note, now }: { draftId: string; note: DraftNote; now: number },
): Promise<boolean> =>
  rows.keep(tx, at, {
    id: draftId,
    metadata: note.metadata ?? {},
    document: isEmpty(note) ? undefined : note,
    now,
  })

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
  const statement = dynamic<{ draft_id: string; document: string }>({
    name: 'draft_notes.several',
    text,
  })
  const found = await queries.all(statement, [at.applicationId, at.grantId, ...ids])
  return new Map(found.map((row) => [row.draft_id, JSON.parse(row.document)]))
}

export const removeDraftNote = rows.remove

/** Deletes the note of a deleted draft, unless it was written again in the meantime. */
export const forgetDraftNote = rows.forget

/**
 * The drafts whose metadata contains all pairs, most recently set first. Drafts are few, so all rows of the grant are
 * read.
 */
export const findTaggedDrafts = rows.find
