/**
 * Reads the delivery status of a message from a server's report: delivery status notifications (RFC 3464, with the
 * status codes of RFC 3463 and the international forms of RFC 6533), or else texts for people (`heuristics.ts`).
 * Pure. An enclosed message is never treated as the report itself: a forwarded bounce is not a bounce.
 */

import { readMessageIds } from '../mime/addresses.ts'
import { asBuffer } from '../mime/charset.ts'
import { headerOf } from '../mime/headers.ts'
import { type LocatedPart, readStructure, type Structure } from '../mime/structure.ts'
import { preciseStatus, readStatusFields } from './fields.ts'
import { readTextBounce, signsOfReport, type TextBounce } from './heuristics.ts'
import { contentOf, originalHeaders, outerParts } from './parts.ts'
import type { DeliveryReport, RecipientStatus } from './report.ts'

/** Reads a delivery report, or returns undefined for any other mail. Throws only MimeLimit. */
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
  // Some servers send a report with few or no fields, and the facts in the text.
  const reported = isSaid ? undefined : readTextBounce(bytes, structure)
  if (recipients.length === 0 && reported === undefined) return undefined
  const messageId = original ?? read?.messageId ?? reported?.messageId ?? answeredId(structure)
  return {
    kind: 'delivery',
    ...(messageId === undefined ? {} : { messageId }),
    recipients:
      recipients.length === 0 ? (reported?.recipients ?? []) : recipients.map((each) => enriched(each, reported)),
  }
}

const STATUS: ReadonlySet<string> = new Set(['message/delivery-status', 'message/global-delivery-status'])

/**
 * The status part of a report or of a mail system's message. People also forward such parts in their own messages.
 */
function statusPart({ root, headers }: Structure, parts: readonly LocatedPart[]): LocatedPart | undefined {
  const part = parts.find(({ type }) => STATUS.has(type))
  if (part === undefined) return undefined
  const isReport = parts.some(({ type, children }) => type === 'multipart/report' && children?.includes(part))
  return isReport || part === root || signsOfReport(headers) > 0 ? part : undefined
}

/** Adds details from the text to a recipient that the report only marks as failed. */
function enriched(recipient: RecipientStatus, reported: TextBounce | undefined): RecipientStatus {
  if (recipient.code !== undefined) return recipient
  const names = [recipient.address, recipient.original].map((name) => name?.toLowerCase())
  const found = reported?.recipients.find(({ address }) => names.includes(address.toLowerCase()))
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

/** Exchange and others write a report as a reply to the original message. */
function answeredId({ headers }: Structure): string | undefined {
  return readMessageIds(headerOf(headers, 'in-reply-to') ?? headerOf(headers, 'references') ?? '').at(-1)
}
