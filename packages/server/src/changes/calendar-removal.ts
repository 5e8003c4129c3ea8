/** The job that removes the events of a deleted calendar, one batch per transaction. */

import { ApiError } from '@waypost/platform/api-error'
import { sleep } from '@waypost/platform/clock'
import type { Log } from '@waypost/platform/log'
import type { Database } from '@waypost/store/engine/database'
import { type CalendarAddress, removeCalendarJob } from '@waypost/store/tables/calendars-contacts/removed-calendars'
import { getGrant } from '@waypost/store/tables/grants/grants'
import type { Sessions } from '../grants/sessions.ts'
import { JobDeferred, type JobHandlers } from '../outbox/runner.ts'

/** Must fit into the lease of a job. The job goes on afterwards. */
const maxPieces = 100
/** Pause between batches, so that other work proceeds. */
const pauseMs = 5
/** Time between attempts while the mail quota of the application is used up. It is renewed every day. */
const quotaMs = 600_000

export interface CalendarRemovalOptions {
  database: Database
  sessions: Sessions
  log: Log
}

export const calendarRemovalHandlers = (options: CalendarRemovalOptions): JobHandlers<typeof removeCalendarJob> => ({
  [removeCalendarJob]: async (payload, signal) => {
    const { database, log } = options
    const at: CalendarAddress = JSON.parse(payload)
    let removed = 0
    for (let count = 0; count < maxPieces && !signal.aborted; count++) {
      const rows = await removePiece(options, database, at)
      if (rows === undefined) {
        log.info({ grant_id: at.grantId, calendar_id: at.id, removed }, 'all events of a deleted calendar are removed')
        return
      }
      removed += rows
      await sleep(pauseMs, signal)
    }
    log.info({ grant_id: at.grantId, calendar_id: at.id, removed }, 'events of a deleted calendar are being removed')
    throw new JobDeferred(0)
  },
})

/** Removes a batch. If the mails about it exceed the quota, the batch waits: its guests would never be notified. */
async function removePiece(
  { sessions }: CalendarRemovalOptions,
  database: Database,
  { applicationId, grantId, id }: CalendarAddress,
): Promise<number | undefined> {
  try {
    return await database.transaction(async (tx) => {
      const record = await getGrant(tx, applicationId, grantId)
      return record && sessions.removeCalendarPiece(record, tx, id)
    })
  } catch (error) {
    if (error instanceof ApiError && error.code === 'mail_quota_reached') throw new JobDeferred(quotaMs)
    throw error
  }
}
