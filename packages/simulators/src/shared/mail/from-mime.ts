// Reads a MIME message as Exchange does: one body; every other part is an attachment.

import type { AttachmentContent, Body, Importance, MessageContent, Recipient } from './content.ts'
import { decodeWords, headerValue, type MimePart, parseMime } from './mime.ts'
import { referencesOf } from './references.ts'

export function contentOfMime(raw: Uint8Array): MessageContent {
  const mime = parseMime(raw)
  const { body, attachments } = partsOf(mime)
  const [from] = recipientsOf(headerValue(mime, 'from'))
  const [sender = from] = recipientsOf(headerValue(mime, 'sender'))
  const date = Date.parse(headerValue(mime, 'date') ?? '')
  return {
    subject: headerValue(mime, 'subject') ?? '',
    body,
    from,
    sender,
    to: recipientsOf(headerValue(mime, 'to')),
    cc: recipientsOf(headerValue(mime, 'cc')),
    bcc: recipientsOf(headerValue(mime, 'bcc')),
    replyTo: recipientsOf(headerValue(mime, 'reply-to')),
    internetMessageId: /<[^<>]+>/.exec(headerValue(mime, 'message-id') ?? '')?.[0],
    headers: mime.headers.filter(({ name }) => name.toLowerCase() !== 'bcc'),
    references: referencesOf(mime),
    importance: importanceOf(mime),
    wantsDeliveryReceipt: headerValue(mime, 'return-receipt-to') !== undefined,
    wantsReadReceipt: headerValue(mime, 'disposition-notification-to') !== undefined,
    sentAt: Number.isNaN(date) ? undefined : date,
    attachments,
  }
}

/** The mailboxes in a header such as `To`, including members of groups. */
export function recipientsOf(header: string | undefined): Recipient[] {
  const found: Recipient[] = []
  for (const item of (header ?? '').match(/(?:"(?:\\.|[^"\\])*"|<[^>]*>|[^,;"<])+/g) ?? []) {
    const quoted = /"((?:\\.|[^"\\])*)"/.exec(item)?.[1]?.replace(/\\(.)/g, '$1')
    const bare = item.replace(/"(?:\\.|[^"\\])*"/g, '').replace(/^[^<:]*:/, '')
    const angled = /<([^>]*)>/.exec(bare)
    const address = (angled?.[1] ?? bare).trim()
    if (!address.includes('@')) continue
    const name = quoted ?? (angled === null ? '' : bare.slice(0, angled.index).trim())
    found.push({ name: name === '' ? address : decodeWords(name), address })
  }
  return found
}

function importanceOf(mime: MimePart): Importance {
  const importance = headerValue(mime, 'importance')?.trim().toLowerCase()
  if (importance === 'high' || importance === 'low') return importance
  const priority = headerValue(mime, 'x-priority')?.trim()[0]
  return priority === '1' || priority === '2' ? 'high' : priority === '4' || priority === '5' ? 'low' : 'normal'
}

/** The preferred body (HTML before text), and all other parts as attachments. */
function partsOf(root: MimePart): { body: Body; attachments: AttachmentContent[] } {
  const bodies: { text?: MimePart; html?: MimePart } = {}
  const attachments: AttachmentContent[] = []
  const visit = (part: MimePart) => {
    if (part.parts.length > 0 && part.mimeType.startsWith('multipart/')) {
      for (const child of part.parts) visit(child)
      return
    }
    const kind = part.mimeType === 'text/html' ? 'html' : part.mimeType === 'text/plain' ? 'text' : undefined
    if (kind !== undefined && !isAttached(part) && bodies[kind] === undefined) bodies[kind] = part
    else if (part.mimeType.startsWith('multipart/')) return
    else attachments.push(attachmentOf(part))
  }
  visit(root)
  const best = bodies.html ?? bodies.text
  const content = best === undefined ? '' : Buffer.from(best.content).toString()
  return { body: { contentType: bodies.html === undefined ? 'text' : 'html', content }, attachments }
}

function isAttached(part: MimePart): boolean {
  return /^\s*attachment/i.test(headerValue(part, 'content-disposition') ?? '') || part.filename !== ''
}

function attachmentOf(part: MimePart): AttachmentContent {
  const disposition = headerValue(part, 'content-disposition') ?? ''
  const contentId = /<?([^<>\s]+)>?/.exec(headerValue(part, 'content-id') ?? '')?.[1] ?? null
  const isItem = part.mimeType === 'message/rfc822'
  const [inner] = part.parts
  const subject = inner === undefined ? undefined : headerValue(inner, 'subject')
  return {
    kind: isItem ? 'item' : 'file',
    name: isItem ? (subject ?? part.filename) : part.filename || 'ATT00001',
    contentType: isItem ? null : part.mimeType,
    // Exchange treats parts that the body references by `cid:` as inline. A Content-ID alone suffices unless the
    // disposition is attachment.
    isInline: /^\s*inline/i.test(disposition) || (contentId !== null && !/^\s*attachment/i.test(disposition)),
    contentId,
    bytes: part.content,
  }
}
