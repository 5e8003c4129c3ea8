// Which messages Exchange regards as one conversation, and the index that says where in it a message stands.
import type { MessageContent } from './content.ts'
import { baseSubject } from './references.ts'

type Said = Pick<MessageContent, 'subject' | 'references' | 'internetMessageId'>

/** A message joins the conversation of one that it refers to, if their subjects are the same but for prefixes. */
export function joinsConversation(message: Said, other: Said): boolean {
  const { references, internetMessageId } = message
  const isReferred = other.internetMessageId !== undefined && references.includes(other.internetMessageId)
  const refersToo = other.references.some((id) => references.includes(id) || id === internetMessageId)
  return (isReferred || refersToo) && baseSubject(other.subject) === baseSubject(message.subject)
}

/** PR_CONVERSATION_INDEX: 22 bytes for the first message, and five more for each answer below it. */
export function conversationIndex(parent: Uint8Array | undefined, seed: Uint8Array): Buffer {
  if (parent === undefined) return Buffer.concat([Buffer.from([1, 0xdb]), seed.subarray(0, 20)])
  return Buffer.concat([parent, seed.subarray(0, 5)])
}
