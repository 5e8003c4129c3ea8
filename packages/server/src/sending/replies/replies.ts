/**
 * Replies to tracked messages: a new message of the account that refers to one is reported once as thread.replied.
 */

import type { DataSeals } from '@waypost/platform/crypto/data-seals'
import type { Queries } from '@waypost/store/engine/database'
import type { GrantRecord } from '@waypost/store/tables/grants/grants'
import { findReplyTracked } from '@waypost/store/tables/mail/tracked-lookups'
import { saveReplies, type TrackedMessage } from '@waypost/store/tables/mail/tracked-messages'
import type { Notify } from '../../grants/notify.ts'
import { repliedObject } from '../tracking/visits.ts'

/** A message received or sent by the account. */
export interface NewMessage {
  /** Its id in the API. */
  id: string
  thread_id?: string | undefined
  /** Seconds. */
  date?: number | undefined
  from?: readonly { email: string }[] | undefined
  /** Message-IDs without angle brackets: its own, and those it refers to. */
  messageId?: string | undefined
  inReplyTo: readonly string[]
  references: readonly string[]
}

/** References to check; the newest ones are closest. */
const MAX_REFERENCES = 50
/** Replies recorded per message, to recognize duplicates. */
const MAX_REPLIES = 200

/**
 * Reports a reply for every tracked message that it refers to, in the transaction that reports the message itself.
 */
export async function noticeReply(
  tx: Queries,
  record: GrantRecord,
  message: NewMessage,
  { notify, seals }: { notify: Notify; seals: DataSeals },
): Promise<void> {
  const named = [...new Set([...message.inReplyTo, ...message.references.toReversed()])]
    .filter((id) => id !== message.messageId)
    .slice(0, MAX_REFERENCES)
  const at = { applicationId: record.applicationId, grantId: record.grant.id }
  const tracked = await findReplyTracked(tx, at, padded(named), seals)
  const answered = message.inReplyTo[0] ?? message.references.at(-1) ?? ''
  for (const root of tracked) {
    // Two copies of a reply, for example one through a mailing list and one sent directly, count as one.
    const name = message.messageId ?? message.id
    if (root.replyIds.includes(message.id) || root.replyIds.includes(name)) continue
    const replies = root.replies + 1
    await saveReplies(tx, root, { replies, ids: [...root.replyIds, name].slice(-MAX_REPLIES) })
    const object = repliedObject(root, {
      id: message.id,
      threadId: message.thread_id ?? '',
      // If the reply answers another message of the thread, that message is named by its Message-ID.
      answeredId: tracked.find(({ mimeId }) => mimeId === answered)?.messageId ?? answered,
      fromSelf: isOwn(record, root, message),
      date: message.date ?? 0,
      count: replies,
    })
    await notify(tx, { ...at, provider: record.grant.provider, trigger: 'thread.replied', object })
  }
}

function isOwn({ grant }: GrantRecord, { sender }: TrackedMessage, { from = [] }: NewMessage): boolean {
  const own = [grant.email, sender ?? grant.email].map((email) => email.toLowerCase())
  return from.some(({ email }) => own.includes(email.toLowerCase()))
}

/** Pads the list to one of a few sizes by repeating the last id, so that few statements have to be prepared. */
function padded(ids: readonly string[]): string[] {
  const size = [0, 1, 5, MAX_REFERENCES].find((one) => one >= ids.length) ?? ids.length
  return Array.from({ length: size }, (_, index) => ids[index] ?? ids.at(-1) ?? '')
}
