/**
 * Codes of authenticator apps (RFC 6238: HMAC-SHA-1, six digits, steps of 30 seconds), which every app supports. A
 * code is valid in its step and the neighboring ones, to allow for inaccurate clocks. Pure.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'

const stepMs = 30_000
const digits = 6

/** Length of a secret in bytes: that of the hash (RFC 4226 §4). */
export const totpSecretBytes = 20

/** The code of a step (RFC 4226 §5.3). */
export function codeAt(secret: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', secret).update(counter).digest()
  const offset = (mac.at(-1) ?? 0) & 0xf
  return String((mac.readUInt32BE(offset) & 0x7fff_ffff) % 10 ** digits).padStart(digits, '0')
}

export const stepOf = (now: number): number => Math.floor(now / stepMs)

/** The step of a code, if the code is valid now and the step is later than the last accepted one. */
export function stepOfCode(
  secret: Uint8Array,
  code: string,
  { now, after }: { now: number; after: number },
): number | undefined {
  const shown = Buffer.from(code)
  const current = stepOf(now)
  return [current, current - 1, current + 1].find((step) => {
    const right = Buffer.from(codeAt(secret, step))
    return step > after && right.length === shown.length && timingSafeEqual(right, shown)
  })
}

/** The content of the QR code for an app. */
export function totpUri(secret: string, { issuer, account }: { issuer: string; account: string }): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`
  return `otpauth://totp/${label}?secret=${secret}&issuer=${encodeURIComponent(issuer)}&algorithm=SHA1&digits=${digits}&period=30`
}
