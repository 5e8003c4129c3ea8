/** Sends through an account's SMTP server and files a copy in its IMAP mailbox. */
import { limits } from '@waypost/contract'
import { ApiError } from '@waypost/platform/api-error'
import { seconds, sleep } from '@waypost/platform/clock'
import type { ImapFlow } from 'imapflow'
import { attachmentId } from '../mail/attachments.ts'
import { ConnectionFailed } from '../mail/connection-failed.ts'
import { wireLength } from '../mail/large-files.ts'
import { headerOf, withRecipients } from '../mail/mime-edits.ts'
import { SentIds } from '../mail/sent-ids.ts'
import { type SentCopies, sentCopiesBy } from '../mail/vendors.ts'
import type { FiledCopy, OutgoingMessage, SentMailCopy, SentMessage } from '../operations.ts'
import { SendFailed, type SentMail } from '../provider.ts'
import { appendMessage } from './client/append.ts'
import { fetchByUid } from './client/commands.ts'
import { toApiError } from './errors.ts'
import { uidSet } from './index/folder-index.ts'
import { header, searchUids, since } from './index/search.ts'
import { earlierId, folderId, identityFields, messageKey, readIdentity, threadId } from './mapping/ids.ts'
import { refreshFolders, type Session, withApiErrors } from './session.ts'

/** Sends a message. Its id derives from its header, so it is available before the copy is filed. */
export async function submitMessage(
  session: Session,
  message: OutgoingMessage,
  begin: () => Promise<void>,
): Promise<SentMessage> {
  const { io, submission, mailbox } = session
  const copies = await copiesOf(session)
  if (copies === undefined) {
    throw new ApiError(
      'not_supported_by_provider',
      'this grant cannot send: authenticate it again with smtp_host, and with smtp_port, smtp_username and smtp_password if they differ',
      { fields: { provider: session.grant.provider, capability: 'messages.send' } },
    )
  }
  try {
    await submission.submit(message, begin, io.signal)
  } catch (error) {
    throw error instanceof ConnectionFailed ? toApiError(error) : error
  }
  const name = nameOf(message, copies)
  sentNamesOf(mailbox).add(message.messageId, name)
  return { id: name.id }
}

/** Whether the server or Waypost files sent messages, by mailbox. A mailbox is bound to its settings. */
const filers = new WeakMap<Session['mailbox'], SentCopies>()

/** Whether the server or Waypost files sent messages; undefined if the account cannot send. */
async function copiesOf({ accounts, mailbox }: Session): Promise<SentCopies | undefined> {
  const known = filers.get(mailbox)
  if (known !== undefined) return known
  const { smtp, sentCopies } = await accounts()
  if (smtp === undefined) return undefined
  const found = sentCopies ?? sentCopiesBy(smtp.host)
  filers.set(mailbox, found)
  return found
}

/** Identity of a sent message, from its header. */
interface SentName {
  id: string
  /** The thread that it starts. The thread of a reply can only be found in the account. */
  threadId: string | undefined
}

/** Sent messages of each mailbox whose copy was not filed yet. */
const sentNames = new WeakMap<Session['mailbox'], SentIds<SentName>>()

function sentNamesOf(mailbox: Session['mailbox']): SentIds<SentName> {
  const names = sentNames.get(mailbox) ?? new SentIds()
  sentNames.set(mailbox, names)
  return names
}

function nameOf(message: OutgoingMessage, copies: SentCopies): SentName {
  const identity = readIdentity(headerOf(message.source))
  const { messageId, hash, references } = identity
  // A copy filed by the server has additional header fields, so its size is unknown.
  const id =
    copies === 'ours' || messageId === undefined
      ? messageKey(identity, { date: 0, size: wireLength({ ...message, source: copyOf(message) }) })
      : earlierId(messageId, hash)
  return { id, threadId: messageId === undefined || references.length > 0 ? undefined : threadId(messageId) }
}

const filingMs = 10_000
/** Mailboxes for which it is unknown whether the server files copies. */
const perhapsMs = 3_000

/** When the server was last seen not to file a message that it had just accepted. */
const leftToUs = new WeakMap<Session['mailbox'], number>()
/** How long this observation is used. */
const believedMs = 600_000

/** The sent folder of each mailbox. */
const places = new WeakMap<Session['mailbox'], string>()

async function placeOf(session: Session): Promise<string> {
  const known = places.get(session.mailbox)
  if (known !== undefined) return known
  const folder = (await refreshFolders(session)).find(({ use }) => use === '\\Sent')
  const path = folder?.path ?? (await makePlace(session))
  places.set(session.mailbox, path)
  return path
}

async function makePlace({ mailbox, io }: Session): Promise<string> {
  const { path } = await mailbox.pool.use({ signal: io.signal }, (client) => client.mailboxCreate('Sent'))
  return path
}

/** Runs work in the sent folder. If it was renamed or deleted, searches for it again. */
async function inSent<T>(session: Session, work: (client: ImapFlow, path: string) => Promise<T>): Promise<T> {
  const path = await placeOf(session)
  const run = (at: string): Promise<T> =>
    session.mailbox.in(at, { signal: session.io.signal }, (client) => work(client, at))
  try {
    return await run(path)
  } catch (error) {
    places.delete(session.mailbox)
    const now = await placeOf(session)
    if (now === path) throw error
    return run(now)
  }
}

/** Some servers date a copy by its header, and a scheduled message may have been composed long before. */
const searchedDays = limits.scheduleDaysMax + 10

/** The id of the message with this Message-ID in the selected folder. */
async function findSelected({ io }: Session, client: ImapFlow, wanted: string): Promise<string | undefined> {
  const from = seconds(io.clock.now()) - searchedDays * 86_400
  const uids = await searchUids(client, [...since(from), ...header('Message-ID', wanted)])
  if (uids.length === 0) return undefined
  const found = await fetchByUid(client, uidSet(uids), { uid: true, headers: [...identityFields], size: true })
  for (const { headers, size = 0 } of found) {
    const identity = readIdentity(headers ?? '')
    // SEARCH also matches parts of the text.
    if (identity.messageId === wanted) return messageKey(identity, { date: 0, size })
  }
  return undefined
}

/** The copy includes Bcc, so that its owner can see these recipients. */
const copyOf = ({ source, recipients }: OutgoingMessage): Buffer => withRecipients(source, recipients)

/** Appends a copy; returns the received date that was set, which becomes the date of the message. */
async function append({ io }: Session, client: ImapFlow, path: string, message: OutgoingMessage): Promise<number> {
  const date = seconds(io.clock.now())
  const copy = { source: copyOf(message), largeFiles: message.largeFiles }
  const done = await appendMessage(client, path, copy, { flags: ['\\Seen'], date: new Date(date * 1000) })
  if (done) return date
  if (!client.usable) throw new ConnectionFailed('connect', 'the connection was lost')
  throw new ApiError('provider_refused', `the mail server did not file the copy in ${path}`)
}

export const sent: SentMail<Session> = {
  find: (session, wanted) => withApiErrors(() => inSent(session, (client) => findSelected(session, client, wanted))),

  file: (session, message) =>
    withApiErrors(async () => {
      const { mailbox } = session
      const first = sentNamesOf(mailbox).take(message.messageId)
      const copies = await copiesOf(session)
      if (copies === 'server') return { id: await untilFiled(session, message) }
      const seenAt = leftToUs.get(mailbox) ?? Number.NEGATIVE_INFINITY
      const isLeftToUs = first !== undefined && performance.now() - seenAt < believedMs
      if (isLeftToUs) return appendFirst(session, message, first)
      // If the server files copies itself, it does so within this time.
      if (copies === 'perhaps' && first !== undefined) await foundWithin(session, message, perhapsMs)
      return searchAndAppend(session, message, first)
    }),
}

/** Files a copy if there is none. Uses one connection: if it breaks, the next try finds the copy by search. */
function searchAndAppend(session: Session, message: OutgoingMessage, first: SentName | undefined): Promise<FiledCopy> {
  return inSent(session, async (client, path) => {
    const there = await findSelected(session, client, message.messageId)
    if (there !== undefined) return { id: there }
    if (first !== undefined) leftToUs.set(session.mailbox, performance.now())
    await append(session, client, path, message)
    return { id: (first ?? nameOf(message, 'ours')).id }
  })
}

/** Files a copy that cannot exist yet. If the first try breaks off, checks for it before the next. */
async function appendFirst(session: Session, message: OutgoingMessage, name: SentName): Promise<FiledCopy> {
  const path = await placeOf(session)
  let tried = false
  const once = async (client: ImapFlow): Promise<FiledCopy> => {
    if (tried) throw new Error('the copy may have been filed')
    tried = true
    const date = await append(session, client, path, message)
    return { id: name.id, reported: reportedOf(message, name, { path, date }) }
  }
  try {
    // The folder need not be selected to append.
    return await session.mailbox.pool.use({ signal: session.io.signal, caughtUpSince: 0 }, once)
  } catch {
    return searchAndAppend(session, message, undefined)
  }
}

/** The account's data of a copy that no other program can have changed. */
function reportedOf(
  { files }: OutgoingMessage,
  { threadId: thread }: SentName,
  { path, date }: { path: string; date: number },
): SentMailCopy | undefined {
  if (thread === undefined || !files) return undefined
  const attachments = files.map(({ part, filename, contentId }) => ({
    id: attachmentId(part),
    filename: filename === '' ? null : filename,
    ...(contentId === undefined ? {} : { content_id: contentId }),
  }))
  return { thread_id: thread, folders: [folderId(path)], date, attachments }
}

async function untilFiled(session: Session, message: OutgoingMessage): Promise<string> {
  const there = await foundWithin(session, message, filingMs)
  if (there === undefined) throw new SendFailed('the server has not filed the message yet')
  return there
}

/** The id of a copy that the server files itself, once it is there. */
async function foundWithin(
  session: Session,
  { messageId: wanted }: OutgoingMessage,
  milliseconds: number,
): Promise<string | undefined> {
  for (const until = performance.now() + milliseconds; ; await sleep(1_000, session.io.signal)) {
    const there = await inSent(session, (client) => findSelected(session, client, wanted))
    if (there !== undefined || performance.now() > until) return there
  }
}
