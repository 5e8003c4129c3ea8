/**
 * Page cursors: the position in a list, as a token that the client can neither read nor change.
 *
 *     base64url( key id (4) | iv (12) | ciphertext of the position as JSON | tag (16) )
 *
 * The token is bound to the application, route and query it was made for, and is refused with any other. The key id
 * keeps cursors valid after a key rotation, as long as the old key is in the ring.
 */

import type { KeyRing } from './crypto/key-ring.ts'
import { cachedKey, decodeBase64url, decryptBytes, encryptBytes } from './crypto/secrets.ts'
import type { JsonValue } from './json/guard.ts'

/** Seals list positions into opaque tokens and opens them again. */
export interface Cursors {
  seal(position: JsonValue, binding: string): string
  open(token: string, binding: string): JsonValue | undefined
}

const maxTokenLength = 2048
const keyIdLength = 4

/** Creates the cursor functions over a key ring. */
export function createCursors(ring: KeyRing): Cursors {
  const cursorKey = cachedKey('cursor v1')
  return {
    seal(position, binding) {
      const key = ring.current()
      const box = encryptBytes(cursorKey(key), Buffer.from(JSON.stringify(position)), Buffer.from(binding))
      const token = Buffer.concat([Buffer.from(key.id, 'hex'), box]).toString('base64url')
      if (token.length > maxTokenLength) throw new RangeError(`A cursor of ${token.length} characters would not open`)
      return token
    },
    open(token, binding) {
      if (token.length > maxTokenLength) return undefined
      const bytes = decodeBase64url(token)
      if (!bytes || bytes.length < keyIdLength) return undefined
      const key = ring.find(bytes.toString('hex', 0, keyIdLength))
      if (!key) return undefined
      const position = decryptBytes(cursorKey(key), bytes.subarray(keyIdLength), Buffer.from(binding))
      return position && JSON.parse(position.toString())
    },
  }
}
