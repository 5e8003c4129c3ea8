/** Background jobs that failed permanently. */
import { ApiError } from '@waypost/platform/api-error'
import type { Queries } from '@waypost/store/engine/database'
import {
  applicationOfFailedJob,
  applicationsWithFailedJobs,
  discardFailedJob,
  discardFailedJobs,
  listFailedJobs,
  pieceRows,
  retryFailedJob,
  retryFailedJobs,
} from '@waypost/store/tables/notifications/failed-jobs'
import { failedJobOf } from '../outbox/failed-jobs.ts'
import type { BuiltServices } from '../services/services.ts'
import { audited, noteCommand } from './audit.ts'
import { findApplication } from './named.ts'
import { type Arguments, numberOption, type StoreRun, textOption, UsageError } from './program/command.ts'
import { printList, printObject, shownTime } from './program/output.ts'

const applicationOption = async (services: BuiltServices, args: Arguments): Promise<string | undefined> =>
  textOption(args, 'app') === undefined ? undefined : (await findApplication(services, args)).id

export const jobsList: StoreRun = async (services, args, output) => {
  const limit = numberOption(args, 'limit')
  const filter = { applicationId: await applicationOption(services, args), kind: textOption(args, 'kind') }
  const { database, payloads } = services.storage
  const { rows } = await listFailedJobs(database, filter, { limit: limit + 1 }, payloads.seals)
  const jobs = rows.map(failedJobOf)
  const shown = jobs.map((job) => ({ ...job, failed_at: shownTime(job.failed_at) }))
  const columns = ['id', 'failed_at', 'kind', 'application_id', 'grant_id', 'error', 'message']
  printList(output, output.json ? jobs : shown, { columns, empty: 'No failed jobs.', limit })
}

interface Act {
  /** The id of the equivalent route. */
  action: string
  one(tx: Queries, at: { applicationId: string; id: string }): Promise<boolean>
  some(tx: Queries, at: { applicationId: string; kind: string | undefined }): Promise<number>
}

/** Acts on one job, on those of a kind, or on all. */
async function act(services: BuiltServices, args: Arguments, { action, one, some }: Act): Promise<number> {
  const [id] = args.words
  const kind = textOption(args, 'kind')
  const isAll = args.options.all === true
  if ([id !== undefined, kind !== undefined, isAll].filter(Boolean).length !== 1)
    throw new UsageError('set one of JOB_ID, --kind or --all')
  const { database } = services.storage
  if (id !== undefined) {
    const applicationId = await applicationOfFailedJob(database, id)
    const isDone =
      applicationId !== undefined &&
      (await audited(services, { action, applicationId, target: id }, (tx) => one(tx, { applicationId, id })))
    if (!isDone) throw new ApiError('not_found', `no failed job with the id ${id}: run "waypost jobs list" for all`)
    return 1
  }
  const named = await applicationOption(services, args)
  let count = 0
  for (const applicationId of named === undefined ? await applicationsWithFailedJobs(database) : [named]) {
    await noteCommand(database, services, { action, applicationId, target: kind })
    for (;;) {
      const taken = await database.transaction((tx) => some(tx, { applicationId, kind }))
      count += taken
      if (taken < pieceRows) break
    }
  }
  return count
}

export const jobsRetry: StoreRun = async (services, args, output) => {
  const now = services.storage.clock.now()
  const retried = await act(services, args, {
    action: args.words[0] === undefined ? 'failedJobs.retryAll' : 'failedJobs.retry',
    one: (tx, at) => retryFailedJob(tx, at, now),
    some: (tx, at) => retryFailedJobs(tx, at, now),
  })
  printObject(output, { retried })
}

export const jobsDiscard: StoreRun = async (services, args, output) => {
  const discarded = await act(services, args, {
    action: 'failedJobs.discard',
    one: discardFailedJob,
    some: discardFailedJobs,
  })
  printObject(output, { discarded })
}
