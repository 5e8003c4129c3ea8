/** Who has signed in, by a cookie that tells nothing itself. In memory: whoever restarts the program signs in again. */
import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'

export interface Session {
  /** Of the browser that is away to sign in, and for one return only. */
  pending?: { state: string; codeVerifier: string } | undefined
  grantId?: string
  email?: string
}

const sessions = new Map<string, Session>()
const most = 10_000
const name = 'inbox_session'
export const secret = (): string => randomBytes(32).toString('base64url')

const cookieOf = (request: IncomingMessage): string | undefined =>
  request.headers.cookie
    ?.split(/;\s*/)
    .find((pair) => pair.startsWith(`${name}=`))
    ?.slice(name.length + 1)

export const sessionOf = (request: IncomingMessage): Session | undefined => sessions.get(cookieOf(request) ?? '')

/** Another session, under another name: what somebody else may have put into the browser before is worth nothing. */
export function newSession(request: IncomingMessage, response: ServerResponse, session: Session): void {
  endSession(request)
  const [oldest] = sessions.size >= most ? sessions.keys() : []
  if (oldest !== undefined) sessions.delete(oldest)
  const id = secret()
  sessions.set(id, session)
  // Add `Secure` where the page is served by https. Lax: the browser comes back from another site.
  response.setHeader('set-cookie', `${name}=${id}; HttpOnly; SameSite=Lax; Path=/`)
}

export const endSession = (request: IncomingMessage): boolean => sessions.delete(cookieOf(request) ?? '')

/** Compares without telling by its time how much was right. */
export function isSame(given: string | null, expected: string): boolean {
  const [a, b] = [Buffer.from(given ?? ''), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}
