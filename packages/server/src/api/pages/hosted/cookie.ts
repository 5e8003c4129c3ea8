/** The cookie that binds a sign-in to the browser that began it, and what is derived from it. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { newToken } from '../../../lib/ids.ts'

const seconds = 3600

export interface SignInCookie {
  /** What the browser sent, if it can be one of ours. */
  read(header: string | null): string | undefined
  /** The header that sets it. */
  write(value: string): string
}

/** With TLS the name itself says that no other host can have set it (RFC 6265bis §4.1.3.2). */
export function createCookie(baseUrl: string): SignInCookie {
  const isSecure = baseUrl.startsWith('https://')
  const name = isSecure ? '__Host-waypost-sign-in' : 'waypost-sign-in'
  return {
    read(header) {
      const found = (header ?? '')
        .split(';')
        .map((pair) => pair.trim())
        .filter((pair) => pair.startsWith(`${name}=`))
        .map((pair) => pair.slice(name.length + 1))
      // Two of a name: somebody else put one there.
      const [value, second] = found
      return value !== undefined && second === undefined && /^[\w-]{43}$/.test(value) ? value : undefined
    },
    write: (value) =>
      `${name}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${seconds}${isSecure ? '; Secure' : ''}`,
  }
}

export const newCookie = newToken

/** What a form of a session carries: only who has the cookie can have read it. */
export const csrfOf = (cookie: string, sessionId: string): string =>
  createHmac('sha256', cookie).update(sessionId).digest('base64url')

export function isCsrf(given: string | null, cookie: string, sessionId: string): boolean {
  const expected = Buffer.from(csrfOf(cookie, sessionId))
  const shown = Buffer.from(given ?? '')
  return shown.length === expected.length && timingSafeEqual(shown, expected)
}
