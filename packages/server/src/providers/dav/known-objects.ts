/**
 * What was told of the objects of a collection, as it is kept in a cursor: by their names in it, a short hash of the ETag
 * and a note that whoever tells of them can compare with. Packed, because a calendar may have thousands.
 */
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { deflateRaw, inflateRaw } from 'node:zlib'
import { yieldBetween } from '../../lib/parsing/yielding.ts'

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

const deflate = promisify(deflateRaw)
const inflate = promisify(inflateRaw)

export class KnownObjects {
  readonly #objects = new Map<string, KnownObject>()

  /** Of a cursor. A calendar may have many thousands: others have their turns in between. */
  static async open(packed = ''): Promise<KnownObjects> {
    const known = new KnownObjects()
    if (packed === '') return known
    const bytes = await inflate(Buffer.from(packed, 'base64url'), { maxOutputLength: mostBytes })
    const othersTurn = yieldBetween()
    for (const lines of linesIn(bytes)) {
      for (const line of lines) {
        const [name, etag = '', note = ''] = line.split('\t')
        if (name) known.#objects.set(name, { etag, note })
      }
      await othersTurn()
    }
    return known
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

  async packed(): Promise<string> {
    if (this.#objects.size === 0) return ''
    const othersTurn = yieldBetween()
    const lines: string[] = []
    for (const [name, { etag, note }] of this.#objects) {
      lines.push(`${name}\t${etag}\t${note}\n`)
      if (lines.length % 1_000 === 0) await othersTurn()
    }
    return (await deflate(lines.join(''), { level: 6 })).toString('base64url')
  }
}

/** Some thousand lines at a time. */
function* linesIn(bytes: Buffer): Generator<string[]> {
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf('\n', Math.min(from + pieceBytes, bytes.length - 1))
    const to = end === -1 ? bytes.length : end + 1
    yield bytes.toString('utf8', from, to).split('\n')
    from = to
  }
}

const pieceBytes = 128 * 1024
