/** IMAP SEARCH (RFC 3501 §6.4.4): search keys as values, the filters of the API as keys, and the search itself. */
import type { MessageListQuery, ThreadListQuery } from '@waypost/contract'
import { invalidField } from '@waypost/platform/api-error'
import type { ImapFlow, ImapFlowError } from 'imapflow'
import { wordsOf } from '../../mail/filters.ts'
import { atom, execute } from '../client/commands.ts'
import type { Attribute } from '../client/internals.ts'
import { traitsOf } from '../connections/pooled-connection.ts'
import { responseCodeOf } from '../errors.ts'

/** One token of a search: a word, a text, or keys in parentheses. */
export type Token = { word: string } | { text: string } | Token[]
/** Search keys; all of them must match. */
export type Keys = readonly Token[]

const word = (value: string): Token => ({ word: value })
const text = (value: string): Token => ({ text: value })

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const daySeconds = 86_400

/** A date in SEARCH format: a day without time zone. */
export function searchDay(seconds: number): string {
  const date = new Date(seconds * 1000)
  return `${date.getUTCDate()}-${months[date.getUTCMonth()]}-${date.getUTCFullYear()}`
}

/**
 * Everything received at a time or later, and up to two days before: SEARCH uses days of the server's or sender's
 * time zone.
 */
export const since = (seconds: number): Keys => [word('SINCE'), word(searchDay(seconds - daySeconds))]
/** Everything received before a time, and up to two days after. */
export const before = (seconds: number): Keys => [word('BEFORE'), word(searchDay(seconds + 2 * daySeconds))]
export const header = (name: string, value: string): Keys => [word('HEADER'), word(name), text(value)]
export const larger = (bytes: number): Keys => [word('LARGER'), word(String(bytes))]
export const smaller = (bytes: number): Keys => [word('SMALLER'), word(String(bytes))]
export const all: Keys = [word('ALL')]

/** Any of several groups of keys, as a balanced tree: servers limit the depth of parentheses. */
export function anyOf(groups: readonly Keys[]): Keys {
  const [first] = groups
  if (!first) return [word('NOT'), ...all]
  if (groups.length === 1) return first
  const half = groups.length >> 1
  return [word('OR'), [...anyOf(groups.slice(0, half))], [...anyOf(groups.slice(half))]]
}

type Filters = Partial<MessageListQuery & ThreadListQuery>

const addressKeys = (field: string, addresses: readonly string[] | undefined): Keys =>
  addresses && addresses.length > 0 ? [[...anyOf(addresses.map((address) => [word(field), text(address)]))]] : []

/** The search keys of a query. Matches that are too generous are checked again by `matches`. */
export function keysOf(query: Filters): Keys {
  const { any_email: any } = query
  const anywhere = any?.flatMap((address) => ['FROM', 'TO', 'CC', 'BCC'].map((field) => [word(field), text(address)]))
  return [
    ...(query.subject === undefined ? [] : [word('SUBJECT'), text(query.subject)]),
    ...addressKeys('FROM', query.from),
    ...addressKeys('TO', query.to),
    ...addressKeys('CC', query.cc),
    ...addressKeys('BCC', query.bcc),
    ...(anywhere && anywhere.length > 0 ? [[...anyOf(anywhere)]] : []),
    ...(query.unread === undefined ? [] : [word(query.unread ? 'UNSEEN' : 'SEEN')]),
    ...(query.starred === undefined ? [] : [word(query.starred ? 'FLAGGED' : 'UNFLAGGED')]),
    ...wordsOf(query.q ?? '').flatMap((words) => [word('TEXT'), text(words)]),
    ...(query.search_query_native === undefined ? [] : [parseNative(query.search_query_native)]),
  ]
}

/** Parses a native search: words, quoted texts, parentheses. Nothing else reaches the command line. */
export function parseNative(query: string): Token[] {
  const field = 'search_query_native'
  if (/[\r\n\0]/.test(query)) throw invalidField(field, 'must be one line')
  const root: Token[] = []
  const open: Token[][] = [root]
  const token = /\s*(?:([()])|"((?:[^"\\]|\\["\\])*)"|([^\s()"{}\\]+|\\[A-Za-z]+))/y
  let at = 0
  for (const end = query.trimEnd().length; at < end; at = token.lastIndex) {
    token.lastIndex = at
    const match = token.exec(query)
    if (!match) throw invalidField(field, `is not an IMAP search: see character ${at + 1}`)
    const [, bracket, quoted, plain] = match
    if (bracket === '(') {
      const group: Token[] = []
      open.at(-1)?.push(group)
      open.push(group)
    } else if (bracket === ')') {
      open.pop()
      if (open.length === 0) throw invalidField(field, 'has a bracket that closes nothing')
    } else if (quoted !== undefined) open.at(-1)?.push(text(quoted.replace(/\\(["\\])/g, '$1')))
    else if (plain !== undefined) open.at(-1)?.push(/^[\x21-\x7e]+$/.test(plain) ? word(plain) : text(plain))
    if (open.length > 20) throw invalidField(field, 'has too many brackets within each other')
  }
  if (open.length !== 1) throw invalidField(field, 'has a bracket that is not closed')
  if (root.length === 0) throw invalidField(field, 'is empty')
  return root
}

const isAscii = (value: string): boolean => /^[\x20-\x7e]*$/.test(value)

/** Sequence ranges with an open end must not be quoted. */
const openSet = /^(?=.*\*)(?:\d+|\*)(?::(?:\d+|\*))?(?:,(?:\d+|\*)(?::(?:\d+|\*))?)*$/

function attributeOf(token: Token): Attribute {
  if (Array.isArray(token)) return token.map(attributeOf)
  if ('word' in token) return openSet.test(token.word) ? { type: 'SEQUENCE', value: token.word } : atom(token.word)
  return isAscii(token.text) ? token.text : { type: 'LITERAL', value: token.text }
}

const hasForeign = (token: Token): boolean =>
  Array.isArray(token) ? token.some(hasForeign) : 'text' in token && !isAscii(token.text)

/** The UIDs in the selected folder that match all keys, ascending. */
export async function searchUids(client: ImapFlow, keys: Keys): Promise<number[]> {
  return traitsOf(client).plainSearch ? searchPlainly(client, keys) : search(client, keys)
}

/** The alternatives inside keys made by `anyOf`; undefined for other keys. */
function alternativesOf(token: Token): Keys[] | undefined {
  if (!Array.isArray(token)) return undefined
  const [or, one, other, ...more] = token
  const isOr = or !== undefined && 'word' in or && or.word === 'OR' && more.length === 0
  if (!isOr || !Array.isArray(one) || !Array.isArray(other)) return undefined
  return [one, other].flatMap((each) => alternativesOf(each) ?? [each])
}

/** Searches on servers that fail at alternatives: each one is searched separately. */
async function searchPlainly(client: ImapFlow, keys: Keys): Promise<number[]> {
  // `anyOf` returns its keys without parentheses if there are no others.
  const tokens = alternativesOf([...keys]) ? [[...keys]] : keys
  const choices = tokens.flatMap((token) => alternativesOf(token) ?? [])
  if (choices.length === 0) return search(client, keys)
  const rest = tokens.filter((token) => !alternativesOf(token))
  let found: Set<number> | undefined
  for (const token of tokens) {
    const alternatives = alternativesOf(token)
    if (!alternatives) continue
    const any = new Set<number>()
    for (const each of alternatives) for (const uid of await search(client, [...rest, ...each])) any.add(uid)
    found = found ? found.intersection(any) : any
  }
  return [...(found ?? [])].sort((a, b) => a - b)
}

async function search(client: ImapFlow, keys: Keys): Promise<number[]> {
  const wanted = keys.length === 0 ? all : keys
  // With UTF8=ACCEPT enabled, no charset may be named (RFC 6855 §3).
  const isNamed = wanted.some(hasForeign) && !client.enabled.has('UTF8=ACCEPT')
  const charset: Attribute[] = isNamed ? [atom('CHARSET'), atom('UTF-8')] : []
  const found: number[] = []
  // More results than messages in the folder, plus some that arrived meanwhile, are an error.
  const max = (client.mailbox ? client.mailbox.exists : 0) + 1_000
  await execute(client, 'UID SEARCH', [...charset, ...wanted.map(attributeOf)], {
    SEARCH: ({ attributes = [] }) => {
      for (const attribute of attributes) {
        for (const uid of uidsOf(attribute)) {
          if (found.length === max) return
          if (uid > 0) found.push(uid)
        }
      }
    },
  })
  return isAscending(found) ? found : [...new Set(found)].sort((a, b) => a - b)
}

/** The numbers of a SEARCH response, from our parser or from imapflow's. */
function uidsOf(attribute: unknown): Iterable<number> {
  const { numbers, value } = (attribute ?? {}) as { numbers?: Uint32Array; value?: unknown }
  if (numbers) return numbers
  const uid = Number(value)
  return Number.isSafeInteger(uid) ? [uid] : []
}

function isAscending(uids: readonly number[]): boolean {
  let last = 0
  for (const uid of uids) {
    if (uid <= last) return false
    last = uid
  }
  return true
}

/** Characters of keys per command; some servers reject longer lines. */
const maxKeysLength = 4_000

/** The UIDs that match any of several groups of keys, ascending. */
export async function searchUidsOfAny(client: ImapFlow, groups: readonly Keys[]): Promise<number[]> {
  const found = new Set<number>()
  for (let from = 0; from < groups.length; ) {
    let to = from
    for (let length = 0; to < groups.length && (to === from || length < maxKeysLength); to++)
      length += lengthOf(groups[to] ?? [])
    for (const uid of await searchUids(client, anyOf(groups.slice(from, to)))) found.add(uid)
    from = to
  }
  return [...found].sort((a, b) => a - b)
}

const lengthOf = (keys: Keys): number =>
  keys.reduce(
    (sum, token) =>
      sum + 5 + (Array.isArray(token) ? lengthOf(token) : 'word' in token ? token.word.length : token.text.length),
    0,
  )

/** Messages of a size that were received around a day. */
export const nearby = (date: number, size: number): Keys => [
  ...since(date),
  ...before(date),
  ...larger(size - 1),
  ...smaller(size + 1),
]

/** If the server rejects a native search, the request is invalid. */
export function refuseBadSearch(error: unknown, query: Filters): unknown {
  const status = (error as ImapFlowError).responseStatus
  if (query.search_query_native === undefined || (status !== 'BAD' && status !== 'NO')) return error
  return invalidField('search_query_native', 'the mail server does not take this search')
}

/** The query without words in characters that the server cannot search for; these are checked here instead. */
export function withoutForeign(error: unknown, query: Filters): Filters | undefined {
  const { responseStatus } = error as ImapFlowError
  const isCharset = responseCodeOf(error) === 'BADCHARSET' || responseStatus === 'BAD' || responseStatus === 'NO'
  if (!isCharset || !keysOf(query).some(hasForeign) || !isAscii(query.search_query_native ?? '')) return undefined
  const ascii = (addresses: string[] | undefined): string[] | undefined =>
    addresses?.every(isAscii) ? addresses : undefined
  return {
    ...query,
    subject: isAscii(query.subject ?? '') ? query.subject : undefined,
    q: isAscii(query.q ?? '') ? query.q : undefined,
    from: ascii(query.from),
    to: ascii(query.to),
    cc: ascii(query.cc),
    bcc: ascii(query.bcc),
    any_email: ascii(query.any_email),
  }
}
