/** Removes quotations and signatures from messages. */

import type { CleanedMessage, Message, MessageClean } from '@waypost/contract'
import type { CleanInput, LeanMessage } from '@waypost/formats/parse-worker'
import type { SessionIo } from '../io.ts'
import { notFound } from '../shared/named-objects.ts'
import { unreadable } from './unreadable.ts'

/** A message, or the reason why it could not be read. */
export interface ReadMessage {
  message: Message
  parsed?: Pick<LeanMessage, 'body' | 'isHtml'> | undefined
  problem?: string | undefined
}

/** Cleans messages in their order. If one is missing or unreadable, the request fails. */
export async function cleanMessages(
  { parse, signal }: Pick<SessionIo, 'parse' | 'signal'>,
  read: readonly (ReadMessage | undefined)[],
  options: Omit<MessageClean, 'message_id'>,
): Promise<CleanedMessage[]> {
  const found = read.map((each) => {
    if (each?.problem !== undefined) throw unreadable(each.problem)
    if (!each?.parsed) throw notFound('message')
    return { message: each.message, input: { body: each.parsed.body, isHtml: each.parsed.isHtml, options } }
  })
  const inputs = found.map(({ input }) => input)
  const outcomes = await parse.run<CleanInput, string>('clean', inputs, { signal })
  return found.map(({ message }, place): CleanedMessage => {
    const outcome = outcomes[place]
    if (!outcome?.ok) throw unreadable(outcome?.message ?? 'it has no text')
    return { ...message, conversation: outcome.value }
  })
}
