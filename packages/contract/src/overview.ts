/** The status of one application: its problems and its traffic. */
import { z } from 'zod'
import { WebhookStatus } from './destination-fields.ts'
import { Id, integerParam, Timestamp } from './fields.ts'
import { route } from './route.ts'

export const ExpiryReason = z.enum(['credentials_refused', 'revoked', 'connector_deleted', 'credential_deleted']).meta({
  id: 'ExpiryReason',
  description:
    'Why a grant lost access. `credentials_refused`: the provider rejects its password or token; `revoked`: an administrator revoked it; `connector_deleted`, `credential_deleted`: its connector or credential was deleted.',
})
export type ExpiryReason = z.output<typeof ExpiryReason>

export const OverviewProblem = z
  .object({
    code: z
      .enum([
        'application_blocked',
        'no_worker',
        'destination_failed',
        'destination_failing',
        'destination_paused',
        'deliveries_late',
        'service_errors',
        'provider_errors',
        'grants_expired',
        'changes_not_fetched',
        'grant_limit_reached',
        'jobs_failed',
      ])
      .meta({ description: 'Machine-readable problem' }),
    severity: z.enum(['trouble', 'attention']).meta({
      description: '`trouble`: something does not work; `attention`: something needs a check',
    }),
    message: z.string().meta({ description: 'Description of the problem and what to do about it' }),
    provider: z.string().nullable().meta({ description: 'Affected provider; null if none' }),
    webhook_id: Id.nullable().meta({ description: 'Affected destination; null if none' }),
  })
  .meta({ id: 'OverviewProblem', description: 'A problem of an application that needs action' })
export type OverviewProblem = z.output<typeof OverviewProblem>

export const TrafficFigures = z
  .object({
    at: Timestamp.meta({ description: 'Start of the step in Unix seconds' }),
    requests: z.int().meta({ description: "Number of the application's requests" }),
    refused: z.int().meta({ description: 'Number of requests that failed with 4xx' }),
    errors: z.int().meta({ description: 'Number of requests that failed with 5xx' }),
    provider_errors: z
      .int()
      .meta({ description: 'Number of errors caused by providers, including errors of the watch' }),
    latency_p50_ms: z.number().nullable().meta({
      description: 'Median response time in milliseconds; null without requests',
    }),
    latency_p95_ms: z.number().nullable().meta({
      description: '95th percentile of the response time in milliseconds; null without requests',
    }),
  })
  .meta({ id: 'TrafficFigures', description: 'Traffic of an application in one time step' })
export type TrafficFigures = z.output<typeof TrafficFigures>

const GrantNow = {
  grant_id: Id.meta({ description: 'Id of the grant' }),
  email: z.string().meta({ description: 'Its address' }),
  provider: z.string().meta({ description: 'Provider of the account' }),
}
const Message = z.string().nullable()

export const ApplicationOverview = z
  .object({
    status: z.enum(['well', 'attention', 'trouble']).meta({
      description: 'Severity of the worst problem; `well` if there are none',
    }),
    problems: z.array(OverviewProblem).meta({ description: 'Problems, worst first; empty if there are none' }),
    grants: z
      .object({
        invalid: z.int().meta({
          description: 'Number of grants whose users must authenticate again; capped at 1,000',
        }),
        not_fetched: z.int().meta({
          description:
            'Number of grants whose changes could not be fetched at least three times in a row; capped at 1,000',
        }),
      })
      .meta({ description: 'Grants with problems' }),
    step_seconds: z.int().meta({ description: 'Length of a `traffic` step in seconds' }),
    traffic: z.array(TrafficFigures).meta({
      description:
        'Traffic in the requested time range without gaps, oldest first. Administrator calls are not counted.',
    }),
    providers: z
      .array(
        z.object({
          provider: z.string().meta({ description: 'Provider of the accounts' }),
          requests: z.int().meta({ description: 'Number of requests for accounts of this provider' }),
          errors: z.int().meta({ description: 'Number of errors caused by the provider' }),
          last_error: z
            .object({
              at: Timestamp.meta({ description: 'Time of the error in Unix seconds' }),
              operation: z.string().meta({ description: 'Id of the route, or `changes` for the watch' }),
              type: z.string().meta({ description: 'Error type as returned by the API' }),
              message: z.string().meta({ description: 'Error message' }),
              grant_id: Id.meta({ description: 'Affected grant' }),
              request_id: Id.nullable().meta({ description: 'Id of the failed request; null if there was none' }),
            })
            .nullable()
            .meta({ description: 'The last error, if it is among the last fifty of the application; otherwise null' }),
        }),
      )
      .meta({ description: 'Figures of the time range by provider, most errors first' }),
    expired: z
      .array(
        z.object({
          ...GrantNow,
          at: Timestamp.meta({ description: 'Time when it lost access, in Unix seconds' }),
          reason: ExpiryReason.nullable(),
          message: Message.meta({ description: "The provider's message, if it refused access; otherwise null" }),
          request_id: Id.nullable().meta({ description: 'Id of the request that detected it; null if there was none' }),
          grant_status: z
            .enum(['valid', 'invalid'])
            .meta({ description: 'Current status: `valid` after it was authenticated again' }),
        }),
      )
      .meta({ description: 'Grants that lost access in the last seven days, up to ten, newest first' }),
    destinations: z
      .array(
        z.object({
          id: Id.meta({ description: 'Id of the destination' }),
          transport: z
            .enum(['webhook', 'pubsub', 'sns', 'nats', 'amqp'])
            .meta({ description: '`webhook`, or the transport of a channel' }),
          webhook_url: z.string().meta({ description: 'Its URL; for a channel, where it publishes' }),
          description: z.string().meta({ description: 'Its description' }),
          status: WebhookStatus,
          status_updated_at: Timestamp.meta({ description: 'Time of the last change of `status`, in Unix seconds' }),
          waiting: z.int().meta({ description: 'Number of waiting notifications; capped at 1,000' }),
          failed: z.int().meta({ description: 'Number of permanently failed notifications; capped at 1,000' }),
          due_since: Timestamp.nullable().meta({
            description: 'Due time of the notification that waits longest, in Unix seconds; null if none is waiting',
          }),
        }),
      )
      .meta({ description: 'All destinations, those with problems first' }),
    recent: z
      .array(
        z.object({
          ...GrantNow,
          at: Timestamp.meta({ description: 'Time of the event in Unix seconds' }),
          kind: z.enum(['created', 'authenticated', 'changed', 'expired', 'blocked', 'unblocked']).meta({
            description: 'The event',
          }),
        }),
      )
      .meta({ description: 'Latest grant events of the application, up to ten, newest first' }),
  })
  .meta({ id: 'ApplicationOverview', description: 'Status of an application' })
export type ApplicationOverview = z.output<typeof ApplicationOverview>

export const overview = {
  get: route({
    method: 'GET',
    path: '/v3/admin/applications/:application_id/overview',
    summary: 'Get the status of an application',
    description:
      'Returns the overall status with its problems, traffic over time, errors by provider, recently expired grants with reasons, and the state of every destination. Figures are written every few seconds and retained for 48 hours; percentiles are accurate to within 20 %. The cost does not depend on the number of grants or notifications.',
    audience: 'administrator',
    query: z.object({
      hours: integerParam({ min: 1, max: 48 }).meta({
        description: 'Hours of traffic, up to 48; default 24',
      }),
    }),
    returns: ApplicationOverview,
    errors: ['not_found'],
  }),
}
