/**
 * Administrator sessions. A session starts with a password, an invitation, a one-time link or OpenID Connect, always
 * with a new token. It ends after 30 minutes without a request, after 12 hours, or when somebody ends it. Its rights
 * are read on every request, so changes take effect immediately. One-time links are valid for 15 minutes and one
 * session.
 */
import type { ListedSession, PersonSummary, Session, SignInWay } from '@waypost/contract'
import { seconds } from '@waypost/platform/clock'
import { newId, newToken } from '@waypost/platform/ids'
import type { Queries } from '@waypost/store/engine/database'
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
} from '@waypost/store/tables/applications/admin-sessions'
import { keepFact, readFact } from '@waypost/store/tables/applications/installation'
import { noteSignIn, type PersonRow } from '@waypost/store/tables/applications/people'
import type { Standing } from './acting.ts'
import { hashKey } from './api-keys.ts'

const idleMs = 30 * 60_000
const absoluteMs = 12 * 3_600_000
const linkMs = 15 * 60_000
/** The last use is written at most this often, not with every request. */
const touchMs = 30_000
/** Maximum stored length of the User-Agent. */
const maxUserAgentLength = 256

const timesAt = (now: number): SessionTimes => ({ now, idleSince: now - idleMs })

/** The caller's session, as the API returns it. */
export const sessionOf = (row: AdminSessionRow, { person, rights, requiredAction }: Standing): Session => ({
  id: row.id,
  signed_in_at: seconds(row.signed_in_at),
  expires_at: seconds(row.expires_at),
  idle_expires_at: seconds(Math.min(row.seen_at + idleMs, row.expires_at)),
  person,
  rights,
  required_action: requiredAction,
})

/** The person a session belongs to. */
export const holderOf = ({ person_id: id, name, email, role }: HeldSession): PersonSummary | null =>
  id === null || name === null || email === null || role === null ? null : { id, name, email, role }

/** How, for whom and from where a session starts. */
export interface SessionStart {
  /** Null for the installation password and for one-time links. */
  person: Pick<PersonRow, 'id' | 'credentials'> | null
  way: SignInWay
  address: string
  userAgent: string | null
  now: number
}

/**
 * Starts a session, in a transaction. Only the returned token opens it. Undefined if the person's credentials have
 * changed since they were checked.
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

/** Text that every store accepts. */
const readable = (text: string | null): string | null =>
  text === null
    ? null
    : text
        .toWellFormed()
        .replaceAll(/\p{Cc}/gu, ' ')
        .slice(0, maxUserAgentLength)
        .toWellFormed()

/** The valid session of a token. Using it extends it. */
export async function useSession(queries: Queries, token: string, now: number): Promise<HeldSession | undefined> {
  const row = await findAdminSession(queries, hashKey(token), timesAt(now))
  if (!row || now - row.seen_at < touchMs) return row
  await touchAdminSession(queries, row.id, now)
  return { ...row, seen_at: now }
}

/** A page of valid sessions, newest first. */
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

/** Creates a one-time link and returns its token. */
export async function makeLink(queries: Queries, now: number): Promise<string> {
  const token = newToken()
  await insertAdminLink(queries, { hash: hashKey(token), createdAt: now, expiresAt: now + linkMs })
  return token
}

/** The URL of a one-time link. The fragment is never sent to a server, so it appears in no log. */
export const linkAddress = (baseUrl: string, token: string): string => `${baseUrl}/dashboard#link=${token}`

/** Consumes a link. Returns false if it is not valid. It reads first, so that made-up tokens cause no writes. */
export async function useLink(queries: Queries, token: string, now: number): Promise<boolean> {
  const hash = hashKey(token)
  return (await isAdminLinkOpen(queries, hash, now)) && useAdminLink(queries, hash, now)
}

/** Whether an administrator has ever signed in to the dashboard. */
export const hasSignedIn = async (queries: Queries): Promise<boolean> =>
  (await readFact(queries, 'administrator_seen')) !== undefined

/** Deletes expired sessions and links. */
export async function purgeEndedSessions(queries: Queries, now: number): Promise<void> {
  await purgeAdminSessions(queries, timesAt(now))
  await purgeAdminLinks(queries, now)
}
