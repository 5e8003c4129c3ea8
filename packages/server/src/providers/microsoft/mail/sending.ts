/**
 * Sending by Graph, which files what it sends by itself a moment later. A message goes as MIME, so that its headers and its
 * Message-ID are ours, by which it is found again; one that is too large for a request is made a draft first, file by file.
 */
import { withRecipients } from '../../mail/mime-edits.ts'
import { SentIds } from '../../mail/sent-ids.ts'
import { sentUnder, withOwnName } from '../../mail/sent-name.ts'
import { transmissionMs } from '../../mail/transmission.ts'
import { untilFiled } from '../../mail/until-filed.ts'
import type { OutgoingMessage, Sent } from '../../operations.ts'
import { SendFailed, type SentMail } from '../../provider.ts'
import { sendFailure } from '../../shared/send-failure.ts'
import { hasAnyScope } from '../../shared/watched-parts.ts'
import { listPage } from '../graph-pages.ts'
import type { Session } from '../session.ts'
import { needDraft } from './drafts.ts'
import { asMime, createDraft, requestBytes } from './files.ts'
import { idPath, type Mailbox, mailboxFor, named, readingScopes } from './mail-api.ts'
import { removeForEver } from './message-changes.ts'
import { namedBy, sentHeaders, sentPath } from './sent-names.ts'

const sendMs = transmissionMs - 30_000

/** What this node sent as drafts: Message-IDs are unique, so that all accounts share it. */
const sentIds = ({ io }: Session): SentIds => io.shared('sent ids', () => new SentIds())

/** Sends a message. */
export async function sendThroughGraph(
  session: Session,
  message: OutgoingMessage,
  begin: () => Promise<void>,
): Promise<Sent> {
  const mailbox = mailboxFor(session)
  const { draftId, messageId } = message
  if (draftId !== undefined) await needDraft(mailbox, draftId)
  const source = withOwnName(withRecipients(message.source, message.recipients), messageId)
  // Whatever is wrong with the account itself shows before the message is on its way.
  await session.io.accessToken()
  const sent =
    source.length <= requestBytes
      ? await sendAtOnce(mailbox, source, begin)
      : await sendAsDraft(mailbox, { source, outline: message.outline, messageId }, begin)
  if (draftId !== undefined) await removeSent(mailbox, draftId)
  return sent
}

async function sendAtOnce(mailbox: Mailbox, source: Uint8Array, begin: () => Promise<void>): Promise<Sent> {
  await begin()
  try {
    await mailbox.session.execute('POST', mailbox.path('sendMail'), { raw: asMime(source), deadlineMs: sendMs })
    return {}
  } catch (error) {
    throw sendFailure(error)
  }
}

/** The draft keeps its id when it is sent. */
async function sendAsDraft(
  mailbox: Mailbox,
  message: Pick<OutgoingMessage, 'source' | 'outline' | 'messageId'>,
  begin: () => Promise<void>,
): Promise<Sent> {
  const id = await createDraft(mailbox, message)
  let failure: unknown
  try {
    await begin()
    await mailbox.session.execute('POST', mailbox.path(`messages/${idPath('draft', id)}/send`), { deadlineMs: sendMs })
    sentIds(mailbox.session).add(message.messageId, id)
    return { id }
  } catch (error) {
    failure = sendFailure(error)
  }
  const isUnsent = !(failure instanceof SendFailed) || !failure.maybeSent
  if (isUnsent) await removeForEver(mailbox, 'draft', id).catch(() => undefined)
  throw failure
}

/** A draft that was sent by other means is gone with that; where it cannot be removed now, that is tried when it is filed. */
async function removeSent(mailbox: Mailbox, draftId: string): Promise<void> {
  try {
    await removeForEver(mailbox, 'draft', draftId)
  } catch (error) {
    const { io, grant } = mailbox.session
    io.log.debug({ error, grant_id: grant.id }, 'a draft that was sent could not be removed yet')
  }
}

/** So many of the newest sent messages are looked through. */
const lookedThrough = 50

/** The id of the sent message with a Message-ID. */
async function findNamed(session: Session, messageId: string): Promise<string | undefined> {
  const query = { $filter: namedBy(messageId), $select: 'id', $top: 1 }
  const { items } = await listPage(session, { path: sentPath(mailboxFor(session)), query, read: named })
  return items[0]?.id
}

/** The id of the sent message that says in a header that it was sent under a Message-ID. */
async function findRenamed(session: Session, messageId: string): Promise<string | undefined> {
  const query = { $select: 'id,internetMessageHeaders', $orderby: 'receivedDateTime desc', $top: lookedThrough }
  const { items } = await listPage(session, { path: sentPath(mailboxFor(session)), query, read: sentHeaders })
  return items.find(({ internetMessageHeaders = [] }) => sentUnder(internetMessageHeaders) === messageId)?.id
}

const find = async (session: Session, messageId: string): Promise<string | undefined> =>
  (await findNamed(session, messageId)) ?? (await findRenamed(session, messageId))

/** An account that may only send cannot be asked what it has sent. */
const mayRead = (session: Session): boolean => hasAnyScope(session, readingScopes)

/** One that is not there by its name at once may have another. */
const filed = (session: Session, messageId: string): Promise<string> =>
  untilFiled('Microsoft', session.io.signal, (again) => (again ? find : findNamed)(session, messageId))

export const sent: SentMail<Session> = {
  find,
  async file(session, message) {
    if (message.draftId !== undefined) await removeSent(mailboxFor(session), message.draftId)
    const known = sentIds(session).take(message.messageId)
    if (known !== undefined) return { id: known }
    return mayRead(session) ? { id: await filed(session, message.messageId) } : undefined
  },
}
