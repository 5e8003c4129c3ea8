import { type Queries, sql } from '../../engine/database.ts'

const read = sql<{ value: string }>({
  name: 'installation.read',
  text: 'select value from installation where name = $1',
  reads: ['installation'],
})
const insert = sql({
  name: 'installation.insert',
  text: 'insert into installation (name, value) values ($1, $2) on conflict (name) do nothing',
  writes: ['installation'],
})
const write = sql({
  name: 'installation.write',
  text: 'insert into installation (name, value) values ($1, $2) on conflict (name) do update set value = excluded.value',
  writes: ['installation'],
})

/** Facts of the installation: its organization, its administrator, the check value of its key. */
export type Fact =
  | 'organization_id'
  | 'administrator'
  /** When an administrator first signed in to the dashboard. */
  | 'administrator_seen'
  /** Stands where the password of the installation signs nobody in. */
  | 'installation_password_off'
  /** Stands while the password of the installation is one that the service made up: until when it signs in; milliseconds. */
  | 'initial_password_until'
  /** The roles that need a second factor, as JSON. */
  | 'second_factor_roles'
  /** Written by who changes people, so that one does so at a time. */
  | 'people_lock'
  | 'key_check'
  | 'sandbox_application_id'
  /** What showed first that requests are passed on to a service that listens on loopback alone. */
  | 'forwarded_by'
  /** Stands as long as the store may hold what an earlier version wrote in clear: the migration from which on it may. */
  | 'clear_values'
  /** The last day on which what had had its time was removed: its number from 1970 on. */
  | 'notifications_purged_day'
  /** When a backup last ended well; milliseconds. */
  | 'last_backup_at'
  /** Until when nobody begins to remove what has had its time: somebody does, or has just done so; milliseconds. */
  | 'housekeeping_until'
  /** Written to see whether the store can be written. */
  | 'write_probe'

export const readFact = async (queries: Queries, name: Fact): Promise<string | undefined> =>
  (await queries.get(read, [name]))?.value

/** Keeps the first value; answers the one that stands. */
export async function keepFact(queries: Queries, name: Fact, value: string): Promise<string> {
  await queries.run(insert, [name, value])
  return (await readFact(queries, name)) ?? value
}

const remove = sql({
  name: 'installation.remove',
  text: 'delete from installation where name = $1',
  writes: ['installation'],
})
export const removeFact = (queries: Queries, name: Fact): Promise<number> => queries.run(remove, [name])

export const writeFact = (queries: Queries, name: Fact, value: string): Promise<number> =>
  queries.run(write, [name, value])

const claim = sql({
  name: 'installation.claim',
  text: `insert into installation (name, value) values ($1, $2) on conflict (name) do update set value = excluded.value
   where cast(installation.value as bigint) not between cast($3 as bigint) + 1 and cast($4 as bigint)`,
  writes: ['installation'],
})
const move = sql({
  name: 'installation.move',
  text: 'update installation set value = $3 where name = $1 and value = $2',
  writes: ['installation'],
})

/**
 * Sets a time that is over, or was never set, to a later one; false where another process was first. One beyond what is set
 * here is not believed: a clock was off.
 */
export const claimUntil = async (queries: Queries, name: Fact, by: { now: number; until: number }): Promise<boolean> =>
  (await queries.run(claim, [name, String(by.until), by.now, by.until])) === 1

/** Moves a time that one has claimed. */
export const moveClaim = (queries: Queries, name: Fact, { from, to }: { from: number; to: number }): Promise<number> =>
  queries.run(move, [name, String(from), String(to)])
