/**
 * Messages that arrive as bytes: MIME from a client, and drafts that are sent. The bytes stay unchanged except where
 * they must differ on the wire. Bcc and Return-Path are removed. Message-ID and Date are added if missing, and Sender
 * if someone else is the author. A CR or LF alone becomes CRLF (RFC 5321 §2.3.8), because servers disagree about it.
 */

import { limits } from '@waypost/contract'
import { type Address, readAddresses, readMessageIds } from '@waypost/formats/mime/addresses'
import { MAX_HEADER_BYTES } from '@waypost/formats/mime/limit'
import type { ParsedMessage } from '@waypost/formats/mime/mime'
import { decodeWords } from '@waypost/formats/mime/words'
import { invalidField } from '@waypost/platform/api-error'
import { yieldBetween } from '@waypost/platform/parsing/yielding'
import type { Person } from '../message-request.ts'
import { isMessageId } from '../replies/reply.ts'
import type { Composed, MessageHead } from './compose.ts'
import { checkSender, mailAddress, needsSender, ownAddress, recipientsOf } from './headers.ts'

export interface RawInput {
  source: Uint8Array
  account: { email: string }
  /** Used if the message has none; without angle brackets. */
  messageId: string
  date: Date
  /** The request field that contains the bytes, for error messages. */
  field?: string
}

/** Parses a message in a worker thread. */
export type ReadMessage = (
  source: Uint8Array,
) => Promise<Pick<ParsedMessage, 'body' | 'isHtml' | 'snippet' | 'attachments'>>

/** MIME from a client. Throws `invalid_request` if no server would accept it or if it names no recipients. */
export const composeRaw = (input: RawInput, read: ReadMessage): Promise<Composed> =>
  fromBytes(input, read, new Set(REMOVED))

/** A draft that is sent: Date is the time of sending. */
export const composeFromDraft = (input: RawInput, read: ReadMessage): Promise<Composed> =>
  fromBytes(input, read, new Set([...REMOVED, 'date']))

/** Only the delivering server sets Return-Path (RFC 5321 §4.4). */
const REMOVED = ['bcc', 'return-path']
const ONCE = ['from', 'sender', 'message-id', 'date']

interface Field {
  name: string
  /** With its line ends. */
  text: string
}

async function fromBytes(input: RawInput, read: ReadMessage, removed: ReadonlySet<string>): Promise<Composed> {
  const { field = 'mime', date } = input
  const bytes = await withLineEnds(field, input.source)
  const { fields, body } = split(field, bytes)
  for (const name of ONCE) {
    if (valuesOf(fields, name).length > 1) throw invalidField(field, `has more than one header ${name}`)
  }
  const resent = fields.find(({ name }) => name.startsWith('resent-'))
  if (resent) throw invalidField(field, `has the header ${resent.name}: resent messages are not supported`)
  const head = headOf(field, fields)
  if (head.from.length === 0) throw invalidField(field, 'has no address in From')
  const own = ownAddress(input.account)
  const senders = peopleIn(field, fields, 'sender').map(({ email }) => email)
  checkSender(field, senders, own)
  const named = [...head.to, ...head.cc, ...head.bcc].map(({ email }) => email)
  const recipients = recipientsOf(field, named)
  if (recipients.length === 0) throw invalidField(field, 'has no recipients in To, Cc or Bcc')
  const messageId = ownId(field, fields)
  const retained = fields.filter(({ name }) => !removed.has(name))
  const authors = head.from.map(({ email }) => email)
  const added = [
    ...(senders.length === 0 && needsSender(authors, own) ? [`Sender: <${own}>\r\n`] : []),
    ...(messageId === undefined ? [`Message-ID: <${input.messageId}>\r\n`] : []),
    ...(retained.some(({ name }) => name === 'date')
      ? []
      : [`Date: ${date.toUTCString().replace('GMT', '+0000')}\r\n`]),
  ]
  const header = Buffer.from([...added, ...retained.map(({ text }) => text), '\r\n'].join(''), 'latin1')
  const source = Buffer.concat([header, body])
  const parsed = await read(source)
  return {
    messageId: messageId ?? input.messageId,
    from: own,
    recipients,
    source,
    head,
    ...(parsed.isHtml ? { html: parsed.body } : { text: parsed.body }),
    snippet: parsed.snippet,
    attachments: parsed.attachments.map(({ filename, contentType, contentId, disposition, size }) => ({
      filename: filename ?? '',
      contentType,
      ...(contentId === undefined ? {} : { contentId: contentId.replaceAll(/[<>]/g, '') }),
      inline: disposition === 'inline',
      size,
    })),
  }
}

/** Bytes to scan before other work can run. */
const sliceBytes = 256 * 1024

async function withLineEnds(field: string, source: Uint8Array): Promise<Buffer> {
  const bytes = Buffer.from(source.buffer, source.byteOffset, source.byteLength)
  if (bytes.includes(0)) throw invalidField(field, 'must not contain NUL bytes')
  const othersTurn = yieldBetween()
  let alone = 0
  for (let from = 0; from < bytes.length; from += sliceBytes) {
    alone += countAlone(bytes, from, Math.min(from + sliceBytes, bytes.length))
    await othersTurn()
  }
  if (alone === 0) return bytes
  const written = Buffer.allocUnsafe(bytes.length + alone)
  let to = 0
  for (let from = 0; from < bytes.length; from += sliceBytes) {
    to = copyLines(bytes, { from, end: Math.min(from + sliceBytes, bytes.length) }, { written, to })
    await othersTurn()
  }
  return written
}

const CR = 0x0d
const LF = 0x0a
/** Whether a byte is a CR without LF, or an LF without CR. */
const endsAlone = (bytes: Buffer, at: number): boolean =>
  bytes[at] === LF ? bytes[at - 1] !== CR : bytes[at] === CR && bytes[at + 1] !== LF

function countAlone(bytes: Buffer, from: number, end: number): number {
  let alone = 0
  for (let at = from; at < end; at++) if (endsAlone(bytes, at)) alone++
  return alone
}

/** Copies a slice with CRLF for every line end; returns the position after it. */
function copyLines(
  bytes: Buffer,
  { from, end }: { from: number; end: number },
  { written, to }: { written: Buffer; to: number },
): number {
  let place = to
  let retained = from
  for (let at = from; at < end; at++) {
    if (!endsAlone(bytes, at)) continue
    place += bytes.copy(written, place, retained, at)
    written[place++] = CR
    written[place++] = LF
    retained = at + 1
  }
  return place + bytes.copy(written, place, retained, end)
}

function split(field: string, bytes: Buffer): { fields: Field[]; body: Buffer } {
  const end = bytes.indexOf('\r\n\r\n')
  const headerEnd = end === -1 ? bytes.length : end + 2
  if (headerEnd > MAX_HEADER_BYTES) throw invalidField(field, 'has too many headers')
  const fields: Field[] = []
  for (const line of bytes.toString('latin1', 0, headerEnd).replace(/\r\n$/, '').split('\r\n')) {
    const last = fields.at(-1)
    const name = /^([!-9;-~]+)[ \t]*:/.exec(line)?.[1]
    if (name !== undefined) fields.push({ name: name.toLowerCase(), text: `${line}\r\n` })
    else if (last && /^[ \t]/.test(line)) last.text += `${line}\r\n`
    else
      throw invalidField(field, `must be a message that begins with headers; this line is not a header: ${shown(line)}`)
  }
  return { fields, body: end === -1 ? Buffer.alloc(0) : bytes.subarray(end + 4) }
}

const shown = (line: string): string => JSON.stringify(line.slice(0, 40))

const valuesOf = (fields: readonly Field[], name: string): string[] =>
  fields
    .filter((each) => each.name === name)
    .map(({ text }) =>
      Buffer.from(text.slice(text.indexOf(':') + 1).replaceAll('\r\n', ''), 'latin1')
        .toString('utf8')
        .trim(),
    )

function headOf(field: string, fields: readonly Field[]): MessageHead {
  const people = (name: string): Person[] => peopleIn(field, fields, name)
  return {
    subject: decodeWords(valuesOf(fields, 'subject')[0] ?? ''),
    from: people('from'),
    to: people('to'),
    cc: people('cc'),
    bcc: people('bcc'),
    reply_to: people('reply-to'),
  }
}

/** Characters of all headers with one name that contain addresses: a thousand for each address. */
const MAX_ADDRESS_CHARACTERS = 1000 * limits.recipients

/** The people of the headers with a name. Their number is limited before each address is checked. */
function peopleIn(field: string, fields: readonly Field[], name: string): Person[] {
  const values = valuesOf(fields, name)
  const addresses: Address[] = []
  for (const value of values) addresses.push(...readAddresses(value, { max: limits.recipients + 1 - addresses.length }))
  if (addresses.length > limits.recipients) {
    throw invalidField(field, `must have at most ${limits.recipients} addresses in ${name}`)
  }
  if (values.reduce((sum, { length }) => sum + length, 0) > MAX_ADDRESS_CHARACTERS) {
    throw invalidField(field, `must have at most ${MAX_ADDRESS_CHARACTERS} characters in ${name}`)
  }
  return addresses.map((address) => person(field, name, address))
}

function person(field: string, header: string, { name, email }: Address): Person {
  const address = mailAddress(`${field}: ${header}`, email)
  return name === undefined ? { email: address } : { name, email: address }
}

function ownId(field: string, fields: readonly Field[]): string | undefined {
  const [value] = valuesOf(fields, 'message-id')
  if (value === undefined) return undefined
  const [id = ''] = readMessageIds(value)
  if (!isMessageId(id) || value !== `<${id}>`) throw invalidField(field, 'has an invalid Message-ID')
  return id
}
