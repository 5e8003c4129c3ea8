// What became of a message, from the mail that a server sends about it: delivery status notifications (RFC 3464, with the
// status codes of RFC 3463 and the international forms of RFC 6533), and where there is none the texts that servers write
// to people (dsn-heuristics.ts). Pure. A message that another one carries inside is never taken for the report itself: a
// forwarded bounce is no bounce.

import { readMessageIds } from '../mime/addresses.ts'
import { asBuffer } from '../mime/charset.ts'
import { headerOf } from '../mime/headers.ts'
import { type LocatedPart, readStructure, type Structure } from '../mime/structure.ts'
import { preciseStatus, readStatusFields } from './fields.ts'
import { readTextBounce, signsOfReport, type TextBounce } from './heuristics.ts'
import { contentOf, originalHeaders, outerParts } from './parts.ts'
import type { DeliveryReport, RecipientStatus } from './report.ts'

/** Reads a report about a delivery; undefined for every other mail. Throws nothing but MimeLimit. */
export function readDelivery(source: Uint8Array): DeliveryReport | undefined {
  const bytes = asBuffer(source)
  const structure = readStructure(bytes)
  const parts = outerParts(structure.root)
  const status = statusPart(structure, parts)
  const [original] = readMessageIds(headerOf(originalHeaders(bytes, parts), 'message-id') ?? '')
  const read = status ? readStatusFields(contentOf(bytes, status)) : undefined
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

const STATUS: ReadonlySet<string> = new Set(['message/delivery-status', 'message/global-delivery-status'])

/** The part with the status, of a report or of what a mail system wrote; people pass such parts on in messages of theirs. */
function statusPart({ root, headers }: Structure, parts: readonly LocatedPart[]): LocatedPart | undefined {
  const part = parts.find(({ type }) => STATUS.has(type))
  if (part === undefined) return undefined
  const isReport = parts.some(({ type, children }) => type === 'multipart/report' && children?.includes(part))
  return isReport || part === root || signsOfReport(headers) > 0 ? part : undefined
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

/** Exchange and others write a report as an answer to the message that it is about. */
function answeredId({ headers }: Structure): string | undefined {
  return readMessageIds(headerOf(headers, 'in-reply-to') ?? headerOf(headers, 'references') ?? '').at(-1)
}
