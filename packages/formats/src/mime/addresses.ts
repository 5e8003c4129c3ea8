/**
 * Parses address lists in headers (RFC 5322 §3.4, with the obsolete forms of §4.4: spaces and comments around dots
 * and @, routes, empty entries), and common deviations: semicolons between entries, unquoted names with commas,
 * brackets that never close.
 *
 * A display name never becomes the address. Quoted text and encoded words are opaque, names are decoded after the
 * list was split, and of several brackets the last one contains the address.
 */

import { asBuffer } from './charset.ts'
import { readHeaders } from './headers.ts'
import { decodeWords } from './words.ts'

export interface Address {
  readonly name?: string
  readonly email: string
}

/** One simple entry: a quoted or bare name before an address in brackets, or an address alone. */
const ENTRY =
  /(?:[ \t]*"([^"\\]*)"[ \t]*|([^"(),:;<>@[\]\\]*))(?:<([^\s"(),:;<>@[\]\\]+@[^\s"(),:;<>@[\]\\]+)>|(@[^\s"(),:;<>@[\]\\]+))[ \t]*(?:,|$)/y

/**
 * The addresses of a header, including members of groups, at most `max` of them. Empty groups and names without an
 * address are dropped. The time is linear in the length of the value.
 */
export const readAddresses = (value: string, { max }: { max: number } = { max: Number.POSITIVE_INFINITY }): Address[] =>
  readPlain(value, max) ?? readList(value, max)

/** A fast path for lists without comments, groups or escapes. Undefined for all others. */
function readPlain(value: string, max: number): Address[] | undefined {
  const addresses: Address[] = []
  ENTRY.lastIndex = 0
  while (ENTRY.lastIndex < value.length && addresses.length < max) {
    const entry = ENTRY.exec(value)
    if (entry === null) return undefined
    const [, quoted, bare = '', email, domain] = entry
    // An encoded word that contains our delimiters.
    if (bare.lastIndexOf('=?') > bare.lastIndexOf('?=')) return undefined
    if (email !== undefined) addresses.push(addressOf(quoted ?? bare, email))
    else {
      const local = bare.trim()
      if (local === '' || /\s/.test(local)) return undefined
      addresses.push({ email: `${local}${domain}` })
    }
  }
  return addresses
}

/** No legitimate entry has more tokens. */
const MAX_TOKENS = 200

function readList(value: string, max: number): Address[] {
  const addresses: Address[] = []
  let entry: Token[] = []
  let hasWords = false
  let hasAddress = false
  const clear = (): void => {
    entry = []
    hasWords = false
    hasAddress = false
  }
  const close = (isEnd: boolean): void => {
    // An unquoted name with a comma belongs to the address that follows.
    if (!isEnd && hasWords && !hasAddress) {
      entry.push({ kind: 'mark', value: ', ' })
      return
    }
    const read = readEntry(entry)
    if (read) addresses.push(read)
    clear()
  }
  for (const token of tokensOf(value)) {
    if (addresses.length >= max) return addresses
    if (entry.length >= MAX_TOKENS) close(true)
    const { kind } = token
    if (kind !== 'mark') {
      entry.push(token)
      hasWords ||= kind === 'quoted' || (kind === 'text' && token.value.trim() !== '')
      hasAddress ||= kind === 'angle' || (kind === 'text' && token.value.includes('@'))
    }
    // The name of a group, or `mailto`, is dropped.
    else if (token.value === ':') clear()
    else close(token.value === ';')
  }
  close(true)
  return addresses.slice(0, max)
}

function readEntry(entry: readonly Token[]): Address | undefined {
  const place = entry.findLastIndex(({ kind, value }) => kind === 'angle' && value.trim() !== '')
  if (place !== -1) {
    const email = compact(entry[place]?.value ?? '')
    return email === '' ? undefined : addressOf(nameOf(entry.slice(0, place)) || commentOf(entry), email)
  }
  const at = entry.findLastIndex(({ kind, value }) => kind === 'text' && value.includes('@'))
  if (at === -1) return readWord(entry)
  // Only brackets show that a name before a comma belongs to them.
  const from = entry.findLastIndex(({ kind }) => kind === 'mark') + 1
  return readBare(entry.slice(from), at - from)
}

/** The words before the address; '' if there are none. */
function nameOf(before: readonly Token[]): string {
  const words = before
    .filter(({ kind }) => kind !== 'comment')
    .map(({ kind, value }) => (kind === 'angle' ? ` <${value}> ` : value))
    .join('')
  return /^[\s,<>]*$/.test(words) ? '' : words.replace(/^[\s,]+/, '').replaceAll(/(?<!\s)\s+,/g, ',')
}

const commentOf = (entry: readonly Token[]): string => entry.find(({ kind }) => kind === 'comment')?.value ?? ''

/** An address without brackets. Spaces and comments may surround its dots and its @, and words may precede it. */
function readBare(entry: readonly Token[], at: number): Address | undefined {
  const text = closeUp(entry[at]?.value ?? '')
  // `"john doe"@example.org`, and `john(comment)@example.org`.
  const local = text.startsWith('@') ? localBefore(entry, at) : undefined
  const after = entry.slice(at + 1).find(({ kind }) => kind !== 'comment')
  const words = `${text}${after?.kind === 'text' ? closeUp(after.value) : ''}`.split(/\s+/)
  const place = local ? 0 : words.findLastIndex((word) => word.includes('@'))
  const email = `${local?.value ?? ''}${words[place] ?? ''}`
  if (!isAddress(email)) return readWord([{ kind: 'text', value: words.join(' ') }])
  const first = entry.slice(0, local?.place ?? at)
  const name = nameOf([...first, { kind: 'text', value: words.slice(0, Math.max(place, 0)).join(' ') }])
  return addressOf(name || commentOf(entry.slice(at + 1)) || commentOf(first), email)
}

/** Removes the spaces around dots and @. */
const closeUp = (text: string): string => text.replaceAll(/(?<![ \t])[ \t]*([.@])[ \t]*/g, '$1')

const isAddress = (text: string): boolean => text.length <= 1000 && /[^@]@[^@]/.test(text)

/** The local part before an @ at the start of a text: quoted, or a word before a comment. */
function localBefore(entry: readonly Token[], at: number): { value: string; place: number } | undefined {
  const place = entry.findLastIndex(({ kind }, index) => index < at && kind !== 'comment')
  const token = entry[place]
  if (token?.kind === 'quoted') return { value: quotedLocal(token.value), place }
  return token?.kind === 'text' ? { value: closeUp(token.value).trim(), place } : undefined
}

/** Quotes stay if the address would be a different one without them. */
const quotedLocal = (value: string): string =>
  /^[^\s"(),:;<>@[\]\\]+$/.test(value) ? value : `"${value.replaceAll(/["\\]/g, '\\$&')}"`

const WORD = /^[^\s"(),:;<>[\]\\]{1,254}$/

/** Such as `MAILER-DAEMON`, or an address that was encoded like a name. In quotes it is a name. */
function readWord(entry: readonly Token[]): Address | undefined {
  if (entry.some(({ kind }) => kind === 'quoted')) return undefined
  const text = entry.flatMap(({ kind, value }) => (kind === 'text' ? [value] : [])).join('')
  const alone = decodeWords(text.trim()).trim()
  return WORD.test(alone) ? { email: alone } : undefined
}

/** The content of brackets, without routes, comments and spaces. */
function compact(angle: string): string {
  const route = /^\s*@[^:<>"]*:/.exec(angle)?.[0] ?? ''
  const text = angle
    .slice(route.length)
    .replaceAll(/\((?:[^()\\"]|\\.){0,500}\)/g, '')
    .trim()
  const [, quoted, domain] = /^"((?:[^"\\]|\\[\s\S])*)"\s*(@[\s\S]*)$/.exec(text) ?? []
  if (quoted !== undefined) {
    return `${quotedLocal(quoted.replaceAll(/\\([\s\S])/g, '$1'))}${domain?.replaceAll(/\s+/g, '') ?? ''}`
  }
  const joined = closeUp(text).trim()
  // Encoded like a name.
  const decoded = joined.includes('=?') ? decodeWords(joined).trim() : joined
  return decoded.replaceAll(/[\s<>]+/g, '')
}

function addressOf(name: string, email: string): Address {
  const decoded = decodeWords(name)
    .replaceAll(/[\s\0]+/g, ' ')
    .trim()
  return decoded === '' ? { email } : { name: decoded, email }
}

/** The ids of a Message-ID, In-Reply-To or References header, without brackets. */
export function readMessageIds(value: string): string[] {
  const ids: string[] = []
  let open = value.indexOf('<')
  if (open === -1) return value.split(/[\s,]+/).filter((id) => id.includes('@'))
  while (open !== -1) {
    const close = value.indexOf('>', open)
    if (close === -1) break
    const begin = value.lastIndexOf('<', close) + 1
    const id = value.slice(begin, close).replaceAll(/\s+/g, '')
    if (id !== '') ids.push(id)
    open = value.indexOf('<', close)
  }
  return ids
}

// Splits an address list into tokens (RFC 5322 §3.2) in linear time, whatever a stranger writes. A stranger can open
// quotes, comments and brackets that never close. So the scanner first computes, from the end of the text, where the
// text closes at each position. It never searches the same characters again.

export type Kind = 'text' | 'quoted' | 'comment' | 'angle' | 'mark'

export interface Token {
  readonly kind: Kind
  /** Without its delimiters and escapes. */
  readonly value: string
}

/** A longer one is text whose delimiters mean nothing. No program writes one. */
const MAX_ENCLOSED = 1200
const NONE = -1

/** An encoded word, a separator, a domain in brackets, or other text. The next `?` or bracket ends each attempt. */
const OTHER = /(=\?[^?\s]{1,60}\?[bq]\?[^?]{0,2000}\?=)|([,;:])|(\[[^\][\s]{0,300}\])|([^\s"(),:;<>[\]=]+|[\s\S])/giy

export function* tokensOf(value: string): Generator<Token> {
  const closing = closingOf(value)
  let text = ''
  for (let at = 0; at < value.length; ) {
    const enclosed = enclosedAt(value, at, closing)
    OTHER.lastIndex = at
    const found = enclosed ? undefined : OTHER.exec(value)
    at = enclosed ? enclosed.end : OTHER.lastIndex
    const mark = found?.[2]
    if (!enclosed && mark === undefined) {
      text += found?.[0] ?? ''
      continue
    }
    if (text !== '') yield { kind: 'text', value: text }
    text = ''
    yield enclosed?.token ?? { kind: 'mark', value: mark ?? '' }
  }
  if (text !== '') yield { kind: 'text', value: text }
}

/** Where quotes, comments and brackets that contain a position close; -1 if they do not. */
interface Closing {
  readonly quote: Int32Array
  readonly comment: Int32Array
  readonly angle: Int32Array
}

function closingOf(value: string): Closing {
  const end = value.length
  const [quote, comment, angle] = [0, 1, 2].map(() => new Int32Array(end + 2).fill(NONE)) as [
    Int32Array,
    Int32Array,
    Int32Array,
  ]
  // Brackets that never close end with the text.
  angle[end] = end
  const after = (table: Int32Array, close: number | undefined): number =>
    close === undefined || close === NONE ? NONE : (table[close + 1] ?? NONE)
  for (let at = end - 1; at >= 0; at--) {
    const next = at + (value[at] === '\\' ? 2 : 1)
    quote[at] = value[at] === '"' ? at : (quote[next] ?? NONE)
    comment[at] = value[at] === ')' ? at : value[at] === '(' ? after(comment, comment[at + 1]) : (comment[next] ?? NONE)
    angle[at] = closingAngle(value[at], at, { quote, angle, after })
  }
  return { quote, comment, angle }
}

function closingAngle(
  character: string | undefined,
  at: number,
  {
    quote,
    angle,
    after,
  }: Pick<Closing, 'quote' | 'angle'> & { after: (table: Int32Array, close: number | undefined) => number },
): number {
  if (character === '>') return at
  if (character === '<') return NONE
  return character === '"' ? after(angle, quote[at + 1]) : (angle[at + 1] ?? NONE)
}

const KINDS: Readonly<Record<string, keyof Closing>> = { '"': 'quote', '(': 'comment', '<': 'angle' }

/** The quoted text, comment or bracket that opens at a position and closes near enough. */
function enclosedAt(value: string, at: number, closing: Closing): { token: Token; end: number } | undefined {
  const kind = KINDS[value[at] ?? '']
  const close = kind ? (closing[kind][at + 1] ?? NONE) : NONE
  if (!kind || close === NONE || close - at > MAX_ENCLOSED) return undefined
  const inner = value.slice(at + 1, close)
  return {
    token:
      kind === 'angle'
        ? { kind, value: inner }
        : { kind: kind === 'quote' ? 'quoted' : kind, value: inner.replaceAll(/\\([\s\S])/g, '$1') },
    end: close + 1,
  }
}

// The people in the header of a message: sender and recipients.

const FIELDS = new Set(['from', 'to', 'cc', 'bcc'])
/** Maximum length of a recipient list that is read. */
const MAX_LIST_LENGTH = 4_000
/** Maximum number of addresses per message. */
const MAX = 100

/** Reads the addresses in some header fields. Throws only MimeLimit. */
export function readCorrespondents(header: Uint8Array): Address[] {
  const text = asBuffer(header).toString('latin1')
  const { headers } = readHeaders(text, { start: 0, end: text.length })
  return headers
    .filter(({ name }) => FIELDS.has(name.toLowerCase()))
    .flatMap(({ value }) => readAddresses(shortened(value)))
    .slice(0, MAX)
}

/** The first part of an address list, without the address that is cut off. */
function shortened(list: string): string {
  if (list.length <= MAX_LIST_LENGTH) return list
  return list.slice(0, Math.max(list.lastIndexOf(',', MAX_LIST_LENGTH), 0))
}
