/**
 * JSON that is already text. A stored document goes to the client as the bytes it was stored as, because parsing and
 * writing a page of objects again costs more than everything else in the request together.
 */
export class JsonText<T> {
  readonly text: string
  declare readonly type: T

  constructor(text: string) {
    this.text = text
  }
}

/** Several values whose JSON is text already, joined by commas, as a store hands over a page of them. */
export class JsonTexts<T> implements Iterable<T> {
  readonly text: string
  #bytes: Buffer<ArrayBuffer> | undefined
  #wasAsked = false

  constructor(text: string) {
    this.text = text
  }

  get isEmpty(): boolean {
    return this.text === ''
  }

  /** The text, or from the second time on its bytes: then it is one of those that are asked for again and again. */
  written(): string | Buffer<ArrayBuffer> {
    if (this.#wasAsked) this.#bytes ??= Buffer.from(this.text)
    this.#wasAsked = true
    return this.#bytes ?? this.text
  }

  [Symbol.iterator](): Iterator<T> {
    const values: T[] = JSON.parse(`[${this.text}]`)
    return values[Symbol.iterator]()
  }
}

/** The JSON of a value, or of a text that is JSON already. */
export const toJson = (value: unknown): string => (value instanceof JsonText ? value.text : JSON.stringify(value))

/** JSON with the keys of every object sorted: equal values have equal texts. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const entries = Object.entries(value).filter(([, item]) => item !== undefined)
  const sorted = entries.sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${sorted.map(([key, item]) => `${JSON.stringify(key)}:${canonicalJson(item)}`).join(',')}}`
}
