/** The overview of one application. */
import type { ApplicationOverview, ExpiryReason, Grant } from '@waypost/contract'
import { seconds } from '@waypost/platform/clock'
import type { ApplicationRow } from '@waypost/store/tables/applications/applications'
import { liveDeliverers } from '@waypost/store/tables/applications/nodes'
import { applicationFigures, countUnwell, queueOf } from '@waypost/store/tables/figures/installation-figures'
import { newestGrantErrors } from '@waypost/store/tables/grants/grant-activity'
import { expiredSince, type ListedEvent, newestEvents } from '@waypost/store/tables/grants/grant-events'
import { countGrants } from '@waypost/store/tables/grants/grants'
import { countFailedJobs } from '@waypost/store/tables/notifications/failed-jobs'
import { listWebhooks, type WebhookRow } from '@waypost/store/tables/notifications/webhooks'
import { needApplication } from '../../applications/applications.ts'
import { type Facts, problemsOf } from '../../applications/problems.ts'
import type { Services } from '../../services/services.ts'
import { byProvider, totalsOf, trafficOf, trafficSteps } from '../../telemetry/traffic.ts'
import { placeOf, webhookOf } from '../../webhooks/destinations.ts'
import type { TransportName } from '../../webhooks/transports/transports.ts'
import type { Handlers } from '../pipeline/handler-types.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const expiredDays = 7
const shown = 10
/** Expired grants that are counted at most. */
const maxExpired = 200
/** Errors that are read to find the last one of each provider. */
const maxErrorsRead = 50

const order = ['failed', 'failing', 'pause', 'active']

const grantOf = ({ grant_id, provider, document }: ListedEvent) => ({
  grant_id,
  email: (JSON.parse(document) as Grant).email,
  provider,
})

const expiredOf = (event: ListedEvent): ApplicationOverview['expired'][number] => ({
  ...grantOf(event),
  at: seconds(event.at),
  reason: event.reason satisfies ExpiryReason | null,
  message: event.message,
  request_id: event.request_id,
  grant_status: event.status === 'valid' ? 'valid' : 'invalid',
})

export const overview = ({ storage: { database, clock, seals } }: Pick<Services, 'storage'>): Handlers['overview'] => {
  const destinationOf = async (
    row: WebhookRow,
  ): Promise<{ destination: ApplicationOverview['destinations'][number]; retrying: number }> => {
    const { id, description, status, status_updated_at } = webhookOf(row)
    const transport = row.transport as TransportName
    const webhook_url = transport === 'webhook' ? row.webhook_url : placeOf(row).shown
    const queue = await queueOf(database, { applicationId: row.application_id, webhookId: id })
    const { waiting = 0, retrying = 0, failed = 0, due_at = null } = queue ?? {}
    const due_since = due_at !== null && due_at <= clock.now() ? seconds(due_at) : null
    const shownAs = { id, transport, webhook_url, description }
    return { destination: { ...shownAs, status, status_updated_at, waiting, failed, due_since }, retrying }
  }

  const destinationsOf = async (applicationId: string): Promise<Pick<Facts, 'destinations' | 'retrying'>> => {
    const rows = await listWebhooks(database, applicationId)
    const all = await Promise.all(rows.map(destinationOf))
    const destinations = all.map(({ destination }) => destination)
    return {
      destinations: destinations.sort((a, b) => order.indexOf(a.status) - order.indexOf(b.status)),
      retrying: new Map(all.map(({ destination, retrying }) => [destination.id, retrying])),
    }
  }

  /** Recent events and errors of grants. */
  const grantsOf = async (applicationId: string, now: number) => {
    const since = now - expiredDays * dayMs
    const lost = await expiredSince(database, applicationId, { since, limit: maxExpired }, seals)
    const errors = await newestGrantErrors(database, applicationId, maxErrorsRead, seals)
    return {
      lost,
      /** Each grant counts once, and only while it has no access. */
      expiredNow: new Set(
        lost.filter(({ at, status }) => at >= now - dayMs && status !== 'valid').map(({ grant_id }) => grant_id),
      ).size,
      recent: await newestEvents(database, applicationId, shown, seals),
      lastErrors: new Map(errors.toReversed().map((error) => [error.provider, error])),
      unwell: await countUnwell(database, applicationId),
    }
  }

  const problemsFor = async (
    application: ApplicationRow,
    found: Pick<Facts, 'destinations' | 'retrying' | 'providers' | 'requests' | 'errors' | 'expired'> & {
      notFetched: number
      failedJobs: number
    },
    now: number,
  ) =>
    problemsOf({
      ...found,
      isBlocked: application.blocked === 1,
      hasWorker: (await liveDeliverers(database, now)) > 0,
      grantLimit: application.grant_limit,
      // Counted only if there is a limit.
      grantCount: application.grant_limit === null ? 0 : await countGrants(database, application.id),
      now: seconds(now),
    })

  return {
    get: async ({ params, query }) => {
      const application = await needApplication(database, params.application_id)
      const now = clock.now()
      const steps = trafficSteps(query.hours ?? 24, now)
      const rows = await applicationFigures(database, application.id, Math.min(steps.from, now - hourMs))
      const lastHour = rows.filter(({ at }) => at >= now - hourMs)
      const within = rows.filter(({ at }) => at >= steps.from)
      const { destinations, retrying } = await destinationsOf(application.id)
      const { lost, expiredNow, recent, lastErrors, unwell } = await grantsOf(application.id, now)
      const failedJobs = (await countFailedJobs(database, application.id)).reduce((sum, { n }) => sum + n, 0)
      const facts = {
        destinations,
        retrying,
        ...totalsOf(lastHour),
        providers: byProvider(lastHour),
        expired: expiredNow,
      }
      const problems = await problemsFor(application, { ...facts, notFetched: unwell.notFetched, failedJobs }, now)
      return {
        status: problems[0]?.severity ?? 'well',
        problems,
        grants: { invalid: unwell.invalid, not_fetched: unwell.notFetched },
        step_seconds: steps.stepMs / 1000,
        traffic: trafficOf(within, steps),
        providers: byProvider(within).map((figures) => {
          const last = lastErrors.get(figures.provider)
          return { ...figures, last_error: last ? lastErrorOf(last) : null }
        }),
        expired: lost.slice(0, shown).map(expiredOf),
        destinations,
        recent: recent.map((event) => ({ ...grantOf(event), at: seconds(event.at), kind: event.kind })),
      }
    },
  }
}

type ErrorRow = Awaited<ReturnType<typeof newestGrantErrors>>[number]

const lastErrorOf = ({ at, operation, type, message, grant_id, request_id }: ErrorRow) => ({
  at: seconds(at),
  operation,
  type,
  message,
  grant_id,
  request_id,
})
