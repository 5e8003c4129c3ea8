/**
 * The reported state of a collection's objects, as stored in a cursor: by name, a short hash of the ETag and a note
 * for comparison. Compressed, because a calendar may have thousands of objects.
 */
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { deflateRaw, inflateRaw } from 'node:zlib'
import { yieldBetween } from '@waypost/platform/parsing/yielding'

export interface KnownObject {
  /** '' if the server sent none. */
  etag: string
  /** '' if the object was not read. */
  note: string
}

/** More than any account has; a larger cursor is not ours. */
const maxBytes = 256 * 1024 * 1024

/** A short hash for comparison only. */
export const shortHash = (text: string, length = 6): string =>
  text === '' ? '' : createHash('sha256').update(text).digest('base64url').slice(0, length)

const deflate = promisify(deflateRaw)
const inflate = promisify(inflateRaw)

export class KnownObjects {
  readonly #objects = new Map<string, KnownObject>()

  /** Reads a cursor. It yields to other work in between, because a calendar may have many thousands of objects. */
  static async open(packed = ''): Promise<KnownObjects> {
    const known = new KnownObjects()
    if (packed === '') return known
    const bytes = await inflate(Buffer.from(packed, 'base64url'), { maxOutputLength: maxBytes })
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

  /** Whether an object is as last reported. An object without an ETag never counts as unchanged. */
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

/** Yields some thousand lines at a time. */
function* linesIn(bytes: Buffer): Generator<string[]> {
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf('\n', Math.min(from + pieceBytes, bytes.length - 1))
    const to = end === -1 ? bytes.length : end + 1
    yield bytes.toString('utf8', from, to).split('\n')
    from = to
  }
}

const pieceBytes = 128 * 1024
