/** Sessions by an opaque cookie. They are in memory, so users sign in again after a restart. */
import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'

export interface Session {
  /** The sign-in in progress of this browser, for one return only. */
  pending?: { state: string; codeVerifier: string } | undefined
  grantId?: string
  email?: string
}

const sessions = new Map<string, Session>()
const max = 10_000
const name = 'inbox_session'
export const secret = (): string => randomBytes(32).toString('base64url')

const cookieOf = (request: IncomingMessage): string | undefined =>
  request.headers.cookie
    ?.split(/;\s*/)
    .find((pair) => pair.startsWith(`${name}=`))
    ?.slice(name.length + 1)

export const sessionOf = (request: IncomingMessage): Session | undefined => sessions.get(cookieOf(request) ?? '')

/** A new session with a new id, so that a cookie planted by somebody else is worthless. */
export function newSession(request: IncomingMessage, response: ServerResponse, session: Session): void {
  endSession(request)
  const [oldest] = sessions.size >= max ? sessions.keys() : []
  if (oldest !== undefined) sessions.delete(oldest)
  const id = secret()
  sessions.set(id, session)
  // Add `Secure` if the page is served over https. Lax, because the browser returns from another site.
  response.setHeader('set-cookie', `${name}=${id}; HttpOnly; SameSite=Lax; Path=/`)
}

export const endSession = (request: IncomingMessage): boolean => sessions.delete(cookieOf(request) ?? '')

/** Compares in constant time. */
export function isSame(given: string | null, expected: string): boolean {
  const [a, b] = [Buffer.from(given ?? ''), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}
