/**
 * Turns a request into the bytes of a message (RFC 5322, MIME). Pure: the ids and the time are inputs. The same input
 * makes the same bytes, so every attempt sends the same message.
 *
 *   multipart/mixed
 *     multipart/alternative
 *       text/plain                 made from the HTML
 *       multipart/related
 *         text/html                body, signature, tracked links and pixel
 *         files that the HTML shows
 *     all other files
 *
 * Levels with one member are left out. Bcc recipients are only in the envelope; drafts keep the header.
 */
import { hash } from 'node:crypto'
import { Readable } from 'node:stream'
import { snippetOf } from '@waypost/formats/html/html-text'
import { invalidField } from '@waypost/platform/api-error'
import { yieldBetween } from '@waypost/platform/parsing/yielding'
import { detectMimeType } from 'nodemailer/lib/mime-funcs'
import { htmlOf, type MessageRequest, type Person } from '../message-request.ts'
import { answerSubject, inReplyTo, type Parent, referencesTo } from '../replies/reply.ts'
import { writeMessage } from './bytes.ts'
import {
  bareId,
  customHeaderLines,
  headerText,
  type Mailbox,
  mailboxes,
  needsSender,
  ownAddress,
  recipientsOf,
} from './headers.ts'
import { textOfHtml } from './text.ts'

export interface SendFile {
  filename: string
  /** Empty: derived from the file name. */
  contentType: string
  content: Uint8Array
  contentId?: string | undefined
  inline: boolean
  /** For an uploaded file. `content` is then only the marker that stands for it (`providers/mail/large-files.ts`). */
  upload?: { id: string; size: number } | undefined
}

export interface ComposeInput {
  request: MessageRequest
  files: readonly SendFile[]
  account: { email: string; name: string | null }
  /** Without angle brackets. */
  messageId: string
  date: Date
  reply?: Parent | undefined
  /** HTML. */
  signature?: string | undefined
  /** The HTML with tracked links and the pixel, signature included. */
  tracking?: { html?: string | undefined } | undefined
  /** Set for drafts. */
  keepBcc?: true | undefined
}

export interface ComposedFile {
  filename: string
  contentType: string
  contentId?: string
  inline: boolean
  size: number
  /** Part number in the message. */
  part?: string
  /** The upload that has its content, and the marker in its place. */
  upload?: { id: string; marker: string }
}

/** Addresses and subject after parsing. */
export interface MessageHead {
  subject: string
  from: Person[]
  to: Person[]
  cc: Person[]
  bcc: Person[]
  reply_to: Person[]
}

export interface Composed {
  messageId: string
  /** Envelope sender. */
  from: string
  recipients: string[]
  source: Buffer
  head: MessageHead
  html?: string
  text?: string
  snippet: string
  attachments: ComposedFile[]
}

/** Composes a message. Throws `invalid_request` with the name of a field that cannot be written into a header. */
export async function compose(input: ComposeInput): Promise<Composed> {
  const { request, files, account, reply } = input
  const from = mailboxes('from', authorOf(request, account))
  const lists = {
    to: mailboxes('to', request.to),
    cc: mailboxes('cc', request.cc),
    bcc: mailboxes('bcc', request.bcc),
    replyTo: mailboxes('reply_to', request.reply_to),
  }
  const people = [...lists.to, ...lists.cc, ...lists.bcc].map(({ address }) => address)
  const recipients = recipientsOf('to', people)
  const own = ownAddress(account)
  // A draft gets its Sender header when it is sent.
  const named =
    !input.keepBcc &&
    needsSender(
      from.map(({ address }) => address),
      own,
    )
  if (request.reply_to_message_id !== undefined) headerText('reply_to_message_id', request.reply_to_message_id)
  const subject = headerText('subject', request.subject ?? (reply ? answerSubject(reply.subject) : ''))
  const custom = customHeaderLines(request.custom_headers, reply !== undefined)
  const messageId = bareId('message_id', input.messageId)
  const bodies = bodiesOf(input)
  const shown = contentIdsIn(bodies.html ?? '')
  const attached = files.map((file, index) => attachmentOf(`attachments.${index}`, file, shown))
  const references = reply ? referencesTo(reply) : []
  const answered = reply ? inReplyTo(reply) : undefined
  const { bytes: built, partOf } = await writeMessage({
    from,
    ...(named ? { sender: { name: '', address: own } } : {}),
    ...lists,
    bcc: input.keepBcc ? lists.bcc : [],
    subject,
    ...bodies,
    files: attached.map(({ attachment }) => attachment),
    messageId: `<${messageId}>`,
    date: input.date,
    ...(answered === undefined ? {} : { inReplyTo: `<${answered}>` }),
    references: references.map((id) => `<${id}>`),
    boundary: boundaryOf(messageId, bodies),
  })
  if (recipients.length === 0 && !input.keepBcc) throw invalidField('to', 'must name at least one address')
  return {
    messageId,
    from: own,
    recipients,
    source: custom === '' ? built : Buffer.concat([Buffer.from(custom), built]),
    ...bodies,
    snippet: snippetOf(bodies.html ?? bodies.text ?? '', bodies.html !== undefined),
    head: {
      subject,
      from: peopleOf(from),
      to: peopleOf(lists.to),
      cc: peopleOf(lists.cc),
      bcc: peopleOf(lists.bcc),
      reply_to: peopleOf(lists.replyTo),
    },
    attachments: attached.map(({ reported, attachment }) => ({ ...reported, ...partOf(attachment) })),
  }
}

const authorOf = (request: MessageRequest, account: ComposeInput['account']): readonly Person[] => {
  const [given, ...more] = request.from ?? []
  if (more.length > 0) throw invalidField('from', 'must contain one address')
  return [given ?? { email: account.email, name: account.name ?? '' }]
}

const peopleOf = (boxes: readonly Mailbox[]): Person[] =>
  boxes.map(({ name, address }) => (name === '' ? { email: address } : { name, email: address }))

function bodiesOf({ request, signature, tracking }: ComposeInput): { html?: string; text?: string } {
  const html = htmlOf(request, signature)
  if (html === undefined) return { text: lines(request.is_plaintext ? (request.body ?? '') : '') }
  // The text part keeps the original links.
  return { html: lines(tracking?.html ?? html), text: lines(textOfHtml(html)) }
}

/** Uses CRLF everywhere. Servers disagree about a CR or LF alone. */
const lines = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll('\0', '')
    .replaceAll(/\r\n|\r|\n/g, '\r\n')

/** The same message gets the same boundary, and the author of a body cannot predict it. */
const boundaryOf = (messageId: string, bodies: { html?: string; text?: string }): string =>
  hash('sha256', JSON.stringify([messageId, bodies])).slice(0, 32)

/** The Content-IDs that an HTML body refers to (RFC 2392). */
function contentIdsIn(html: string): Set<string> {
  const found = Array.from(html.matchAll(/\bcid:([^"'\s<>)]{1,1000})/gi), ([, id = '']) => id)
  return new Set([...found, ...found.map(decoded)])
}

const decoded = (id: string): string => {
  try {
    return decodeURIComponent(id)
  } catch {
    return id
  }
}

const MEDIA_TYPE = /^[\w!#$&^.+-]{1,127}\/[\w!#$&^.+-]{1,127}(?:\s*;\s*[\w!#$&^.+*-]+=(?:[^\s;"]+|"[^"\\]*"))*\s*;?$/

function attachmentOf(field: string, file: SendFile, shown: ReadonlySet<string>) {
  const filename = headerText(`${field}.filename`, file.filename)
  const given = headerText(`${field}.content_type`, file.contentType)
  const contentId = file.contentId === undefined ? undefined : bareId(`${field}.content_id`, file.contentId)
  if (given !== '' && !MEDIA_TYPE.test(given)) throw invalidField(`${field}.content_type`, 'must be a media type')
  if (/^multipart\//i.test(given)) throw invalidField(`${field}.content_type`, 'must not be a multipart type')
  const contentType = given === '' ? detectMimeType(filename || 'bin') : given
  const isShown = contentId !== undefined && shown.has(contentId)
  const reported: ComposedFile = {
    filename,
    contentType,
    ...(contentId === undefined ? {} : { contentId }),
    inline: isShown || (file.inline && contentId === undefined),
    size: file.upload?.size ?? file.content.byteLength,
    ...(file.upload ? { upload: { id: file.upload.id, marker: base64(file.content) } } : {}),
  }
  const content = Buffer.from(file.content.buffer, file.content.byteOffset, file.content.byteLength)
  const wrapping = wrappingOf(contentType, content)
  const attachment = {
    filename,
    content: wrapping.contentTransferEncoding === 'base64' ? inSlices(content) : content,
    ...wrapping,
    contentDisposition: reported.inline ? ('inline' as const) : ('attachment' as const),
    // A file that the HTML does not show stays an attachment: most mail clients hide related parts that are not
    // shown.
    ...(isShown ? { cid: contentId } : {}),
    ...(contentId !== undefined && !isShown ? { headers: { 'Content-ID': `<${contentId}>` } } : {}),
  }
  return { attachment, reported }
}

const base64 = ({ buffer, byteOffset, byteLength }: Uint8Array): string =>
  Buffer.from(buffer, byteOffset, byteLength).toString('base64')

/** Larger files are encoded in slices, so that other work can run in between. */
const sliceBytes = 256 * 1024

const inSlices = (content: Buffer): Buffer | Readable =>
  content.length <= sliceBytes ? content : Readable.from(slicesOf(content), { objectMode: false })

async function* slicesOf(content: Buffer): AsyncGenerator<Buffer> {
  const othersTurn = yieldBetween()
  for (let from = 0; from < content.length; from += sliceBytes) {
    yield content.subarray(from, from + sliceBytes)
    await othersTurn()
  }
}

/**
 * Disposition and encoding of a file. A message/rfc822 part must not be encoded (RFC 2046 §5.2.1). If its content
 * needs encoding, it is attached as an ordinary file.
 */
function wrappingOf(contentType: string, content: Buffer) {
  const base64 = 'base64' as const
  if (!/^message\//i.test(contentType)) return { contentType, contentTransferEncoding: base64 }
  const text = content.toString('latin1')
  const isPlain = /^[\t\r\n -~]*$/.test(text) && !/(?:^|\n)[^\n]{999}|\r(?!\n)|(?<!\r)\n/.test(text)
  return isPlain
    ? { contentType, contentTransferEncoding: '7bit' as const }
    : { contentType: 'application/octet-stream', contentTransferEncoding: base64 }
}
