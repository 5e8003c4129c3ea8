/**
 * Tracked messages and their links with their counts, by the id of the send. The sender, the targets of the links and
 * the visitors are encrypted.
 */
import type { DataSeals } from '@waypost/platform/crypto/data-seals'
import { insertingRows, type Queries, sql, type Value } from '../../engine/database.ts'
import { nullable, number, type RowOf, table, text } from '../../engine/table.ts'
import {
  openRecents,
  openTrackedFacts,
  openUrl,
  type Recent,
  sealRecents,
  sealTrackedFacts,
  sealUrl,
  type TrackedFacts,
} from '../../sealing/sealed-tracking.ts'
import type { Mailbox } from './message-metadata.ts'

export type { Recent, TrackedOptions } from '../../sealing/sealed-tracking.ts'

/** The data of a tracked message, stored when the message is accepted. */
export interface NewTracked extends TrackedFacts {
  sendId: string
  openSeal: string | null
  /** In the order of the message. */
  links: { url: string; seal: string }[]
}

/** The opens of a message, or the clicks of one link. */
export interface VisitCount {
  count: number
  lastAt: number | null
  recents: readonly Recent[]
  /** Visits that do not count: by scanners, by prefetching programs, by the sender. */
  flagged: number
  /** Set if visits during an outage of the grant are not reported yet: the last authentication before it. */
  heldAfter: number | null
}

export interface TrackedMessage extends Mailbox, TrackedFacts {
  sendId: string
  mimeId: string
  messageId: string | null
  sentAt: number | null
  openSeal: string | null
  opens: VisitCount
  replies: number
  replyIds: readonly string[]
}

export interface TrackedLink extends VisitCount {
  index: number
  url: string
}

const tracked = table('tracked_messages', {
  send_id: text,
  application_id: text,
  grant_id: text,
  mime_id: text,
  message_id: nullable(text),
  sealed_facts: text,
  sent_at: nullable(number),
  open_seal: nullable(text),
  opens: number,
  opened_at: nullable(number),
  sealed_recents: text,
  flagged: number,
  held_after: nullable(number),
  replies: number,
  reply_ids: text,
})
export type TrackedRow = RowOf<typeof tracked>

interface LinkRow {
  link_index: number
  sealed_url: string
  clicks: number
  clicked_at: number | null
  sealed_recents: string
  flagged: number
  held_after: number | null
}

function messageOf(seals: DataSeals, row: TrackedRow): TrackedMessage {
  const at = { applicationId: row.application_id, sendId: row.send_id }
  return {
    ...at,
    grantId: row.grant_id,
    mimeId: row.mime_id,
    messageId: row.message_id,
    ...openTrackedFacts(seals, at, row.sealed_facts),
    sentAt: row.sent_at,
    openSeal: row.open_seal,
    opens: {
      count: row.opens,
      lastAt: row.opened_at,
      recents: openRecents(seals, at, row.sealed_recents),
      flagged: row.flagged,
      heldAfter: row.held_after,
    },
    replies: row.replies,
    replyIds: JSON.parse(row.reply_ids),
  }
}

export async function openTracked(seals: DataSeals, rows: readonly TrackedRow[]): Promise<TrackedMessage[]> {
  await seals.learn(rows.flatMap((row) => [row.sealed_facts, row.sealed_recents]))
  return rows.map((row) => messageOf(seals, row))
}

function linkOf(seals: DataSeals, at: At, row: LinkRow): TrackedLink {
  const place = { applicationId: at.applicationId, sendId: at.sendId, link: row.link_index }
  return {
    index: row.link_index,
    url: openUrl(seals, place, row.sealed_url),
    count: row.clicks,
    lastAt: row.clicked_at,
    recents: openRecents(seals, place, row.sealed_recents),
    flagged: row.flagged,
    heldAfter: row.held_after,
  }
}

const insertMessage = sql('tracked_messages.insert')`
   insert into tracked_messages (send_id, application_id, grant_id, mime_id, sealed_facts, thread_replies, open_seal,
     created_at) values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict (send_id, application_id) do nothing`
const insertLink = sql('tracked_links.insert')`insert into tracked_links (send_id, link_index, application_id, grant_id,
   sealed_url, seal) values ($1, $2, $3, $4, $5, $6)`

/**
 * Stores the tracking data in the transaction that accepts the message. A message that is accepted again changes
 * nothing.
 */
export async function keepTracked(
  tx: Queries,
  at: Mailbox & { /** Without its brackets. */ mimeId: string; now: number },
  { sendId, openSeal, links, ...facts }: NewTracked,
  seals: DataSeals,
): Promise<void> {
  const { applicationId, grantId, mimeId, now } = at
  const place = { applicationId, sendId }
  const replies = facts.options.thread_replies ? 1 : 0
  const row = [sendId, applicationId, grantId, mimeId, sealTrackedFacts(seals, place, facts), replies, openSeal, now]
  const isNew = (await tx.run(insertMessage, row)) > 0
  if (!isNew || links.length === 0) return
  const rows = links.map(({ url, seal }, link): Value[] => {
    return [sendId, link, applicationId, grantId, sealUrl(seals, { ...place, link }, url), seal]
  })
  await tx.run(insertingRows('tracked_links.insertRows', insertLink, rows), rows.flat())
}

const name = tracked.update('name')`set message_id = $3, sent_at = $4 where application_id = $1 and send_id = $2`

/** Records that a message was sent, and its API id. */
export const nameTracked = async (
  tx: Queries,
  at: { applicationId: string; sendId: string },
  { messageId, sentAt }: { messageId: string | null; sentAt: number },
): Promise<void> => void (await tx.run(name, [at.applicationId, at.sendId, messageId, sentAt]))

// A token contains no application, so these three statements find it.
const bySend = tracked.select('bySend')`where send_id = $1`
const openOf = sql<Mailbox & { seal: string }>('tracked_messages.open')`
   select application_id as "applicationId", grant_id as "grantId", open_seal as seal
   from tracked_messages where send_id = $1 and open_seal is not null`
const clickOf = sql<Mailbox & { seal: string; sealed_url: string }>('tracked_links.click')`
   select application_id as "applicationId", grant_id as "grantId", seal, sealed_url
   from tracked_links where send_id = $1 and link_index = $2`

/** The account of a tracking pixel, and the hash of its token. */
export const findPixel = (queries: Queries, sendId: string): Promise<(Mailbox & { seal: string }) | undefined> =>
  queries.get(openOf, [sendId])
/** The account of a link, the hash of its token, and its target. */
export async function findLink(
  queries: Queries,
  { sendId, link }: { sendId: string; link: number },
  seals: DataSeals,
): Promise<(Mailbox & { seal: string; url: string }) | undefined> {
  const row = await queries.get(clickOf, [sendId, link])
  if (!row) return undefined
  const { sealed_url, ...found } = row
  await seals.learn([sealed_url])
  return { ...found, url: openUrl(seals, { applicationId: found.applicationId, sendId, link }, sealed_url) }
}
export async function findTracked(
  queries: Queries,
  sendId: string,
  seals: DataSeals,
): Promise<TrackedMessage | undefined> {
  return (await openTracked(seals, await queries.all(bySend, [sendId])))[0]
}

const links = sql<LinkRow>('tracked_links.of')`
   select link_index, sealed_url, clicks, clicked_at, sealed_recents, flagged, held_after from tracked_links
   where application_id = $1 and send_id = $2 order by link_index`
const saveMessage = tracked.update('save')`
   set opens = $3, opened_at = $4, sealed_recents = $5, flagged = $6, held_after = $7
   where application_id = $1 and send_id = $2`
const saveLink = sql('tracked_links.save')`update tracked_links
   set clicks = $4, clicked_at = $5, sealed_recents = $6, flagged = $7, held_after = $8
   where application_id = $1 and send_id = $2 and link_index = $3`
const saveReply = tracked.update('reply')`set replies = $3, reply_ids = $4
   where application_id = $1 and send_id = $2`

type At = Pick<TrackedMessage, 'applicationId' | 'sendId'>
const valuesOf = ({ count, lastAt, flagged, heldAfter }: VisitCount, sealedRecents: string): Value[] => [
  count,
  lastAt,
  sealedRecents,
  flagged,
  heldAfter,
]

/** The links of a message, in order. */
export async function linksOf(queries: Queries, at: At, seals: DataSeals): Promise<TrackedLink[]> {
  const rows = await queries.all(links, [at.applicationId, at.sendId])
  await seals.learn(rows.flatMap((row) => [row.sealed_url, row.sealed_recents]))
  return rows.map((row) => linkOf(seals, at, row))
}
export async function saveOpens(tx: Queries, at: At, opens: VisitCount, seals: DataSeals): Promise<void> {
  const { applicationId, sendId } = at
  const recents = sealRecents(seals, { applicationId, sendId }, opens.recents)
  await tx.run(saveMessage, [applicationId, sendId, ...valuesOf(opens, recents)])
}
export async function saveClicks(tx: Queries, at: At, link: TrackedLink, seals: DataSeals): Promise<void> {
  const { applicationId, sendId } = at
  const recents = sealRecents(seals, { applicationId, sendId, link: link.index }, link.recents)
  await tx.run(saveLink, [applicationId, sendId, link.index, ...valuesOf(link, recents)])
}
export const saveReplies = async (tx: Queries, at: At, counted: { replies: number; ids: string[] }): Promise<void> =>
  void (await tx.run(saveReply, [at.applicationId, at.sendId, counted.replies, JSON.stringify(counted.ids)]))

/** Reads tracked messages: ``selectTracked('heldOf')`where …` ``. */
export const selectTracked = tracked.select
export const trackedColumns = tracked.columns

/** Deletes messages with their links. */
export const purgeTracked = tracked.purge('send_id, application_id', 'created_at')
