/**
 * Sessions of the administrator. A session begins with a password or a one-time link, always under a new token, and ends
 * after 30 minutes without a request, 12 hours after it began, or when the administrator signs out. One-time links are
 * good for 15 minutes and one session.
 */
import type { Session } from '@waypost/contract'
import { seconds } from '../lib/clock.ts'
import { newId, newToken } from '../lib/ids.ts'
import {
  type AdminSessionRow,
  findAdminSession,
  insertAdminLink,
  insertAdminSession,
  isAdminLinkOpen,
  purgeAdminLinks,
  purgeAdminSessions,
  touchAdminSession,
  useAdminLink,
} from '../store/admin-sessions.ts'
import type { Queries } from '../store/database.ts'
import { keepFact, readFact } from '../store/installation.ts'
import { hashKey } from './api-keys.ts'

const idleMs = 30 * 60_000
const absoluteMs = 12 * 3_600_000
const linkMs = 15 * 60_000
/** The last use is written this often, not with every request. */
const touchMs = 30_000

export const sessionOf = (row: AdminSessionRow): Session => ({
  signed_in_at: seconds(row.signed_in_at),
  expires_at: seconds(row.expires_at),
  idle_expires_at: seconds(Math.min(row.seen_at + idleMs, row.expires_at)),
})

/** Begins a session; only who is given the token can use it. */
export async function beginSession(tx: Queries, now: number): Promise<{ token: string; row: AdminSessionRow }> {
  const token = newToken()
  const row = { id: newId(), hash: hashKey(token), signed_in_at: now, seen_at: now, expires_at: now + absoluteMs }
  await insertAdminSession(tx, row)
  await keepFact(tx, 'administrator_seen', String(now))
  return { token, row }
}

/** The session of a token, if it goes on; being used, it goes on for longer. */
export async function useSession(queries: Queries, token: string, now: number): Promise<AdminSessionRow | undefined> {
  const row = await findAdminSession(queries, hashKey(token), { now, idleSince: now - idleMs })
  if (!row || now - row.seen_at < touchMs) return row
  await touchAdminSession(queries, row.id, now)
  return { ...row, seen_at: now }
}

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
  await purgeAdminSessions(queries, { now, idleSince: now - idleMs })
  await purgeAdminLinks(queries, now)
}
