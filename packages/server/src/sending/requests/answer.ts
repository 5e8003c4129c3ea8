/** The API response for a message that was sent or scheduled, with the message as the account has it. */
import type { Attachment, Message, SentFields, SentMessage, TrackingRequest } from '@waypost/contract'
import { readHeaders } from '@waypost/formats/mime/headers'
import { MAX_HEADER_BYTES } from '@waypost/formats/mime/limit'
import { ApiError } from '@waypost/platform/api-error'
import { seconds } from '@waypost/platform/clock'
import type { Log } from '@waypost/platform/log'
import type { SentMailCopy } from '@waypost/providers/operations'
import type { Database } from '@waypost/store/engine/database'
import type { Sessions } from '../../grants/sessions.ts'
import type { Composed } from '../compose/compose.ts'
import type { Outcome } from '../ledger/ledger.ts'
import type { Order } from '../sending.ts'

export interface AnsweredSend {
  grantId: string
  composed: Composed
  /** The body of the request; undefined if the client sent MIME. */
  body: string | undefined
  replyToMessageId: string | undefined
  scheduleId: string | undefined
  /** Seconds. */
  sendAt: number | undefined
  /** Whether the message waits among the drafts of the account. */
  useDraft?: boolean
  tracking: TrackingRequest | undefined
  metadata: Record<string, string> | undefined
  fields: SentFields
  /** Milliseconds. */
  date: number
}

export function sentMessage(answered: AnsweredSend): SentMessage {
  const { grantId, composed, tracking, metadata, scheduleId, sendAt } = answered
  const { head, snippet, html, text } = composed
  return {
    object: 'message',
    grant_id: grantId,
    ...head,
    body: answered.body ?? html ?? text ?? '',
    snippet,
    date: seconds(answered.date),
    starred: false,
    unread: false,
    folders: [],
    attachments: composed.attachments.map((file, index) => attachmentOf(grantId, file, index)),
    reply_to_message_id: answered.replyToMessageId ?? '',
    schedule_id: scheduleId ?? '',
    ...(sendAt === undefined ? {} : { send_at: sendAt, use_draft: answered.useDraft ?? false }),
    ...(metadata && Object.keys(metadata).length > 0 ? { metadata } : {}),
    ...(tracking ? { tracking_options: trackingOf(tracking) } : {}),
    ...(scheduleId === undefined ? headersOf(composed.source, answered.fields) : {}),
  }
}

const trackingOf = ({ opens, links, thread_replies, label }: TrackingRequest) => ({
  opens,
  links,
  thread_replies,
  label,
})

const attachmentOf = (grantId: string, file: Composed['attachments'][number], index: number): Attachment => ({
  id: String(index),
  grant_id: grantId,
  filename: file.filename === '' ? null : file.filename,
  content_type: file.contentType,
  size: file.size,
  is_inline: file.inline,
  ...(file.contentId === undefined ? {} : { content_id: file.contentId }),
})

const basic = new Set(['message-id', 'in-reply-to', 'references'])

function headersOf(source: Buffer, fields: SentFields): Pick<SentMessage, 'headers'> {
  if (fields !== 'include_headers' && fields !== 'include_basic_headers') return {}
  const text = source.toString('latin1', 0, 2 * MAX_HEADER_BYTES)
  const { headers } = readHeaders(text, { start: 0, end: text.length })
  const wanted = fields === 'include_headers' ? headers : headers.filter(({ name }) => basic.has(name.toLowerCase()))
  return { headers: wanted.map(({ name, value }) => ({ name, value })) }
}

/** Adds to a response what the account reports about the message, once it is filed. */
function asFiled(answer: SentMessage, id: string | undefined, found: SentMailCopy | undefined): SentMessage {
  const named = id === undefined ? answer : { ...answer, id }
  if (!found) return named
  const { thread_id, folders, date, attachments: files = [] } = found
  const attachments = answer.attachments?.map((file) => ({ ...file, id: idOf(file, files) ?? file.id }))
  return { ...named, thread_id, folders, date, attachments }
}

/** Accounts name attachments by position, and their sizes may be estimates. Only the id is taken over. */
const idOf = (file: Attachment, files: NonNullable<SentMailCopy['attachments']>): string | undefined =>
  files.find(({ content_id }) => content_id !== undefined && bare(content_id) === bare(file.content_id))?.id ??
  files.find(({ filename }) => filename === file.filename)?.id

const bare = (contentId: string | undefined): string | undefined => contentId?.replace(/^<(.*)>$/, '$1')

interface ReadBackTools {
  database: Database
  sessions: Sessions
  log: Log
}

/** The response for a sent message; throws for any other outcome. */
export async function answerSent(
  tools: ReadBackTools,
  order: Order,
  answer: SentMessage,
  outcome: Outcome,
): Promise<SentMessage> {
  const { messageId, reported } = needSent(outcome)
  return asFiled(answer, messageId, reported ?? (await readBack(tools, order, messageId)))
}

/** Reads the message from the account. A failure does not fail the send. */
export async function readBack(
  { database, sessions, log }: ReadBackTools,
  order: Order,
  id: string | undefined,
): Promise<Message | undefined> {
  if (id === undefined) return undefined
  try {
    const use = { queries: database, signal: () => order.signal, responseHeaders: {}, calls: order.calls }
    const get = sessions.operation(order.grant, { resource: 'messages', operation: 'get' }, use)
    return await get({ message_id: id } as never)
  } catch (error) {
    log.debug({ error, grant_id: order.grant.grant.id }, 'a sent message could not be read back')
    return undefined
  }
}

function needSent(outcome: Outcome): Outcome & { state: 'sent' } {
  if (outcome.state === 'sent') return outcome
  throw outcome.state === 'failed' ? outcome.error : new ApiError('outcome_unknown')
}
