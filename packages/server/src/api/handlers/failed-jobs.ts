/** Background jobs that failed permanently. */

import { ApiError } from '@waypost/platform/api-error'
import {
  discardFailedJob,
  listFailedJobs,
  pieceRows,
  retryFailedJob,
  retryFailedJobs,
} from '@waypost/store/tables/notifications/failed-jobs'
import { needApplication } from '../../applications/applications.ts'
import { failedJobOf } from '../../outbox/failed-jobs.ts'
import type { Services } from '../../services/services.ts'
import type { Handlers } from '../pipeline/handler-types.ts'
import { pageOf, placeOf } from './lists/keyset-page.ts'

const noJob = (): ApiError =>
  new ApiError('not_found', 'no failed job with this id in this application: it may have been retried or discarded')

export const failedJobs = ({
  storage: { database, clock, seals },
}: Pick<Services, 'storage'>): Handlers['failedJobs'] => ({
  list: async ({ acting, query, position }) => {
    const { applications } = acting.rights
    const filter = {
      applicationId: query.application_id,
      grantId: query.grant_id,
      kind: query.kind,
      reached: applications === 'all' ? undefined : applications,
    }
    const found = await listFailedJobs(database, filter, { after: placeOf(position), limit: query.limit }, seals)
    return pageOf(found, found.rows.map(failedJobOf))
  },
  retryAll: ({ params, body, write }) =>
    write(async (tx) => {
      const { id: applicationId } = await needApplication(tx, params.application_id)
      const retried = await retryFailedJobs(tx, { applicationId, kind: body.kind }, clock.now())
      return { retried, more: retried === pieceRows }
    }),
  retry: ({ params, write }) =>
    write(async (tx) => {
      const at = { applicationId: params.application_id, id: params.id }
      if (!(await retryFailedJob(tx, at, clock.now()))) throw noJob()
    }),
  discard: ({ params, write }) =>
    write(async (tx) => {
      if (!(await discardFailedJob(tx, { applicationId: params.application_id, id: params.id }))) throw noJob()
    }),
})
