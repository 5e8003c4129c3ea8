/**
 * Parses JSON from outside. `JSON.parse` alone accepts half a million nested arrays, silently drops one of two equal
 * keys, turns 1e999 into Infinity and rounds long integers. So one pass over the text first refuses everything that
 * the service could not store unchanged. It also reports the position, which `JSON.parse` often does not.
 */

import {
  BACKSLASH,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  DOT,
  formatPath,
  hexDigit,
  indexOrEnd,
  isDelicate,
  isDigit,
  isEscaped,
  LOWER_E,
  LOWER_U,
  MINUS,
  NEWLINE,
  OPEN_BRACE,
  OPEN_BRACKET,
  PLUS,
  QUOTE,
  RETURN,
  SPACE,
  TAB,
  UPPER_E,
  ZERO,
} from './characters.ts'

/** Any value that JSON can hold. */
export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue }

/** Limits for nesting depth, and for the total number of object keys and list items. */
export type JsonLimits = { depth?: number; keys?: number; items?: number }

/** The result of parsing: the value, or an error message for the client. */
export type ParsedJson = { ok: true; value: JsonValue } | { ok: false; problem: string }

const DEFAULT_DEPTH = 32
const DEFAULT_KEYS = 10_000
const DEFAULT_ITEMS = 50_000

// Up to this many keys, comparing them one by one is cheaper than a set.
const FEW_KEYS = 8

// An integer of at most this many characters is always below 2^53.
const SAFE_DIGITS = 15

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Parses JSON from outside and refuses values that would be lost, ambiguous or dangerous later. */
export function parseJson(text: string, limits: JsonLimits = {}): ParsedJson {
  try {
    new Scanner(text, limits).scanDocument()
    return { ok: true, value: JSON.parse(text) }
  } catch (error) {
    if (error instanceof Refusal) return { ok: false, problem: error.message }
    if (!(error instanceof SyntaxError)) throw error
  }
  // The scanner leaves raw control characters to JSON.parse, which is faster at them but does not report the
  // position.
  return { ok: false, problem: new Scanner(text, limits).locateControlCharacter() }
}

/** Same as `parseJson`, for bytes. Undefined if they are not UTF-8. */
export function parseJsonBytes(bytes: Uint8Array): ParsedJson | undefined {
  const text = decodeUtf8(bytes)
  return text === undefined ? undefined : parseJson(text)
}

/** Decodes UTF-8 without repairing or stripping anything. Undefined for bytes that are not UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes)
  } catch {
    return undefined
  }
}

class Refusal extends Error {}

/** The grammar of RFC 8259, read strictly. Each method starts at `at` and moves `at` past what it read. */
class Scanner {
  private readonly text: string
  private readonly depthLimit: number
  private readonly keyLimit: number
  private readonly itemLimit: number
  private readonly path: (string | number)[] = []
  private at = 0
  private keyCount = 0
  private itemCount = 0
  private nextBackslash = -1
  private seeksControlCharacter = false

  constructor(text: string, limits: JsonLimits) {
    this.text = text
    this.depthLimit = limits.depth ?? DEFAULT_DEPTH
    this.keyLimit = limits.keys ?? DEFAULT_KEYS
    this.itemLimit = limits.items ?? DEFAULT_ITEMS
  }

  scanDocument(): void {
    this.checkSurrogates()
    this.skipSpace()
    this.scanValue()
    this.skipSpace()
    if (this.at < this.text.length) throw this.malformed('nothing may follow the value')
  }

  locateControlCharacter(): string {
    this.seeksControlCharacter = true
    try {
      this.scanDocument()
    } catch (error) {
      if (error instanceof Refusal) return error.message
      throw error
    }
    return 'The JSON is malformed.'
  }

  private scanValue(): void {
    const first = this.text.charCodeAt(this.at)
    if (first === QUOTE) this.scanString()
    else if (first === OPEN_BRACE) this.scanObject()
    else if (first === OPEN_BRACKET) this.scanArray()
    else if (first === MINUS || isDigit(first)) this.scanNumber()
    else if (!this.skipWord('true') && !this.skipWord('false') && !this.skipWord('null')) {
      throw this.malformed('a value was expected')
    }
  }

  private scanObject(): void {
    this.enter('')
    if (!this.skip(CLOSE_BRACE)) this.scanMembers()
    this.path.pop()
  }

  private scanMembers(): void {
    const few: string[] = []
    let many: Set<string> | undefined
    do {
      this.skipSpace()
      const key = this.scanKey()
      if (many ? many.has(key) : few.includes(key)) throw this.refusal('The JSON has a key twice')
      if (many) many.add(key)
      else if (few.push(key) === FEW_KEYS) many = new Set(few)
      this.skipSpace()
      if (!this.skip(COLON)) throw this.malformed('a colon was expected')
      this.skipSpace()
      this.scanValue()
      this.skipSpace()
    } while (this.skip(COMMA))
    if (!this.skip(CLOSE_BRACE)) throw this.malformed('a comma or a closing brace was expected')
  }

  private scanKey(): string {
    const { path } = this
    const start = this.at
    path[path.length - 1] = ''
    if (this.text.charCodeAt(start) !== QUOTE) throw this.malformed('a key in double quotes was expected')
    const escaped = this.scanString()
    const key = escaped ? this.decode(start) : this.text.slice(start + 1, this.at - 1)
    path[path.length - 1] = key
    this.keyCount += 1
    if (this.keyCount > this.keyLimit) throw this.refusal(`The JSON has more than ${this.keyLimit} keys`)
    // Both would reach a prototype when the value is merged into another object.
    if (key === '__proto__' || (key === 'prototype' && path[path.length - 2] === 'constructor')) {
      throw this.refusal('The JSON has a key that is not allowed')
    }
    return key
  }

  private scanArray(): void {
    this.enter(0)
    if (!this.skip(CLOSE_BRACKET)) this.scanElements()
    this.path.pop()
  }

  private scanElements(): void {
    let index = 0
    do {
      this.path[this.path.length - 1] = index
      this.itemCount += 1
      if (this.itemCount > this.itemLimit) throw this.refusal(`The JSON has more than ${this.itemLimit} items in lists`)
      this.skipSpace()
      this.scanValue()
      this.skipSpace()
      index += 1
    } while (this.skip(COMMA))
    if (!this.skip(CLOSE_BRACKET)) throw this.malformed('a comma or a closing bracket was expected')
  }

  // The depth is checked before descending, so a hostile text cannot exhaust the stack.
  private enter(place: string | number): void {
    if (this.path.length >= this.depthLimit) {
      throw this.refusal(`The JSON is nested more than ${this.depthLimit} levels deep`)
    }
    this.path.push(place)
    this.at += 1
    this.skipSpace()
  }

  /**
   * Returns whether the string contains escapes. It jumps from quote to backslash with `indexOf`, because a message
   * body or attachment is one long string. Each search starts where the last one ended, so together they are one
   * pass.
   */
  private scanString(): boolean {
    const { text } = this
    const start = this.at
    let at = start + 1
    let quote = -1
    let escaped = false
    let suspicious = false
    for (;;) {
      if (quote < at) quote = text.charCodeAt(at) === QUOTE ? at : text.indexOf('"', at)
      if (quote === -1) throw this.malformed('a string is not terminated')
      if (this.nextBackslash < at) {
        this.nextBackslash = text.charCodeAt(at) === BACKSLASH ? at : indexOrEnd(text, '\\', at)
      }
      if (quote < this.nextBackslash) break
      escaped = true
      at = this.nextBackslash
      if (text.charCodeAt(at + 1) === LOWER_U) {
        if (isDelicate(this.escapedUnit(at))) suspicious = true
        at += 6
      } else {
        at += this.escapeLength(at)
      }
    }
    this.at = quote + 1
    if (this.seeksControlCharacter) this.refuseControlCharacter(start)
    if (suspicious) this.checkCharacters(start)
    return escaped
  }

  private escapeLength(at: number): number {
    if (isEscaped(this.text.charCodeAt(at + 1))) return 2
    throw this.unknownEscape(at)
  }

  /** The code unit of four hexadecimal digits. */
  private escapedUnit(at: number): number {
    let unit = 0
    for (let place = at + 2; place < at + 6; place++) {
      const digit = hexDigit(this.text.charCodeAt(place))
      if (digit === -1) throw this.unknownEscape(at)
      unit = unit * 16 + digit
    }
    return unit
  }

  private unknownEscape(at: number): Refusal {
    this.at = at
    return this.malformed('an escape sequence is not valid JSON')
  }

  private refuseControlCharacter(start: number): void {
    for (let at = start; at < this.at; at += 1) {
      if (this.text.charCodeAt(at) >= SPACE) continue
      this.at = at
      throw this.malformed('a control character must be escaped')
    }
  }

  // UTF-8 cannot represent half of a surrogate pair. This method finds raw ones, `checkCharacters` finds escaped
  // ones.
  private checkSurrogates(): void {
    if (this.text.isWellFormed()) return
    this.at = this.text.search(/\p{Surrogate}/u)
    throw this.refusal('The JSON has half a surrogate pair')
  }

  private checkCharacters(start: number): void {
    const value = this.decode(start)
    // PostgreSQL text cannot hold NUL.
    if (value.includes('\0')) throw this.refusal('The JSON has a string with a NUL character', start)
    if (!value.isWellFormed()) throw this.refusal('The JSON has a string with half a surrogate pair', start)
  }

  private decode(start: number): string {
    return JSON.parse(this.text.slice(start, this.at))
  }

  private scanNumber(): void {
    const start = this.at
    if (this.text.charCodeAt(this.at) === MINUS) this.at += 1
    if (!this.skip(ZERO)) this.skipDigits()
    let whole = true
    if (this.skip(DOT)) {
      whole = false
      this.skipDigits()
    }
    if (this.skip(LOWER_E) || this.skip(UPPER_E)) {
      whole = false
      if (!this.skip(PLUS)) this.skip(MINUS)
      this.skipDigits()
    }
    if (whole && this.at - start <= SAFE_DIGITS) return
    const value = Number(this.text.slice(start, this.at))
    if (!Number.isFinite(value)) throw this.refusal('The JSON has a number that is too large', start)
    if (whole && !Number.isSafeInteger(value)) {
      throw this.refusal('The JSON has a whole number beyond 2^53-1, which would lose digits', start)
    }
  }

  private skipDigits(): void {
    const { text } = this
    let at = this.at
    while (isDigit(text.charCodeAt(at))) at += 1
    if (at === this.at) throw this.malformed('a digit was expected')
    this.at = at
  }

  private skipSpace(): void {
    const { text } = this
    let code = text.charCodeAt(this.at)
    while (code <= SPACE && (code === SPACE || code === NEWLINE || code === RETURN || code === TAB)) {
      this.at += 1
      code = text.charCodeAt(this.at)
    }
  }

  private skip(code: number): boolean {
    if (this.text.charCodeAt(this.at) !== code) return false
    this.at += 1
    return true
  }

  private skipWord(word: string): boolean {
    if (!this.text.startsWith(word, this.at)) return false
    this.at += word.length
    return true
  }

  private malformed(reason: string): Refusal {
    return new Refusal(`The JSON is malformed ${this.place(this.at)}: ${reason}.`)
  }

  private refusal(sentence: string, offset = this.at): Refusal {
    return new Refusal(`${sentence}, ${this.place(offset)}.`)
  }

  private place(offset: number): string {
    const path = formatPath(this.path)
    return path === '' ? `at offset ${offset}` : `at ${path} (offset ${offset})`
  }
}
