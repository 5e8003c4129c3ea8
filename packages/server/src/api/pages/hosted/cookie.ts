/** The cookie that binds a sign-in to its browser, and the CSRF token derived from it. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { newToken } from '@waypost/platform/ids'

const seconds = 3600

export interface SignInCookie {
  /** The cookie from the browser, if it has our format. */
  read(header: string | null): string | undefined
  /** The `set-cookie` header. */
  write(value: string): string
}

/** The value of a cookie. If there are two with this name, somebody else set one, so neither is used. */
export function cookieIn(header: string | null, name: string): string | undefined {
  const pairs = (header ?? '').split(';').map((pair) => pair.trim())
  const [pair, second] = pairs.filter((each) => each.startsWith(`${name}=`))
  return second === undefined ? pair?.slice(name.length + 1) : undefined
}

/** With TLS, the name prefix guarantees that no other host set it (RFC 6265bis §4.1.3.2). */
export function createCookie(baseUrl: string): SignInCookie {
  const isSecure = baseUrl.startsWith('https://')
  const name = isSecure ? '__Host-waypost-sign-in' : 'waypost-sign-in'
  return {
    read(header) {
      const value = cookieIn(header, name)
      return value !== undefined && /^[\w-]{43}$/.test(value) ? value : undefined
    },
    write: (value) =>
      `${name}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${seconds}${isSecure ? '; Secure' : ''}`,
  }
}

export const newCookie = newToken

/** The CSRF token of a session's forms: only the owner of the cookie can know it. */
export const csrfOf = (cookie: string, sessionId: string): string =>
  createHmac('sha256', cookie).update(sessionId).digest('base64url')

export function isCsrf(given: string | null, cookie: string, sessionId: string): boolean {
  const expected = Buffer.from(csrfOf(cookie, sessionId))
  const shown = Buffer.from(given ?? '')
  return shown.length === expected.length && timingSafeEqual(shown, expected)
}
