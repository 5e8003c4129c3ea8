/**
 * Parses JSON from outside. `JSON.parse` alone accepts half a million nested arrays, silently drops one of two equal
 * keys, turns 1e999 into Infinity and rounds long integers. So its value is walked once, and refused if the service
 * could not store it unchanged. Callers bound the size of the text.
 */

/** Any value that JSON can hold. */
export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue }

/** The result of parsing: the value, or an error message for the client. */
export type ParsedJson = { ok: true; value: JsonValue } | { ok: false; problem: string }

/** Limits of the whole text: levels of objects and arrays, keys of objects, items of arrays. */
const maxDepth = 32
const maxKeys = 10_000
const maxItems = 50_000

const maxEchoLength = 40

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Parses JSON from outside and refuses values that would be lost, ambiguous or dangerous later. */
export function parseJson(text: string): ParsedJson {
  try {
    const value: JsonValue = JSON.parse(text)
    const keys = new Walk().countKeys(value)
    if (keys < countColons(text)) throw new Refusal('The JSON has a key twice in one object.')
    return { ok: true, value }
  } catch (error) {
    if (error instanceof Refusal) return { ok: false, problem: error.message }
    if (error instanceof SyntaxError) return { ok: false, problem: malformed(error) }
    throw error
  }
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

/** An object or array that is still to be walked, and where it stands. */
interface Container {
  value: JsonValue[] | { [key: string]: JsonValue }
  place: Place | undefined
  depth: number
}

/** A key or index, and the place of the object or array that has it. */
interface Place {
  step: string | number
  parent: Place | undefined
}

/** Walks a value without recursion, so that no depth exhausts the stack. */
class Walk {
  readonly #open: Container[] = []
  #keys = 0
  #items = 0

  countKeys(value: JsonValue): number {
    this.#check(value, undefined, 1)
    for (let next = this.#open.pop(); next; next = this.#open.pop()) {
      if (Array.isArray(next.value)) this.#checkItems(next.value, next)
      else this.#checkMembers(next.value, next)
    }
    return this.#keys
  }

  #checkItems(items: JsonValue[], { place: parent, depth }: Container): void {
    this.#items += items.length
    if (this.#items > maxItems) throw refusal(`The JSON has more than ${maxItems} items in lists`, parent)
    for (const [step, item] of items.entries()) this.#check(item, { step, parent }, depth + 1)
  }

  #checkMembers(members: { [key: string]: JsonValue }, { place: parent, depth }: Container): void {
    for (const [step, member] of Object.entries(members)) {
      const place = { step, parent }
      this.#keys += 1
      if (this.#keys > maxKeys) throw refusal(`The JSON has more than ${maxKeys} keys`, place)
      // Both would reach a prototype when the value is merged into another object.
      if (step === '__proto__' || (step === 'prototype' && parent?.step === 'constructor')) {
        throw refusal('The JSON has a key that is not allowed', place)
      }
      checkString(step, parent)
      this.#check(member, place, depth + 1)
    }
  }

  #check(value: JsonValue, place: Place | undefined, depth: number): void {
    if (typeof value === 'string') checkString(value, place)
    else if (typeof value === 'number') checkNumber(value, place)
    else if (typeof value === 'object' && value !== null) {
      if (depth > maxDepth) throw refusal(`The JSON is nested more than ${maxDepth} levels deep`, place)
      this.#open.push({ value, place, depth })
    }
  }
}

function checkString(value: string, place: Place | undefined): void {
  // PostgreSQL text cannot hold NUL, and UTF-8 cannot represent half of a surrogate pair.
  if (value.includes('\0')) throw refusal('The JSON has a string with a NUL character', place)
  if (!value.isWellFormed()) throw refusal('The JSON has a string with half a surrogate pair', place)
}

function checkNumber(value: number, place: Place | undefined): void {
  if (!Number.isFinite(value)) throw refusal('The JSON has a number that is too large', place)
  if (Math.abs(value) > Number.MAX_SAFE_INTEGER) {
    throw refusal('The JSON has a whole number beyond 2^53-1, which would lose digits', place)
  }
}

/**
 * Counts the colons outside of strings, one for each key. Each search starts where the last one ended, so together
 * they are one pass.
 */
function countColons(text: string): number {
  let colons = 0
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at]
    if (character === ':') colons += 1
    else if (character === '"') at = endOfString(text, at)
  }
  return colons
}

/** The closing quote: the first one behind an even number of backslashes. */
function endOfString(text: string, start: number): number {
  for (let end = start + 1; ; end += 1) {
    end = text.indexOf('"', end)
    let before = end
    while (text[before - 1] === '\\') before -= 1
    if ((end - before) % 2 === 0) return end
  }
}

/** What V8 reports, without the excerpt of the text that it adds to some of its messages. */
function malformed({ message }: SyntaxError): string {
  const reason = message.replace(/(?:, (?:\.{3})?"| in JSON at | after JSON at ).*/s, '').replace(/\p{C}/gu, '?')
  const offset = /JSON at position (\d+)/.exec(message)?.[1]
  return `The JSON is malformed${offset ? ` at offset ${offset}` : ''}: ${reason}.`
}

function refusal(sentence: string, place: Place | undefined): Refusal {
  const path = formatPath(place)
  return new Refusal(path === '' ? `${sentence}.` : `${sentence}, at ${path}.`)
}

/**
 * Formats a path like `settings.emails[2]`, safe for logs. Long paths lose their beginning, because the end says the
 * most.
 */
function formatPath(place: Place | undefined): string {
  let path = ''
  for (let next = place; next && path.length <= maxEchoLength; next = next.parent) {
    const { step, parent } = next
    if (typeof step === 'number') path = `[${step}]${path}`
    else path = (parent && step ? `.${step}` : step) + path
  }
  const echo = path.length > maxEchoLength ? `…${path.slice(1 - maxEchoLength)}` : path
  return echo.replace(/[\p{C}\p{Z}]/gu, '?')
}
