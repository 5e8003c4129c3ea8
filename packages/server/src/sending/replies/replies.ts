/** Answers to tracked messages: a new message of the account that refers to one is told as thread.replied, once. */
import type { Notify } from '../../grants/notify.ts'
import type { DataSeals } from '../../lib/crypto/data-seals.ts'
import type { Queries } from '../../store/engine/database.ts'
import type { GrantRecord } from '../../store/tables/grants/grants.ts'
import { findReplyTracked } from '../../store/tables/mail/tracked-lookups.ts'
import { saveReplies, type TrackedMessage } from '../../store/tables/mail/tracked-messages.ts'
import { repliedObject } from '../tracking/visits.ts'

/** A message that came into the account, or was sent from it. */
export interface NewMessage {
  /** The API's. */
  id: string
  thread_id?: string | undefined
  /** Seconds. */
  date?: number | undefined
  from?: readonly { email: string }[] | undefined
  /** Message-IDs without their brackets: its own, and those of its headers. */
  messageId?: string | undefined
  inReplyTo: readonly string[]
  references: readonly string[]
}

/** What is looked at of a thread: the newest are the nearest. */
const MOST_REFERENCES = 50
/** Of a message, the answers that are known again when they come up twice. */
const MOST_REPLIES = 200

/** Tells of an answer, for every tracked message that it refers to; in the transaction that tells of the message itself. */
export async function noticeReply(
  tx: Queries,
  record: GrantRecord,
  message: NewMessage,
  { notify, seals }: { notify: Notify; seals: DataSeals },
): Promise<void> {
  const named = [...new Set([...message.inReplyTo, ...message.references.toReversed()])]
    .filter((id) => id !== message.messageId)
    .slice(0, MOST_REFERENCES)
  const at = { applicationId: record.applicationId, grantId: record.grant.id }
  const tracked = await findReplyTracked(tx, at, padded(named), seals)
  const answered = message.inReplyTo[0] ?? message.references.at(-1) ?? ''
  for (const root of tracked) {
    // Two copies of an answer, such as a list's and one sent directly, are one answer.
    const name = message.messageId ?? message.id
    if (root.replyIds.includes(message.id) || root.replyIds.includes(name)) continue
    const replies = root.replies + 1
    await saveReplies(tx, root, { replies, ids: [...root.replyIds, name].slice(-MOST_REPLIES) })
    const object = repliedObject(root, {
      id: message.id,
      threadId: message.thread_id ?? '',
      // Where it answers another message of the thread, that one's Message-ID names it.
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

/** Few sizes of the list, and so few statements to prepare: the last id is repeated up to the size. */
function padded(ids: readonly string[]): string[] {
  const size = [0, 1, 5, MOST_REFERENCES].find((one) => one >= ids.length) ?? ids.length
  return Array.from({ length: size }, (_, index) => ids[index] ?? ids.at(-1) ?? '')
}
