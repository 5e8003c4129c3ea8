/** Finds the ends of values and parses sequences of numbers, in one pass and without building a tree. */

const quote = 0x22
const backslash = 0x5c
const open = 0x28
const close = 0x29
const brace = 0x7b
const blank = 0x20

const literal = /\{(\d{1,10})\}\r?\n/y
const word = /[^\s()"{}]+/y

/** The end of the value at a position and the number of literals in it; undefined if no value begins there. */
export function endOfValue(text: string, at: number): { end: number; literals: number } | undefined {
  let literals = 0
  let depth = 0
  for (let place = at; place < text.length; ) {
    const code = text.charCodeAt(place)
    if (code === open) {
      depth++
      place++
    } else if (code === close) {
      depth--
      place++
      if (depth < 0) return undefined
    } else if (code === blank && depth > 0) {
      place++
      continue
    } else {
      const end = endOfText(text, place, code)
      if (end === -1) return undefined
      if (code === brace) literals++
      place = end
    }
    if (depth === 0) return { end: place, literals }
  }
  return undefined
}

function endOfText(text: string, at: number, code: number): number {
  if (code === quote) return endOfQuoted(text, at + 1)
  const pattern = code === brace ? literal : word
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : -1
}

function endOfQuoted(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === backslash) at++
    else if (code === quote) return at + 1
  }
  return -1
}

const zero = 0x30
const nine = 0x39

/** Parses numbers separated by spaces; accepts the text in slices. */
export class NumberReader {
  readonly #numbers: Uint32Array
  #count = 0
  #number = 0
  #digits = 0

  /** `length` is the total number of characters. */
  constructor(length: number) {
    this.#numbers = new Uint32Array((length + 2) >> 1)
  }

  /** Parses a slice; false if it contains anything but numbers. */
  read(bytes: Uint8Array): boolean {
    for (let at = 0; at < bytes.length; at++) {
      const code = bytes[at] ?? 0
      if (code >= zero && code <= nine) {
        this.#number = this.#number * 10 + code - zero
        this.#digits++
      } else if (code !== blank || !this.#take()) return false
    }
    return true
  }

  /** All numbers; undefined if the last one is too large. */
  end(): Uint32Array | undefined {
    return this.#take() ? this.#numbers.slice(0, this.#count) : undefined
  }

  #take(): boolean {
    if (this.#number > 0xffff_ffff) return false
    if (this.#digits > 0) this.#numbers[this.#count++] = this.#number
    this.#number = 0
    this.#digits = 0
    return true
  }
}

/** The numbers of SEARCH from a position on; undefined if there is anything else. */
export function numbersIn(text: string, from: number): [{ numbers: Uint32Array }] | undefined {
  const bytes = Buffer.from(text, 'latin1').subarray(from)
  const reader = new NumberReader(bytes.length)
  const numbers = reader.read(bytes) ? reader.end() : undefined
  return numbers && [{ numbers }]
}

/**
 * The threads of THREAD from a position on, each as a flat sequence of numbers; undefined if there is anything else.
 */
export function threadsIn(text: string, from: number): { numbers: Uint32Array }[] | undefined {
  const threads: { numbers: Uint32Array }[] = []
  let depth = 0
  let begin = from
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === open && depth++ === 0) begin = at
    if (code !== close) continue
    if (--depth < 0) return undefined
    if (depth > 0) continue
    const [thread] = numbersIn(text.slice(begin, at + 1).replaceAll(/[()]/g, ' '), 0) ?? []
    if (!thread) return undefined
    threads.push(thread)
  }
  return depth === 0 ? threads : undefined
}

/**
 * Characters kept of the beginning and of the end of a long field: References has the root of the thread first and
 * the parents last.
 */
const retainedOfField = 4 * 1024

/** The first field of each name in a header; long fields are shortened. */
export function firstFields(header: Buffer): Buffer {
  const text = header.toString('latin1')
  const fields = new Map<string, string>()
  for (let at = 0; at < text.length; ) {
    const end = endOfField(text, at)
    const colon = text.indexOf(':', at)
    const name = colon === -1 || colon > end || colon - at > 100 ? '' : text.slice(at, colon).trim().toLowerCase()
    if (name !== '' && !fields.has(name)) fields.set(name, shortened(text.slice(at, end)))
    at = end
  }
  return Buffer.from(`${[...fields.values()].join('')}\r\n`, 'latin1')
}

/** The position after the line break that is not followed by whitespace. */
function endOfField(text: string, from: number): number {
  for (let at = text.indexOf('\n', from); at !== -1; at = text.indexOf('\n', at + 1)) {
    const next = text.charCodeAt(at + 1)
    if (next !== blank && next !== 0x09) return at + 1
  }
  return text.length
}

const shortened = (field: string): string =>
  field.length <= 2 * retainedOfField ? field : `${field.slice(0, retainedOfField)} ${field.slice(-retainedOfField)}`
