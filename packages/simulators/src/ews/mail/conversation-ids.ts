// The ids of conversations: the mailbox, and sixteen bytes that all messages of a conversation share.
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

/** The mailbox and the sixteen bytes; throws if the text is not a conversation id. */
export function readConversationId(text: string): { readonly mailbox: string; readonly id: Buffer } {
  const bytes = Buffer.from(text, 'base64')
  if (bytes.toString('base64') !== text || bytes.length !== 59 || bytes[1] !== 4) throw malformedId()
  return { mailbox: bytes.toString('latin1', 4, 40), id: bytes.subarray(43) }
}

export function conversationIdXml({ mailbox, content: { conversation } }: MailItem): Xml | undefined {
  return conversation && element('t:ConversationId', { Id: writeConversationId(mailbox.id, conversation.id) })
}

interface Member {
  /** Without prefixes. */
  readonly subject: string
  readonly conversation: Conversation
}

/** Keyed by the Message-IDs that the messages of a mailbox have or reference. */
const members = new WeakMap<Mailbox, Map<string, Member[]>>()

/**
 * The conversation that a message joins: that of a message it references, or that references the same message, if
 * their subjects are equal without prefixes. Otherwise a new one.
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
