/**
 * The mailbox of the service's own identity, in which guests answer invitations of virtual calendars. One node at a time
 * reads it, under a lease, and changes nothing in it. What an answer changes is kept in one transaction with how far the
 * mailbox was read: after a crash it is read again from there, and an answer that was kept is not newer than itself.
 * The host is the operator's word, like that of the mail server, so it passes no guard of addresses.
 */
import { createHash } from 'node:crypto'
import type { ImapFlow } from 'imapflow'
import type { AttendeeReply } from '../formats/itip-reading.ts'
import type { Sessions } from '../grants/sessions.ts'
import { ApiError } from '../lib/api-error.ts'
import type { Clock } from '../lib/clock.ts'
import { createEgress } from '../lib/egress.ts'
import type { Log } from '../lib/log.ts'
import { fetchByUid } from '../providers/imap/connections/command.ts'
import { connect } from '../providers/imap/connections/connection.ts'
import { searchUids, since } from '../providers/imap/index/search.ts'
import type { Account } from '../providers/mail/server-account.ts'
import type { Providers } from '../providers/registry.ts'
import type { Database, Queries } from '../store/database.ts'
import { getGrant } from '../store/grants.ts'
import { invitedEvents } from '../store/invitations.ts'
import { type ReadingPlace, releaseReplyMailbox, saveReplyMailbox, takeReplyMailbox } from '../store/reply-mailboxes.ts'

export interface ReplyMailboxOptions {
  /** `imaps://user:password@host/folder`, or `imap://` with STARTTLS. */
  url: string
  database: Database
  sessions: Sessions
  providers: Providers
  clock: Clock
  log: Log
  nodeId: string
}

export interface ReplyMailbox extends AsyncDisposable {
  /** Reads what has come since the last time; nothing where another node is at it. */
  read(signal: AbortSignal): Promise<void>
}

const leaseMs = 120_000
/** A larger message is no answer. */
const maxBytes = 2 * 1024 * 1024
const batch = 20
/** Of a mailbox that is read for the first time, older mail is left alone. */
const firstDays = 30

class LeaseLost extends Error {
  override readonly name = 'LeaseLost'
}

export function createReplyMailbox(options: ReplyMailboxOptions): ReplyMailbox {
  const { database, clock, nodeId } = options
  const { account, folder, id } = parseMailbox(options.url)
  const egress = createEgress({ mode: 'private', trustLoopback: true })
  return {
    async read(signal) {
      const now = clock.now()
      const place = await takeReplyMailbox(database, id, { owner: nodeId, now, until: now + leaseMs })
      if (!place) return
      try {
        const io = { resolve: egress.resolvePublic, secure: egress.secure, signal }
        const { client } = await connect(account, io)
        const close = (): void => client.close()
        signal.addEventListener('abort', close)
        try {
          await readFolder({ ...options, id, client, signal }, folder, place)
        } finally {
          signal.removeEventListener('abort', close)
          await client.logout().catch(close)
        }
      } catch (error) {
        // A node that stops leaves the rest to the next one.
        if (!signal.aborted) throw error
      } finally {
        await releaseReplyMailbox(database, id, nodeId)
      }
    },
    [Symbol.asyncDispose]: () => egress[Symbol.asyncDispose](),
  }
}

/** The account that an address names, and an id under which it is remembered how far it was read. */
export function parseMailbox(text: string): { account: Account; folder: string; id: string } {
  // The error of URL shows the text, and with it the password.
  if (!URL.canParse(text)) throw new TypeError('The address of the mailbox is not a URL')
  const url = new URL(text)
  const isTls = url.protocol === 'imaps:'
  const user = decodeURIComponent(url.username)
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  const folder = decodeURIComponent(url.pathname.slice(1)) || 'INBOX'
  const port = url.port === '' ? (isTls ? 993 : 143) : Number(url.port)
  const id = createHash('sha256')
    .update(JSON.stringify([user, host, port, folder]))
    .digest('hex')
  const auth = { user, password: decodeURIComponent(url.password) }
  return { account: { host, port, auth, ...(isTls ? { security: 'tls' as const } : {}) }, folder, id }
}

interface Reading extends ReplyMailboxOptions {
  id: string
  client: ImapFlow
  signal: AbortSignal
}

async function readFolder(reading: Reading, folder: string, { validity, uid }: ReadingPlace): Promise<void> {
  const { client, clock, signal } = reading
  const opened = await client.mailboxOpen(folder, { readOnly: true })
  const current = Number(opened.uidValidity)
  const last = validity === current ? uid : 0
  const recent = last === 0 ? since(clock.now() / 1000 - firstDays * 86_400) : []
  const found = await searchUids(client, [{ word: 'UID' }, { word: `${last + 1}:*` }, ...recent])
  // A server gives the last message for a range beyond it.
  const uids = found.filter((one) => one > last)
  for (let begin = 0; begin < uids.length && !signal.aborted; begin += batch) {
    await readMessages(reading, uids.slice(begin, begin + batch), current)
  }
}

async function readMessages(reading: Reading, uids: readonly number[], validity: number): Promise<void> {
  const { client, sessions, signal } = reading
  const sizes = await fetchByUid(client, uids.join(','), { size: true })
  const small = sizes.filter(({ size = 0 }) => size <= maxBytes).map(({ uid }) => uid)
  const messages = small.length === 0 ? [] : await fetchByUid(client, small.join(','), { source: true })
  const sources = messages.flatMap(({ uid, source }) => (source ? [{ uid, source }] : []))
  const outcomes = await sessions.parse.run<object, AttendeeReply[]>('replies', sources, { signal })
  const replies = new Map(sources.map(({ uid }, index) => [uid, outcomes[index]]))
  for (const uid of uids) {
    const outcome = replies.get(uid)
    if (outcome && !outcome.ok)
      reading.log.warn({ reason: outcome.reason }, 'a mail in the mailbox of answers is unreadable')
    const list = outcome?.ok ? outcome.value : []
    if (list.length > 0 || uid === uids.at(-1)) await keepReplies(reading, list, { validity, uid })
  }
}

/** Does what a mail says, and notes that it was read. One that fails twice is passed over: it must not keep others back. */
async function keepReplies(reading: Reading, replies: readonly AttendeeReply[], place: ReadingPlace): Promise<void> {
  const keep = (list: readonly AttendeeReply[]): Promise<void> =>
    reading.database.transaction(async (tx) => {
      for (const reply of list) await applyReply(reading, tx, reply)
      const until = reading.clock.now() + leaseMs
      const owner = reading.nodeId
      if (!(await saveReplyMailbox(tx, reading.id, { owner, place, until }))) throw new LeaseLost('another node reads')
    })
  try {
    await keep(replies).catch((error) => (error instanceof LeaseLost ? Promise.reject(error) : keep(replies)))
  } catch (error) {
    if (error instanceof LeaseLost) throw error
    reading.log.error({ error }, 'an answer to an invitation could not be kept and is passed over')
    await keep([])
  }
}

async function applyReply(reading: Reading, tx: Queries, reply: AttendeeReply): Promise<void> {
  const { sessions, providers, log, signal } = reading
  for (const { applicationId, grantId, eventId } of await invitedEvents(tx, reply.uid)) {
    const record = await getGrant(tx, applicationId, grantId)
    const receive = record && providers[record.grant.provider]?.local?.receiveReply
    if (!record || !receive) continue
    try {
      const use = { queries: tx, signal: () => signal, responseHeaders: {} }
      await receive(sessions.open(sessions.usable(record), 'events.rsvp', use) as never, eventId, reply)
    } catch (error) {
      // The grant is blocked, or the application has sent its mails of the day.
      if (!(error instanceof ApiError)) throw error
      log.info({ grant_id: grantId, code: error.code }, 'an answer to an invitation was not taken')
    }
  }
}
