/**
 * Sessions of administrators. A session begins with a password, an invitation, a one-time link or OpenID Connect, always
 * under a new token, and ends after 30 minutes without a request, 12 hours after it began, or when somebody ends it. What
 * may be done in it is read with it at each request, so that a change counts at once. One-time links are good for 15
 * minutes and one session.
 */
import type { ListedSession, PersonSummary, Session, SignInWay } from '@waypost/contract'
import { seconds } from '../lib/clock.ts'
import { newId, newToken } from '../lib/ids.ts'
import type { Queries } from '../store/engine/database.ts'
import {
  type AdminSessionRow,
  findAdminSession,
  type HeldSession,
  insertAdminLink,
  insertAdminSession,
  isAdminLinkOpen,
  listAdminSessions,
  purgeAdminLinks,
  purgeAdminSessions,
  type SessionPosition,
  type SessionsOf,
  type SessionTimes,
  touchAdminSession,
  useAdminLink,
} from '../store/tables/applications/admin-sessions.ts'
import { keepFact, readFact } from '../store/tables/applications/installation.ts'
import { noteSignIn, type PersonRow } from '../store/tables/applications/people.ts'
import type { Standing } from './acting.ts'
import { hashKey } from './api-keys.ts'

const idleMs = 30 * 60_000
const absoluteMs = 12 * 3_600_000
const linkMs = 15 * 60_000
/** The last use is written this often, not with every request. */
const touchMs = 30_000
/** Of what a browser says that it is. */
const longestUserAgent = 256

const timesAt = (now: number): SessionTimes => ({ now, idleSince: now - idleMs })

/** The session that somebody acts in, as it is told. */
export const sessionOf = (row: AdminSessionRow, { person, rights, requiredAction }: Standing): Session => ({
  id: row.id,
  signed_in_at: seconds(row.signed_in_at),
  expires_at: seconds(row.expires_at),
  idle_expires_at: seconds(Math.min(row.seen_at + idleMs, row.expires_at)),
  person,
  rights,
  required_action: requiredAction,
})

/** Whose a session is. */
export const holderOf = ({ person_id: id, name, email, role }: HeldSession): PersonSummary | null =>
  id === null || name === null || email === null || role === null ? null : { id, name, email, role }

/** How, by whom and from where a session is begun. */
export interface SessionStart {
  /** Null for the password of the installation, and for a one-time link. */
  person: Pick<PersonRow, 'id' | 'credentials'> | null
  way: SignInWay
  address: string
  userAgent: string | null
  now: number
}

/**
 * Begins a session, in a transaction; only who is given the token can use it. Undefined where what let the person in has
 * changed since they were looked at.
 */
export async function beginSession(
  tx: Queries,
  { person, way, address, userAgent, now }: SessionStart,
): Promise<{ token: string; row: AdminSessionRow } | undefined> {
  if (person && !(await noteSignIn(tx, person, now))) return undefined
  const token = newToken()
  const row: AdminSessionRow = {
    id: newId(),
    hash: hashKey(token),
    signed_in_at: now,
    seen_at: now,
    expires_at: now + absoluteMs,
    person_id: person?.id ?? null,
    way,
    address,
    user_agent: readable(userAgent),
  }
  await insertAdminSession(tx, row)
  await keepFact(tx, 'administrator_seen', String(now))
  return { token, row }
}

/** What every store takes as a text. */
const readable = (text: string | null): string | null =>
  text === null
    ? null
    : text
        .toWellFormed()
        .replaceAll(/\p{Cc}/gu, ' ')
        .slice(0, longestUserAgent)
        .toWellFormed()

/** The session of a token, if it goes on; being used, it goes on for longer. */
export async function useSession(queries: Queries, token: string, now: number): Promise<HeldSession | undefined> {
  const row = await findAdminSession(queries, hashKey(token), timesAt(now))
  if (!row || now - row.seen_at < touchMs) return row
  await touchAdminSession(queries, row.id, now)
  return { ...row, seen_at: now }
}

/** A page of the sessions that go on, the newest first. */
export const sessionsOf = (
  queries: Queries,
  { of, after, limit, now }: { of: SessionsOf; after: SessionPosition | undefined; limit: number; now: number },
): Promise<HeldSession[]> => listAdminSessions(queries, { of, at: timesAt(now), after, limit })

export const listedSession = (row: HeldSession, current: string | undefined): ListedSession => ({
  id: row.id,
  person: holderOf(row),
  way: row.way,
  address: row.address,
  user_agent: row.user_agent,
  signed_in_at: seconds(row.signed_in_at),
  expires_at: seconds(row.expires_at),
  seen_at: seconds(row.seen_at),
  current: row.id === current,
})

/** Makes a one-time link; answers what opens it. */
export async function makeLink(queries: Queries, now: number): Promise<string> {
  const token = newToken()
  await insertAdminLink(queries, { hash: hashKey(token), createdAt: now, expiresAt: now + linkMs })
  return token
}

/** The address of a one-time link. What stands behind the mark is never sent to a server, and so in no log. */
export const linkAddress = (baseUrl: string, token: string): string => `${baseUrl}/dashboard#link=${token}`

/** Uses a link up; false when it is not good. Looks first: what strangers make up writes nothing. */
export async function useLink(queries: Queries, token: string, now: number): Promise<boolean> {
  const hash = hashKey(token)
  return (await isAdminLinkOpen(queries, hash, now)) && useAdminLink(queries, hash, now)
}

/** Whether an administrator has ever signed in to the dashboard. */
export const hasSignedIn = async (queries: Queries): Promise<boolean> =>
  (await readFact(queries, 'administrator_seen')) !== undefined

/** Removes sessions and links that have ended. */
export async function purgeEndedSessions(queries: Queries, now: number): Promise<void> {
  await purgeAdminSessions(queries, timesAt(now))
  await purgeAdminLinks(queries, now)
}
