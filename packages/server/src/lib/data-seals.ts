/**
 * Seals what is written often, such as notifications: under a data key of the installation, which itself is stored sealed
 * under the key ring. Rotating the ring re-wraps that one key, however much was sealed with it.
 *
 *     d1.<dataKeyId>.<day>.<base64url of iv (12) | ciphertext | tag (16)>      AES-256-GCM
 *
 * Each application has, for each day, a key of its own, derived from the data key: no key seals so much that random IVs
 * could meet (NIST SP 800-38D §8.3 allows 2^32 of them). As with `secrets.ts` a value opens at its own place alone.
 */
import { hkdfSync } from 'node:crypto'
import type { Clock } from './clock.ts'
import { decodeUtf8 } from './json-guard.ts'
import { aadOf, decryptBytes, encryptBytes, placeOf, type SealContext, SecretsError } from './secrets.ts'

export interface DataKey {
  id: string
  bytes: Buffer
}

/** The data keys, the newest first: it seals, the others open what they sealed. */
export interface DataKeys {
  newest(): DataKey
  find(id: string): DataKey | undefined
}

export interface DataSeals {
  seal(text: string, context: SealContext): string
  /** Throws `SecretsError` for what is altered, stands elsewhere, or was never sealed. */
  open(sealed: string, context: SealContext): string
}

const version = 'd1'
const form = /^d1\.([0-9a-f]{8})\.(\d{1,6})\.([A-Za-z0-9_-]+)$/
const dayMs = 86_400_000
/** Keys that are remembered: as many as there are applications at work, for two days. */
const derivedAtMost = 4096

/** The id of the data key that sealed a value; undefined where it is not in the sealed form. */
export const dataKeyIdOf = (sealed: string): string | undefined => form.exec(sealed)?.[1]

export function createDataSeals(keys: DataKeys, clock: Clock): DataSeals {
  const derived = new Map<string, Buffer>()
  const keyFor = ({ id, bytes }: DataKey, application: string, day: string): Buffer => {
    const name = `${id} ${day} ${application}`
    const known = derived.get(name)
    if (known) return known
    const fresh = Buffer.from(hkdfSync('sha256', bytes, '', `waypost data ${day} ${application}`, 32))
    if (derived.size >= derivedAtMost) derived.clear()
    derived.set(name, fresh)
    return fresh
  }
  return {
    seal(text, context) {
      const key = keys.newest()
      const day = String(Math.floor(clock.now() / dayMs))
      const box = encryptBytes(keyFor(key, context.application, day), Buffer.from(text), aadOf(context))
      return `${version}.${key.id}.${day}.${box.toString('base64url')}`
    },
    open(sealed, context) {
      const [, id = '', day = '', box = ''] = form.exec(sealed) ?? []
      if (box === '') throw new SecretsError(`${placeOf(context)} is not in the sealed form`)
      const key = keys.find(id)
      if (!key)
        throw new SecretsError(`${placeOf(context)} is sealed with data key ${id}, which the store does not hold`)
      const bytes = decryptBytes(keyFor(key, context.application, day), Buffer.from(box, 'base64url'), aadOf(context))
      const text = bytes && decodeUtf8(bytes)
      if (text === undefined) throw new SecretsError(`${placeOf(context)} does not open: altered, or of another place`)
      return text
    },
  }
}
