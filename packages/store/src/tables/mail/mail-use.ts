/** The number of mails sent with the operator's own identity, per application and day (UTC). */
import { type Queries, sql } from '../../engine/database.ts'

export interface MailUse {
  /** Null means the default limit. */
  per_day: number | null
  /** Days since 1970. */
  day: number
  used: number
}

const read = sql<MailUse>('mail_use.read')`select per_day, day, used from mail_use where application_id = $1`
/**
 * A single statement: if two calls would exceed the limit together, the second waits for the first and is rejected.
 */
const add = sql('mail_use.add')`insert into mail_use (application_id, per_day, day, used) values ($1, null, $2, $3)
   on conflict (application_id) do update set day = excluded.day,
   used = excluded.used + case when mail_use.day = excluded.day then mail_use.used else 0 end
   where excluded.used + case when mail_use.day = excluded.day then mail_use.used else 0 end <= $4`
const limit = sql('mail_use.limit')`insert into mail_use (application_id, per_day, day, used) values ($1, $2, 0, 0)
   on conflict (application_id) do update set per_day = excluded.per_day`

export const readMailUse = (queries: Queries, applicationId: string): Promise<MailUse | undefined> =>
  queries.get(read, [applicationId])
/** Counts mails. False, without counting any, if the total would exceed `max`. */
export const addMailUse = async (
  tx: Queries,
  applicationId: string,
  { day, count, max }: { day: number; count: number; max: number },
): Promise<boolean> => count <= max && (await tx.run(add, [applicationId, day, count, max])) === 1
export const limitMail = (tx: Queries, applicationId: string, perDay: number | null): Promise<number> =>
  tx.run(limit, [applicationId, perDay])
