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

/** Several values whose JSON a store returns as bytes. One part has one value, or several that are joined by commas. */
export class JsonTexts<T> implements Iterable<T> {
  readonly #parts: readonly Buffer[]

  constructor(parts: readonly Buffer[]) {
    this.#parts = parts
  }

  get isEmpty(): boolean {
    return this.#parts.length === 0
  }

  /** All values, joined by commas, between two ASCII texts. */
  between(head: string, end: string): Buffer<ArrayBuffer> {
    const separators = Math.max(0, this.#parts.length - 1)
    let size = head.length + separators + end.length
    for (const part of this.#parts) size += part.length
    const bytes = Buffer.allocUnsafe(size)
    let at = bytes.write(head, 'latin1')
    for (const part of this.#parts) {
      if (at > head.length) bytes[at++] = comma
      bytes.set(part, at)
      at += part.length
    }
    bytes.write(end, at, 'latin1')
    return bytes
  }

  [Symbol.iterator](): Iterator<T> {
    const values: T[] = JSON.parse(this.between('[', ']').toString())
    return values[Symbol.iterator]()
  }
}

const comma = 0x2c

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
