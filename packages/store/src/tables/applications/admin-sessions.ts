/** Sessions of administrators, and one-time links that start one. Only hashes of their secrets are stored. */
import type { Role, SignInWay } from '@waypost/contract'
import { dynamic, type Queries, sql, type Value } from '../../engine/database.ts'
import { nullable, number, type RowOf, table, text, word } from '../../engine/table.ts'

/** Times in milliseconds. */
const adminSessions = table('admin_sessions', {
  id: text,
  hash: text,
  signed_in_at: number,
  /** The last use, accurate to half a minute. */
  seen_at: number,
  expires_at: number,
  /** The person; null for the password of the installation and for one-time links. */
  person_id: nullable(text),
  way: word<SignInWay>(),
  address: nullable(text),
  user_agent: nullable(text),
})
export type AdminSessionRow = RowOf<typeof adminSessions>

/** A session with the current permissions of its person. */
export interface HeldSession extends AdminSessionRow {
  email: string | null
  name: string | null
  role: Role | null
  applications: string | null
  /** 1 if the person has a second factor. */
  has_totp: number
  /** Current facts of the installation. */
  initial_password_until: string | null
  second_factor_roles: string | null
}

const own = adminSessions.columns.replaceAll(/\w+/g, 's.$&')
const insert = adminSessions.insert()
/**
 * An active session: not expired, not idle, not of a blocked person, and not started with a password that is now
 * disabled.
 */
const goesOn = `s.expires_at > $1 and s.seen_at > $2 and (p.blocked = 0 or s.person_id is null
   and (s.way <> 'password' or not exists (select 1 from installation where name = 'installation_password_off')))`
const fact = (name: string): string => `(select value from installation where name = '${name}') as ${name}`
const held = `select ${own}, p.email, p.name, p.role, p.applications, case when p.sealed_totp is null then 0 else 1 end as has_totp,
   ${fact('initial_password_until')}, ${fact('second_factor_roles')}
   from admin_sessions s left join people p on p.id = s.person_id`
const find = sql<HeldSession>('admin_sessions.find')`${held} where s.hash = $3 and ${goesOn}`
const touch = adminSessions.update('touch')`set seen_at = $2 where id = $1 and seen_at < $2`
const remove = adminSessions.delete('remove')`where id = $1`
const removeOfNobody = adminSessions.delete('removeOfNobody')`where person_id is null and id <> $1`
const removeOfPerson = adminSessions.delete('removeOfPerson')`where person_id = $1 and id <> $2`
const removeAll = sql('admin_sessions.removeAll')`delete from admin_sessions`
const purge = adminSessions.delete('purge')`where expires_at <= $1 or seen_at <= $2`

/** The times that decide whether a session is active. */
export interface SessionTimes {
  now: number
  idleSince: number
}

export const insertAdminSession = (queries: Queries, row: AdminSessionRow): Promise<number> =>
  queries.run(...insert(row))
/** The active session with this hash. */
export const findAdminSession = (queries: Queries, hash: string, at: SessionTimes): Promise<HeldSession | undefined> =>
  queries.get(find, [at.now, at.idleSince, hash])
export const touchAdminSession = (queries: Queries, id: string, now: number): Promise<number> =>
  queries.run(touch, [id, now])
export const deleteAdminSession = (queries: Queries, id: string): Promise<number> => queries.run(remove, [id])
/** Ends all sessions of a person, except `but`. With null, ends all sessions that have no person. */
export const deleteAdminSessions = (queries: Queries, personId: string | null, but = ''): Promise<number> =>
  personId === null ? queries.run(removeOfNobody, [but]) : queries.run(removeOfPerson, [personId, but])
/** Ends all sessions of all people. */
export const deleteEveryAdminSession = (queries: Queries): Promise<number> => queries.run(removeAll)
export const purgeAdminSessions = (queries: Queries, at: SessionTimes): Promise<number> =>
  queries.run(purge, [at.now, at.idleSince])

/** Sessions of one person, sessions without a person (null), or all. */
export type SessionsOf = { personId: string | null } | 'everybody'

/** Active sessions, newest first. */
export function listAdminSessions(
  queries: Queries,
  { of, at, after, limit }: { of: SessionsOf; at: SessionTimes; after?: SessionPosition | undefined; limit: number },
): Promise<HeldSession[]> {
  const values: Value[] = [at.now, at.idleSince, limit]
  const add = (value: Value): string => `$${values.push(value)}`
  const where = [goesOn]
  if (of !== 'everybody') where.push(of.personId === null ? 's.person_id is null' : `s.person_id = ${add(of.personId)}`)
  if (after) where.push(`(s.signed_in_at, s.id) < (${add(after.time)}, ${add(after.id)})`)
  const text = `${held} where ${where.join(' and ')} order by s.signed_in_at desc, s.id desc limit $3`
  return queries.all(dynamic<HeldSession>({ name: 'admin_sessions.list', text }), values)
}

/** The position of the last row of a page. */
export interface SessionPosition {
  time: number
  id: string
}

const owner = sql<{ person_id: string | null }>('admin_sessions.owner')`select person_id from admin_sessions
   where id = $1`
/** The person of a session; undefined if there is no such session. */
export const findSessionOwner = (queries: Queries, id: string): Promise<{ person_id: string | null } | undefined> =>
  queries.get(owner, [id])

const insertLink = sql('admin_links.insert')`insert into admin_links (hash, created_at, expires_at, used_at)
   values ($1, $2, $3, null)`
const openLink = sql<{ hash: string }>('admin_links.open')`select hash from admin_links
   where hash = $1 and used_at is null and expires_at > $2`
const useLink = sql('admin_links.use')`update admin_links set used_at = $2
   where hash = $1 and used_at is null and expires_at > $2`
const removeLinks = sql('admin_links.remove')`delete from admin_links where used_at is null`
const insertUsed = sql('admin_links.insertUsed')`insert into admin_links (hash, created_at, expires_at, used_at)
   values ($1, $2, $3, $2) on conflict (hash) do nothing`
const purgeLinks = sql('admin_links.purge')`delete from admin_links where expires_at <= $1`

export const insertAdminLink = (
  queries: Queries,
  link: { hash: string; createdAt: number; expiresAt: number },
): Promise<number> => queries.run(insertLink, [link.hash, link.createdAt, link.expiresAt])
export const isAdminLinkOpen = async (queries: Queries, hash: string, now: number): Promise<boolean> =>
  (await queries.get(openLink, [hash, now])) !== undefined
/** Uses a link. False if it was used before, has expired or does not exist. */
export const useAdminLink = async (queries: Queries, hash: string, now: number): Promise<boolean> =>
  (await queries.run(useLink, [hash, now])) === 1
/**
 * Records a single-use secret as used. False if it was used before. The record stays until the secret would have
 * expired.
 */
export const useOnce = async (
  queries: Queries,
  hash: string,
  { now, expiresAt }: { now: number; expiresAt: number },
): Promise<boolean> => (await queries.run(insertUsed, [hash, now, expiresAt])) === 1
/** Deletes unused links. Used links stay, so that they cannot be used again. */
export const deleteAdminLinks = (queries: Queries): Promise<number> => queries.run(removeLinks)
export const purgeAdminLinks = (queries: Queries, now: number): Promise<number> => queries.run(purgeLinks, [now])
