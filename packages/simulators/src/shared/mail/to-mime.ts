// Converts a message that was written as properties to MIME (RFC 5322).
import type { AttachmentContent, MessageContent, Recipient } from './content.ts'

interface Composed {
  readonly content: MessageContent
  readonly attachments: readonly AttachmentContent[]
  readonly at: number
}

export function mimeOf({ content, attachments, at }: Composed): Uint8Array {
  const given = new Map(content.headers.map(({ name, value }) => [name.toLowerCase(), { name, value }]))
  const own: [string, string | undefined][] = [
    ['From', content.from && addressOf(content.from)],
    ['To', listOf(content.to)],
    ['Cc', listOf(content.cc)],
    ['Bcc', listOf(content.bcc)],
    ['Reply-To', listOf(content.replyTo)],
    ['Subject', encodeWords(content.subject)],
    ['Date', new Date(content.sentAt ?? at).toUTCString().replace('GMT', '+0000')],
    ['Message-ID', content.internetMessageId],
    ['In-Reply-To', content.references[0]],
    ['References', content.references.toReversed().join(' ') || undefined],
    ['Importance', content.importance === 'normal' ? undefined : content.importance],
    ['Disposition-Notification-To', content.wantsReadReceipt && content.from ? addressOf(content.from) : undefined],
    ['Return-Receipt-To', content.wantsDeliveryReceipt && content.from ? addressOf(content.from) : undefined],
    ['MIME-Version', '1.0'],
  ]
  const lines = own.flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}`]))
  for (const { name, value } of given.values()) {
    if (/^x-/i.test(name)) lines.push(`${name}: ${encodeWords(value)}`)
  }
  return Buffer.from([...lines, ...bodyLines(content, attachments)].join('\r\n'))
}

function bodyLines({ body }: MessageContent, attachments: readonly AttachmentContent[]): string[] {
  const text = [
    `Content-Type: text/${body.contentType === 'html' ? 'html' : 'plain'}; charset="utf-8"`,
    'Content-Transfer-Encoding: base64',
    '',
    base64Lines(Buffer.from(body.content)),
  ]
  if (attachments.length === 0) return text
  const boundary = `_004_${attachments.length}_`
  const parts = [text, ...attachments.map(attachmentLines)]
  return [
    `Content-Type: multipart/${attachments.some(({ isInline }) => isInline) ? 'related' : 'mixed'}; boundary="${boundary}"`,
    '',
    ...parts.flatMap((part) => [`--${boundary}`, ...part, '']),
    `--${boundary}--`,
    '',
  ]
}

function attachmentLines({ kind, name, contentType, isInline, contentId, bytes }: AttachmentContent): string[] {
  const isItem = kind === 'item'
  return [
    `Content-Type: ${isItem ? 'message/rfc822' : (contentType ?? 'application/octet-stream')}; name="${encodeWords(name)}"`,
    `Content-Disposition: ${isInline ? 'inline' : 'attachment'}; filename="${encodeWords(name)}"`,
    ...(contentId === null ? [] : [`Content-ID: <${contentId}>`]),
    `Content-Transfer-Encoding: ${isItem ? '8bit' : 'base64'}`,
    '',
    isItem ? Buffer.from(bytes).toString() : base64Lines(Buffer.from(bytes)),
  ]
}

function listOf(recipients: readonly Recipient[]): string | undefined {
  return recipients.length === 0 ? undefined : recipients.map(addressOf).join(', ')
}

function addressOf({ name, address }: Recipient): string {
  if (name === '' || name === address) return `<${address}>`
  const encoded = encodeWords(name)
  return `${encoded === name ? `"${name.replace(/["\\]/g, '\\$&')}"` : encoded} <${address}>`
}

function encodeWords(text: string): string {
  if (/^[\x20-\x7e\t]*$/.test(text)) return text
  return (text.match(/.{1,20}/gsu) ?? []).map((part) => `=?utf-8?B?${Buffer.from(part).toString('base64')}?=`).join(' ')
}

function base64Lines(bytes: Buffer): string {
  const encoded = Buffer.from(bytes.toString('base64'), 'latin1')
  const lines = Buffer.alloc(encoded.length + 2 * Math.max(0, Math.ceil(encoded.length / 76) - 1), '\r\n')
  for (let from = 0, to = 0; from < encoded.length; from += 76, to += 78) encoded.copy(lines, to, from, from + 76)
  return lines.toString('latin1')
}
