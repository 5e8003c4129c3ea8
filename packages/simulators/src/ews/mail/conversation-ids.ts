// The ids of conversations: the mailbox, and sixteen bytes that are the same for all messages of one.
import { createHash } from 'node:crypto'
import { conversationIndex } from '../../shared/mail/conversations.ts'
import { baseSubject } from '../../shared/mail/references.ts'
import { malformedId } from '../soap/errors.ts'
import type { Mailbox } from '../store/stored.ts'
import { element, type Xml } from '../xml/write.ts'
import type { Conversation, MailItem, MessageText } from './content.ts'

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

interface Member {
  /** Without its prefixes. */
  readonly subject: string
  readonly conversation: Conversation
}

/** By the Message-IDs that the messages of a mailbox have or refer to. */
const members = new WeakMap<Mailbox, Map<string, Member[]>>()

/**
 * The conversation that a message joins in a mailbox: that of one which it refers to or which refers to the same, if their
 * subjects are the same but for prefixes. Else it begins one.
 */
export function conversationFor(mailbox: Mailbox, text: MessageText): Conversation {
  const known = members.get(mailbox) ?? new Map<string, Member[]>()
  members.set(mailbox, known)
  const names = [text.internetMessageId ?? '', ...text.references].filter((name) => name !== '')
  const subject = baseSubject(text.subject)
  const earlier = names.flatMap((name) => known.get(name) ?? []).find((member) => member.subject === subject)
  const seed = createHash('sha256').update(`${mailbox.id} ${mailbox.lastChange()} ${text.internetMessageId}`).digest()
  const conversation = {
    id: earlier?.conversation.id ?? seed.subarray(16),
    index: conversationIndex(earlier?.conversation.index, seed),
  }
  for (const name of names) known.set(name, [...(known.get(name) ?? []), { subject, conversation }])
  return conversation
}
