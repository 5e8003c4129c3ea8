/** Responses of a server in their plain form, read once from left to right. What is of any other form is not read here. */
import type { FetchMessageObject } from 'imapflow'

/** One response: its text, and apart from it what stood in it as literals. */
export interface Response {
  payload: Buffer
  literals: readonly Buffer[]
}

/** A value in a response: a word or a text, nothing, or several in brackets. */
export type Value = { type: 'ATOM' | 'STRING'; value: string } | null | Value[]

/** An untagged response, in the shape that imapflow gives it. */
export interface Plain {
  tag: '*'
  command: string
  attributes: Value[]
}

const plainCommand = /^\* (LIST|LSUB|STATUS|SEARCH)(?= |$)/i
const notPlain = /[^\x20-\x7e]|[[\]{}]/
const token = / *(?:([()])|"((?:[^"\\]|\\["\\])*)"|([^\s()"\\]+|\\[^\s()"\\]+))/y
const deepest = 5

/** What a server lists, counts or found; none where it is something else, or not of the plain form. */
export function readPlain({ payload, literals }: Response): Plain | undefined {
  if (literals.length > 0 || payload[0] !== 0x2a) return undefined
  const [opening, command] = plainCommand.exec(payload.toString('latin1', 0, 10)) ?? []
  if (opening === undefined || command === undefined) return undefined
  const text = payload.toString('latin1')
  if (notPlain.test(text)) return undefined
  const root: Value[] = []
  const open = [root]
  let at = opening.length
  for (const end = text.trimEnd().length; at < end; at = token.lastIndex) {
    token.lastIndex = at
    const [, bracket, quoted, word] = token.exec(text) ?? []
    const list = open.at(-1)
    if (bracket === '(') open.push([])
    else if (bracket === ')') open.pop()
    else if (quoted !== undefined) list?.push({ type: 'STRING', value: quoted.replace(/\\(["\\])/g, '$1') })
    else if (word !== undefined) list?.push(word.toUpperCase() === 'NIL' ? null : { type: 'ATOM', value: word })
    else return undefined
    if (bracket === '(') list?.push(open.at(-1) ?? [])
    if (open.length === 0 || open.length > deepest) return undefined
  }
  return open.length === 1 ? { tag: '*', command: command.toUpperCase(), attributes: root } : undefined
}

const opening = /\* (\d{1,10}) FETCH \(/iy
const name = /([A-Z][A-Z0-9.-]*(?:\[[^\]"{}\r\n]*\])?) /iy
const number = /(\d{1,15})/y
const list = /\(([^()"{}\r\n]*)\)/y
const quoted = /"([^"\\\r\n]*)"/y
const literal = /\{(\d{1,10})\}\r?\n/y
const separator = /([ )])/y

/** The message that an answer to FETCH tells of; none where it is something else, or not of the plain form. */
export function readFetch({ payload, literals }: Response): FetchMessageObject | undefined {
  const text = payload.toString('latin1')
  let at = 0
  let taken = 0
  const take: Take = (pattern) => {
    pattern.lastIndex = at
    const found = pattern.exec(text)
    if (found) at = pattern.lastIndex
    return found?.[1]
  }
  const takeBytes = (): Buffer | undefined => {
    const size = take(literal)
    if (size !== undefined) {
      const bytes = literals[taken++]
      return bytes?.length === Number(size) ? bytes : undefined
    }
    const short = take(quoted)
    return short === undefined ? undefined : Buffer.from(short, 'latin1')
  }
  const sequence = take(opening)
  if (sequence === undefined) return undefined
  const message: FetchMessageObject = { seq: Number(sequence), uid: 0 }
  let end: string | undefined = ' '
  while (end === ' ') {
    const item = take(name)?.toUpperCase()
    if (item === undefined || !readItem(message, item, { take, takeBytes })) return undefined
    end = take(separator)
  }
  const isWhole = end === ')' && at === text.length && taken === literals.length
  return isWhole && message.uid > 0 ? message : undefined
}

type Take = (pattern: RegExp) => string | undefined

/** Reads the value of an item; false where it is not of the plain form. */
function readItem(
  message: FetchMessageObject,
  item: string,
  { take, takeBytes }: { take: Take; takeBytes: () => Buffer | undefined },
): boolean {
  switch (item) {
    case 'UID':
      message.uid = Number(take(number) ?? 0)
      return message.uid > 0
    case 'FLAGS': {
      const flags = take(list)
      message.flags = new Set(flags ? flags.split(' ') : [])
      return flags !== undefined
    }
    case 'INTERNALDATE':
      message.internalDate = new Date(take(quoted) ?? '')
      return !Number.isNaN(message.internalDate.getTime())
    case 'RFC822.SIZE':
      message.size = Number(take(number))
      return !Number.isNaN(message.size)
    case 'MODSEQ': {
      const count = take(list)
      if (count === undefined || !/^\d{1,19}$/.test(count)) return false
      message.modseq = BigInt(count)
      return true
    }
    case 'EMAILID':
      return take(list) !== undefined
    case 'X-GM-MSGID':
      return take(/(\d{1,20})/y) !== undefined
    case 'BODY[]':
      message.source = takeBytes()
      return message.source !== undefined
  }
  if (!/^BODY\[HEADER(?:\.FIELDS \([^()]*\))?\]$/.test(item)) return false
  message.headers = takeBytes()
  return message.headers !== undefined
}
