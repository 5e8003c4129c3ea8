/**
 * Seals what is written often, such as notifications: under a data key of the installation, which itself is stored sealed
 * under the key ring. Rotating the ring re-wraps that one key, however much was sealed with it.
 *
 *     d1.<dataKeyId>.<day>.<base64url of iv (12) | ciphertext | tag (16)>      AES-256-GCM
 *
 * Each application has, for each day, a key of its own, derived from the data key: no key seals so much that random IVs
 * could meet (NIST SP 800-38D §8.3 allows 2^32 of them). As with `secrets.ts` a value opens at its own place alone.
 */
import { createHmac, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto'
import type { Clock } from '../clock.ts'
import { decodeUtf8 } from '../json/guard.ts'
import type { Log } from '../log.ts'
import { aadOf, decryptBytes, encryptBytes, placeOf, type SealContext, SecretsError } from './secrets.ts'

export interface DataKey {
  id: string
  bytes: Buffer
}

/** The data keys, the newest first: it seals, the others open what they sealed. */
export interface DataKeys {
  newest(): DataKey
  /** The first of the installation, which never changes: what is looked up by a keyed hash is found under it. */
  oldest(): DataKey
  find(id: string): DataKey | undefined
  /** Reads them again: another process may have made a new one. */
  refresh(): Promise<void>
}

export interface DataSeals {
  seal(text: string, context: SealContext): string
  /** Throws `SecretsError` for what is altered, stands elsewhere, or was never sealed. */
  open(sealed: string, context: SealContext): string
  /** The same as the bytes of its text. */
  openBytes(sealed: string, context: SealContext): Buffer
  /** The same for who can do without: undefined, and told in the log, where it does not open. */
  openOrTell(sealed: string, context: SealContext): string | undefined
  /** To be called before values are opened: reads keys that another process sealed them with since. */
  learn(sealed: readonly (string | null)[]): Promise<void>
  /** A keyed hash, for what has to be found by its value. It is the same for as long as the installation lives. */
  hash(text: string, context: Omit<SealContext, 'row'>): string
}

const version = 'd1'
const begin = /^d1\.([0-9a-f]{8})\./
/** What stands before the box: that is long, and looked at once, when it is decoded. */
const head = /^d1\.([0-9a-f]{8})\.(\d{1,6})\./
const dayMs = 86_400_000
/** Keys that are remembered: as many as there are applications at work, for two days. */
const maxDerived = 4096
/** A notification is no longer than this; messages that wait to be sent may be. */
const maxShared = 1_572_864

export function createDataSeals(keys: DataKeys, { clock, log }: { clock: Clock; log: Log }): DataSeals {
  const derived = new Map<string, KeyObject>()
  const decodeBox = createBoxDecoder()
  const keyFor = ({ id, bytes }: DataKey, purpose: string): KeyObject => {
    const name = `${id} ${purpose}`
    const known = derived.get(name)
    if (known) return known
    // As an object of the library's, which it need not make of the bytes at every use.
    const fresh = createSecretKey(Buffer.from(hkdfSync('sha256', bytes, '', `waypost ${purpose}`, 32)))
    if (derived.size >= maxDerived) derived.clear()
    derived.set(name, fresh)
    return fresh
  }
  const sealing = (key: DataKey, application: string, day: string): KeyObject =>
    keyFor(key, `data ${day} ${application}`)

  function openBytes(sealed: string, context: SealContext): Buffer {
    const [begins = '', id = '', day = ''] = head.exec(sealed) ?? []
    const box = begins === '' ? undefined : decodeBox(sealed.slice(begins.length))
    if (box === undefined) throw new SecretsError(`${placeOf(context)} is not in the sealed form`)
    const key = keys.find(id)
    if (!key) throw new SecretsError(`${placeOf(context)} is sealed with data key ${id}, which the store does not hold`)
    const bytes = decryptBytes(sealing(key, context.application, day), box, aadOf(context))
    if (bytes === undefined) throw new SecretsError(`${placeOf(context)} does not open: altered, or of another place`)
    return bytes
  }

  function open(sealed: string, context: SealContext): string {
    const text = decodeUtf8(openBytes(sealed, context))
    if (text === undefined) throw new SecretsError(`${placeOf(context)} holds bytes, not text`)
    return text
  }

  return {
    seal(text, context) {
      const key = keys.newest()
      const day = String(Math.floor(clock.now() / dayMs))
      const box = encryptBytes(sealing(key, context.application, day), Buffer.from(text), aadOf(context))
      return `${version}.${key.id}.${day}.${box.toString('base64url')}`
    },
    open,
    openBytes,
    openOrTell(sealed, context) {
      try {
        return open(sealed, context)
      } catch (error) {
        if (!(error instanceof SecretsError)) throw error
        log.error({ error, row: context.row }, 'what the store keeps of something does not open; it is passed over')
        return undefined
      }
    },
    async learn(sealed) {
      const isUnknown = (text: string | null): boolean => {
        const id = text === null ? undefined : begin.exec(text)?.[1]
        return id !== undefined && !keys.find(id)
      }
      if (sealed.some(isUnknown)) await keys.refresh()
    },
    hash(text, { table, column, application }) {
      const key = keyFor(keys.oldest(), `hash ${table}.${column} ${application}`)
      return createHmac('sha256', key).update(text).digest('base64url')
    },
  }
}

/**
 * Decodes boxes, each into the same memory: it is done with when it is opened, and memory of its own for each would be as
 * much to fetch and to free as what it holds. Undefined where a character stands in it that no box has: those are passed
 * over when it is decoded, so it is shorter.
 */
function createBoxDecoder(): (text: string) => Buffer | undefined {
  let memory = Buffer.allocUnsafeSlow(0)
  return (text) => {
    const length = Math.floor((text.length * 3) / 4)
    const isLong = length > maxShared
    if (!isLong && memory.length < length) memory = Buffer.allocUnsafeSlow(length)
    const place = isLong ? Buffer.allocUnsafeSlow(length) : memory
    return place.write(text, 0, 'base64url') === length ? place.subarray(0, length) : undefined
  }
}
