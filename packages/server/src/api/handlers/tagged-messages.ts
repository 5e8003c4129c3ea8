/** Lists messages by their metadata: the service knows which, the provider what they are. */
import type { Message, MetadataPair } from '@waypost/contract'
import { z } from 'zod'
import { ApiError } from '../../lib/api-error.ts'
import type { JsonValue } from '../../lib/json-guard.ts'
import type { Database } from '../../store/database.ts'
import {
  findTaggedMessages,
  forgetMessageMetadata,
  type Mailbox,
  type TaggedMessage,
} from '../../store/message-metadata.ts'

export interface Search {
  pairs: readonly MetadataPair[]
  limit: number
  position: JsonValue | undefined
  /** Reads one message at the provider. */
  read(messageId: string): Promise<Message>
  signal: AbortSignal
}

/** A place in the list: when the last message's metadata was set, and the message. */
const Position = z.tuple([z.number(), z.string()])

/** Providers allow few requests at once. */
const readAtOnce = 4

/** One page. Messages that are gone are passed over, and their metadata with them: a page is full unless it is the last. */
export async function listTaggedMessages(
  database: Database,
  at: Mailbox,
  { pairs, limit, position, read, signal }: Search,
): Promise<{ items: Message[]; next?: JsonValue }> {
  let after: TaggedMessage | undefined
  if (position !== undefined) {
    const [updatedAt, messageId] = Position.parse(position)
    after = { updatedAt, messageId }
  }
  const items: Message[] = []
  for (;;) {
    signal.throwIfAborted()
    const missing = limit - items.length
    const found = await findTaggedMessages(database, at, pairs, { after, limit: missing + 1 })
    const wanted = found.slice(0, missing)
    const messages = await readAll(wanted, read)
    for (const [index, tagged] of wanted.entries()) {
      const message = messages[index]
      if (message) items.push(message)
      else await forgetMessageMetadata(database, at, tagged)
    }
    after = wanted.at(-1) ?? after
    if (found.length <= missing) return { items }
    if (after && items.length === limit) return { items, next: [after.updatedAt, after.messageId] }
  }
}

/** The messages in the order asked for, undefined where one is gone; the first other failure ends it. */
async function readAll(wanted: readonly TaggedMessage[], read: Search['read']): Promise<(Message | undefined)[]> {
  const messages: (Message | undefined)[] = []
  const queue = wanted.entries()
  let failed = false
  const work = async (): Promise<void> => {
    for (const [index, { messageId }] of queue) {
      if (failed) return
      try {
        messages[index] = await read(messageId)
      } catch (error) {
        if (error instanceof ApiError && error.code === 'not_found') continue
        failed = true
        throw error
      }
    }
  }
  await Promise.all(Array.from({ length: readAtOnce }, work))
  return messages
}
