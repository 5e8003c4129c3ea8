/**
 * Device cookies: a browser that has signed in before is counted separately from unknown browsers when passwords of
 * the same account are tried (OWASP, "Slow Down Online Guessing Attacks with Device Cookies"). The cookie gives no
 * access, and it does not reveal the account, which only enters the MAC.
 *
 *     <key id>.<device id>.<end, seconds>.<mac>      mac: HMAC-SHA256 (16), base64url
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Key, KeyRing } from '@waypost/platform/crypto/key-ring'
import { cachedKey, decodeBase64url } from '@waypost/platform/crypto/secrets'
import { isUuid, newId } from '@waypost/platform/ids'

export interface DeviceCookies {
  /** A cookie for a new device. */
  issue(of: KnownDevice): string
  /** The id of the device. Undefined if the cookie is forged, expired, or belongs to another account. */
  read(token: string, of: KnownDevice): string | undefined
}

/** The account of a device. The installation password's account has no name. */
interface KnownDevice {
  account: string
  now: number
}

/** Lifetime of a device cookie. */
export const deviceDays = 180
const MAC = 16

export function createDeviceCookies(ring: KeyRing): DeviceCookies {
  const deviceKey = cachedKey('device cookie v1')
  const macOf = (key: Key, signed: string, account: string): Buffer =>
    createHmac('sha256', deviceKey(key))
      .update(account === '' ? signed : `${signed}.${account}`)
      .digest()
      .subarray(0, MAC)
  return {
    issue({ account, now }) {
      const key = ring.current()
      const signed = `${key.id}.${newId()}.${Math.floor(now / 1000) + deviceDays * 86_400}`
      return `${signed}.${macOf(key, signed, account).toString('base64url')}`
    },
    read(token, { account, now }) {
      if (token.length > 200) return undefined
      const [keyId = '', device = '', end = '', macText = '', ...rest] = token.split('.', 5)
      const mac = decodeBase64url(macText)
      const key = ring.find(keyId)
      if (!key || rest.length > 0 || mac?.length !== MAC || !isUuid(device) || !/^\d{1,12}$/.test(end)) return undefined
      if (!timingSafeEqual(mac, macOf(key, `${keyId}.${device}.${end}`, account))) return undefined
      return Number(end) * 1000 > now ? device : undefined
    },
  }
}
