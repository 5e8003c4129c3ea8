import { type Queries, sql } from '../../engine/database.ts'

const read = sql<{ value: string }>('installation.read')`select value from installation where name = $1`
const insert = sql('installation.insert')`insert into installation (name, value) values ($1, $2)
   on conflict (name) do nothing`
const write = sql('installation.write')`insert into installation (name, value) values ($1, $2)
   on conflict (name) do update set value = excluded.value`

/** Facts of the installation: its organization, its administrator, the check value of its key. */
export type Fact =
  | 'organization_id'
  | 'administrator'
  /** When an administrator first signed in to the dashboard. */
  | 'administrator_seen'
  /** Present if the password of the installation is disabled. */
  | 'installation_password_off'
  /** Present while the password is a generated one: the time until which it works, in milliseconds. */
  | 'initial_password_until'
  /** The roles that need a second factor, as JSON. */
  | 'second_factor_roles'
  /** Written by every change of people, so that such changes run one at a time. */
  | 'people_lock'
  | 'key_check'
  | 'sandbox_application_id'
  /** The first evidence that a proxy forwards requests to a service that listens on loopback only. */
  | 'forwarded_by'
  /** Present while the store may contain unencrypted values of a version before 0.1.0. Only 1.3.1 and earlier write it. */
  | 'clear_values'
  /** The last day on which expired notifications were deleted, as a number of days since 1970. */
  | 'notifications_purged_day'
  /** The time of the last successful backup, in milliseconds. */
  | 'last_backup_at'
  /** No node starts housekeeping before this time, because one runs it or has just finished; milliseconds. */
  | 'housekeeping_until'
  /** Written to check whether the store accepts writes. */
  | 'write_probe'
  /** The operator gets no further mail about failed jobs of this kind before this time; milliseconds. */
  | `failed_job_told ${string}`

export const readFact = async (queries: Queries, name: Fact): Promise<string | undefined> =>
  (await queries.get(read, [name]))?.value

/** Stores the value unless there is one. Returns the stored value. */
export async function keepFact(queries: Queries, name: Fact, value: string): Promise<string> {
  await queries.run(insert, [name, value])
  return (await readFact(queries, name)) ?? value
}

const remove = sql('installation.remove')`delete from installation where name = $1`
export const removeFact = (queries: Queries, name: Fact): Promise<number> => queries.run(remove, [name])

export const writeFact = (queries: Queries, name: Fact, value: string): Promise<number> =>
  queries.run(write, [name, value])

const claim = sql('installation.claim')`insert into installation (name, value) values ($1, $2)
   on conflict (name) do update set value = excluded.value
   where cast(installation.value as bigint) not between cast($3 as bigint) + 1 and cast($4 as bigint)`
const move = sql('installation.move')`update installation set value = $3 where name = $1 and value = $2`

/**
 * Claims a period: sets an end time if there is none or the stored one has passed. False if another process was
 * first. A stored time later than `until` is ignored, because some clock must have been wrong.
 */
export const claimUntil = async (queries: Queries, name: Fact, by: { now: number; until: number }): Promise<boolean> =>
  (await queries.run(claim, [name, String(by.until), by.now, by.until])) === 1

/** Changes the end of one's own claim. */
export const moveClaim = (queries: Queries, name: Fact, { from, to }: { from: number; to: number }): Promise<number> =>
  queries.run(move, [name, String(from), String(to)])

// Data keys of the installation, encrypted. They encrypt notifications and other stored data.

export interface DataKeyRow {
  id: string
  sealed_key: string
  created_at: number
}

const list = sql<DataKeyRow>('data_keys.list')`select id, sealed_key, created_at from data_keys
   order by created_at desc, id desc`
const add = sql('data_keys.add')`insert into data_keys (id, sealed_key, created_at) values ($1, $2, $3)`

/** All data keys, newest first. */
export const listDataKeys = (queries: Queries): Promise<DataKeyRow[]> => queries.all(list)

export const addDataKey = (queries: Queries, row: DataKeyRow): Promise<number> =>
  queries.run(add, [row.id, row.sealed_key, row.created_at])
