/**
 * Parses the tree of a message as an IMAP server describes it (BODYSTRUCTURE, RFC 3501 §7.4.2), in one pass. The
 * sender decides the number and depth of parts, so everything beyond our limits is skipped without being stored.
 */
import { decodeUndeclared } from './charset.ts'
import { readParameters } from './headers.ts'
import { MAX_DEPTH, MAX_PARTS } from './limit.ts'
import { type PartNode, typeOf } from './structure.ts'

/** A structure in a response: its text, and separately its literals. */
export interface RawStructure {
  readonly text: Uint8Array
  readonly literals: readonly Uint8Array[]
}

export interface ReadStructure {
  readonly root: PartNode
  /** Whether parts were left out. */
  readonly isShortened: boolean
}

type Value = string | null | Value[]

/** Nesting of lists in a part: its parameters, and its disposition with parameters of its own. */
const LIST_DEPTH = 2
const LIST_ITEMS = 100
const MAX_VALUE_LENGTH = 8_192
const TOKEN = /"([^"\\]*(?:\\[\s\S][^"\\]*)*)"|\{(\d{1,10})\+?\}\r?\n|([^\s()"{}]+)/y
const UNENCODED = /^(?:7bit|8bit|binary)$/

/** Parses a structure. Undefined if it is invalid. */
export function readImapStructure(raw: RawStructure): ReadStructure | undefined {
  const reader = new Reader(raw)
  if (!reader.opens()) return undefined
  const root = reader.readPart('', 0)
  return root.type !== '' && !reader.isBroken ? { root, isShortened: reader.isShortened } : undefined
}

class Reader {
  readonly #text: string
  readonly #literals: readonly Uint8Array[]
  #at = 0
  #taken = 0
  #parts = 0
  isShortened = false
  isBroken = false

  constructor({ text, literals }: RawStructure) {
    this.#text = Buffer.from(text.buffer, text.byteOffset, text.byteLength).toString('latin1')
    this.#literals = literals
  }

  /** Enters a list if one starts here. */
  opens(): boolean {
    while (this.#text.charCodeAt(this.#at) === 0x20) this.#at++
    if (this.#text.charCodeAt(this.#at) !== 0x28) return false
    this.#at++
    return true
  }

  /** Parses a part whose list was entered, up to the end of the list. */
  readPart(number: string, depth: number): PartNode {
    this.#parts++
    const children: PartNode[] = []
    let isMultipart = false
    for (let index = 1; this.opens(); index++) {
      isMultipart = true
      if (this.#parts < MAX_PARTS && depth < MAX_DEPTH) {
        children.push(this.readPart(number === '' ? `${index}` : `${number}.${index}`, depth + 1))
      } else {
        this.isShortened = true
        this.#skipList()
      }
    }
    const values = this.#readList(0)
    return isMultipart ? multipartOf(number, values, children) : bucketOf(number === '' ? '1' : number, values)
  }

  #readList(depth: number): Value[] {
    const values: Value[] = []
    for (;;) {
      if (this.opens()) {
        if (depth < LIST_DEPTH && values.length < LIST_ITEMS) values.push(this.#readList(depth + 1))
        else {
          this.#skipList()
          values.push([])
        }
        continue
      }
      if (this.#text.charCodeAt(this.#at) === 0x29) {
        this.#at++
        return values
      }
      const value = this.#readText()
      if (value === undefined) return values
      if (values.length < LIST_ITEMS) values.push(value)
    }
  }

  #readText(): string | null | undefined {
    TOKEN.lastIndex = this.#at
    const found = TOKEN.exec(this.#text)
    if (!found) {
      this.isBroken = true
      return undefined
    }
    this.#at = TOKEN.lastIndex
    const [, quoted, size, word] = found
    if (quoted !== undefined) return textOf(quoted.slice(0, MAX_VALUE_LENGTH).replace(/\\([\s\S])/g, '$1'))
    if (size === undefined) return word?.toUpperCase() === 'NIL' ? null : (word ?? '')
    const bytes = this.#literals[this.#taken++]
    return textOf(Buffer.from(bytes?.subarray(0, MAX_VALUE_LENGTH) ?? []).toString('latin1'))
  }

  /** Skips a list that was entered, whatever its depth. */
  #skipList(): void {
    for (let open = 1; open > 0; ) {
      if (this.opens()) open++
      else if (this.#text.charCodeAt(this.#at) === 0x29) {
        this.#at++
        open--
      } else if (this.#readText() === undefined) return
    }
  }
}

const textOf = (latin1: string): string =>
  /[^\0-\x7f]/.test(latin1) ? decodeUndeclared(Buffer.from(latin1, 'latin1')) : latin1

function multipartOf(number: string, values: readonly Value[], children: PartNode[]): PartNode {
  const [subtype, parameters, disposition] = values
  return partOf({ part: number, type: `multipart/${wordOf(subtype) || 'mixed'}`, parameters, disposition, children })
}

function bucketOf(number: string, values: readonly Value[]): PartNode {
  const [type, subtype, parameters, id, , encoding, size] = values
  const named = `${wordOf(type)}/${wordOf(subtype)}`
  const disposition = values[placeOfDisposition(named, values)]
  // A server leaves empty what the message lacks. A list without a type is no part.
  const isPart = typeof type === 'string'
  return partOf({ part: number, type: isPart ? named : '', parameters, disposition, id, encoding, size })
}

/** After the MD5, which follows a text's line count, or a message's envelope, structure and line count. */
function placeOfDisposition(type: string, values: readonly Value[]): number {
  if (type === 'message/rfc822' || type === 'message/global') return 11
  if (!type.startsWith('text/')) return 8
  // Some servers omit the line count.
  const lacksLines = values.length === 11 && Array.isArray(values[8]) && !Array.isArray(values[9])
  return lacksLines ? 8 : 9
}

interface Notified {
  part: string
  type: string
  parameters: Value | undefined
  disposition: Value | undefined
  id?: Value | undefined
  encoding?: Value | undefined
  size?: Value | undefined
  children?: PartNode[]
}

function partOf(reported: Notified): PartNode {
  const parameters = parametersOf(reported.parameters)
  const [kind, ofKind] = Array.isArray(reported.disposition) ? reported.disposition : []
  const disposition = wordOf(kind)
  const encoding = wordOf(reported.encoding) || '7bit'
  const size = Number(wordOf(reported.size)) || 0
  const filename = parametersOf(ofKind).filename ?? parameters.name ?? null
  const type = typeOf(reported.type, '', filename)
  return {
    part: reported.part,
    type,
    contentType: [type, ...Object.entries(parameters).map(([name, value]) => `${name}=${quoted(value)}`)].join('; '),
    parameters,
    ...(disposition ? { disposition } : {}),
    filename,
    ...(typeof reported.id === 'string' && reported.id !== '' ? { contentId: reported.id } : {}),
    encoding,
    size: encoding === 'base64' ? decodedSize(size) : size,
    // The server counts encoded bytes (RFC 3501 §7.4.2).
    ...(UNENCODED.test(encoding) ? {} : { isEstimated: true }),
    ...(reported.children && reported.children.length > 0 ? { children: reported.children } : {}),
  }
}

const wordOf = (value: Value | undefined): string => (typeof value === 'string' ? value.toLowerCase() : '')

/** Formats parameters like a header, so that continuations and charsets are decoded in the same way (RFC 2231). */
function parametersOf(list: Value | undefined): Record<string, string> {
  if (!Array.isArray(list)) return {}
  const pairs: string[] = []
  for (let at = 0; at + 1 < list.length; at += 2) {
    const [name, value] = [list[at], list[at + 1]]
    if (typeof name === 'string' && typeof value === 'string' && /^[^\s=;"]+$/.test(name)) {
      pairs.push(`${name}="${value.replaceAll(/[\\"]/g, '\\$&').replaceAll(/[\r\n]+/g, ' ')}"`)
    }
  }
  return pairs.length === 0 ? {} : readParameters(`x; ${pairs.join('; ')}`).parameters
}

/** The decoded size of base64 in lines of 76 digits, except for padding. */
const decodedSize = (encoded: number): number => Math.floor(((encoded - 2 * Math.floor(encoded / 78)) * 3) / 4)

const quoted = (value: string): string => (/^[\w.+-]+$/.test(value) ? value : `"${value.replace(/["\\]/g, '\\$&')}"`)
