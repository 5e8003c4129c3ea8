// The ids of conversations: the mailbox, and sixteen bytes that are the same for all messages of one.
import { createHash } from 'node:crypto'
import { conversationIndex, joinsConversation } from '../../shared/mail/conversations.ts'
import { malformedId } from '../soap/errors.ts'
import type { Mailbox } from '../store/stored.ts'
import { element, type Xml } from '../xml/write.ts'
import type { Conversation, MailItem, MessageText } from './content.ts'
import { isMailItem } from './mail-items.ts'

export function writeConversationId(mailbox: string, id: Uint8Array): string {
  const head = Buffer.from([0, 4, mailbox.length, 0])
  return Buffer.concat([head, Buffer.from(mailbox), Buffer.from([0, id.length, 0]), id]).toString('base64')
}

/** The mailbox and the sixteen bytes; throws for what is no id of a conversation. */
export function readConversationId(text: string): { readonly mailbox: string; readonly id: Buffer } {
  const bytes = Buffer.from(text, 'base64')
  if (bytes.toString('base64') !== text || bytes.length !== 59 || bytes[1] !== 4) throw malformedId()
  return { mailbox: bytes.toString('latin1', 4, 40), id: bytes.subarray(43) }
}

export function conversationIdXml({ mailbox, content: { conversation } }: MailItem): Xml | undefined {
  return conversation && element('t:ConversationId', { Id: writeConversationId(mailbox.id, conversation.id) })
}

/** The conversation that a message is about to join in a mailbox, or a new one. */
export function conversationFor(mailbox: Mailbox, text: MessageText): Conversation {
  const seed = createHash('sha256').update(`${mailbox.id} ${mailbox.lastChange()} ${text.internetMessageId}`).digest()
  const earlier = mailbox
    .items()
    .filter(isMailItem)
    .find(({ content }) => joinsConversation(text, content.text))?.content.conversation
  return { id: earlier?.id ?? seed.subarray(16), index: conversationIndex(earlier?.index, seed) }
}
