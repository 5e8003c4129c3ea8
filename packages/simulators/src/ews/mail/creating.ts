// `CreateItem` of messages.
import { detachedItem, storeDetached } from '../items/detached.ts'
import { setFields } from '../items/writing.ts'
import type { EwsCall } from '../model.ts'
import { EwsError } from '../soap/errors.ts'
import type { StoredFolder, StoredItem } from '../store/stored.ts'
import type { XmlNode } from '../xml/read.ts'
import { emptyMail, type MailItem } from './content.ts'
import { conversationFor } from './conversation-ids.ts'
import { newMessageId } from './delivery.ts'
import { headerProperties, takeHeaderProperties } from './headers.ts'
import { messageTypeOf } from './mail-items.ts'
import { sendNew } from './sending.ts'

export type Disposition = 'SaveOnly' | 'SendOnly' | 'SendAndSaveCopy'

/** Whether a created or changed message is saved, sent, or both. */
export function dispositionOf({ request }: EwsCall): Disposition {
  const written = request.attributes.MessageDisposition
  if (written === 'SaveOnly' || written === 'SendOnly' || written === 'SendAndSaveCopy') return written
  throw new EwsError('ErrorMessageDispositionRequired', 'The MessageDisposition attribute is required for messages.')
}

export function createMessage(call: EwsCall, written: XmlNode, folder: StoredFolder | undefined): StoredItem[] {
  const home = folder?.mailbox ?? call.account.mailbox
  const item = detachedItem(messageTypeOf(call), emptyMail(), folder ?? home.folders.standard('drafts'))
  setFields(call, item, written)
  return dispose(call, item, folder)
}

/** Saves or sends a new message. Returns the stored items whose ids the client receives. */
export function dispose(call: EwsCall, item: MailItem, folder: StoredFolder | undefined): StoredItem[] {
  const disposition = dispositionOf(call)
  const { folders } = item.mailbox
  if (disposition === 'SaveOnly') return [saveMessage(call, item, folder ?? folders.standard('drafts')) as StoredItem]
  if (disposition === 'SendOnly' && item.mailbox !== call.account.mailbox) {
    throw new EwsError('ErrorInvalidRequest', 'A message of another mailbox can be sent only if a copy is saved.')
  }
  sendNew(call, item, disposition === 'SendOnly' ? undefined : (folder ?? folders.standard('sentitems')))
  return []
}

function saveMessage(call: EwsCall, item: MailItem, folder: StoredFolder): MailItem {
  const { content } = item
  takeHeaderProperties(item)
  const owner = call.world.findAccountById(folder.mailbox.id) ?? call.account
  if (content.isDraft) {
    const own = { name: owner.name, address: owner.email }
    const from = content.text.from ?? own
    content.text = { ...content.text, from, sender: content.text.sender ?? from }
  } else {
    for (const [key, value] of headerProperties(content.text)) item.extended.set(key, value)
    content.isFromMe = content.text.from?.address.toLowerCase() === owner.email.toLowerCase()
  }
  content.text = { ...content.text, internetMessageId: content.text.internetMessageId ?? newMessageId(owner) }
  content.conversation = conversationFor(folder.mailbox, content.text)
  const stored = storeDetached(item, folder)
  if (call.world.oddities.changesSaved === true) setImmediate(() => stored.mailbox.change(stored as StoredItem))
  return stored
}
