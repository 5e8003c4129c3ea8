/**
 * Page cursors: the position in a list, as a token that the client can neither read nor change.
 *
 *     base64url( key id (4) | iv (12) | ciphertext of the position as JSON | tag (16) )
 *
 * The token is bound to the application, route and query it was made for, and is refused with any other. The key id
 * keeps cursors valid after a key rotation, as long as the old key is in the ring.
 */

import type { Key, KeyRing } from './crypto/key-ring.ts'
import { cachedKey, decodeBase64url, decryptBytes, encryptBytes } from './crypto/secrets.ts'
import type { JsonValue } from './json/guard.ts'

/** Seals list positions into opaque tokens and opens them again. */
export interface Cursors {
  seal(position: JsonValue, binding: string): string
  open(token: string, binding: string): JsonValue | undefined
}

const LONGEST_TOKEN = 2048
/** So many tokens are remembered: who asks for the same page again gets the same one, and the cipher is left alone. */
const REMEMBERED = 256
const KEY_ID_LENGTH = 4

/** Whether two positions are lists of the same values, as nearly all are. */
const isSamePlace = (one: JsonValue, other: JsonValue): boolean =>
  Array.isArray(one) &&
  Array.isArray(other) &&
  one.length === other.length &&
  one.every((value, index) => value === other[index])

/** Creates the cursor functions over a key ring. */
export function createCursors(ring: KeyRing): Cursors {
  const cursorKey = cachedKey('cursor v1')
  const remembered = new Map<string, string>()
  /** The last that was asked for: found without writing down what it was asked for with. */
  let last: { keyId: string; position: JsonValue; binding: string; token: string } | undefined
  const sealed = (key: Key, position: JsonValue, binding: string): string => {
    const place = JSON.stringify(position)
    const asked = `${key.id} ${place} ${binding}`
    const known = remembered.get(asked)
    if (known !== undefined) return known
    const box = encryptBytes(cursorKey(key), Buffer.from(place), Buffer.from(binding))
    const token = Buffer.concat([Buffer.from(key.id, 'hex'), box]).toString('base64url')
    if (token.length > LONGEST_TOKEN) throw new RangeError(`A cursor of ${token.length} characters would not open`)
    if (remembered.size >= REMEMBERED) remembered.clear()
    remembered.set(asked, token)
    return token
  }
  return {
    seal(position, binding) {
      const key = ring.current()
      if (last?.keyId !== key.id || last.binding !== binding || !isSamePlace(last.position, position)) {
        last = { keyId: key.id, position, binding, token: sealed(key, position, binding) }
      }
      return last.token
    },
    open(token, binding) {
      if (token.length > LONGEST_TOKEN) return undefined
      const bytes = decodeBase64url(token)
      if (!bytes || bytes.length < KEY_ID_LENGTH) return undefined
      const key = ring.find(bytes.toString('hex', 0, KEY_ID_LENGTH))
      if (!key) return undefined
      const position = decryptBytes(cursorKey(key), bytes.subarray(KEY_ID_LENGTH), Buffer.from(binding))
      return position && JSON.parse(position.toString())
    },
  }
}
