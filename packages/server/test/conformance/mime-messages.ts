/** MIME messages for tests. */
import { randomUUID } from 'node:crypto'

export interface File {
  /** Absent: the part has no name. */
  name?: string
  type: string
  content: Buffer | string
  /** Shown inline, where the text refers to it as `cid:…`. */
  contentId?: string
}

export interface MessageFields {
  subject?: string
  from?: string
  to?: string
  cc?: string
  bcc?: string
  /** `null`: none. Default: a new one. */
  messageId?: string | null
  inReplyTo?: string
  references?: readonly string[]
  text?: string
  html?: string
  files?: readonly File[]
  /** Further headers, unchanged. */
  headers?: readonly (readonly [string, string])[]
}

/** A Message-ID without its brackets. */
export const newMessageId = (): string => `${randomUUID()}@letters.test`

const isAscii = (text: string): boolean => /^[\x20-\x7e\t\r\n]*$/.test(text)
const base64Lines = (bytes: Buffer): string => bytes.toString('base64').replace(/.{76}(?=.)/g, '$&\r\n')
const word = (text: string): string => (isAscii(text) ? text : `=?utf-8?B?${Buffer.from(text).toString('base64')}?=`)
const bracketed = (id: string): string => `<${id}>`

interface Part {
  headers: string[]
  body: string
}

const textPart = (type: string, text: string): Part =>
  isAscii(text)
    ? { headers: [`Content-Type: ${type}; charset=us-ascii`], body: text.replace(/\r?\n/g, '\r\n') }
    : {
        headers: [`Content-Type: ${type}; charset=utf-8`, 'Content-Transfer-Encoding: base64'],
        body: base64Lines(Buffer.from(text)),
      }

function filePart({ name, type, content, contentId }: File): Part {
  // RFC 2231 if the name is not ASCII.
  const named =
    name === undefined ? '' : isAscii(name) ? `; filename="${name}"` : `; filename*=utf-8''${encodeURIComponent(name)}`
  return {
    headers: [
      `Content-Type: ${type}`,
      'Content-Transfer-Encoding: base64',
      ...(name === undefined && contentId === undefined
        ? []
        : [`Content-Disposition: ${contentId === undefined ? 'attachment' : 'inline'}${named}`]),
      ...(contentId === undefined ? [] : [`Content-ID: ${bracketed(contentId)}`]),
    ],
    body: base64Lines(Buffer.from(content)),
  }
}

function joined(kind: string, parts: readonly Part[]): Part {
  const [only] = parts
  if (parts.length === 1 && only !== undefined) return only
  const boundary = `part-${randomUUID()}`
  const inner = parts.map(({ headers, body }) => `--${boundary}\r\n${headers.join('\r\n')}\r\n\r\n${body}\r\n`)
  return {
    headers: [`Content-Type: multipart/${kind}; boundary="${boundary}"`],
    body: `${inner.join('')}--${boundary}--\r\n`,
  }
}

/** The message, with CRLF. */
export function mimeMessage(fields: MessageFields = {}): string {
  const {
    subject = 'Hello',
    from = 'Ann <ann@people.test>',
    to = 'Bob <bob@people.test>',
    text = 'Some words.',
  } = fields
  const { messageId = newMessageId(), files = [] } = fields
  const texts = fields.html === undefined ? [] : [textPart('text/html', fields.html)]
  const written =
    fields.html === undefined || fields.text !== undefined ? [textPart('text/plain', text), ...texts] : texts
  const whole = joined('mixed', [joined('alternative', written), ...files.map(filePart)])
  const headers = [
    ...(fields.headers ?? []).map(([name, value]) => `${name}: ${value}`),
    `From: ${from}`,
    `To: ${to}`,
    ...(fields.cc === undefined ? [] : [`Cc: ${fields.cc}`]),
    ...(fields.bcc === undefined ? [] : [`Bcc: ${fields.bcc}`]),
    `Subject: ${word(subject)}`,
    'Date: Mon, 01 Jun 2026 12:00:00 +0000',
    ...(messageId === null ? [] : [`Message-ID: ${bracketed(messageId)}`]),
    ...(fields.inReplyTo === undefined ? [] : [`In-Reply-To: ${bracketed(fields.inReplyTo)}`]),
    ...(fields.references === undefined ? [] : [`References: ${fields.references.map(bracketed).join(' ')}`]),
    'MIME-Version: 1.0',
    ...whole.headers,
  ]
  return `${headers.join('\r\n')}\r\n\r\n${whole.body}${whole.body.endsWith('\r\n') ? '' : '\r\n'}`
}
