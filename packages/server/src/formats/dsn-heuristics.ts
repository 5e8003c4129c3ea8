// Bounces that are no delivery status notification: texts for people, each server with its own. They have in common that a
// mail system writes them (no return path, or one of a few names), that they name the address that failed, mostly alone on
// its line, with the reason around it, and that the message that failed, or its headers, stand below. What cannot be read
// with certainty is no bounce.
import { codesOf, oneLine, outerParts, type RecipientStatus } from './dsn-report.ts'
import { BLOCKS, HIDDEN, readHtml } from './html-text.ts'
import { readAddresses, readMessageIds } from './mime-addresses.ts'
import { type Header, headerOf } from './mime-headers.ts'
import type { Structure } from './mime-structure.ts'
import { textOf } from './mime-text.ts'
import { decodeWords } from './mime-words.ts'

export interface TextBounce {
  messageId?: string
  recipients: RecipientStatus[]
}

const MAX_TEXT = 64 * 1024
const MAX_RECIPIENTS = 100

/** Who writes bounces: the part of the address before the @, or the name beside it. */
const DAEMON =
  /^(?:mailer-?daemon|mail-?daemon|post[-_]?master|mail(?:er)?[ ._-]?delivery|mail[ ._-]?(?:router|system|deliver)|mdaemon|mmdf|smtp|no-?reply-?bounces?|bounces?|double-bounce|mail delivery (?:system|subsystem|service))/i

const BOUNCE_SUBJECT =
  /undeliver|non[- ]?deliver|not (?:be )?deliver|deliver\w* (?:problem|fail|error|report|status|notif)|(?:fail|error|problem)\w*[ :-].{0,30}deliver|fail(?:ed|ure) (?:notice|mail|message)|returned (?:mail|message|to sender)|mail (?:delivery|system) (?:fail|error)|message (?:could not|status|blocked|rejected)|unzustellbar|退信|系统退信|не доставлено|недоставлен|配信|user unknown/i

/** What stands where a message is late, not lost. */
const DELAY =
  /\b(?:delay(?:ed)?\b.{0,80}(?:deliver|message|mail)|(?:deliver|message|mail)\w*\b.{0,80}\bdelayed|not yet been (?:delivered|possible)|will (?:continue|keep|be (?:retried|tried)|retry|try)|still (?:trying|being tried|be retried)|warning message only|no (?:action|need to resend)|temporar(?:y|ily) (?:problem|fail|defer))/i

const DOMAIN =
  /\b(?:domain|host|hostname|mx)\b[^.\n]{0,40}\b(?:not found|unknown|does(?: not|n't) exist|lookup|invalid|not exist|no such)|no such (?:domain|host)|(?:unknown|invalid|bad) (?:domain|host)|nxdomain|unrouteable mail domain|name (?:service|or service) (?:error|not known)|no mx (?:or a|record)|could not find a gateway|host or domain name|couldn't find any host|dns (?:error|failure)/i
const MAILBOX =
  /invalid final delivery userid|(?:unknown|no such|invalid|bad|nonexist\w*|non-exist\w*|unrecogni[sz]ed|undefined) (?:local[- ]?)?(?:user|recipient|address|mailbox|account|person|local ?part|email)|(?:user|recipient|address|mailbox|account|addressee|name|inbox|e-?mail\w*)\b[^.\n]{0,60}\b(?:unknown|unavailable|not found|does(?: not|n't) exist|doesn.?t exist|disabled|inactive|suspended|invalid|not recogni[sz]ed|not exist|rejected|terminated|not listed|not (?:a )?valid|closed)|no mailbox here|not listed in|unrouteable address|no longer (?:exists|available|valid|in use)|不存在|does not have an? .{0,30}account|this user doesn't have/i
const FULL =
  /(?:mailbox|quota|inbox|storage|disk)\b[^.\n]{0,40}\b(?:full|exceed\w*|over|limit)|over ?quota|out of storage|已满/i
const LARGE = /(?:message|mail)\b[^.\n]{0,30}\b(?:too (?:large|big|long)|size (?:exceed|limit))|exceeds? .{0,20}size/i
const PERMANENT =
  /permanent(?:ly)? (?:error|fail\w*)|fail\w* permanently|fatal error|permanent(?:ly)? undeliver|giv(?:en|ing) up|could not be delivered|did not reach|undeliverable|cannot be delivered|无法送达/i

/** A bounce in words, or undefined. */
export function readTextBounce(bytes: Buffer, structure: Structure): TextBounce | undefined {
  const { headers } = structure
  const failed = failedRecipients(headers)
  const subject = decodeWords(headerOf(headers, 'subject') ?? '')
  const signs = [isFromDaemon(headers), isNullSender(headers), BOUNCE_SUBJECT.test(subject)].filter(Boolean).length
  if (failed.length === 0 && signs < 2) return undefined
  const text = textFor(bytes, structure)
  const { told, messageId } = splitOriginal(text)
  const places = failed.length > 0 ? failed.map((address) => ({ address, at: -1 })) : addressesIn(told, headers)
  const onTheWhole = judge(told) ?? (failed.length > 0 ? judgeSubject(subject) : undefined)
  const recipients = places.slice(0, MAX_RECIPIENTS).flatMap((place, index) => {
    const verdict = judge(passageOf(told, place, places[index + 1]?.at)) ?? onTheWhole
    return verdict ? [{ address: place.address, ...verdict }] : []
  })
  if (recipients.length === 0) return undefined
  return { ...(messageId === undefined ? {} : { messageId }), recipients }
}

/** Exim's header, which Gmail and others have taken over. */
const failedRecipients = (headers: readonly Header[]): string[] => [
  ...new Set(
    (headerOf(headers, 'x-failed-recipients') ?? '')
      .split(',')
      .map((address) => address.trim().replaceAll(/[<>]/g, ''))
      .filter((address) => /^[^\s@]+@[^\s@]+$/.test(address)),
  ),
]

function isFromDaemon(headers: readonly Header[]): boolean {
  const header = headerOf(headers, 'from') ?? ''
  const [from] = readAddresses(header)
  return DAEMON.test(from?.email ?? '') || DAEMON.test(from?.name ?? header)
}

const isNullSender = (headers: readonly Header[]): boolean => {
  const path = headerOf(headers, 'return-path')?.trim()
  return path === '<>' || path === ''
}

/** The text of the parts that are shown, and of those that servers put beside them. */
function textFor(bytes: Buffer, { root }: Structure): string {
  const parts = outerParts(root).filter(
    ({ type, disposition }) => (type === 'text/plain' || type === 'text/html') && disposition !== 'attachment',
  )
  const plain = parts.filter(({ type }) => type === 'text/plain')
  let text = ''
  for (const part of plain.length > 0 ? plain : parts) {
    const content = textOf(part, bytes.subarray(part.start, Math.min(part.end, part.start + 4 * MAX_TEXT)))
    text += `${part.type === 'text/html' ? linesOf(content) : content}\n`
    if (text.length >= MAX_TEXT) break
  }
  return text.slice(0, MAX_TEXT)
}

/** HTML as lines of text. */
function linesOf(html: string): string {
  let text = ''
  let hidden = 0
  readHtml(html, {
    open(name) {
      if (HIDDEN.has(name)) hidden++
      else if (name === 'br' || name === 'td' || BLOCKS.has(name)) text += '\n'
    },
    close(name) {
      if (HIDDEN.has(name)) hidden--
      else if (BLOCKS.has(name)) text += '\n'
    },
    text(value) {
      if (hidden === 0) text += value
    },
    isDone: () => text.length >= MAX_TEXT,
  })
  return text.replaceAll(/\n[ \t]*\n[\s]+/g, '\n\n')
}

const HEADER_LINE =
  /^[>|*\s]{0,4}(?:return-path|received|message-id|from|date|mime-version|x-[\w-]{1,40}|dkim-signature):/i
const MESSAGE_ID = /^[>|*\s]{0,4}message-id:\s*(?:\n\s+)?(<[^<>\s]{1,300}>)/gim
const ANNOUNCED =
  /\b(?:copy of|original|returned|unsent|undelivered|your) (?:the |your )?(?:message|mail)\b.{0,60}(?:follow(?!ing (?:e-?mail )?(?:address|recipient))|below|header|:?\s*-{3,}|-{2,}\s*$)|^-{3,}.{0,60}(?:follow|message|below).{0,20}-{3,}\s*$/i

/** What a server says, without the message that came back below it; and the Message-ID there. */
function splitOriginal(text: string): { told: string; messageId?: string } {
  const lines = text.split('\n')
  const announced = lines.findIndex((line, at) => at > 0 && ANNOUNCED.test(line) && hasHeaders(lines, at + 1))
  const found =
    announced === -1
      ? lines.findIndex((line, at) => HEADER_LINE.test(line) && HEADER_LINE.test(lines[at + 1] ?? ''))
      : announced
  const told = found === -1 ? text : lines.slice(0, found).join('\n')
  const ids = [...text.matchAll(MESSAGE_ID)].flatMap(([, id = '']) => readMessageIds(id))
  const [messageId] = ids
  return { told, ...(messageId === undefined ? {} : { messageId }) }
}

const hasHeaders = (lines: readonly string[], from: number): boolean =>
  lines.slice(from, from + 6).some((line) => HEADER_LINE.test(line))

interface Place {
  address: string
  /** Where it stands in the text; -1 where only a header names it. */
  at: number
}

const ADDRESS = /(?:^|[\s<("'«:（;=])([^\s<>()"'«»:,;=（）]{1,100}@[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)+)/gu
/** What stands before an address that the text below it is about: next to nothing, on its line. */
const LEADING =
  /^[\s>*•-]*(?:(?:rcpt )?(?:to|recipient|recipient address|address|an|收件人\S*)\s*[:：(（]?\s*)?[<"']?$/i

/** The addresses that a text is about, in order, each once. */
function addressesIn(told: string, headers: readonly Header[]): Place[] {
  const people = (name: string): string[] =>
    readAddresses(headerOf(headers, name) ?? '').map(({ email }) => email.toLowerCase())
  const all = findAddresses(told, new Set(people('from')))
  const self = new Set(people('to'))
  // Whoever the report is for is named in many of them; only who wrote to themselves is also the one who failed.
  const others = all.filter(({ address }) => !self.has(address.toLowerCase()))
  const some = others.length > 0 ? others : all
  const leading = some.filter(({ isLeading }) => isLeading)
  return leading.length > 0 ? leading : some.slice(0, 1)
}

function findAddresses(told: string, without: ReadonlySet<string>): (Place & { isLeading: boolean })[] {
  const places: (Place & { isLeading: boolean })[] = []
  const seen = new Set(without)
  for (const match of told.matchAll(ADDRESS)) {
    const [whole, found = ''] = match
    const address = found.replace(/[.…]+$/, '')
    const key = address.toLowerCase()
    if (seen.has(key) || !/@[^@]+\.[^@]+$/.test(address)) continue
    seen.add(key)
    const at = match.index + whole.length - found.length
    const before = told.slice(told.lastIndexOf('\n', at - 1) + 1, at)
    places.push({ address, at, isLeading: LEADING.test(before) })
  }
  return places
}

/** What the text says of one address: from its line on, up to the next one. */
function passageOf(told: string, { address, at }: Place, next = -1): string {
  const from = at === -1 ? told.toLowerCase().indexOf(address.toLowerCase()) : at
  if (from === -1) return ''
  const line = told.lastIndexOf('\n', from - 1) + 1
  const end = from + address.length
  return `${told.slice(line, from)}${told.slice(end, next > end ? next : undefined)}`
}

type Verdict = Omit<RecipientStatus, 'address' | 'original'>

function judge(text: string): Verdict | undefined {
  const { code, status } = codesOf(text)
  const decisive = status ?? code
  const line = reasonIn(text)
  if (decisive?.startsWith('5')) {
    return {
      action: 'failed',
      status: status ?? statusByWords(text) ?? '5.0.0',
      ...(code?.startsWith('5') ? { code } : {}),
      reason: line,
    }
  }
  if (DELAY.test(text)) return { action: 'delayed', ...(status === undefined ? {} : { status }), reason: line }
  if (decisive?.startsWith('4')) {
    return {
      action: 'failed',
      ...(status === undefined ? { status: '4.0.0' } : { status }),
      ...(code === undefined ? {} : { code }),
      reason: line,
    }
  }
  const known = statusByWords(text)
  if (known !== undefined) return { action: 'failed', status: known, reason: line }
  return PERMANENT.test(text) ? { action: 'failed', status: '5.0.0', reason: line } : undefined
}

/** A report that names who failed in its headers, and whose text is in a language that is not known here. */
const judgeSubject = (subject: string): Verdict | undefined =>
  /fail|undeliver|return/i.test(subject) && !DELAY.test(subject)
    ? { action: 'failed', status: '5.0.0', reason: oneLine(subject) }
    : undefined

function statusByWords(text: string): string | undefined {
  if (DOMAIN.test(text)) return '5.1.2'
  if (MAILBOX.test(text)) return '5.1.1'
  if (FULL.test(text)) return '5.2.2'
  return LARGE.test(text) ? '5.3.4' : undefined
}

/** The paragraph that has a code or a known word, else the first one. */
function reasonIn(text: string): string {
  const paragraphs = text
    .split(/\n\s*\n/)
    .map((paragraph) => oneLine(paragraph.replace(/^[\s:<>.,)*-]+/, '')))
    .filter((paragraph) => /\p{L}/u.test(paragraph))
  const telling = paragraphs.find((paragraph) => {
    const { code, status } = codesOf(paragraph)
    return code !== undefined || status !== undefined || statusByWords(paragraph) !== undefined
  })
  return (telling ?? paragraphs[0] ?? '').slice(0, 500)
}
