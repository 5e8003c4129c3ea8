/** Sending by EWS. */
import { type MessageSender, removeSentDraft, sendMessage, sendMs } from '../../mail/exchange/sending.ts'
import { untilFiled } from '../../mail/until-filed.ts'
import type { OutgoingMessage, SentMessage } from '../../operations.ts'
import { SendFailed, type SentMail } from '../../provider.ts'
import { sendFailure } from '../../shared/send-failure.ts'
import { EwsError, hasCode } from '../errors.ts'
import { CreateItem, FindItem, page, SendItem } from '../operations/items.ts'
import type { Session } from '../session.ts'
import { type ItemId, item as itemRef } from '../types/ids.ts'
import { property } from '../types/paths.ts'
import { anyOf, equals } from '../types/restriction.ts'
import { idAnd } from '../types/shapes.ts'
import { needDraft } from './drafts.ts'
import { asMime, createDraft, requestBytes } from './files.ts'
import { type Mailbox, mailboxFor, mailIn } from './mail-api.ts'
import { idOf, namePaths } from './mapping/names.ts'
import { internetMessageId, ownNameHeader } from './mapping/properties.ts'
import { removeForEver, removeItem } from './message-changes.ts'

const sender: MessageSender<Mailbox, ItemId> = {
  maxRequestBytes: requestBytes,
  needDraft,
  async send(mailbox, { source, messageId }) {
    // Not every server stores unknown headers as properties by itself.
    const name = { ExtendedFieldURI: ownNameHeader, Value: `<${messageId}>` }
    const request = {
      MessageDisposition: 'SendAndSaveCopy' as const,
      SavedItemFolderId: mailbox.place('sentitems'),
      Items: [{ kind: 'Message' as const, MimeContent: asMime(source), ExtendedProperty: [name] }],
    }
    await mailbox.session.call(CreateItem, request, { deadlineMs: sendMs })
    return {}
  },
  createDraft,
  /** The sent message is another item than the draft, which is deleted by sending. */
  async sendDraft(mailbox, draft) {
    const request = {
      SaveItemToFolder: true,
      ItemIds: [itemRef(draft.Id, draft.ChangeKey)],
      SavedItemFolderId: mailbox.place('sentitems'),
    }
    await mailbox.session.call(SendItem, request, { deadlineMs: sendMs })
    return {}
  },
  discardDraft: (mailbox, { Id }) => removeItem(mailbox, Id),
  removeForEver,
  failureOf: ewsSendFailure,
}

export const sendThroughExchange = (
  session: Session,
  message: OutgoingMessage,
  begin: () => Promise<void>,
): Promise<SentMessage> => sendMessage(sender, { mailbox: mailboxFor(session), message }, begin)

/** The id of the sent message with a Message-ID, or with another one that the server gave it. */
async function find(session: Session, messageId: string): Promise<string | undefined> {
  const mailbox = mailboxFor(session)
  const name = `<${messageId}>`
  const { RootFolder } = await session.call(FindItem, {
    Traversal: 'Shallow',
    ItemShape: idAnd(...namePaths),
    View: page(0, 1),
    Restriction: anyOf([equals(property(internetMessageId), name), equals(property(ownNameHeader), name)]),
    ParentFolderIds: [mailbox.place('sentitems')],
  })
  const [sent] = mailIn(RootFolder?.Items)
  return sent && idOf(sent)
}

export const sent: SentMail<Session> = {
  find,
  async file(session, message) {
    await removeSentDraft(sender, mailboxFor(session), message.draftId)
    return { id: await untilFiled('Exchange', session.io.signal, () => find(session, message.messageId)) }
  },
}

/** The mailbox was not reachable: nothing was done, and a later attempt may succeed. */
const untouched = [
  'ErrorMailboxMoveInProgress',
  'ErrorMailboxStoreUnavailable',
  'ErrorMailboxFailover',
  'ErrorMailboxLogonFailed',
  'ErrorADUnavailable',
  'ErrorNoRespondingCASInDestinationSite',
]
/** The same message can be sent after a wait, or after making room. */
const passing = ['ErrorQuotaExceeded', 'ErrorSubmissionQuotaExceeded', 'ErrorMessageThrottlingException']

/** The error for a failure after `begin`: whether the message may have been accepted, and whether it ever will be. */
function ewsSendFailure(error: unknown): unknown {
  if (!(error instanceof EwsError)) return sendFailure(error)
  const { code, message } = error
  if (code === 'provider_unavailable') {
    return new SendFailed(message, { maybeSent: !hasCode(error, ...untouched), cause: error })
  }
  const isTransient = code === 'provider_rate_limited' || code === 'grant_invalid' || hasCode(error, ...passing)
  return new SendFailed(message, { permanent: !isTransient, cause: error })
}
