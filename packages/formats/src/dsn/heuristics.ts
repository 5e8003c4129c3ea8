/**
 * Reads bounces that are not delivery status notifications: texts for people, which differ between servers. In all of
 * them a mail system is the author (no return path, or one of a few names). They name the failed address with the
 * reason around it, and the failed message or its headers follow below. A text that cannot be read with certainty is
 * not treated as a bounce.
 */

import { readAddresses, readMessageIds } from '../mime/addresses.ts'
import { type Header, headerOf } from '../mime/headers.ts'
import type { Structure } from '../mime/structure.ts'
import { decodeWords } from '../mime/words.ts'
import { addressesIn, type Place, passageOf } from './addresses.ts'
import { readStatusFields } from './fields.ts'
import { headersIn, originalHeaders, outerParts, recipientsIn, textFor } from './parts.ts'
import type { RecipientStatus } from './report.ts'
import { BOUNCE_SUBJECT, judge, judgeSubject, PASSED_ON } from './words.ts'

export interface TextBounce {
  messageId?: string
  recipients: RecipientStatus[]
}

const MAX_RECIPIENTS = 100

/** The authors of bounces, by local part or display name. */
const DAEMON =
  /^"?(?:mailer-?daemon|mail-?daemon|post[-_]?master|mail(?:er)?[ ._-]?delivery|mail[ ._-]?(?:router|system|deliver)|mdaemon|mmdf|smtp|no-?reply-?bounces?|bounces?|double-bounce|mail delivery (?:system|subsystem|service)|system administrator)/i

/** The number of signs that a mail system wrote a message about another one: sender, return path and subject. */
export function signsOfReport(headers: readonly Header[]): number {
  const subject = subjectOf(headers)
  const isBounce = BOUNCE_SUBJECT.test(subject) && !PASSED_ON.test(subject)
  return [isFromDaemon(headers), isNullSender(headers), isBounce].filter(Boolean).length
}

/** A bounce in text form, or undefined. */
export function readTextBounce(bytes: Buffer, structure: Structure): TextBounce | undefined {
  const { headers, root } = structure
  const failed = failedRecipients(headers)
  const signs = signsOfReport(headers)
  if (failed.length === 0 && signs < 2) return undefined
  const parts = outerParts(root)
  // A read receipt or a complaint is another kind of report.
  if (parts.some(({ type }) => /^message\/(?:disposition-notification|feedback-report)$/.test(type))) return undefined
  const text = textFor(bytes, root)
  const inFields = fieldsIn(text)
  const { reported, original, messageId } = splitOriginal(text)
  const carried = originalHeaders(bytes, parts)
  const returned = carried.length > 0 ? carried : original
  // The returned message may be another report, whose recipient is the sender of this message.
  const recipients = isFromDaemon(returned) ? [] : recipientsIn(returned)
  const statuses = inFields ?? judgeAll({ reported, failed, recipients, headers, isCertain: signs === 3 })
  if (statuses.length === 0) return undefined
  return { ...(messageId === undefined ? {} : { messageId }), recipients: statuses }
}

interface ReportText {
  reported: string
  /** The failed addresses in a header of the report. */
  failed: readonly string[]
  /** The recipients of the original message. */
  recipients: readonly string[]
  headers: readonly Header[]
  /** All signs indicate a bounce; its text may be in an unsupported language. */
  isCertain: boolean
}

function judgeAll({ reported, failed, recipients, headers, isCertain }: ReportText): RecipientStatus[] {
  const subject = subjectOf(headers)
  const [author, reader] = [peopleOf(headers, 'from'), peopleOf(headers, 'to')]
  const named = failed.length > 0 ? failed.map(unplaced) : addressesIn(reported, { author, reader, recipients })
  // A text without an address is about the only recipient.
  const places = named.length === 0 && recipients.length === 1 ? recipients.map(unplaced) : named
  const onTheWhole = judge(reported, subject) ?? (failed.length > 0 || isCertain ? judgeSubject(subject) : undefined)
  return places.slice(0, MAX_RECIPIENTS).flatMap((place, index) => {
    const verdict = judge(passageOf(reported, place, places[index + 1]?.at), subject) ?? onTheWhole
    return verdict ? [{ address: place.address, ...verdict }] : []
  })
}

const unplaced = (address: string): Place => ({ address, at: -1 })

const subjectOf = (headers: readonly Header[]): string => decodeWords(headerOf(headers, 'subject') ?? '')

const peopleOf = (headers: readonly Header[], name: string): string[] =>
  readAddresses(headerOf(headers, name) ?? '').map(({ email }) => email.toLowerCase())

/** Exim's header, which Gmail and others also use. */
const failedRecipients = (headers: readonly Header[]): string[] => [
  ...new Set(
    headers
      .filter(({ name }) => name.toLowerCase() === 'x-failed-recipients')
      .flatMap(({ value }) => value.split(','))
      .map((address) => address.trim().replaceAll(/[<>]/g, ''))
      .filter((address) => /^[^\s@]+@[^\s@]+$/.test(address)),
  ),
]

function isFromDaemon(headers: readonly Header[]): boolean {
  const header = headerOf(headers, 'from') ?? ''
  const [from] = readAddresses(header)
  return DAEMON.test(from?.email ?? '') || DAEMON.test(from?.name ?? header)
}

/** Whether the return path is empty or a mail system's, so that the sender expects no reply. */
const isNullSender = (headers: readonly Header[]): boolean => {
  const path = headerOf(headers, 'return-path')?.trim()
  const from = headerOf(headers, 'from')?.trim()
  return path === '<>' || path === '' || /^<?mailer-daemon\b/i.test(path ?? '') || /(?:^|\s)<>$/.test(from ?? '')
}

const FIELDS = /^[ \t>]{0,4}(?:reporting-mta|final-recipient|original-recipient):[\s\S]*$/im

/** The fields of a delivery status within the text, if the parts of a report were lost in transit. */
function fieldsIn(text: string): RecipientStatus[] | undefined {
  const [found] = FIELDS.exec(text) ?? []
  if (found === undefined || !/^final-recipient:/im.test(found)) return undefined
  const { recipients } = readStatusFields(Buffer.from(found, 'latin1'))
  return recipients.length === 0 ? undefined : recipients.slice(0, MAX_RECIPIENTS)
}

const HEADER_LINE =
  /^[>|*\s]{0,4}(?:return-path|received|message-id|from|date|mime-version|x-[\w-]{1,40}|dkim-signature):/i
const MESSAGE_ID = /^[>|*\s]{0,4}message-id:\s*(?:\n\s+)?(<[^<>\s]{1,300}>)/gim
const ANNOUNCED =
  /\b(?:copy of|original|returned|unsent|undelivered|your) (?:the |your )?(?:message|mail)\b.{0,60}(?:follow(?!ing (?:e-?mail )?(?:address|recipient))|below|header|:?\s*-{3,}|-{2,}\s*$)|^[|-]?-{3,}.{0,60}(?:follow|message|below).{0,20}-{3,}[|]?\s*$/i

/** Splits a text into the server's words and the returned message below them, with its headers and Message-ID. */
function splitOriginal(text: string): { reported: string; original: Header[]; messageId?: string } {
  const lines = text.split('\n')
  const announced = announcement(lines)
  const headed = lines.findIndex((line, at) => HEADER_LINE.test(line) && HEADER_LINE.test(lines[at + 1] ?? ''))
  // The message may announce others itself. Some reports begin with a few headers before the first address.
  const isFirst = headed !== -1 && headed < announced && lines.slice(0, headed).some((line) => line.includes('@'))
  const found = announced === -1 || isFirst ? headed : announced
  const reported = found === -1 ? text : lines.slice(0, found).join('\n')
  const below = found === -1 ? [] : lines.slice(found === announced ? found + 1 : found, found + 200)
  const ids = [...text.matchAll(MESSAGE_ID)].flatMap(([, id = '']) => readMessageIds(id))
  const [messageId] = ids
  const original = headersIn(below.map((line) => line.replace(/^[>|*] ?/, '')).join('\n'))
  return { reported, original, ...(messageId === undefined ? {} : { messageId }) }
}

/** The line that announces the returned message; the last one of several in a row. */
function announcement(lines: readonly string[]): number {
  const isOne = (at: number): boolean => ANNOUNCED.test(lines[at] ?? '') && hasHeaders(lines, at + 1)
  let found = lines.findIndex((_, at) => at > 0 && isOne(at))
  for (let at = found + 1; found !== -1 && !HEADER_LINE.test(lines[at] ?? '') && at <= found + 6; at++) {
    if (isOne(at)) found = at
  }
  return found
}

const hasHeaders = (lines: readonly string[], from: number): boolean =>
  lines.slice(from, from + 6).some((line) => HEADER_LINE.test(line))
