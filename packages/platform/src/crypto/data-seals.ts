/**
 * Encrypts ("seals") values that are written often, such as notifications, with a data key of the installation. The
 * data key itself is stored sealed under the key ring, so rotating the ring re-encrypts one key, not all values.
 *
 *     d1.<dataKeyId>.<day>.<base64url of iv (12) | ciphertext | tag (16)>      AES-256-GCM
 *
 * Each application has its own key for each day, derived from the data key, so that no key encrypts enough values for
 * random IVs to collide (NIST SP 800-38D §8.3 allows 2^32). As in `secrets.ts`, a value can be opened only in the row
 * it was sealed for.
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

/** The data keys, newest first. The newest seals; the others open older values. */
export interface DataKeys {
  newest(): DataKey
  /** The first data key of the installation. It never changes, so keyed hashes stay comparable. */
  oldest(): DataKey
  find(id: string): DataKey | undefined
  /** Reloads the keys, because another process may have created a new one. */
  refresh(): Promise<void>
}

export interface DataSeals {
  seal(value: string | Buffer, context: SealContext): string
  /** Throws `SecretsError` if the value was altered, belongs to another row, or was never sealed. */
  open(sealed: string, context: SealContext): string
  /** Same as `open`, but returns bytes. */
  openBytes(sealed: string, context: SealContext): Buffer
  /** Same as `open`, for callers that can do without the value: logs a failure and returns undefined. */
  openOrLog(sealed: string, context: SealContext): string | undefined
  /** Call before opening values: loads data keys that another process created in the meantime. */
  learn(sealed: readonly (string | null)[]): Promise<void>
  /** A keyed hash for looking up rows by value. It stays the same for the lifetime of the installation. */
  hash(text: string, context: Omit<SealContext, 'row'>): string
}

const version = 'd1'
const begin = /^d1\.([0-9a-f]{8})\./
/** Only the prefix is matched: the ciphertext is long and is checked when it is decoded. */
const head = /^d1\.([0-9a-f]{8})\.(\d{1,6})\./
const dayMs = 86_400_000
/** Maximum number of cached derived keys: one per active application, for two days. */
const maxDerived = 4096
/** Notifications are never longer than this. Messages waiting to be sent can be. */
const maxShared = 1_572_864

export function createDataSeals(keys: DataKeys, { clock, log }: { clock: Clock; log: Log }): DataSeals {
  const derived = new Map<string, KeyObject>()
  const decodeBox = createBoxDecoder()
  const keyFor = ({ id, bytes }: DataKey, purpose: string): KeyObject => {
    const name = `${id} ${purpose}`
    const known = derived.get(name)
    if (known) return known
    // A KeyObject, so that the library does not convert the bytes on each use.
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
    if (bytes === undefined)
      throw new SecretsError(`${placeOf(context)} does not open: it was altered or belongs to another row`)
    return bytes
  }

  function open(sealed: string, context: SealContext): string {
    const text = decodeUtf8(openBytes(sealed, context))
    if (text === undefined) throw new SecretsError(`${placeOf(context)} holds bytes, not text`)
    return text
  }

  return {
    seal(value, context) {
      const key = keys.newest()
      const day = String(Math.floor(clock.now() / dayMs))
      const box = encryptBytes(
        sealing(key, context.application, day),
        typeof value === 'string' ? Buffer.from(value) : value,
        aadOf(context),
      )
      return `${version}.${key.id}.${day}.${box.toString('base64url')}`
    },
    open,
    openBytes,
    openOrLog(sealed, context) {
      try {
        return open(sealed, context)
      } catch (error) {
        if (!(error instanceof SecretsError)) throw error
        log.error({ error, row: context.row }, 'a stored value cannot be decrypted and is skipped')
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
 * Decodes values into one reusable buffer. The buffer is free again once the value is opened, and allocating one per
 * value would cost as much as the decryption. Returns undefined for characters outside base64url, which Node skips
 * silently and which therefore make the result shorter.
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
