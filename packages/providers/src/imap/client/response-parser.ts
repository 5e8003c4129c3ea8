/**
 * Parses responses in their ordinary form, once from left to right. Responses in any other form are not parsed here.
 */

import type { RawStructure } from '@waypost/formats/mime/imap-structure'
import { yieldBetween } from '@waypost/platform/parsing/yielding'
import type { FetchMessageObject } from 'imapflow'
import { endOfValue, firstFields, NumberReader, numbersIn, threadsIn } from './response-values.ts'

/** One response: its text, and separately its literals. */
export interface Response {
  payload: Buffer
  literals: readonly Buffer[]
}

/** A value in a response: an atom or string, NIL, a list, or a sequence of numbers. */
export type Value = { type: 'ATOM' | 'STRING'; value: string } | null | Value[] | { numbers: Uint32Array }

/** A fetched message. Its structure is parsed elsewhere (`formats/mime/imap-structure.ts`). */
export interface FetchedMessage extends Omit<FetchMessageObject, 'bodyStructure'> {
  structure?: RawStructure
}

/** imapflow takes too long to parse longer responses, not counting literals. */
export const maxImapflowBytes = 32 * 1024
/** A longer structure is dropped; such a message is read by its bytes. */
const maxStructureBytes = 1024 * 1024
/** If flags and keywords are longer, only the system flags are used. */
const maxFlagsBytes = 4 * 1024
/** Longer header fields are cut to what identifies the message. */
const maxFieldsBytes = 16 * 1024

/** An untagged response in imapflow's format. */
export interface Plain {
  tag: '*'
  command: string
  attributes: Value[]
}

const plainCommand = /^\* (LIST|LSUB|STATUS|SEARCH|THREAD)(?= |$)/i
const notPlain = /[^\x20-\x7e]|[[\]{}]/
const token = / *(?:([()])|"((?:[^"\\]|\\["\\])*)"|([^\s()"\\]+|\\[^\s()"\\]+))/y
const maxDepth = 5

/** Parses LIST, LSUB, STATUS, SEARCH or THREAD; undefined for other responses and other forms. */
export function readPlain({ payload, literals }: Response): Plain | undefined {
  if (literals.length > 0 || payload[0] !== 0x2a) return undefined
  const [opening, command] = plainCommand.exec(payload.toString('latin1', 0, 10)) ?? []
  if (opening === undefined || command === undefined) return undefined
  const text = payload.toString('latin1')
  if (/^(?:search|thread)$/i.test(command)) {
    const attributes = /^search$/i.test(command) ? numbersIn(text, opening.length) : threadsIn(text, opening.length)
    return attributes && { tag: '*', command: command.toUpperCase(), attributes }
  }
  if (payload.length > maxImapflowBytes || notPlain.test(text)) return undefined
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
    if (open.length === 0 || open.length > maxDepth) return undefined
  }
  return open.length === 1 ? { tag: '*', command: command.toUpperCase(), attributes: root } : undefined
}

const searchOpening = /^\* SEARCH(?= |$)/i
const searchedAtOnce = 128 * 1024

/** Parses a large SEARCH result in slices, so that other work can run in between. */
export async function readLongSearch({ payload, literals }: Response): Promise<Plain | undefined> {
  if (payload.length <= searchedAtOnce || literals.length > 0) return undefined
  const [opening] = searchOpening.exec(payload.toString('latin1', 0, 10)) ?? []
  if (opening === undefined) return undefined
  const othersTurn = yieldBetween()
  const reader = new NumberReader(payload.length)
  for (let at = opening.length; at < payload.length; at += searchedAtOnce) {
    if (!reader.read(payload.subarray(at, at + searchedAtOnce))) return undefined
    await othersTurn()
  }
  const numbers = reader.end()
  return numbers && { tag: '*', command: 'SEARCH', attributes: [{ numbers }] }
}

const opening = /\* (\d{1,10}) FETCH \(/iy
const name = /([A-Z][A-Z0-9.-]*(?:\[[^\]"{}\r\n]*\])?) /iy
const number = /(\d{1,15})/y
const emailId = /\(([^\s()"{}]+)\)/y
const gmailId = /(\d{1,20})/y
const list = /\(([^()"{}\r\n]*)\)/y
const quoted = /"([^"\\\r\n]*)"/y
const literal = /\{(\d{1,10})\}\r?\n/y
const mark = /\\[a-z]+/gi
const separator = /([ )])/y

/** Parses a FETCH response; undefined for other responses and other forms. */
export function readFetch({ payload, literals }: Response): FetchedMessage | undefined {
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
  const message: FetchedMessage = { seq: Number(sequence), uid: 0 }
  /** Takes a value of any form without parsing it. */
  const takeSpan = (): { text: Buffer; literals: Buffer[] } | undefined => {
    const span = endOfValue(text, at)
    if (!span) return undefined
    const from = at
    at = span.end
    taken += span.literals
    return { text: payload.subarray(from, at), literals: literals.slice(taken - span.literals, taken) }
  }
  const isLong = payload.length > maxFlagsBytes
  let end: string | undefined = ' '
  while (end === ' ') {
    const item = take(name)?.toUpperCase()
    if (item === undefined) return undefined
    const before = { at, taken }
    if (!readItem(message, item, { take, takeBytes, takeSpan })) {
      if (!isLong) return undefined
      ;({ at, taken } = before)
      if (!readLongItem(message, item, takeSpan)) return undefined
    }
    end = take(separator)
  }
  const isWhole = end === ')' && at === text.length && taken === literals.length
  return isWhole && message.uid > 0 ? message : undefined
}

type Take = (pattern: RegExp) => string | undefined
type TakeSpan = () => { text: Buffer; literals: Buffer[] } | undefined

/** Parses the necessary parts of an item in a response that is too long for imapflow. */
function readLongItem(message: FetchedMessage, item: string, takeSpan: TakeSpan): boolean {
  const span = /^(?:BODY|BINARY)\[/.test(item) ? undefined : takeSpan()
  if (!span) return false
  if (item === 'FLAGS') message.flags = new Set(span.text.toString('latin1').match(mark)?.slice(0, 20))
  return true
}

/** Parses the value of an item; false if it is not in the ordinary form. */
function readItem(
  message: FetchedMessage,
  item: string,
  { take, takeBytes, takeSpan }: { take: Take; takeBytes: () => Buffer | undefined; takeSpan: TakeSpan },
): boolean {
  switch (item) {
    case 'UID':
      message.uid = Number(take(number) ?? 0)
      return message.uid > 0
    case 'FLAGS': {
      const flags = take(list)
      if (flags === undefined || flags.length > maxFlagsBytes) return false
      message.flags = new Set(flags ? flags.split(' ') : [])
      return true
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
      message.emailId = take(emailId)
      return message.emailId !== undefined
    case 'X-GM-MSGID':
      message.emailId = take(gmailId)
      return message.emailId !== undefined
    case 'BODYSTRUCTURE': {
      const span = takeSpan()
      if (span && sizeOf(span) <= maxStructureBytes) message.structure = span
      return span !== undefined
    }
    case 'BODY[]':
      message.source = takeBytes()
      return message.source !== undefined
  }
  if (!/^BODY\[HEADER(?:\.FIELDS \([^()]*\))?\]$/.test(item)) return false
  const bytes = takeBytes()
  if (bytes === undefined) return false
  message.headers = item !== 'BODY[HEADER]' && bytes.length > maxFieldsBytes ? firstFields(bytes) : bytes
  return true
}

const sizeOf = ({ text, literals }: RawStructure): number =>
  literals.reduce((sum, { length }) => sum + length, text.length)
