/**
 * Reads the mailbox of the system address, where guests reply to invitations of virtual calendars. One node at a time
 * reads it, under a lease, and never changes it. It waits with IDLE, or polls if the server has no IDLE. The effect
 * of a reply and the reading position are stored in one transaction. After a crash, reading continues from that
 * position, and a reply that was stored already changes nothing.
 *
 * The operator configures the host, so the egress guard does not apply.
 */
import { createHash } from 'node:crypto'
import type { AttendeeReply } from '@waypost/formats/itip/reading'
import { ApiError } from '@waypost/platform/api-error'
import type { Clock } from '@waypost/platform/clock'
import { createEgress } from '@waypost/platform/egress/egress'
import type { Log } from '@waypost/platform/log'
import { type FolderReader, openFolderReader } from '@waypost/providers/imap/folder-reader'
import type { Account } from '@waypost/providers/mail/server-account'
import type { Database, Queries } from '@waypost/store/engine/database'
import { invitedEvents } from '@waypost/store/tables/applications/invitations'
import { getGrant } from '@waypost/store/tables/grants/grants'
import {
  type ReadingPlace,
  releaseReplyMailbox,
  saveReplyMailbox,
  takeReplyMailbox,
} from '@waypost/store/tables/mail/reply-mailboxes'
import type { Sessions } from '../../grants/sessions.ts'

export interface ReplyMailboxOptions {
  /** `imaps://user:password@host/folder`, or `imap://` with STARTTLS. */
  url: string
  database: Database
  sessions: Sessions
  clock: Clock
  log: Log
  nodeId: string
  pollSeconds: number
}

export interface ReplyMailbox extends AsyncDisposable {
  /** Reads new messages once; does nothing if another node holds the lease. */
  read(signal: AbortSignal): Promise<void>
  /**
   * Reads messages as they arrive until the connection or the signal ends; does nothing if another node holds the
   * lease.
   */
  follow(signal: AbortSignal): Promise<void>
}

const leaseMs = 120_000
/** Shorter than the lease, so that it is always renewed in time. */
const maxWaitMs = 45_000
/** A larger message is not a reply. */
const maxBytes = 2 * 1024 * 1024
const batch = 20
/** On the first read, older mail is skipped. */
const firstDays = 30

class LeaseLost extends Error {
  override readonly name = 'LeaseLost'
}

export function createReplyMailbox(options: ReplyMailboxOptions): ReplyMailbox {
  const { database, clock, nodeId, pollSeconds } = options
  const { account, folder, id } = parseMailbox(options.url)
  const egress = createEgress({ mode: 'private', trustLoopback: true })

  /** Takes or renews the lease; returns the reading position, or undefined if another node holds the lease. */
  const take = (): Promise<ReadingPlace | undefined> => {
    const now = clock.now()
    return takeReplyMailbox(database, id, { owner: nodeId, now, until: now + leaseMs })
  }

  /** Reads the mailbox repeatedly while `goesOn` returns true. */
  async function readWhile(signal: AbortSignal, goesOn: (reader: FolderReader) => Promise<boolean>): Promise<void> {
    let place = await take()
    if (!place) return
    try {
      await using reader = await openFolderReader(account, folder, { ...guardOf(egress), signal })
      do {
        await readFolder({ ...options, id, reader, signal }, place)
        // Renews the lease before reading on.
        place = (await goesOn(reader)) ? await take() : undefined
      } while (place)
    } catch (error) {
      // A node that stops leaves the rest to the next one.
      if (!signal.aborted) throw error
    } finally {
      await releaseReplyMailbox(database, id, nodeId)
    }
  }

  return {
    read: (signal) => readWhile(signal, async () => false),
    follow: (signal) =>
      readWhile(signal, async (reader) => {
        await reader.wait(Math.min(maxWaitMs, reader.tells ? maxWaitMs : pollSeconds * 1000), signal)
        return !signal.aborted
      }),
    [Symbol.asyncDispose]: () => egress[Symbol.asyncDispose](),
  }
}

const guardOf = ({ resolvePublic, secure }: ReturnType<typeof createEgress>) => ({ resolve: resolvePublic, secure })

/** Signs in and opens the folder without reading: for `waypost doctor`. */
export async function tryReplyMailbox(url: string): Promise<{ server: string; folder: string; tells: boolean }> {
  const { account, folder } = parseMailbox(url)
  await using egress = createEgress({ mode: 'private', trustLoopback: true })
  const signal = AbortSignal.timeout(20_000)
  await using reader = await openFolderReader(account, folder, { ...guardOf(egress), signal })
  return { server: `${account.host}:${account.port}`, folder, tells: reader.tells }
}

/** Parses the URL into an account and an id under which the reading position is stored. */
export function parseMailbox(text: string): { account: Account; folder: string; id: string } {
  // URL's own error message would contain the password.
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
  reader: FolderReader
  signal: AbortSignal
}

async function readFolder(reading: Reading, { validity, uid }: ReadingPlace): Promise<void> {
  const { reader, clock, signal } = reading
  const last = validity === reader.validity ? uid : 0
  const uids = await reader.uidsAfter(last, last === 0 ? clock.now() / 1000 - firstDays * 86_400 : undefined)
  for (let begin = 0; begin < uids.length && !signal.aborted; begin += batch) {
    await readMessages(reading, uids.slice(begin, begin + batch))
  }
}

async function readMessages(reading: Reading, uids: readonly number[]): Promise<void> {
  const { reader, sessions, signal } = reading
  const sources = await reader.sources(uids, maxBytes)
  const outcomes = await sessions.parse.run<object, AttendeeReply[]>('replies', sources, { signal })
  const replies = new Map(sources.map(({ uid }, index) => [uid, outcomes[index]]))
  for (const uid of uids) {
    const outcome = replies.get(uid)
    if (outcome && !outcome.ok)
      reading.log.warn({ reason: outcome.reason }, 'a mail in the reply mailbox is unreadable')
    const list = outcome?.ok ? outcome.value : []
    if (list.length > 0 || uid === uids.at(-1)) await keepReplies(reading, list, { validity: reader.validity, uid })
  }
}

/**
 * Applies the replies of a mail and records that it was read. A mail that fails twice is skipped so that it does not
 * block the others.
 */
async function keepReplies(reading: Reading, replies: readonly AttendeeReply[], place: ReadingPlace): Promise<void> {
  const keep = (list: readonly AttendeeReply[]): Promise<void> =>
    reading.database.transaction(async (tx) => {
      for (const reply of list) await applyReply(reading, tx, reply)
      const until = reading.clock.now() + leaseMs
      const owner = reading.nodeId
      if (!(await saveReplyMailbox(tx, reading.id, { owner, place, until })))
        throw new LeaseLost('another node reads the mailbox')
    })
  try {
    await keep(replies).catch((error) => (error instanceof LeaseLost ? Promise.reject(error) : keep(replies)))
  } catch (error) {
    if (error instanceof LeaseLost) throw error
    reading.log.error({ error }, 'a reply to an invitation could not be stored and is skipped')
    await keep([])
  }
}

async function applyReply({ sessions, log }: Reading, tx: Queries, reply: AttendeeReply): Promise<void> {
  for (const { applicationId, grantId, eventId } of await invitedEvents(tx, reply.uid)) {
    const record = await getGrant(tx, applicationId, grantId)
    if (!record) continue
    try {
      await sessions.receiveReply(record, tx, eventId, reply)
    } catch (error) {
      // The grant is blocked, or the application has reached its daily mail limit.
      if (!(error instanceof ApiError)) throw error
      log.info({ grant_id: grantId, code: error.code }, 'a reply to an invitation was rejected')
    }
  }
}
