/** Messages and threads in results. Everything that a sender can write is untrusted. */

import { Attachment, type EmailName, Message, Thread } from '@waypost/contract'
import { looksLikeHtml, type PlainInput, type PlainText, plainText } from '@waypost/formats/html/plain-text'
import { ApiError } from '@waypost/platform/api-error'
import type { ParsePool } from '@waypost/platform/parsing/pool'
import { z } from 'zod'
import { SenderAuthentication } from '../content/authentication.ts'
import { Moment, momentOf } from '../content/moment.ts'
import { cutBytes } from '../content/neutralize.ts'
import { type Row, untrusted } from '../content/result-text.ts'
import type { ToolContext } from '../tool.ts'

const { id, thread_id, unread, starred, folders, subject, from, to, cc, bcc, reply_to, snippet } = Message.shape

const facts = { id, thread_id, date: Moment.optional(), unread, starred, folders }

export const MessageRow = z.object({
  ...facts,
  has_attachments: z.boolean().optional().meta({ description: 'Whether it has attachments' }),
  untrusted: untrusted({ subject, from, to, snippet }),
})

/** The fields of a message in a list. */
export const listedFields = 'id,thread_id,date,unread,starred,folders,subject,from,to,snippet,attachments'

/** Addresses that a list shows; the message has all. */
const fewPeople = (people: readonly EmailName[] | undefined, max = 5): EmailName[] | undefined => people?.slice(0, max)

function factsOf({ id, thread_id, date, unread, starred, folders }: Partial<Message>, zone: string): Row['facts'] {
  const when = date === undefined ? {} : { date: momentOf(date, zone) }
  return { id, thread_id, ...when, unread, starred, folders: folders?.slice(0, 20) }
}

export function messageRow(message: Partial<Message>, zone: string): Row {
  const { attachments } = message
  return {
    facts: {
      ...factsOf(message, zone),
      ...(attachments ? { has_attachments: attachments.some((each) => !each.is_inline) } : {}),
    },
    untrusted: {
      from: fewPeople(message.from),
      to: fewPeople(message.to),
      subject: message.subject?.slice(0, 300),
      snippet: message.snippet,
    },
  }
}

const TextFacts = {
  text_length: z.int().meta({ description: 'Characters of the whole text' }),
  next_offset: z
    .int()
    .optional()
    .meta({ description: 'The text is cut: read on with this `offset`. Absent at the end' }),
  earlier_messages_folded: z
    .boolean()
    .meta({ description: 'Whether quoted earlier messages were left out; see `include_quoted`' }),
  hidden_text_removed: z
    .boolean()
    .meta({ description: 'Whether text was removed that people cannot see in this message' }),
  text_warnings: z
    .array(z.string())
    .optional()
    .meta({ description: 'What may hide some of the text from people, or show it to them differently' }),
}

export const ReadMessage = z.object({
  ...facts,
  authentication: SenderAuthentication.optional(),
  ...TextFacts,
  attachments: z
    .array(z.object({ id: Attachment.shape.id, size: Attachment.shape.size, is_inline: Attachment.shape.is_inline }))
    .optional()
    .meta({ description: 'Its files, as in `untrusted.files`; get_attachment makes a link' }),
  untrusted: untrusted({
    subject,
    from,
    to,
    cc,
    bcc,
    reply_to,
    text: z.string().meta({ description: 'Plain text, without images; links with their target in parentheses' }),
    files: z
      .array(
        z.object({
          id: Attachment.shape.id,
          filename: Attachment.shape.filename,
          content_type: Attachment.shape.content_type,
        }),
      )
      .optional()
      .meta({ description: 'Names and types of its files, as the sender declared them' }),
  }),
})

interface ReadText {
  text: string
  length: number
  nextOffset: number | undefined
  isFolded: boolean
  hasHidden: boolean
  doubts: readonly string[]
}

/** Characters from which a body is converted in a thread, because its sender decides how much work it is. */
const long = 8_192

/** The text that people see in a body. */
async function readableText(pool: ParsePool | undefined, input: PlainInput, signal: AbortSignal): Promise<PlainText> {
  const isLight = input.body.length < long && !/<style/i.test(input.body)
  if (!pool || isLight || !looksLikeHtml(input.body)) return plainText(input)
  const [outcome] = await pool.run<PlainInput, PlainText>('plain', [input], { signal })
  if (outcome?.ok) return outcome.value
  throw new ApiError('internal_error', 'the text of the message cannot be read')
}

/** Reads the text of a body from an offset on, with at most so many bytes. */
export async function readText(
  { api, signal }: ToolContext,
  body: string | undefined,
  { quoted, offset, max }: { quoted: boolean; offset: number; max: number },
): Promise<ReadText> {
  const input = { body: body ?? '', keepsQuotes: quoted }
  const { text, ...found } = await readableText(api.mail.threads.parse, input, signal)
  const rest = text.slice(offset).replace(/^[\udc00-\udfff]/, '')
  const part = cutBytes(rest, max)
  const end = text.length - rest.length + part.length
  return { ...found, text: part, length: text.length, nextOffset: end < text.length ? end : undefined }
}

/** A message with its text. */
export function readRow(
  message: Partial<Message>,
  { zone, read, authentication }: { zone: string; read: ReadText; authentication?: SenderAuthentication },
): Row {
  const files = message.attachments?.slice(0, 50) ?? []
  return {
    facts: {
      ...factsOf(message, zone),
      ...(authentication ? { authentication } : {}),
      text_length: read.length,
      ...(read.nextOffset === undefined ? {} : { next_offset: read.nextOffset }),
      earlier_messages_folded: read.isFolded,
      hidden_text_removed: read.hasHidden,
      ...(read.doubts.length > 0 ? { text_warnings: read.doubts } : {}),
      ...(files.length > 0 ? { attachments: files.map(({ id, size, is_inline }) => ({ id, size, is_inline })) } : {}),
    },
    untrusted: {
      from: message.from,
      to: fewPeople(message.to, 50),
      cc: fewPeople(message.cc, 50),
      ...(message.bcc?.length ? { bcc: fewPeople(message.bcc, 50) } : {}),
      ...(message.reply_to?.length ? { reply_to: fewPeople(message.reply_to) } : {}),
      subject: message.subject,
      ...(files.length > 0
        ? { files: files.map(({ id, filename, content_type }) => ({ id, filename, content_type })) }
        : {}),
      text: read.text,
    },
  }
}

const { has_attachments, has_drafts, message_ids, draft_ids, participants } = Thread.shape

export const ThreadRow = z.object({
  id: Thread.shape.id,
  latest_message: Moment.optional(),
  unread,
  starred,
  has_attachments,
  has_drafts,
  message_count: z.int().meta({ description: 'Number of its messages' }),
  message_ids: message_ids.meta({ description: 'Ids of its messages, newest first; at most 25' }),
  draft_ids,
  untrusted: untrusted({ subject: Thread.shape.subject, participants, snippet }),
})

export function threadRow(thread: Thread, zone: string): Row {
  const latest = Math.max(thread.latest_message_received_date ?? 0, thread.latest_message_sent_date ?? 0)
  const { id, unread, starred, has_attachments, has_drafts, message_ids, draft_ids } = thread
  return {
    facts: {
      id,
      ...(latest > 0 ? { latest_message: momentOf(latest, zone) } : {}),
      unread,
      starred,
      has_attachments,
      has_drafts,
      message_count: message_ids.length,
      message_ids: message_ids.slice(0, 25),
      draft_ids: draft_ids.slice(0, 25),
    },
    untrusted: {
      subject: thread.subject?.slice(0, 300),
      participants: fewPeople(thread.participants, 10),
      snippet: thread.snippet,
    },
  }
}
