/**
 * What was told of the objects of a collection, as it is kept in a cursor: by their names in it, a short hash of the ETag
 * and a note that whoever tells of them can compare with. Packed, because a calendar may have thousands.
 */
import { createHash } from 'node:crypto'
import { deflateRawSync, inflateRawSync } from 'node:zlib'

export interface KnownObject {
  /** '' where none was told. */
  etag: string
  /** '' where the object was not read. */
  note: string
}

/** More than any account has; a cursor that says otherwise is none of ours. */
const mostBytes = 256 * 1024 * 1024

/** Few characters that differ where texts do: to be compared, and nothing else. */
export const shortHash = (text: string, length = 6): string =>
  text === '' ? '' : createHash('sha256').update(text).digest('base64url').slice(0, length)

export class KnownObjects {
  readonly #objects: Map<string, KnownObject>

  constructor(packed = '') {
    this.#objects = new Map(unpack(packed))
  }

  get size(): number {
    return this.#objects.size
  }

  names(): Iterable<string> {
    return this.#objects.keys()
  }

  get(name: string): KnownObject | undefined {
    return this.#objects.get(name)
  }

  /** Whether an object is as it was when it was told; one without ETag may not be. */
  isSame(name: string, etag: string | undefined): boolean {
    return etag !== undefined && etag !== '' && this.#objects.get(name)?.etag === shortHash(etag)
  }

  set(name: string, { etag, note }: { etag: string | undefined; note: string }): void {
    this.#objects.set(name, { etag: shortHash(etag ?? ''), note })
  }

  delete(name: string): void {
    this.#objects.delete(name)
  }

  packed(): string {
    const lines = Array.from(this.#objects, ([name, { etag, note }]) => `${name}\t${etag}\t${note}\n`)
    return lines.length === 0 ? '' : deflateRawSync(lines.join(''), { level: 6 }).toString('base64url')
  }
}

function* unpack(packed: string): Generator<[string, KnownObject]> {
  if (packed === '') return
  const text = inflateRawSync(Buffer.from(packed, 'base64url'), { maxOutputLength: mostBytes }).toString()
  for (const line of text.split('\n')) {
    const [name, etag = '', note = ''] = line.split('\t')
    if (name) yield [name, { etag, note }]
  }
}
