/** Tracked messages and their links: what was counted of each, by the id of the send. */
import { dynamic, insertingRows, type Queries, sql, type Value } from './database.ts'
import type { Mailbox } from './message-metadata.ts'

export interface TrackedOptions {
  opens: boolean
  links: boolean
  thread_replies: boolean
  label: string
}

/** What is kept of a message that is to be tracked, as it is accepted. */
export interface NewTracked {
  sendId: string
  /** The address it is sent from, where it is not the account's own. */
  sender: string | null
  options: TrackedOptions
  openSeal: string | null
  /** In the order in which they stand in the message. */
  links: { url: string; seal: string }[]
}

/** One visit, as notifications tell it. `number` counts from 0. Times are in milliseconds. */
export interface Recent {
  number: number
  ip: string
  at: number
  user_agent: string
}

/** What was counted of a message's opens, or of one link's clicks. */
export interface Counted {
  count: number
  lastAt: number | null
  recents: readonly Recent[]
  /** Visits that were not counted: by scanners, by programs that load in advance, by the sender. */
  flagged: number
  /** The last authentication, where something was counted in an outage after it and is not told yet. */
  heldAfter: number | null
}

export interface TrackedMessage extends Mailbox {
  sendId: string
  mimeId: string
  messageId: string | null
  sender: string | null
  options: TrackedOptions
  sentAt: number | null
  openSeal: string | null
  opens: Counted
  replies: number
  replyIds: readonly string[]
}

export interface TrackedLink extends Counted {
  index: number
  url: string
}

interface MessageRow {
  send_id: string
  application_id: string
  grant_id: string
  mime_id: string
  message_id: string | null
  sender: string | null
  options: string
  sent_at: number | null
  open_seal: string | null
  opens: number
  opened_at: number | null
  recents: string
  flagged: number
  held_after: number | null
  replies: number
  reply_ids: string
}

interface LinkRow {
  link_index: number
  url: string
  clicks: number
  clicked_at: number | null
  recents: string
  flagged: number
  held_after: number | null
}

const columns =
  'send_id, application_id, grant_id, mime_id, message_id, sender, options, sent_at, open_seal, opens, opened_at, recents, flagged, held_after, replies, reply_ids'

const messageOf = (row: MessageRow): TrackedMessage => ({
  sendId: row.send_id,
  applicationId: row.application_id,
  grantId: row.grant_id,
  mimeId: row.mime_id,
  messageId: row.message_id,
  sender: row.sender,
  options: JSON.parse(row.options),
  sentAt: row.sent_at,
  openSeal: row.open_seal,
  opens: {
    count: row.opens,
    lastAt: row.opened_at,
    recents: JSON.parse(row.recents),
    flagged: row.flagged,
    heldAfter: row.held_after,
  },
  replies: row.replies,
  replyIds: JSON.parse(row.reply_ids),
})

const linkOf = (row: LinkRow): TrackedLink => ({
  index: row.link_index,
  url: row.url,
  count: row.clicks,
  lastAt: row.clicked_at,
  recents: JSON.parse(row.recents),
  flagged: row.flagged,
  heldAfter: row.held_after,
})

const insertMessage = sql(
  'tracked_messages.insert',
  `insert into tracked_messages (send_id, application_id, grant_id, mime_id, sender, options, thread_replies, open_seal,
     created_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9) on conflict (send_id) do nothing`,
)
const insertLink = sql(
  'tracked_links.insert',
  'insert into tracked_links (send_id, link_index, application_id, grant_id, url, seal) values ($1, $2, $3, $4, $5, $6)',
)

/** Keeps what is tracked of a message, with the acceptance of the message. A send that is accepted again changes nothing. */
export async function keepTracked(
  tx: Queries,
  at: Mailbox & { /** Without its brackets. */ mimeId: string; now: number },
  { sendId, sender, options, openSeal, links }: NewTracked,
): Promise<void> {
  const { applicationId, grantId, mimeId, now } = at
  const replies = options.thread_replies ? 1 : 0
  const document = JSON.stringify(options)
  const row = [sendId, applicationId, grantId, mimeId, sender, document, replies, openSeal, now]
  const isNew = (await tx.run(insertMessage, row)) > 0
  if (!isNew || links.length === 0) return
  const rows = links.map(({ url, seal }, index): Value[] => [sendId, index, applicationId, grantId, url, seal])
  await tx.run(insertingRows('tracked_links.insertRows', insertLink, rows), rows.flat())
}

const name = sql(
  'tracked_messages.name',
  'update tracked_messages set message_id = $3, sent_at = $4 where application_id = $1 and send_id = $2',
)
const forget = sql('tracked_messages.forget', 'delete from tracked_messages where application_id = $1 and send_id = $2')

/** Notes that a message was sent, and its id in the API. */
export const nameTracked = async (
  tx: Queries,
  at: { applicationId: string; sendId: string },
  { messageId, sentAt }: { messageId: string | null; sentAt: number },
): Promise<void> => void (await tx.run(name, [at.applicationId, at.sendId, messageId, sentAt]))

/** For a message that was never sent. */
export const forgetTracked = async (tx: Queries, at: { applicationId: string; sendId: string }): Promise<void> =>
  void (await tx.run(forget, [at.applicationId, at.sendId]))

// A token names no application: these three find out whose it is.
const bySend = sql<MessageRow>('tracked_messages.bySend', `select ${columns} from tracked_messages where send_id = $1`)
const openOf = sql<Mailbox & { seal: string }>(
  'tracked_messages.open',
  `select application_id as "applicationId", grant_id as "grantId", open_seal as seal
   from tracked_messages where send_id = $1 and open_seal is not null`,
)
const clickOf = sql<Mailbox & { seal: string; url: string }>(
  'tracked_links.click',
  `select application_id as "applicationId", grant_id as "grantId", seal, url
   from tracked_links where send_id = $1 and link_index = $2`,
)

/** Whose pixel it is, and what its token is known by. */
export const findPixel = (queries: Queries, sendId: string): Promise<(Mailbox & { seal: string }) | undefined> =>
  queries.get(openOf, [sendId])
/** Whose link it is, what its token is known by, and where it leads. */
export const findLink = (
  queries: Queries,
  sendId: string,
  index: number,
): Promise<(Mailbox & { seal: string; url: string }) | undefined> => queries.get(clickOf, [sendId, index])
export async function findTracked(queries: Queries, sendId: string): Promise<TrackedMessage | undefined> {
  const row = await queries.get(bySend, [sendId])
  return row && messageOf(row)
}

const links = sql<LinkRow>(
  'tracked_links.of',
  `select link_index, url, clicks, clicked_at, recents, flagged, held_after from tracked_links
   where application_id = $1 and send_id = $2 order by link_index`,
)
const saveMessage = sql(
  'tracked_messages.save',
  `update tracked_messages set opens = $3, opened_at = $4, recents = $5, flagged = $6, held_after = $7
   where application_id = $1 and send_id = $2`,
)
const saveLink = sql(
  'tracked_links.save',
  `update tracked_links set clicks = $4, clicked_at = $5, recents = $6, flagged = $7, held_after = $8
   where application_id = $1 and send_id = $2 and link_index = $3`,
)
const saveReply = sql(
  'tracked_messages.reply',
  'update tracked_messages set replies = $3, reply_ids = $4 where application_id = $1 and send_id = $2',
)

type At = Pick<TrackedMessage, 'applicationId' | 'sendId'>
const valuesOf = ({ count, lastAt, recents, flagged, heldAfter }: Counted): Value[] => [
  count,
  lastAt,
  JSON.stringify(recents),
  flagged,
  heldAfter,
]

/** The links of a message, in their order. */
export const linksOf = async (queries: Queries, at: At): Promise<TrackedLink[]> =>
  (await queries.all(links, [at.applicationId, at.sendId])).map(linkOf)
export const saveOpens = async (tx: Queries, at: At, counted: Counted): Promise<void> =>
  void (await tx.run(saveMessage, [at.applicationId, at.sendId, ...valuesOf(counted)]))
export const saveClicks = async (tx: Queries, at: At, link: TrackedLink): Promise<void> =>
  void (await tx.run(saveLink, [at.applicationId, at.sendId, link.index, ...valuesOf(link)]))
export const saveReplies = async (tx: Queries, at: At, counted: { replies: number; ids: string[] }): Promise<void> =>
  void (await tx.run(saveReply, [at.applicationId, at.sendId, counted.replies, JSON.stringify(counted.ids)]))

const ofGrant = 'application_id = $1 and grant_id = $2'

/** The messages of an account whose replies are tracked and that one of these Message-IDs names. */
export async function findReplyTracked(
  tx: Queries,
  { applicationId, grantId }: Mailbox,
  mimeIds: readonly string[],
): Promise<TrackedMessage[]> {
  if (mimeIds.length === 0) return []
  const list = mimeIds.map((_, index) => `$${index + 3}`).join(', ')
  const text = `select ${columns} from tracked_messages where ${ofGrant} and thread_replies = 1 and mime_id in (${list})
    order by created_at, send_id`
  const rows = await tx.all(dynamic<MessageRow>('tracked_messages.byMimeIds', text), [
    applicationId,
    grantId,
    ...mimeIds,
  ])
  return rows.map(messageOf)
}

const heldMessages = sql<MessageRow>(
  'tracked_messages.heldOf',
  `select ${columns} from tracked_messages where ${ofGrant} and
   (held_after is not null or
     send_id in (select send_id from tracked_links where ${ofGrant} and held_after is not null)) order by created_at, send_id`,
)
const release = sql(
  'tracked_messages.release',
  `update tracked_messages set held_after = null where ${ofGrant} and held_after is not null`,
)
const releaseLinks = sql(
  'tracked_links.release',
  `update tracked_links set held_after = null where ${ofGrant} and held_after is not null`,
)

/** The messages of an account of which something is held. */
export const listHeld = async (tx: Queries, at: Mailbox): Promise<TrackedMessage[]> =>
  (await tx.all(heldMessages, [at.applicationId, at.grantId])).map(messageOf)
/** Nothing is held any more, told or not. */
export async function releaseHeld(tx: Queries, at: Mailbox): Promise<void> {
  await tx.run(release, [at.applicationId, at.grantId])
  await tx.run(releaseLinks, [at.applicationId, at.grantId])
}

const optionsOf = sql<{ options: string }>(
  'tracked_messages.options',
  `select options from tracked_messages where ${ofGrant} and message_id = $3 limit 1`,
)
/** What is tracked of a message of the account, by the API's id. */
export async function readTrackedOptions(
  queries: Queries,
  at: Mailbox,
  messageId: string,
): Promise<TrackedOptions | undefined> {
  for (const id of [messageId, ...(at.formerIds?.(messageId) ?? [])]) {
    const row = await queries.get(optionsOf, [at.applicationId, at.grantId, id])
    if (row) return JSON.parse(row.options)
  }
  return undefined
}

const purge = sql(
  'tracked_messages.purge',
  `delete from tracked_messages where send_id in (
     select send_id from tracked_messages where created_at < $1 order by created_at limit 1000)`,
)
/** Removes a piece of what is older than a time, with its links; answers whether there may be more. */
export const purgeTracked = async (queries: Queries, before: number): Promise<boolean> =>
  (await queries.run(purge, [before])) > 0
