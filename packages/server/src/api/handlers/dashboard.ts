/** The audit log, and the health of the service. */
import type { AuditEntry, ServiceHealth } from '@waypost/contract'
import { seconds } from '@waypost/platform/clock'
import { type AuditRow, listAudit } from '@waypost/store/tables/applications/audit'
import { nodeLeaseMs, roles, seenNodes } from '@waypost/store/tables/applications/nodes'
import {
  countSendsWaiting,
  figuresSince,
  tallyDestinations,
  tallyGrants,
} from '@waypost/store/tables/figures/health-figures'
import { countWaiting } from '@waypost/store/tables/notifications/deliveries'
import { countFailedJobs } from '@waypost/store/tables/notifications/failed-jobs'
import { outboxDepth } from '@waypost/store/tables/notifications/outbox'
import type { Services } from '../../services/services.ts'
import { seriesOf, stepsOf } from '../../telemetry/health-counters.ts'
import type { Handlers } from '../pipeline/handler-types.ts'
import { pageOf, placeOf } from './lists/keyset-page.ts'

const entryOf = ({ at, ...row }: AuditRow): AuditEntry => ({ ...row, at: seconds(at) })

export const audit = ({ storage: { database } }: Pick<Services, 'storage'>): Handlers['audit'] => ({
  list: async ({ acting, query, position }) => {
    const { application_id: applicationId, action, actor, target, outcome, grant_id: grantId, kind } = query
    const { applications } = acting.rights
    const reached = applications === 'all' ? undefined : applications
    const time = { since: ofSeconds(query.since), before: ofSeconds(query.before) }
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
const ofSeconds = (time: number | undefined): number | undefined => (time === undefined ? undefined : time * 1000)

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
