/** Values of JSON whose form nobody has checked. `reader.ts` checks whole objects. */

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A field of a value, which may be no object. */
export const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined

/** A field that is a text. */
export function textIn(value: unknown, name: string): string | undefined {
  const field = fieldOf(value, name)
  return typeof field === 'string' ? field : undefined
}

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

/** Several values as JSON text, joined by commas. */
export class JsonTexts<T> implements Iterable<T> {
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  get isEmpty(): boolean {
    return this.#text === ''
  }

  /** All values between two texts. */
  between(head: string, end: string): Buffer<ArrayBuffer> {
    return Buffer.from(`${head}${this.#text}${end}`)
  }

  [Symbol.iterator](): Iterator<T> {
    const values: T[] = JSON.parse(`[${this.#text}]`)
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
