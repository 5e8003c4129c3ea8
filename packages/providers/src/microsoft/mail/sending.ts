/** Sending by Graph. */
import { type MessageSender, removeSentDraft, sendMessage, sendMs } from '../../mail/exchange/sending.ts'
import { SentIds } from '../../mail/sent-ids.ts'
import { sentUnder } from '../../mail/sent-name.ts'
import { untilFiled } from '../../mail/until-filed.ts'
import type { OutgoingMessage, SentMessage } from '../../operations.ts'
import type { SentMail } from '../../provider.ts'
import { sendFailure } from '../../shared/send-failure.ts'
import { hasAnyScope } from '../../shared/watched-parts.ts'
import { listPage } from '../graph-pages.ts'
import type { Session } from '../session.ts'
import { needDraft } from './drafts.ts'
import { asMime, createDraft, requestBytes } from './files.ts'
import { idPath, type Mailbox, mailboxFor, named, readingScopes } from './mail-api.ts'
import { removeForEver } from './message-changes.ts'
import { namedBy, sentHeaders, sentPath } from './message-notifications.ts'

/** The ids of messages that this node sent as drafts. Message-IDs are unique, so all accounts share one table. */
const sentIds = ({ io }: Session): SentIds => io.shared('sent ids', () => new SentIds())

const sender: MessageSender<Mailbox, string> = {
  maxRequestBytes: requestBytes,
  needDraft,
  checkAccount: ({ session }) => session.io.accessToken(),
  async send(mailbox, { source }) {
    await mailbox.session.execute('POST', mailbox.path('sendMail'), { raw: asMime(source), deadlineMs: sendMs })
    return {}
  },
  createDraft,
  /** The draft keeps its id when it is sent. */
  async sendDraft(mailbox, id, { messageId }) {
    await mailbox.session.execute('POST', mailbox.path(`messages/${idPath('draft', id)}/send`), { deadlineMs: sendMs })
    sentIds(mailbox.session).add(messageId, id)
    return { id }
  },
  discardDraft: (mailbox, id) => removeForEver(mailbox, 'draft', id),
  removeForEver,
  failureOf: sendFailure,
}

export const sendThroughGraph = (
  session: Session,
  message: OutgoingMessage,
  begin: () => Promise<void>,
): Promise<SentMessage> => sendMessage(sender, { mailbox: mailboxFor(session), message }, begin)

/** At most this many of the newest sent messages are searched for one that Exchange renamed. */
const maxRenamedSearched = 50

/** The id of the sent message with a Message-ID. */
async function findNamed(session: Session, messageId: string): Promise<string | undefined> {
  const query = { $filter: namedBy(messageId), $select: 'id', $top: 1 }
  const { items } = await listPage(session, { path: sentPath(mailboxFor(session)), query, read: named })
  return items[0]?.id
}

/** The id of the sent message whose own header says that it was sent under a Message-ID. */
async function findRenamed(session: Session, messageId: string): Promise<string | undefined> {
  const query = { $select: 'id,internetMessageHeaders', $orderby: 'receivedDateTime desc', $top: maxRenamedSearched }
  const { items } = await listPage(session, { path: sentPath(mailboxFor(session)), query, read: sentHeaders })
  return items.find(({ internetMessageHeaders = [] }) => sentUnder(internetMessageHeaders) === messageId)?.id
}

const find = async (session: Session, messageId: string): Promise<string | undefined> =>
  (await findNamed(session, messageId)) ?? (await findRenamed(session, messageId))

/** The first attempt searches only by Message-ID; later ones also consider that Exchange renamed the message. */
const filed = (session: Session, messageId: string): Promise<string> =>
  untilFiled('Microsoft', session.io.signal, (again) => (again ? find : findNamed)(session, messageId))

export const sent: SentMail<Session> = {
  find,
  async file(session, message) {
    await removeSentDraft(sender, mailboxFor(session), message.draftId)
    const known = sentIds(session).take(message.messageId)
    if (known !== undefined) return { id: known }
    // An account that may only send cannot read its sent mail.
    return hasAnyScope(session, readingScopes) ? { id: await filed(session, message.messageId) } : undefined
  },
}
