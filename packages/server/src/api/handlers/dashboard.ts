/** What administrators see of the service: the audit log, jobs that failed, its health; and the probes of load balancers. */
import type { AuditEntry, ServiceHealth } from '@waypost/contract'
import { ApiError } from '@waypost/platform/api-error'
import { seconds } from '@waypost/platform/clock'
import { version } from '@waypost/platform/versions'
import { type AuditRow, listAudit } from '@waypost/store/tables/applications/audit'
import { nodeLeaseMs, roles, seenNodes } from '@waypost/store/tables/applications/nodes'
import {
  countSendsWaiting,
  figuresSince,
  tallyDestinations,
  tallyGrants,
} from '@waypost/store/tables/figures/health-figures'
import { countWaiting } from '@waypost/store/tables/notifications/deliveries'
import {
  countFailedJobs,
  discardFailedJob,
  listFailedJobs,
  pieceRows,
  retryFailedJob,
  retryFailedJobs,
} from '@waypost/store/tables/notifications/failed-jobs'
import { outboxDepth } from '@waypost/store/tables/notifications/outbox'
import { needApplication } from '../../applications/applications.ts'
import { failedJobOf } from '../../outbox/failed-jobs.ts'
import type { Services } from '../../services/services.ts'
import { seriesOf, stepsOf } from '../../telemetry/health-counters.ts'
import type { Handlers } from '../pipeline/handler-types.ts'
import { milliseconds } from './lists/filters.ts'
import { pageOf, placeOf } from './lists/keyset-page.ts'

const entryOf = ({ at, ...row }: AuditRow): AuditEntry => ({ ...row, at: seconds(at) })

export const audit = ({ storage: { database } }: Pick<Services, 'storage'>): Handlers['audit'] => ({
  list: async ({ acting, query, position }) => {
    const { application_id: applicationId, action, actor, target, outcome, grant_id: grantId, kind } = query
    const { applications } = acting.rights
    const reached = applications === 'all' ? undefined : applications
    const time = { since: milliseconds(query.since), before: milliseconds(query.before) }
    const filter = {
      applicationId,
      action,
      actor,
      target,
      outcome,
      grantId,
      kind,
      personId: query.person_id,
      reached,
      ...time,
    }
    const page = { order: query.order ?? 'desc', after: placeOf(position), limit: query.limit } as const
    const found = await listAudit(database, filter, page)
    return pageOf(found, found.rows.map(entryOf))
  },
})

const rolesOf = (text: string): ServiceHealth['nodes'][number]['roles'] =>
  roles.filter((role) => text.split(',').includes(role))

export const health = ({ storage: { database, clock } }: Pick<Services, 'storage'>): Handlers['health'] => ({
  get: async () => {
    const nodes = await seenNodes(database)
    const aliveSince = clock.now() - nodeLeaseMs
    const { valid = 0, invalid = 0 } = await tallyGrants(database)
    const { active = 0, failing = 0, failed = 0, pause = 0 } = await tallyDestinations(database)
    return {
      nodes: nodes.map((node) => ({
        id: node.id,
        started_at: seconds(node.started_at),
        seen_at: seconds(node.seen_at),
        roles: rolesOf(node.roles),
        watched_grants: node.watched_grants,
        version: node.version,
        host: node.host,
        stale: node.seen_at < aliveSince,
      })),
      outbox_jobs: await outboxDepth(database),
      failed_jobs: (await countFailedJobs(database)).reduce((sum, { n }) => sum + n, 0),
      deliveries_waiting: await countWaiting(database),
      sends_waiting: await countSendsWaiting(database),
      grants: { valid, invalid },
      destinations: { active, failing, failed, pause },
    }
  },
  series: async ({ query }) => {
    const steps = stepsOf(query.hours ?? 6, clock.now())
    return seriesOf(await figuresSince(database, steps.from, query.node_id), steps)
  },
})

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

export const service = ({
  storage: { database, storeHealth, room, clock },
  runtime: { node, isLeaving },
}: Pick<Services, 'storage' | 'runtime'>): Handlers['service'] => ({
  health: () => ({ status: 'ok', version, uptime_seconds: seconds(clock.now() - node.startedAt) }),
  ready: async () => {
    if (isLeaving()) throw new ApiError('service_unavailable', 'the node is stopping', { retryAfter: 5 })
    const problem = await storeHealth.problem()
    if (problem !== undefined) throw new ApiError('service_unavailable', problem, { retryAfter: 5 })
    room.needRoom()
    return { status: 'ready', store: database.engine, node: node.id }
  },
})
