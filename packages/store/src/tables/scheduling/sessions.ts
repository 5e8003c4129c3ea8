/** Sessions that open one configuration to a browser for some minutes. Only a hash of the id is stored. */
import { type Queries, sql } from '../../engine/database.ts'

export interface SchedulingSessionRow {
  hash: string
  application_id: string
  configuration_id: string
  created_at: number
  expires_at: number
}

const columns = 'hash, application_id, configuration_id, created_at, expires_at'
const table = 'scheduler_sessions'

const insert = sql({
  name: 'scheduler_sessions.insert',
  text: `insert into ${table} (${columns}) values ($1, $2, $3, $4, $5)`,
  writes: [table],
})
const find = sql<SchedulingSessionRow>({
  name: 'scheduler_sessions.find',
  text: `select ${columns} from ${table} where application_id = $1 and hash = $2 and expires_at > $3`,
  reads: [table],
})
const active = sql<{ n: number }>({
  name: 'scheduler_sessions.active',
  text: `select count(*) as n from ${table} where application_id = $1 and configuration_id = $2 and expires_at > $3`,
  reads: [table],
})
const remove = sql({
  name: 'scheduler_sessions.remove',
  text: `delete from ${table} where application_id = $1 and hash = $2 and expires_at > $3`,
  writes: [table],
})
const purge = sql({
  name: 'scheduler_sessions.purge',
  text: `delete from ${table} where expires_at <= $1`,
  writes: [table],
})

interface SessionKey {
  applicationId: string
  hash: string
  now: number
}

export const insertSchedulingSession = async (tx: Queries, row: SchedulingSessionRow): Promise<void> =>
  void (await tx.run(insert, [row.hash, row.application_id, row.configuration_id, row.created_at, row.expires_at]))
/** A session that has not expired. */
export const getSchedulingSession = (
  queries: Queries,
  { applicationId, hash, now }: SessionKey,
): Promise<SchedulingSessionRow | undefined> => queries.get(find, [applicationId, hash, now])
/** The number of sessions of a configuration that have not expired. */
export const countSchedulingSessions = async (
  queries: Queries,
  { applicationId, configurationId, now }: { applicationId: string; configurationId: string; now: number },
): Promise<number> => (await queries.get(active, [applicationId, configurationId, now]))?.n ?? 0
export const removeSchedulingSession = async (
  tx: Queries,
  { applicationId, hash, now }: SessionKey,
): Promise<boolean> => (await tx.run(remove, [applicationId, hash, now])) === 1
export const purgeSchedulingSessions = (queries: Queries, now: number): Promise<number> => queries.run(purge, [now])
