// What became of a message, from the mail that a server sends about it: delivery status notifications (RFC 3464, with the
// status codes of RFC 3463 and the international forms of RFC 6533), and where there is none the texts that servers write
// to people (dsn-heuristics.ts). Pure. A message that another one carries inside is never taken for the report itself: a
// forwarded bounce is no bounce.
import { readTextBounce, type TextBounce } from './dsn-heuristics.ts'
import {
  type Action,
  codesOf,
  type DeliveryReport,
  oneLine,
  outerParts,
  type RecipientStatus,
  statusIn,
} from './dsn-report.ts'
import { readMessageIds } from './mime-addresses.ts'
import { asBuffer } from './mime-charset.ts'
import { decodeBytes } from './mime-encoding.ts'
import { type Header, headerOf, readHeaders } from './mime-headers.ts'
import { type LocatedPart, readStructure, type Structure } from './mime-structure.ts'
import { decodeWords } from './mime-words.ts'

const MAX_RECIPIENTS = 500
const MAX_BLOCKS = 1_000
const MAX_STATUS_BYTES = 1024 * 1024
const ACTIONS: ReadonlySet<string> = new Set<Action>(['failed', 'delayed', 'delivered', 'relayed', 'expanded'])
const isAction = (text: string): text is Action => ACTIONS.has(text)

/** Reads a report about a delivery; undefined for every other mail. Throws nothing but MimeLimit. */
export function readDelivery(source: Uint8Array): DeliveryReport | undefined {
  const bytes = asBuffer(source)
  const structure = readStructure(bytes)
  const parts = outerParts(structure.root)
  const status = parts.find(({ type }) => STATUS.has(type))
  const original = originalMessageId(bytes, parts)
  const read = status ? statusBlocks(bytes, status) : undefined
  const recipients = read?.recipients ?? []
  const isSaid =
    recipients.length > 0 && recipients.every(({ action, code }) => action !== 'failed' || code !== undefined)
  // Some servers send the form of a report with little or nothing in it, and the facts in the text.
  const told = isSaid ? undefined : readTextBounce(bytes, structure)
  if (recipients.length === 0 && told === undefined) return undefined
  const messageId = original ?? read?.messageId ?? told?.messageId ?? answeredId(structure)
  return {
    kind: 'delivery',
    ...(messageId === undefined ? {} : { messageId }),
    recipients: recipients.length === 0 ? (told?.recipients ?? []) : recipients.map((each) => enriched(each, told)),
  }
}

/** A recipient of whom the report says no more than that it failed, with what the text says. */
function enriched(recipient: RecipientStatus, told: TextBounce | undefined): RecipientStatus {
  if (recipient.code !== undefined) return recipient
  const names = [recipient.address, recipient.original].map((name) => name?.toLowerCase())
  const found = told?.recipients.find(({ address }) => names.includes(address.toLowerCase()))
  if (found === undefined || found.action !== recipient.action) return recipient
  const status = preciseStatus(recipient.status, found.status)
  const hasReason = recipient.reason !== (recipient.status ?? recipient.action)
  return {
    ...recipient,
    ...(status === undefined ? {} : { status }),
    ...(found.code === undefined ? {} : { code: found.code }),
    reason: hasReason || found.reason === '' ? recipient.reason : found.reason,
  }
}

const STATUS: ReadonlySet<string> = new Set(['message/delivery-status', 'message/global-delivery-status'])
const ORIGINAL: ReadonlySet<string> = new Set([
  ...['message/rfc822', 'message/global', 'message/partial'],
  ...['text/rfc822-headers', 'text/rfc822-header', 'message/rfc822-headers', 'message/global-headers'],
])

/** The Message-ID of the message that came back, from the part that has it or its headers. */
const originalMessageId = (bytes: Buffer, parts: readonly LocatedPart[]): string | undefined =>
  readMessageIds(headerOf(originalHeaders(bytes, parts), 'message-id') ?? '')[0]

/** The headers of the first message that others carry, or of which they carry no more than those. */
export function originalHeaders(bytes: Buffer, parts: readonly LocatedPart[]): Header[] {
  const part = parts.find(({ type }) => ORIGINAL.has(type))
  return part ? headersIn(contentOf(bytes, part)) : []
}

/** At most as much as headers may take; what stands before the first of them is skipped. */
function headersIn(content: Buffer): Header[] {
  const text = content.toString('latin1', 0, 200 * 1024).replace(/^\s+/, '')
  return readHeaders(text, { start: 0, end: text.length }).headers
}

const contentOf = (bytes: Buffer, { start, end, encoding }: LocatedPart): Buffer =>
  decodeBytes(bytes.subarray(start, Math.min(end, start + MAX_STATUS_BYTES)), encoding)

/** Exchange and others write a report as an answer to the message that it is about. */
function answeredId({ headers }: Structure): string | undefined {
  return readMessageIds(headerOf(headers, 'in-reply-to') ?? headerOf(headers, 'references') ?? '').at(-1)
}

/** A message/delivery-status: a block of fields about the message, then one for each recipient. */
function statusBlocks(
  bytes: Buffer,
  part: LocatedPart,
): { messageId: string | undefined; recipients: RecipientStatus[] } {
  const recipients: RecipientStatus[] = []
  let messageId: string | undefined
  for (const fields of fieldBlocks(contentOf(bytes, part))) {
    const named = headerOf(fields, 'x-original-message-id') ?? headerOf(fields, 'original-message-id')
    messageId ??= readMessageIds(named ?? '')[0]
    const recipient = recipientOf(fields)
    if (recipient && recipients.length < MAX_RECIPIENTS) recipients.push(recipient)
  }
  return { messageId, recipients }
}

/** Header blocks one after the other, blank lines between them (RFC 3464 §2.1). */
export function fieldBlocks(content: Buffer): Header[][] {
  const text = content.toString('latin1').replace(/^\s+/, '')
  const blocks = text.split(/(?:\r?\n[ \t]*){2,}/, MAX_BLOCKS)
  return blocks.map((block) => readHeaders(block, { start: 0, end: block.length }).headers)
}

function recipientOf(fields: readonly Header[]): RecipientStatus | undefined {
  const original = addressIn(headerOf(fields, 'original-recipient'))
  const address = addressIn(headerOf(fields, 'final-recipient')) ?? addressIn(headerOf(fields, 'x-actual-recipient'))
  const known = address ?? original
  if (known === undefined) return undefined
  const diagnostic = headerOf(fields, 'diagnostic-code') ?? headerOf(fields, 'x-postfix-diagnostic-code') ?? ''
  const reason = oneLine(decodeWords(diagnostic.replace(/^\s*[\w.-]+\s*;/, '')))
  const codes = codesOf(reason)
  const status = preciseStatus(statusIn(headerOf(fields, 'status') ?? ''), codes.status)
  const said =
    (headerOf(fields, 'action') ?? '')
      .trim()
      .toLowerCase()
      .split(/[\s(;]/)[0] ?? ''
  const action = isAction(said) ? said : actionOf(status ?? codes.code)
  if (action === undefined) return undefined
  return {
    address: known,
    ...(original === undefined ? {} : { original }),
    action,
    ...(status === undefined ? {} : { status }),
    ...(codes.code === undefined ? {} : { code: codes.code }),
    reason: reason === '' ? (status ?? action) : reason,
  }
}

const actionOf = (code: string | undefined): Action | undefined =>
  code?.startsWith('5') ? 'failed' : code?.startsWith('4') ? 'delayed' : undefined

/** The address of `rfc822; someone@example.com`, whatever brackets and comments are around it. */
function addressIn(value: string | undefined): string | undefined {
  if (value === undefined) return undefined
  const semicolon = value.indexOf(';')
  const text = unescapeAddress(semicolon === -1 ? value : value.slice(semicolon + 1))
  const [, found] = /<?([^\s<>()";,]{1,250}@[^\s<>()";,]{1,250})>?/.exec(text) ?? []
  return found
}

/** Characters beyond ASCII in an address are written `\x{1F600}` (RFC 6533 §3). */
const unescapeAddress = (text: string): string =>
  text.replaceAll(/\\x\{([0-9a-f]{1,6})\}/gi, (written, digits: string) => {
    const point = Number.parseInt(digits, 16)
    return point > 0x20 && point <= 0x10ffff && !(point >= 0xd800 && point < 0xe000)
      ? String.fromCodePoint(point)
      : written
  })

/** `5.0.0` says no more than that it failed: what the other server said is better, if it is of the same kind. */
function preciseStatus(told: string | undefined, said: string | undefined): string | undefined {
  if (told === undefined || said === undefined) return told ?? said
  return /^[245]\.0\.0$/.test(told) && said[0] === told[0] ? said : told
}
