/**
 * A value that is already JSON text. A stored document is sent to the client as the bytes in which it was stored,
 * because parsing and serializing a page of objects costs more than the rest of the request.
 */
export class JsonText<T> {
  readonly text: string
  declare readonly type: T

  constructor(text: string) {
    this.text = text
  }
}

/** Values as bytes, an end that is among them, and what is to follow. */
interface WrittenTexts {
  readonly bytes: Buffer<ArrayBuffer>
  readonly end: string
  readonly rest: string
}

/** Several values whose JSON is text already, joined by commas, as a store hands over a page of them. */
export class JsonTexts<T> implements Iterable<T> {
  readonly text: string
  #written: WrittenTexts | undefined
  #wasAsked = false

  constructor(text: string) {
    this.text = text
  }

  get isEmpty(): boolean {
    return this.text === ''
  }

  /**
   * The text as it goes out before an end, which is ASCII. From the second time on it is bytes, which were made once: then
   * it is one of those that are asked for again and again, nearly always with the same end, which is among them.
   */
  written(end: string): string | WrittenTexts {
    if (!this.#wasAsked) {
      this.#wasAsked = true
      return this.text + end
    }
    this.#written ??= { bytes: Buffer.from(this.text + end), end, rest: '' }
    const { bytes, end: within } = this.#written
    if (within === end) return this.#written
    return { bytes: bytes.subarray(0, bytes.length - within.length), end: '', rest: end }
  }

  [Symbol.iterator](): Iterator<T> {
    const values: T[] = JSON.parse(`[${this.text}]`)
    return values[Symbol.iterator]()
  }
}

/** The JSON of a value. A `JsonText` is returned as it is. */
export const toJson = (value: unknown): string => (value instanceof JsonText ? value.text : JSON.stringify(value))

/** JSON with sorted object keys: equal values have equal texts. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const entries = Object.entries(value).filter(([, item]) => item !== undefined)
  const sorted = entries.sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${sorted.map(([key, item]) => `${JSON.stringify(key)}:${canonicalJson(item)}`).join(',')}}`
}
