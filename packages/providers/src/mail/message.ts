/** Builds a message from provider data and parsed content. */
import type { Draft, Message, MessageFields } from '@waypost/contract'
import type { LeanMessage } from '@waypost/formats/parse-worker'
import { fromPart } from './attachments.ts'

/** Exchange uses CRLF; the MIME parser uses LF in bodies. */
export const plainLines = (text: string): string => text.replaceAll('\r\n', '\n')

/** Addresses and subject. */
export const envelopeOf = (
  parsed: LeanMessage | undefined,
): Pick<Message, 'subject' | 'from' | 'to' | 'cc' | 'bcc' | 'reply_to'> => ({
  subject: parsed?.subject ?? '',
  from: parsed?.from ?? [],
  to: parsed?.to ?? [],
  cc: parsed?.cc ?? [],
  bcc: parsed?.bcc ?? [],
  reply_to: parsed?.reply_to ?? [],
})

export const contentOf = (
  parsed: LeanMessage | undefined,
  { grantId, shown }: { grantId: string; shown(html: string): string },
): Pick<Message, 'snippet' | 'body' | 'attachments'> => ({
  snippet: parsed?.snippet ?? '',
  body: shown(parsed?.body ?? ''),
  attachments: (parsed?.attachments ?? []).map((part) => fromPart(part, grantId)),
})

const basicHeaders = new Set(['message-id', 'in-reply-to', 'references'])
const noTracking = { opens: false, links: false, thread_replies: false, label: '' }

/** Additional fields for the `fields` parameter. */
export function requestedBeside(
  fields: MessageFields,
  headers: readonly { name: string; value: string }[],
): Pick<Message, 'headers' | 'tracking_options'> {
  if (fields === 'include_tracking_options') return { tracking_options: noTracking }
  if (fields !== 'include_headers' && fields !== 'include_basic_headers') return {}
  const requested = headers.filter(({ name }) => fields === 'include_headers' || basicHeaders.has(name.toLowerCase()))
  return { headers: requested.map(({ name, value }) => ({ name, value })) }
}

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
