/**
 * Reads complaints (RFC 5965, "abuse reporting format"): a recipient marked a message as spam, and their provider
 * notifies the sender. Pure.
 */

import { readMessageIds } from '../mime/addresses.ts'
import { asBuffer } from '../mime/charset.ts'
import { decodeBytes } from '../mime/encoding.ts'
import { type Header, headerOf } from '../mime/headers.ts'
import { readStructure } from '../mime/structure.ts'
import { fieldBlocks } from './fields.ts'
import { originalHeaders, outerParts } from './parts.ts'

export interface Complaint {
  kind: 'complaint'
  /** `abuse`, `fraud`, `virus`, `not-spam`, `opt-out` …, in lower case. */
  feedbackType: string
  messageId?: string
  /** The complaining recipients, if the provider names them. */
  recipients: string[]
  userAgent?: string
}

const MAX_RECIPIENTS = 100
const MAX_FEEDBACK_BYTES = 256 * 1024

/** Reads a complaint, or returns undefined for any other mail. Throws only MimeLimit. */
export function readComplaint(source: Uint8Array): Complaint | undefined {
  const bytes = asBuffer(source)
  const { root, headers } = readStructure(bytes)
  const parts = outerParts(root)
  const original = originalHeaders(bytes, parts)
  const [messageId] = readMessageIds(headerOf(original, 'message-id') ?? '')
  const feedback = parts.find(({ type }) => type === 'message/feedback-report')
  if (feedback === undefined) return junkReport(headers, original, messageId)
  const content = bytes.subarray(feedback.start, Math.min(feedback.end, feedback.start + MAX_FEEDBACK_BYTES))
  const [fields = []] = fieldBlocks(decodeBytes(content, feedback.encoding))
  const feedbackType = headerOf(fields, 'feedback-type')?.trim().toLowerCase().slice(0, 50)
  if (!feedbackType) return undefined
  const named = messageId ?? readMessageIds(headerOf(fields, 'original-message-id') ?? '')[0]
  const userAgent = headerOf(fields, 'user-agent')?.slice(0, 200)
  return {
    kind: 'complaint',
    feedbackType,
    ...(named === undefined ? {} : { messageId: named }),
    recipients: fields
      .filter(({ name }) => name.toLowerCase() === 'original-rcpt-to')
      .flatMap(({ value }) => addressIn(value) ?? [])
      .slice(0, MAX_RECIPIENTS),
    ...(userAgent === undefined ? {} : { userAgent }),
  }
}

/** Microsoft's form has no report part. A header of the enclosed message names the complaining recipient. */
function junkReport(
  headers: readonly Header[],
  original: readonly Header[],
  messageId: string | undefined,
): Complaint | undefined {
  const recipient = addressIn(headerOf(original, 'x-hmxmroriginalrecipient') ?? '')
  if (recipient === undefined || !/^\s*complaint about message from/i.test(headerOf(headers, 'subject') ?? '')) {
    return undefined
  }
  const named = messageId === undefined ? {} : { messageId }
  return { kind: 'complaint', feedbackType: 'abuse', ...named, recipients: [recipient] }
}

const addressIn = (text: string): string | undefined => /[^\s<>;]{1,250}@[^\s<>;]{1,250}/.exec(text)?.[0]
