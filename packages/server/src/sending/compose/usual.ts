/**
 * Messages of the usual shape, written at once: a text, perhaps HTML beside it, perhaps files with plain names. The bytes
 * are those that nodemailer makes of the same message (`compose-usual.test.ts`), without its tree of parts, which takes
 * longer than all else of composing a short message. Of any other message nothing is written here.
 */
import type { Readable } from 'node:stream'
import { foldLines } from 'nodemailer/lib/mime-funcs'
import MimeNode from 'nodemailer/lib/mime-node'
import { encodedAs } from './encoding.ts'
import type { Mailbox } from './headers.ts'

export interface UsualMessage {
  from: readonly Mailbox[]
  sender?: Mailbox
  to: readonly Mailbox[]
  cc: readonly Mailbox[]
  /** Of drafts; those of a message on its way are in the envelope alone. */
  bcc: readonly Mailbox[]
  replyTo: readonly Mailbox[]
  subject: string
  /** Ids with their brackets. */
  messageId: string
  inReplyTo?: string
  references: readonly string[]
  date: Date
  text?: string
  html?: string
  files: readonly UsualFile[]
  /** What the boundaries are made of. */
  boundary: string
}

export interface UsualFile {
  filename: string
  contentType: string
  contentDisposition: 'inline' | 'attachment'
  contentTransferEncoding: 'base64' | '7bit'
  content: Buffer | Readable
  /** Of files that HTML shows. */
  cid?: string
  headers?: Record<string, string>
}

/** The bytes of a message, or undefined where it is not of the usual shape. */
export function usualMessage(message: UsualMessage): Buffer | undefined {
  const { text, html, files, boundary } = message
  if (!text || html === '' || !files.every(isPlainFile)) return undefined
  const texts = [textPart('plain', text), ...(html === undefined ? [] : [textPart('html', html)])]
  const head = headOf(message)
  // Nodemailer counts the parts as it makes them.
  const body = (number: number): Part => multipart('alternative', texts, `${boundary}-Part_${number}`)
  const [only] = texts
  if (files.length > 0) {
    const first = texts.length > 1 ? body(2) : only
    const parts = [...(first ? [first] : []), ...files.map(filePart)]
    return bytesOfRoot(head, multipart('mixed', parts, `${boundary}-Part_1`))
  }
  const root = texts.length > 1 ? body(1) : only
  return root && bytesOfRoot(head, root)
}

/** A part without its header lines that say what the whole message is. */
interface Part {
  contentType: string
  /** Lines of the header beside the type, each with its end. */
  lines: string
  pieces: readonly (string | Buffer)[]
}

function bytesOfRoot(head: string, { contentType, lines, pieces }: Part): Buffer {
  const header = `${head}${lines}MIME-Version: 1.0\r\n${line('Content-Type', contentType)}\r\n`
  const last = pieces.at(-1)
  const endsLine = typeof last === 'string' ? last.endsWith('\n') : last?.at(-1) === 0x0a
  const all = [header, ...pieces, ...(endsLine ? [] : ['\r\n'])]
  return Buffer.concat(joined(all).map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece)))
}

/** Texts that follow each other as one. */
function joined(pieces: readonly (string | Buffer)[]): (string | Buffer)[] {
  const all: (string | Buffer)[] = []
  for (const piece of pieces) {
    const before = all.at(-1)
    if (typeof piece === 'string' && typeof before === 'string') all[all.length - 1] = before + piece
    else all.push(piece)
  }
  return all
}

function multipart(kind: 'alternative' | 'mixed', parts: readonly Part[], edge: string): Part {
  const boundary = `--_NmP-${edge}`
  const pieces = parts.flatMap(({ contentType, lines, pieces: own }, index) => [
    `${index === 0 ? '' : '\r\n'}--${boundary}\r\n${line('Content-Type', contentType)}${lines}\r\n`,
    ...own,
  ])
  return {
    // A boundary that begins with a hyphen is quoted.
    contentType: `multipart/${kind}; boundary="${boundary}"`,
    lines: '',
    pieces: [...pieces, `\r\n--${boundary}--\r\n`],
  }
}

function textPart(kind: 'plain' | 'html', content: string): Part {
  const encoding = textEncodingOf(content)
  return {
    contentType: `text/${kind}; charset=utf-8`,
    lines: `Content-Transfer-Encoding: ${encoding}\r\n`,
    pieces: [encodedAs(encoding, content)],
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const BEYOND_PLAIN = /[\x00-\x08\x0b\x0c\x0e-\x1f\u0080-\uFFFF]/
const LONG_LINE = /^.{77,}/m
/** What is longer is not searched for long lines. */
const searchedForLines = 128 * 1024

/** Nodemailer's choice: as it is where all of it is ASCII in short lines, else by what most of it is. */
function textEncodingOf(content: string): string {
  const isPlain = !BEYOND_PLAIN.test(content)
  if (isPlain && content.length <= searchedForLines && !LONG_LINE.test(content)) return '7bit'
  let letters = 0
  let others = 0
  for (let index = 0; index < content.length; index++) {
    const code = content.charCodeAt(index)
    if ((code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a)) letters++
    else if (code >= 0x80 || (code < 0x20 && code !== 0x09 && code !== 0x0a && code !== 0x0d)) others++
  }
  return others < letters ? 'quoted-printable' : 'base64'
}

const PLAIN_NAME = /^\w[\w.-]{0,49}$/
const PLAIN_TYPE = /^[a-z]+\/[a-z0-9.+-]{1,60}$/

const isPlainFile = ({ filename, contentType, contentTransferEncoding, content, cid, headers }: UsualFile): boolean =>
  Buffer.isBuffer(content) &&
  contentTransferEncoding === 'base64' &&
  cid === undefined &&
  headers === undefined &&
  PLAIN_NAME.test(filename) &&
  PLAIN_TYPE.test(contentType)

function filePart({ filename, contentType, contentDisposition, content }: UsualFile): Part {
  return {
    contentType: `${contentType}; name=${filename}`,
    lines: `Content-Transfer-Encoding: base64\r\n${line('Content-Disposition', `${contentDisposition}; filename=${filename}`)}`,
    pieces: Buffer.isBuffer(content) ? [encodedAs('base64', content)] : [],
  }
}

function headOf(message: UsualMessage): string {
  const { from, sender, to, cc, bcc, replyTo, subject, messageId, inReplyTo, references, date } = message
  return [
    people('From', from),
    people('Sender', sender ? [sender] : []),
    people('To', to),
    people('Cc', cc),
    people('Bcc', bcc),
    people('Reply-To', replyTo),
    inReplyTo === undefined ? '' : line('In-Reply-To', inReplyTo),
    references.length === 0 ? '' : line('References', references.join(' ')),
    subject.trim() === '' ? '' : line('Subject', unstructured(subject)),
    line('Message-ID', messageId),
    `Date: ${date.toUTCString().replace('GMT', '+0000')}\r\n`,
  ].join('')
}

/** A line of a header with its end, folded where it is long. */
function line(name: string, value: string): string {
  const text = `${name}: ${value}`
  return text.length < 76 ? `${text}\r\n` : `${foldLines(text, 76)}\r\n`
}

/** Printable ASCII without quotation marks, which nodemailer encodes. */
const PLAIN_TEXT = /^[ !#-~]*$/

const unstructured = (text: string): string =>
  PLAIN_TEXT.test(text) ? text : MimeNode.encodeHeaderValue('Subject', text)

function people(name: string, boxes: readonly Mailbox[]): string {
  if (boxes.length === 0) return ''
  const value = boxes.every(isPlainBox)
    ? boxes.map((box) => (box.name === '' ? box.address : `${box.name} <${box.address}>`)).join(', ')
    : MimeNode.encodeHeaderValue(
        name,
        boxes.map((box) => ({ ...box })),
      )
  return line(name, value)
}

const PLAIN_PERSON = /^[\w ]*$/
const PLAIN_ADDRESS = /^[\w+-]+(?:\.[\w+-]+)*@(?!.*xn--)[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]+$/

const isPlainBox = ({ name, address }: Mailbox): boolean => PLAIN_PERSON.test(name) && PLAIN_ADDRESS.test(address)
