/**
 * The tokens in the addresses of tracked links and pixels:
 *
 *     v1.<key id>.<payload>.<mac>      payload: send id (16) | link (2) | hash of the target (8), mac: HMAC-SHA256 (16), base64url
 *
 * The target is in the store, never in the address, so a token cannot redirect anywhere else. The key comes from the
 * key ring. Mail is read for years, longer than keys are retained, so the store also records a hash of each token. A
 * token whose key is gone is compared with that hash. A token whose key exists and whose MAC is wrong is rejected
 * without a read of the store.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { Key, KeyRing } from '@waypost/platform/crypto/key-ring'
import { cachedKey, decodeBase64url } from '@waypost/platform/crypto/secrets'
import { isUuid } from '@waypost/platform/ids'

/** A tracked link, by its index, or the pixel. */
export interface Tracked {
  sendId: string
  link: number | undefined
  /** The target of the link. */
  target?: string
}

export interface Token {
  sendId: string
  link: number | undefined
  /** The hash under which the store records the token. */
  seal: string
  /** Whether the MAC was verified. If the key is gone, only the seal can prove the token. */
  isChecked: boolean
}

const VERSION = 'v1'
const PIXEL = 0xffff
const HASH = 8
const PAYLOAD = 16 + 2 + HASH
const MAC = 16
const MAX_LENGTH = 200

export interface TrackingTokens {
  sign(tracked: Tracked): string
  /** Parses a token; undefined if it is forged. */
  read(text: string): Token | undefined
}

export function createTrackingTokens(ring: KeyRing): TrackingTokens {
  const trackingKey = cachedKey('tracking v1')
  const macOf = (key: Key, signed: string): Buffer =>
    createHmac('sha256', trackingKey(key)).update(signed).digest().subarray(0, MAC)
  return {
    sign(tracked) {
      const key = ring.current()
      const signed = `${VERSION}.${key.id}.${payloadOf(tracked).toString('base64url')}`
      return `${signed}.${macOf(key, signed).toString('base64url')}`
    },
    read(text) {
      if (text.length > MAX_LENGTH) return undefined
      const [version, keyId = '', payloadText = '', macText = '', ...rest] = text.split('.', 5)
      const payload = decodeBase64url(payloadText)
      const mac = decodeBase64url(macText)
      if (version !== VERSION || !/^[0-9a-f]{8}$/.test(keyId) || rest.length > 0) return undefined
      if (payload?.length !== PAYLOAD || mac?.length !== MAC) return undefined
      const key = ring.find(keyId)
      if (key && !timingSafeEqual(mac, macOf(key, text.slice(0, text.lastIndexOf('.'))))) return undefined
      const link = payload.readUInt16BE(16)
      return {
        sendId: uuidOf(payload.subarray(0, 16)),
        link: link === PIXEL ? undefined : link,
        seal: sealOf(text),
        isChecked: key !== undefined,
      }
    },
  }
}

/** A hash that recognizes the token but cannot recreate it. */
export const sealOf = (token: string): string => createHash('sha256').update(token).digest('base64url').slice(0, 22)

function payloadOf({ sendId, link, target }: Tracked): Buffer {
  if (!isUuid(sendId)) throw new TypeError('the id of a send must be a UUID')
  const payload = Buffer.alloc(PAYLOAD)
  payload.write(sendId.replaceAll('-', ''), 'hex')
  payload.writeUInt16BE(link ?? PIXEL, 16)
  createHash('sha256')
    .update(target ?? '')
    .digest()
    .copy(payload, 18, 0, HASH)
  return payload
}

const uuidOf = (bytes: Buffer): string =>
  bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
