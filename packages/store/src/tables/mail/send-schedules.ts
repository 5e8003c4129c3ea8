/** Scheduled messages, as the API presents them. */
import { type Queries, sql } from '../../engine/database.ts'
import { type GrantAddress, type SendRow, sendColumns } from './sends.ts'

const cancel = sql<{ id: string }>('sends.cancel', { raises: ['sends'] })`update sends
   set state = 'cancelled', next_at = null, owner = null, closed_at = $4
   where application_id = $1 and grant_id = $2 and schedule_id = $3 and state = 'scheduled' and due_at > $5
   returning id`
const schedule = sql<SendRow>('sends.schedule')`select ${sendColumns} from sends
   where application_id = $1 and grant_id = $2 and schedule_id = $3`
const schedules = sql<SendRow>('sends.schedules')`select ${sendColumns} from sends
   where application_id = $1 and grant_id = $2 and schedule_id is not null and closed_at is null and due_at <= $3
   union all select ${sendColumns} from sends
   where application_id = $1 and grant_id = $2 and schedule_id is not null and due_at > $3
   order by due_at, schedule_id`
/**
 * Cancels a scheduled message that is due after `dueAfter`. The single statement decides races. Returns the id of the
 * send.
 */
export const cancelSchedule = async (
  tx: Queries,
  at: GrantAddress,
  scheduleId: string,
  { now, dueAfter }: { now: number; dueAfter: number },
): Promise<string | undefined> => (await tx.get(cancel, [at.applicationId, at.grantId, scheduleId, now, dueAfter]))?.id

export const readSchedule = (queries: Queries, at: GrantAddress, scheduleId: string): Promise<SendRow | undefined> =>
  queries.get(schedule, [at.applicationId, at.grantId, scheduleId])

/** The schedules of a grant that are due after a time or not finished yet, in order of time. */
export const listSchedules = (queries: Queries, at: GrantAddress, dueAfter: number): Promise<SendRow[]> =>
  queries.all(schedules, [at.applicationId, at.grantId, dueAfter])
