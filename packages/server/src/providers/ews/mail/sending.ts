/**
 * Sending by Exchange, which files what it sends by itself a moment later. A message goes as MIME, so that its headers and its
 * Message-ID are ours, by which it is found again; one that is too large for a request is made a draft first, file by file.
 */
import { withRecipients } from '../../mail/mime-edits.ts'
import { ownName, withOwnName } from '../../mail/sent-name.ts'
import { transmissionMs } from '../../mail/transmission.ts'
import { untilFiled } from '../../mail/until-filed.ts'
import type { OutgoingMessage, Sent } from '../../operations.ts'
import { SendFailed, type SentMail } from '../../provider.ts'
import { CreateItem, FindItem, page, SendItem } from '../operations/items.ts'
import type { Session } from '../session.ts'
import { item as itemRef } from '../types/ids.ts'
import { named, property } from '../types/paths.ts'
import { anyOf, equals } from '../types/restriction.ts'
import { idAnd } from '../types/shapes.ts'
import { needDraft } from './drafts.ts'
import { asMime, createDraft, requestBytes } from './files.ts'
import { type Mailbox, mailboxFor, mailIn } from './mail-api.ts'
import { idOf, namePaths } from './mapping/names.ts'
import { asPath, internetMessageId } from './mapping/properties.ts'
import { removeForEver, removeItem } from './message-changes.ts'
import { ewsSendFailure } from './send-failure.ts'

const sendMs = transmissionMs - 30_000

/** Sends a message. */
export async function sendThroughExchange(
  session: Session,
  message: OutgoingMessage,
  begin: () => Promise<void>,
): Promise<Sent> {
  const mailbox = mailboxFor(session)
  const { draftId, messageId } = message
  if (draftId !== undefined) await needDraft(mailbox, draftId)
  const source = withOwnName(withRecipients(message.source, message.recipients), messageId)
  if (source.length <= requestBytes) await sendAtOnce(mailbox, { source, messageId }, begin)
  else await sendAsDraft(mailbox, { source, outline: message.outline }, begin)
  if (draftId !== undefined) await removeSent(mailbox, draftId)
  return {}
}

async function sendAtOnce(
  mailbox: Mailbox,
  { source, messageId }: Pick<OutgoingMessage, 'source' | 'messageId'>,
  begin: () => Promise<void>,
): Promise<void> {
  await begin()
  // Not every server keeps headers that it does not know as properties by itself.
  const name = { ExtendedFieldURI: ownNameProperty, Value: `<${messageId}>` }
  const request = {
    MessageDisposition: 'SendAndSaveCopy' as const,
    SavedItemFolderId: mailbox.place('sentitems'),
    Items: [{ kind: 'Message' as const, MimeContent: asMime(source), ExtendedProperty: [name] }],
  }
  try {
    await mailbox.session.call(CreateItem, request, { deadlineMs: sendMs })
  } catch (error) {
    throw ewsSendFailure(error)
  }
}

/** What is sent is another item than the draft, which is gone then. */
async function sendAsDraft(
  mailbox: Mailbox,
  message: Pick<OutgoingMessage, 'source' | 'outline'>,
  begin: () => Promise<void>,
): Promise<void> {
  const draft = await createDraft(mailbox, message)
  await begin()
  const request = {
    SaveItemToFolder: true,
    ItemIds: [itemRef(draft.Id, draft.ChangeKey)],
    SavedItemFolderId: mailbox.place('sentitems'),
  }
  try {
    await mailbox.session.call(SendItem, request, { deadlineMs: sendMs })
  } catch (error) {
    const failure = ewsSendFailure(error)
    const isUnsent = !(failure instanceof SendFailed) || !failure.maybeSent
    if (isUnsent) await removeItem(mailbox, draft.Id).catch(() => undefined)
    throw failure
  }
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

/** The header that carries the name of ours, as Exchange keeps headers that it does not know. */
const ownNameProperty = named('InternetHeaders', ownName, 'String')

/** The id of the sent message with a Message-ID, or with another one that the server has given it. */
async function find(session: Session, messageId: string): Promise<string | undefined> {
  const mailbox = mailboxFor(session)
  const name = `<${messageId}>`
  const { RootFolder } = await session.call(FindItem, {
    Traversal: 'Shallow',
    ItemShape: idAnd(...namePaths),
    View: page(0, 1),
    Restriction: anyOf([equals(asPath(internetMessageId), name), equals(property(ownNameProperty), name)]),
    ParentFolderIds: [mailbox.place('sentitems')],
  })
  const [sent] = mailIn(RootFolder?.Items)
  return sent && idOf(sent)
}

export const sent: SentMail<Session> = {
  find,
  async file(session, message) {
    if (message.draftId !== undefined) await removeSent(mailboxFor(session), message.draftId)
    return { id: await untilFiled('Exchange', session.io.signal, () => find(session, message.messageId)) }
  },
}
