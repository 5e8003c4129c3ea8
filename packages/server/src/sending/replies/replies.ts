/**
 * Answers to sent messages. A new message of the account that refers to a tracked one is reported once as thread.replied.
 *
 * A mail system reports in a message that another message could not be delivered, or that its reader complained. The
 * adapter has parsed it (`Change.report`). A report counts only if the grant sent the reported message through Waypost:
 * anyone can write such a report, but cannot guess the Message-ID.
 *
 * - message.bounce_detected is sent once for each message and recipient when a mail system gives up, regardless of
 *   the status code: 4.x.x only says why the last try failed. Delays are not reported.
 * - Complaints are stored but not reported: there is no notification for them.
 */

import type { Message } from '@waypost/contract'
import type { Complaint } from '@waypost/formats/dsn/arf'
import type { DeliveryReport, RecipientStatus } from '@waypost/formats/dsn/report'
import type { DataSeals } from '@waypost/platform/crypto/data-seals'
import type { Queries } from '@waypost/store/engine/database'
import type { GrantRecord } from '@waypost/store/tables/grants/grants'
import { addSendReport } from '@waypost/store/tables/mail/send-reports'
import { findSendByMessageId, type WholeSendRow } from '@waypost/store/tables/mail/sends'
import { findReplyTracked } from '@waypost/store/tables/mail/tracked-lookups'
import { saveReplies, type TrackedMessage } from '@waypost/store/tables/mail/tracked-messages'
import { z } from 'zod'
import type { Notify } from '../../grants/notify.ts'
import { repliedObject } from '../tracking/visits.ts'

/** A message received or sent by the account. */
interface NewMessage {
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

interface WatchedMailbox {
  applicationId: string
  grantId: string
  provider: string
}

/** A received message with the report that it contains. */
export interface Noticed {
  message: Message
  report: DeliveryReport | Complaint
}

/** States in which a message may have reached its recipients. */
const underway = new Set(['transmitting', 'sent', 'unknown'])

/** Stores and reports a bounce, in the transaction that reports its message. */
export async function noticeBounce(
  tx: Queries,
  watched: WatchedMailbox,
  { message, report }: Noticed,
  { notify, seals, now }: { notify: Notify; seals: DataSeals; now: number },
): Promise<void> {
  if (report.messageId === undefined) return
  const send = await findSendByMessageId(tx, watched, report.messageId, seals)
  if (!send || !underway.has(send.state)) return
  const { applicationId, grantId } = watched
  const keep = (kind: 'bounce' | 'complaint', recipient: string, document: object): Promise<boolean> => {
    const at = { applicationId, grantId, messageId: send.message_id }
    return addSendReport(tx, { ...at, kind, recipient: recipient.toLowerCase(), createdAt: now, document }, seals)
  }
  if (report.kind === 'complaint') {
    const { feedbackType, userAgent } = report
    const document = { feedback_type: feedbackType, ...(userAgent === undefined ? {} : { user_agent: userAgent }) }
    for (const recipient of complainants(report, send)) await keep('complaint', recipient, document)
    return
  }
  for (const status of report.recipients.filter(({ action }) => action === 'failed')) {
    const recipient = recipientOf(status, send)
    const said = bounceOf(status)
    if (!(await keep('bounce', recipient, said))) continue
    const date = rfc2822((message.date ?? now / 1000) * 1000)
    const object = { ...said, bounce_date: date, bounced_addresses: recipient, grant_id: grantId, ...originOf(send) }
    await notify(tx, { ...watched, trigger: 'message.bounce_detected', object, data: { grant_id: grantId } })
  }
}

/** The recipient's address as it was sent to. A forwarding server may report a different one. */
function recipientOf({ address, original }: RecipientStatus, send: WholeSendRow): string {
  const { recipients } = send
  const names = [original, address].map((name) => name?.toLowerCase())
  const named = recipients.find((recipient) => names.includes(recipient.toLowerCase()))
  if (named !== undefined) return named
  return recipients.length === 1 ? (recipients[0] ?? address) : (original ?? address)
}

/** Providers often leave out the complaining address; if the message had one recipient, it is clear. */
function complainants({ recipients }: Complaint, send: WholeSendRow): string[] {
  const known = send.recipients
  const named = recipients.filter((address) => known.some((one) => one.toLowerCase() === address.toLowerCase()))
  return named.length > 0 ? named : [known.length === 1 ? (known[0] ?? '') : '']
}

interface Bounce {
  bounce_reason: string
  type: string
  code: string
}

const bounceOf = ({ status, code, reason }: RecipientStatus): Bounce => ({
  bounce_reason: reason,
  type: bounceType(status ?? '', reason),
  code: code ?? status ?? '',
})

/** Maps a status code (RFC 3463, registry of RFC 5248) to a bounce type. */
export function bounceType(status: string, reason: string): string {
  // Exchange uses 5.1.10 for unknown recipients; elsewhere it means a domain without mail.
  if (/^[45]\.1\.10$/.test(status) && /recipient ?not ?found|not found by/i.test(reason)) return 'mailbox_unavailable'
  if (/^[45]\.(?:1\.2|1\.10|4\.4|4\.310|4\.312)$/.test(status)) return 'domain_not_found'
  if (/^[45]\.2\.2$/.test(status)) return 'mailbox_full'
  if (/^[45]\.(?:2\.3|3\.4)$/.test(status)) return 'message_too_large'
  if (/^[45]\.(?:1|2)\./.test(status)) return 'mailbox_unavailable'
  if (
    /\b(?:domain|host)\b.{0,30}\bnot found\b|no such (?:domain|host)|nxdomain|null mx|no relevant answers/i.test(reason)
  )
    return 'domain_not_found'
  if (/user unknown|unknown user|no such user|does(?: not|n't) exist|mailbox unavailable/i.test(reason)) {
    return 'mailbox_unavailable'
  }
  if (/(?:mailbox|quota|inbox|storage)\b.{0,30}\b(?:full|exceeded)|over ?quota/i.test(reason)) return 'mailbox_full'
  return /^[45]\.(?:6|7)\./.test(status) ? 'message_refused' : 'mailbox_unavailable'
}

const People = z.array(z.looseObject({ email: z.string() })).catch([])
const Facts = z.looseObject({ subject: z.string().catch(''), from: People, to: People, cc: People, bcc: People })

/** The message that bounced. */
function originOf(send: WholeSendRow): object {
  const { subject, from, to, cc, bcc } = Facts.parse(send.facts)
  const emails = (people: readonly { email: string }[]): string[] => people.map(({ email }) => email)
  const id = send.provider_id ?? ''
  return {
    ...(id === '' ? {} : { message_id: id }),
    origin: {
      to: emails(to),
      from: emails(from)[0] ?? send.sender,
      cc: emails(cc),
      bcc: emails(bcc),
      subject,
      mime_id: `<${send.message_id}>`,
      id,
      original_send_at: rfc2822(send.began_at ?? send.due_at),
    },
  }
}

/** `Wed, 25 Jan 2023 10:18:39 +0000` */
const rfc2822 = (time: number): string => new Date(time).toUTCString().replace('GMT', '+0000')
