/** Failed jobs as the API and the commands show them. */
import type { FailedJob } from '@waypost/contract'
import { seconds } from '@waypost/platform/clock'
import type { FailedJobRow } from '@waypost/store/tables/notifications/failed-jobs'
import { wordsOfJob } from './job-words.ts'

export const failedJobOf = (row: FailedJobRow): FailedJob => ({
  id: row.id,
  application_id: row.application_id,
  grant_id: row.grant_id === '' ? null : row.grant_id,
  kind: row.kind,
  error: row.error,
  message: row.message,
  ...wordsOfJob(row.kind),
  attempts: row.attempts,
  created_at: seconds(row.created_at),
  failed_at: seconds(row.failed_at),
})
