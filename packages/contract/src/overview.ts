/** How one application fares: what is well, what is not, and what its traffic was. */
import { z } from 'zod'
import { Id, integerParam, Timestamp } from './fields.ts'
import { route } from './route.ts'
import { WebhookStatus } from './webhooks.ts'

export const ExpiryReason = z.enum(['credentials_refused', 'revoked', 'connector_deleted', 'credential_deleted']).meta({
  id: 'ExpiryReason',
  description:
    'Why a grant lost its access. `credentials_refused`: the provider takes its password or token no more; `revoked`: an administrator revoked it; `connector_deleted`, `credential_deleted`: what it was connected with is gone.',
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
      ])
      .meta({ description: 'What is wrong, for programs' }),
    severity: z.enum(['trouble', 'attention']).meta({
      description: '`trouble`: something does not work; `attention`: somebody should look',
    }),
    message: z.string().meta({ description: 'The same in words, with what to do about it' }),
    provider: z
      .string()
      .nullable()
      .meta({ description: 'Kind of account that it is about; null where it is about none' }),
    webhook_id: Id.nullable().meta({ description: 'Destination that it is about; null where it is about none' }),
  })
  .meta({ id: 'OverviewProblem', description: 'Something about an application that somebody should act on' })
export type OverviewProblem = z.output<typeof OverviewProblem>

export const TrafficFigures = z
  .object({
    at: Timestamp.meta({ description: 'Beginning of the step, in Unix seconds' }),
    requests: z.int().meta({ description: 'Requests of the application that were answered' }),
    refused: z.int().meta({ description: 'Those of them that were answered with 4xx' }),
    errors: z.int().meta({ description: 'Those of them that were answered with 5xx' }),
    provider_errors: z.int().meta({ description: 'Errors that providers caused, also while changes were looked for' }),
    latency_p50_ms: z.number().nullable().meta({
      description: 'Milliseconds within which half of the requests were answered; null where there were none',
    }),
    latency_p95_ms: z.number().nullable().meta({
      description: 'Milliseconds within which 95 % of the requests were answered; null where there were none',
    }),
  })
  .meta({ id: 'TrafficFigures', description: 'The traffic of an application in one step of time' })
export type TrafficFigures = z.output<typeof TrafficFigures>

const GrantNow = {
  grant_id: Id.meta({ description: 'Id of the grant' }),
  email: z.string().meta({ description: 'Its address' }),
  provider: z.string().meta({ description: 'Kind of the account' }),
}
const Message = z.string().nullable()

export const ApplicationOverview = z
  .object({
    status: z.enum(['well', 'attention', 'trouble']).meta({
      description: 'The gravest of the problems; `well` where there are none',
    }),
    problems: z
      .array(OverviewProblem)
      .meta({ description: 'What is wrong, the gravest first; empty where all is well' }),
    grants: z
      .object({
        invalid: z.int().meta({
          description: 'Grants whose users must authenticate again; 1,000 where there are more',
        }),
        not_fetched: z.int().meta({
          description:
            'Grants whose changes could not be fetched three times in a row or more; 1,000 where there are more',
        }),
      })
      .meta({ description: 'Grants that do not work as they should' }),
    step_seconds: z.int().meta({ description: 'How long a step of `traffic` is, in seconds' }),
    traffic: z.array(TrafficFigures).meta({
      description:
        'The traffic of the time that was asked for, without gaps, the oldest first. Calls of administrators do not count.',
    }),
    providers: z
      .array(
        z.object({
          provider: z.string().meta({ description: 'Kind of the account' }),
          requests: z.int().meta({ description: 'Requests about accounts of this kind' }),
          errors: z.int().meta({ description: 'Errors that the provider caused' }),
          last_error: z
            .object({
              at: Timestamp.meta({ description: 'When it happened, in Unix seconds' }),
              operation: z.string().meta({ description: 'Id of the route, or `changes` for looking for changes' }),
              type: z.string().meta({ description: 'Type of the error, as the API answers with it' }),
              message: z.string().meta({ description: 'What went wrong, in words' }),
              grant_id: Id.meta({ description: 'Grant that it happened with' }),
              request_id: Id.nullable().meta({ description: 'Request that failed; null where there was none' }),
            })
            .nullable()
            .meta({ description: 'The last error, where it is among the last fifty of the application; else null' }),
        }),
      )
      .meta({ description: 'The same time by provider, the one with the most errors first' }),
    expired: z
      .array(
        z.object({
          ...GrantNow,
          at: Timestamp.meta({ description: 'When it lost its access, in Unix seconds' }),
          reason: ExpiryReason.nullable(),
          message: Message.meta({ description: 'What the provider said, where it refused; else null' }),
          request_id: Id.nullable().meta({ description: 'Request that found it out; null where there was none' }),
          grant_status: z
            .enum(['valid', 'invalid'])
            .meta({ description: 'Its state now: `valid` after it was authenticated again' }),
        }),
      )
      .meta({ description: 'Grants that lost their access in the last seven days, up to ten, the newest first' }),
    destinations: z
      .array(
        z.object({
          id: Id.meta({ description: 'Id of the destination' }),
          webhook_url: z.string().meta({ description: 'Where it is' }),
          description: z.string().meta({ description: 'What it is for' }),
          status: WebhookStatus,
          status_updated_at: Timestamp.meta({ description: 'When `status` last changed, in Unix seconds' }),
          waiting: z.int().meta({ description: 'Notifications that wait for it; 1,000 where there are more' }),
          failed: z.int().meta({ description: 'Notifications that were given up; 1,000 where there are more' }),
          due_since: Timestamp.nullable().meta({
            description: 'Since when the one that waits for longest is due, in Unix seconds; null where none is',
          }),
        }),
      )
      .meta({ description: 'Every destination, those in trouble first' }),
    recent: z
      .array(
        z.object({
          ...GrantNow,
          at: Timestamp.meta({ description: 'When it happened, in Unix seconds' }),
          kind: z.enum(['created', 'authenticated', 'changed', 'expired', 'blocked', 'unblocked']).meta({
            description: 'What happened with the grant',
          }),
        }),
      )
      .meta({ description: 'What happened last with grants of the application, up to ten, the newest first' }),
  })
  .meta({ id: 'ApplicationOverview', description: 'How an application fares' })
export type ApplicationOverview = z.output<typeof ApplicationOverview>

export const overview = {
  get: route({
    method: 'GET',
    path: '/v3/admin/applications/:application_id/overview',
    summary: 'Tell how an application fares, and what somebody should act on',
    description:
      'A verdict with its reasons, the traffic over time, errors by provider, grants that expired lately and why, and the state of every destination. Figures are written every few seconds and kept for 48 hours; percentiles are right to within a fifth. It costs no more where there are many grants or notifications.',
    audience: 'administrator',
    query: z.object({
      hours: integerParam({ min: 1, max: 48 }).meta({
        description: 'How many hours back the traffic goes, up to 48; 24 when absent',
      }),
    }),
    returns: ApplicationOverview,
    errors: ['not_found'],
  }),
}
