/** Maps a message to a draft. */
import type { Draft, Message } from '@waypost/contract'

/** A draft that is no reply belongs to no thread yet. */
export function draftFrom(message: Message, { id, isReply }: { id: string; isReply: boolean }): Draft {
  const { in_reply_to: _, headers: __, raw_mime: ___, ...rest } = message
  return {
    ...rest,
    id,
    object: 'draft',
    thread_id: isReply ? (message.thread_id ?? '') : '',
    date: message.date ?? 0,
  }
}
