// Decides which messages Exchange treats as one conversation, and builds the index of a message within it.
import type { MessageContent } from './content.ts'
import { baseSubject } from './references.ts'

type Said = Pick<MessageContent, 'subject' | 'references' | 'internetMessageId'>

/** A message joins the conversation of a message it references if their subjects are equal without prefixes. */
export function joinsConversation(message: Said, other: Said): boolean {
  const { references, internetMessageId } = message
  const isReferred = other.internetMessageId !== undefined && references.includes(other.internetMessageId)
  const refersToo = other.references.some((id) => references.includes(id) || id === internetMessageId)
  return (isReferred || refersToo) && baseSubject(other.subject) === baseSubject(message.subject)
}

/** PR_CONVERSATION_INDEX: 22 bytes for the first message, and five more for each level of replies. */
export function conversationIndex(parent: Uint8Array | undefined, seed: Uint8Array): Buffer {
  if (parent === undefined) return Buffer.concat([Buffer.from([1, 0xdb]), seed.subarray(0, 20)])
  return Buffer.concat([parent, seed.subarray(0, 5)])
}
