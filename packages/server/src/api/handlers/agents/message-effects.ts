/** The effects of messages and drafts, with the texts and files that recipients get. */
import type { Draft, SendRequest } from '@waypost/contract'
import { type Detail, detail, type Effects, none } from '../../../agents/effects/effects.ts'
import {
  addressedInHeaders,
  draftBasis,
  messageEffects,
  type OutgoingFacts,
  type OutgoingText,
} from '../../../agents/effects/message-effects.ts'
import type { ReadableHtml } from '../../../formats/html/readable.ts'
import { FILE_HEAD } from '../../../formats/mime/file-type.ts'
import type { LeanMessage } from '../../../formats/mime/parse-worker.ts'
import { invalidField } from '../../../lib/api-error.ts'
import { composeRaw } from '../../../sending/compose/raw.ts'
import { accountOf, newMessageId } from '../../../sending/ledger/send-ids.ts'
import type { GrantRecord } from '../../../store/tables/grants/grants.ts'
import { mailboxOf } from '../mail-metadata.ts'
import { filesOf, signatureOf, textOf } from '../outgoing.ts'
import type { Acted } from './acted.ts'

const looksLikeHtml = (text: string): boolean =>
  /<(?:!doctype|html|head|body|p|div|br|span|table|a|b|i|u|ul|ol|li|h[1-6]|img|font|strong|em|blockquote|pre|hr|style|svg)\b/i.test(
    text,
  )

/** Reads HTML in a worker thread. */
async function readHtmlOf({ services, context }: Acted, html: string): Promise<ReadableHtml> {
  const [outcome] = await services.threads.parse.run<{ html: string }, ReadableHtml>('readable', [{ html }], {
    signal: context.request.signal,
  })
  if (!outcome?.ok) throw invalidField('body', 'cannot be read as HTML, so nobody could approve it')
  return outcome.value
}

/** A text that may be HTML, as a person can read it. */
export async function readableOf(
  acted: Acted,
  body: string,
): Promise<{ text: string; readable: ReadableHtml | undefined }> {
  if (!looksLikeHtml(body)) return { text: body, readable: undefined }
  const readable = await readHtmlOf(acted, body)
  return { text: readable.text, readable }
}

const grantOf = ({ context }: Acted): GrantRecord => {
  if (!context.grant) throw new Error('the request has no grant')
  return context.grant
}

const senderOf = ({ grant }: GrantRecord) => [{ email: grant.email ?? '', name: grant.name ?? undefined }]

async function signatureText(
  acted: Acted,
  id: string | undefined,
): Promise<{ html: string; text: string } | undefined> {
  const html = await signatureOf(acted.services.database, mailboxOf(grantOf(acted)), id)
  return html === undefined ? undefined : { html, text: (await readableOf(acted, html)).text }
}

const trackingOf = (tracking: SendRequest['tracking_options']): string =>
  (['opens', 'links', 'thread_replies'] as const).filter((name) => tracking?.[name]).join(', ')

const furtherOf = (request: SendRequest): Detail[] => [
  ...detail('In reply to', request.reply_to_message_id),
  ...detail('Tracking', trackingOf(request.tracking_options)),
]

/** The message of a JSON request. */
async function requestedEffects(acted: Acted, request: SendRequest): Promise<Effects> {
  const { services, context } = acted
  const grant = grantOf(acted)
  const { subject, body = '' } = await textOf(services.database, mailboxOf(grant), request)
  const isHtml = !request.is_plaintext
  const signature = isHtml ? await signatureText(acted, request.signature_id) : undefined
  const text: OutgoingText = {
    body,
    isHtml,
    readable: isHtml && body !== '' ? await readHtmlOf(acted, body) : undefined,
  }
  const given = { attachments: request.attachments ?? [], parts: context.files }
  const files = await filesOf(services, mailboxOf(grant), given)
  const effects = messageEffects({
    ...{ from: request.from ?? senderOf(grant), to: request.to, cc: request.cc, bcc: request.bcc },
    ...{ reply_to: request.reply_to, subject, text, signature, headers: request.custom_headers },
    files: files.map(({ filename, contentType, content, upload }) => ({
      ...{ filename, contentType, size: upload?.size ?? content.byteLength },
      // A marker stands for an uploaded file.
      head: upload ? undefined : content.subarray(0, FILE_HEAD),
    })),
    ...{ sendAt: request.send_at, details: furtherOf(request) },
  })
  // Templates and signatures can change before the decision.
  const isOpen = request.template !== undefined || signature !== undefined
  return isOpen ? { ...effects, basis: { subject, body, signature: signature?.html } } : effects
}

/** A whole MIME message. What cannot be read is refused, because nobody could judge it. */
async function mimeEffects(acted: Acted, source: Uint8Array): Promise<Effects> {
  const { services, context } = acted
  const grant = grantOf(acted)
  let parsed: LeanMessage | undefined
  const identity = { account: accountOf(grant), messageId: newMessageId(grant), date: new Date(services.clock.now()) }
  const composed = await composeRaw({ source, ...identity }, async (bytes) => {
    const [outcome] = await services.threads.parse.run<object, LeanMessage>(
      'message',
      [{ source: bytes, headers: true }],
      {
        signal: context.request.signal,
      },
    )
    if (!outcome?.ok) throw invalidField('mime', 'cannot be read')
    parsed = outcome.value
    return outcome.value
  })
  const bytes = Buffer.from(source.buffer, source.byteOffset, source.byteLength)
  const { head, html, text: plain } = composed
  // Mail programs choose one of the alternatives, and a person could read only one before the decision.
  if (/multipart\/alternative/i.test(bytes.toString('latin1'))) {
    throw invalidField('mime', 'has alternative texts (multipart/alternative), which nobody could approve: send JSON')
  }
  const text: OutgoingText =
    html === undefined
      ? { body: plain ?? '', isHtml: false, readable: undefined }
      : { body: html, isHtml: true, readable: await readHtmlOf(acted, html) }
  const facts: OutgoingFacts = {
    ...{ ...head, subject: head.subject, text },
    headers: (parsed?.headers ?? []).filter(({ name }) => !usual.test(name)),
    files: composed.attachments.map(({ filename, contentType, size }) => ({ filename, contentType, size })),
  }
  return messageEffects(facts)
}

/** Headers that the preview shows in another way, or that say nothing. */
const usual = /^(?:from|sender|to|cc|bcc|reply-to|subject|date|message-id|mime-version|content-.*)$/i

export const sendEffects = (acted: Acted, request: SendRequest | undefined): Promise<Effects> =>
  request ? requestedEffects(acted, request) : mimeEffects(acted, acted.context.mime ?? new Uint8Array())

/** The effects of sending a draft: it is read, and the approval covers what was read. */
export async function draftEffects(acted: Acted, draft: Draft): Promise<Effects> {
  const body = draft.body ?? ''
  const { readable } = await readableOf(acted, body)
  const chosen: unknown = Reflect.get(Object(acted.context.body), 'signature_id')
  const signature = await signatureText(acted, typeof chosen === 'string' ? chosen : undefined)
  const { from = [], to, cc, bcc, reply_to, subject } = draft
  const effects = messageEffects({
    ...{ from: from.length > 0 ? from : senderOf(grantOf(acted)), to, cc, bcc, reply_to, subject },
    text: { body, isHtml: readable !== undefined, readable },
    signature,
    files: (draft.attachments ?? []).map(({ filename, content_type, size }) => ({
      ...{ filename: filename ?? '', contentType: content_type ?? '', size: size ?? 0 },
    })),
    details: detail('Draft', draft.id),
  })
  return { ...effects, basis: { draft: draftBasis(draft), signature: signature?.html } }
}

/**
 * Writing a draft sends nothing. But headers of a draft cannot be seen when it is sent, so those that address somebody are
 * checked here, and so is another sender.
 */
export function draftWritingEffects(body: unknown): Effects {
  const { custom_headers, from } = (body ?? {}) as Partial<Pick<SendRequest, 'custom_headers' | 'from'>>
  return {
    ...none,
    recipients: addressedInHeaders(custom_headers),
    senders: (from ?? []).map(({ email }) => email),
  }
}
