/** Sessions of the administrator, and one-time links that begin one. What opens them is kept as a hash alone. */
import { type Queries, sql } from './database.ts'

/** Times in milliseconds. */
export interface AdminSessionRow {
  id: string
  hash: string
  signed_in_at: number
  /** When it was last used, to within half a minute. */
  seen_at: number
  expires_at: number
}

const insert = sql(
  'admin_sessions.insert',
  'insert into admin_sessions (id, hash, signed_in_at, seen_at, expires_at) values ($1, $2, $3, $4, $5)',
)
const find = sql<AdminSessionRow>(
  'admin_sessions.find',
  `select id, hash, signed_in_at, seen_at, expires_at from admin_sessions
   where hash = $1 and expires_at > $2 and seen_at > $3`,
)
const touch = sql('admin_sessions.touch', 'update admin_sessions set seen_at = $2 where id = $1 and seen_at < $2')
const remove = sql('admin_sessions.remove', 'delete from admin_sessions where id = $1')
const removeOthers = sql('admin_sessions.removeOthers', 'delete from admin_sessions where id <> $1')
const purge = sql('admin_sessions.purge', 'delete from admin_sessions where expires_at <= $1 or seen_at <= $2')

export const insertAdminSession = (queries: Queries, row: AdminSessionRow): Promise<number> =>
  queries.run(insert, [row.id, row.hash, row.signed_in_at, row.seen_at, row.expires_at])
/** The session that a hash opens, if it has neither ended nor been left alone since `idleSince`. */
export const findAdminSession = (
  queries: Queries,
  hash: string,
  at: { now: number; idleSince: number },
): Promise<AdminSessionRow | undefined> => queries.get(find, [hash, at.now, at.idleSince])
export const touchAdminSession = (queries: Queries, id: string, now: number): Promise<number> =>
  queries.run(touch, [id, now])
export const deleteAdminSession = (queries: Queries, id: string): Promise<number> => queries.run(remove, [id])
/** Ends every session but one; without one, all. */
export const deleteAdminSessions = (queries: Queries, but = ''): Promise<number> => queries.run(removeOthers, [but])
export const purgeAdminSessions = (queries: Queries, at: { now: number; idleSince: number }): Promise<number> =>
  queries.run(purge, [at.now, at.idleSince])

const insertLink = sql(
  'admin_links.insert',
  'insert into admin_links (hash, created_at, expires_at, used_at) values ($1, $2, $3, null)',
)
const openLink = sql<{ hash: string }>(
  'admin_links.open',
  'select hash from admin_links where hash = $1 and used_at is null and expires_at > $2',
)
const useLink = sql(
  'admin_links.use',
  'update admin_links set used_at = $2 where hash = $1 and used_at is null and expires_at > $2',
)
const removeLinks = sql('admin_links.remove', 'delete from admin_links')
const purgeLinks = sql('admin_links.purge', 'delete from admin_links where expires_at <= $1')

export const insertAdminLink = (
  queries: Queries,
  link: { hash: string; createdAt: number; expiresAt: number },
): Promise<number> => queries.run(insertLink, [link.hash, link.createdAt, link.expiresAt])
export const isAdminLinkOpen = async (queries: Queries, hash: string, now: number): Promise<boolean> =>
  (await queries.get(openLink, [hash, now])) !== undefined
/** Uses a link; false when it was used before, has expired or never was. */
export const useAdminLink = async (queries: Queries, hash: string, now: number): Promise<boolean> =>
  (await queries.run(useLink, [hash, now])) === 1
export const deleteAdminLinks = (queries: Queries): Promise<number> => queries.run(removeLinks)
export const purgeAdminLinks = (queries: Queries, now: number): Promise<number> => queries.run(purgeLinks, [now])
