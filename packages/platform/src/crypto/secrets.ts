/**
 * Envelope encryption for values that must not be readable in the database. Each value has its own data key (DEK).
 * The data key is wrapped under a key of the ring (KEK, through HKDF so that no key serves two purposes), so rotating
 * a KEK re-wraps 32 bytes and leaves the value unchanged:
 *
 *     v1.<kekId>.<wrappedDek>.<payload>      both parts base64url of iv (12) | ciphertext | tag (16), AES-256-GCM
 *
 * Both parts are bound to the place they are stored in (table, column, application, row): a value copied to another
 * row cannot be opened there. A value that cannot be opened is an error and is never treated as cleartext.
 */
import { createCipheriv, createDecipheriv, hkdfSync, type KeyObject } from 'node:crypto'
import { decodeUtf8 } from '../json/guard.ts'
import type { Key, KeyRing } from './key-ring.ts'
import { randomBytes } from './random.ts'

/** Where a sealed value is stored. It can be opened only there. */
export type SealContext = { table: string; column: string; application: string; row: string }

/** Seals and opens secret values. */
export interface Secrets {
  seal(plaintext: string | Buffer, context: SealContext): string
  open(sealed: string, context: SealContext): string
  openBytes(sealed: string, context: SealContext): Buffer
  rewrap(sealed: string, context: SealContext): string
  keyIdOf(sealed: string): string
}

/** A sealed value that cannot be used. The message contains neither plaintext nor ciphertext. */
export class SecretsError extends Error {
  override readonly name = 'SecretsError'
}

const VERSION = 'v1'
const ALGORITHM = 'aes-256-gcm'
const IV_LENGTH = 12
const TAG_LENGTH = 16
const DEK_LENGTH = 32
const OVERHEAD = IV_LENGTH + TAG_LENGTH

type Parts = { kekId: string; wrappedDek: Buffer; payload: Buffer }

/** Creates the sealing functions over a key ring. */
export function createSecrets(ring: KeyRing): Secrets {
  const wrappingKey = cachedKey('wrap data key')

  function unwrap(parts: Parts, context: SealContext): Buffer {
    const kek = ring.find(parts.kekId)
    if (!kek) throw new SecretsError(`${placeOf(context)} is sealed with key ${parts.kekId}, which is not in the ring`)
    const dek = decryptBytes(wrappingKey(kek), parts.wrappedDek, aadOf(context))
    if (!dek) throw new SecretsError(`${placeOf(context)} does not open: its data key was altered or belongs elsewhere`)
    return dek
  }

  function openBytes(sealed: string, context: SealContext): Buffer {
    const parts = parseSealed(sealed)
    const plaintext = decryptBytes(unwrap(parts, context), parts.payload, aadOf(context))
    if (!plaintext) throw new SecretsError(`${placeOf(context)} does not open: it was altered or belongs elsewhere`)
    return plaintext
  }

  return {
    seal(plaintext, context) {
      if (typeof plaintext === 'string' && !plaintext.isWellFormed()) {
        throw new SecretsError(`${placeOf(context)} cannot be sealed: a lone surrogate does not survive UTF-8`)
      }
      const bytes = typeof plaintext === 'string' ? Buffer.from(plaintext) : plaintext
      const kek = ring.current()
      const dek = randomBytes(DEK_LENGTH)
      const aad = aadOf(context)
      return formatSealed({
        kekId: kek.id,
        wrappedDek: encryptBytes(wrappingKey(kek), dek, aad),
        payload: encryptBytes(dek, bytes, aad),
      })
    },
    open(sealed, context) {
      const text = decodeUtf8(openBytes(sealed, context))
      if (text === undefined) throw new SecretsError(`${placeOf(context)} holds bytes, not text`)
      return text
    },
    openBytes,
    rewrap(sealed, context) {
      const parts = parseSealed(sealed)
      const kek = ring.current()
      if (parts.kekId === kek.id) return sealed
      const dek = unwrap(parts, context)
      return formatSealed({
        ...parts,
        kekId: kek.id,
        wrappedDek: encryptBytes(wrappingKey(kek), dek, aadOf(context)),
      })
    },
    keyIdOf: (sealed) => parseSealed(sealed).kekId,
  }
}

/** Derives a 32-byte key for one purpose from a key of the ring (HKDF-SHA256, RFC 5869). */
export function deriveKey(key: Key, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', key.bytes, '', `waypost ${purpose}`, 32))
}

/** Returns a function that derives keys for one purpose and caches them as long as the ring holds the source key. */
export function cachedKey(purpose: string): (key: Key) => Buffer {
  const derived = new WeakMap<Key, Buffer>()
  return (key) => {
    const known = derived.get(key)
    if (known) return known
    const fresh = deriveKey(key, purpose)
    derived.set(key, fresh)
    return fresh
  }
}

/** Encrypts with AES-256-GCM under a random IV into iv | ciphertext | tag. */
export function encryptBytes(key: Buffer | KeyObject, plaintext: Buffer, aad: Buffer): Buffer {
  const iv = randomBytes(IV_LENGTH)
  const cipher = createCipheriv(ALGORITHM, key, iv, { authTagLength: TAG_LENGTH })
  cipher.setAAD(aad)
  const ciphertext = cipher.update(plaintext)
  cipher.final()
  return Buffer.concat([iv, ciphertext, cipher.getAuthTag()])
}

/** Decrypts the output of `encryptBytes`. Returns undefined if it was altered or the key or AAD differs. */
export function decryptBytes(key: Buffer | KeyObject, box: Buffer, aad: Buffer): Buffer | undefined {
  if (box.length < OVERHEAD) return undefined
  const decipher = createDecipheriv(ALGORITHM, key, box.subarray(0, IV_LENGTH), { authTagLength: TAG_LENGTH })
  decipher.setAAD(aad)
  decipher.setAuthTag(box.subarray(-TAG_LENGTH))
  const plaintext = decipher.update(box.subarray(IV_LENGTH, -TAG_LENGTH))
  try {
    decipher.final()
  } catch {
    return undefined
  }
  return plaintext
}

/** Decodes base64url. Returns undefined for any spelling that an encoder would not produce. */
export function decodeBase64url(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64url')
  // Node skips foreign characters and ignores unused bits. Only encoding the result again shows that there were none.
  return bytes.toString('base64url') === text ? bytes : undefined
}

function formatSealed(parts: Parts): string {
  return [VERSION, parts.kekId, parts.wrappedDek.toString('base64url'), parts.payload.toString('base64url')].join('.')
}

function parseSealed(sealed: string): Parts {
  const [version, kekId, wrappedText, payloadText, ...rest] = sealed.split('.', 5)
  const wrappedDek = decodeBase64url(wrappedText ?? '')
  const payload = decodeBase64url(payloadText ?? '')
  const wellFormed = version === VERSION && /^[0-9a-f]{8}$/.test(kekId ?? '') && rest.length === 0
  if (!wellFormed || wrappedDek?.length !== DEK_LENGTH + OVERHEAD || payload === undefined) {
    throw new SecretsError('A stored value is not in the sealed format')
  }
  return { kekId, wrappedDek, payload }
}

// Each part carries its length: without it ('a', 'bc') and ('ab', 'c') would name the same place.
export function aadOf(context: SealContext): Buffer {
  const parts = [VERSION, context.table, context.column, context.application, context.row]
  return Buffer.from(parts.map((part) => `${Buffer.byteLength(part)}:${part}`).join(''))
}

export function placeOf(context: SealContext): string {
  return `${context.table}.${context.column} of ${context.row}`
}
