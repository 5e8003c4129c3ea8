/**
 * The mailbox of the service's own identity, in which guests answer invitations of virtual calendars. One node at a time
 * reads it, under a lease, and changes nothing in it; it waits for what comes where the server tells (IDLE), and asks every
 * so often where not. What an answer changes is kept in one transaction with how far the mailbox was read: after a crash it
 * is read again from there, and an answer that was kept is not newer than itself.
 * The host is the operator's word, like that of the mail server, so it passes no guard of addresses.
 */
import { createHash } from 'node:crypto'
import type { AttendeeReply } from '../../formats/itip/reading.ts'
import type { Sessions } from '../../grants/sessions.ts'
import { ApiError } from '../../lib/api-error.ts'
import type { Clock } from '../../lib/clock.ts'
import { createEgress } from '../../lib/egress/egress.ts'
import type { Log } from '../../lib/log.ts'
import { type FolderReader, openFolderReader } from '../../providers/imap/folder-reader.ts'
import type { Account } from '../../providers/mail/server-account.ts'
import type { Database, Queries } from '../../store/engine/database.ts'
import { invitedEvents } from '../../store/tables/applications/invitations.ts'
import { getGrant } from '../../store/tables/grants/grants.ts'
import {
  type ReadingPlace,
  releaseReplyMailbox,
  saveReplyMailbox,
  takeReplyMailbox,
} from '../../store/tables/mail/reply-mailboxes.ts'

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
  /** Reads what has come since the last time; nothing where another node is at it. */
  read(signal: AbortSignal): Promise<void>
  /** Reads what has come and what comes, until the connection ends or the signal; nothing where another node is at it. */
  follow(signal: AbortSignal): Promise<void>
}

const leaseMs = 120_000
/** A wait ends so early that the lease is never in doubt. */
const longestWaitMs = 45_000
/** A larger message is no answer. */
const maxBytes = 2 * 1024 * 1024
const batch = 20
/** Of a mailbox that is read for the first time, older mail is left alone. */
const firstDays = 30

class LeaseLost extends Error {
  override readonly name = 'LeaseLost'
}

export function createReplyMailbox(options: ReplyMailboxOptions): ReplyMailbox {
  const { database, clock, nodeId, pollSeconds } = options
  const { account, folder, id } = parseMailbox(options.url)
  const egress = createEgress({ mode: 'private', trustLoopback: true })

  /** Takes the mailbox, or keeps it; answers how far it was read, and nothing where another node has it. */
  const take = (): Promise<ReadingPlace | undefined> => {
    const now = clock.now()
    return takeReplyMailbox(database, id, { owner: nodeId, now, until: now + leaseMs })
  }

  /** Reads the mailbox, and again as long as `goesOn` says so. */
  async function readWhile(signal: AbortSignal, goesOn: (reader: FolderReader) => Promise<boolean>): Promise<void> {
    let place = await take()
    if (!place) return
    try {
      await using reader = await openFolderReader(account, folder, { ...waysOut(egress), signal })
      do {
        await readFolder({ ...options, id, reader, signal }, place)
        // The lease is made longer before it is read on.
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
        await reader.wait(Math.min(longestWaitMs, reader.tells ? longestWaitMs : pollSeconds * 1000), signal)
        return !signal.aborted
      }),
    [Symbol.asyncDispose]: () => egress[Symbol.asyncDispose](),
  }
}

const waysOut = ({ resolvePublic, secure }: ReturnType<typeof createEgress>) => ({ resolve: resolvePublic, secure })

/** Signs in and opens the folder, and reads nothing: for `waypost doctor`. */
export async function tryReplyMailbox(url: string): Promise<{ server: string; folder: string; tells: boolean }> {
  const { account, folder } = parseMailbox(url)
  await using egress = createEgress({ mode: 'private', trustLoopback: true })
  const signal = AbortSignal.timeout(20_000)
  await using reader = await openFolderReader(account, folder, { ...waysOut(egress), signal })
  return { server: `${account.host}:${account.port}`, folder, tells: reader.tells }
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
      reading.log.warn({ reason: outcome.reason }, 'a mail in the mailbox of answers is unreadable')
    const list = outcome?.ok ? outcome.value : []
    if (list.length > 0 || uid === uids.at(-1)) await keepReplies(reading, list, { validity: reader.validity, uid })
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

async function applyReply({ sessions, log }: Reading, tx: Queries, reply: AttendeeReply): Promise<void> {
  for (const { applicationId, grantId, eventId } of await invitedEvents(tx, reply.uid)) {
    const record = await getGrant(tx, applicationId, grantId)
    if (!record) continue
    try {
      await sessions.receiveReply(record, tx, eventId, reply)
    } catch (error) {
      // The grant is blocked, or the application has sent its mails of the day.
      if (!(error instanceof ApiError)) throw error
      log.info({ grant_id: grantId, code: error.code }, 'an answer to an invitation was not taken')
    }
  }
}
