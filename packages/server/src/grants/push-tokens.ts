/**
 * A token that a provider sends back with its push notifications for a grant, so that nobody else can trigger a
 * check:
 *
 *     <key id>.<grant id>.<application id>.<mac>      mac: HMAC-SHA256 (16), base64url
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Key, KeyRing } from '@waypost/platform/crypto/key-ring'
import { cachedKey, decodeBase64url } from '@waypost/platform/crypto/secrets'
import { isUuid } from '@waypost/platform/ids'

export interface PushedGrant {
  applicationId: string
  grantId: string
}

export interface PushTokens {
  sign(grant: PushedGrant): string
  /** The grant of a token, or undefined if it is forged. */
  read(token: string): PushedGrant | undefined
}

const MAC = 16

export function createPushTokens(ring: KeyRing): PushTokens {
  const pushKey = cachedKey('push v1')
  const macOf = (key: Key, signed: string): Buffer =>
    createHmac('sha256', pushKey(key)).update(signed).digest().subarray(0, MAC)
  return {
    sign({ applicationId, grantId }) {
      const key = ring.current()
      const signed = `${key.id}.${grantId}.${applicationId}`
      return `${signed}.${macOf(key, signed).toString('base64url')}`
    },
    read(token) {
      if (token.length > 200) return undefined
      const [keyId = '', grantId = '', applicationId = '', macText = '', ...rest] = token.split('.', 5)
      const mac = decodeBase64url(macText)
      const key = ring.find(keyId)
      if (!key || rest.length > 0 || mac?.length !== MAC || !isUuid(grantId) || !isUuid(applicationId)) return undefined
      return timingSafeEqual(mac, macOf(key, `${keyId}.${grantId}.${applicationId}`))
        ? { applicationId, grantId }
        : undefined
    },
  }
}
