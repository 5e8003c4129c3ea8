/** Sessions that open one configuration to a browser for some minutes. Only a hash of the id is stored. */
import type { Queries } from '../../engine/database.ts'
import { number, type RowOf, table, text } from '../../engine/table.ts'

const sessions = table('scheduler_sessions', {
  hash: text,
  application_id: text,
  configuration_id: text,
  created_at: number,
  expires_at: number,
})
export type SchedulingSessionRow = RowOf<typeof sessions>

const insert = sessions.insert()
const find = sessions.select('find')`where application_id = $1 and hash = $2 and expires_at > $3`
const active = sessions.count('active')`where application_id = $1 and configuration_id = $2 and expires_at > $3`
const remove = sessions.delete('remove')`where application_id = $1 and hash = $2 and expires_at > $3`
const purge = sessions.delete('purge')`where expires_at <= $1`

interface SessionKey {
  applicationId: string
  hash: string
  now: number
}

export const insertSchedulingSession = async (tx: Queries, row: SchedulingSessionRow): Promise<void> =>
  void (await tx.run(...insert(row)))
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
