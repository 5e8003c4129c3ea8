/** What the dashboard is made of beside the other routes: signing in, who did what, and how the service fares. */
import { z } from 'zod'
import { cursorPaging, Id, integerParam, Timestamp, textParam } from './fields.ts'
import { limits } from './limits.ts'
import { route } from './route.ts'

export const Session = z
  .object({
    signed_in_at: Timestamp.meta({ description: 'When the session began, in Unix seconds' }),
    expires_at: Timestamp.meta({ description: 'When it ends whatever happens, in Unix seconds' }),
    idle_expires_at: Timestamp.meta({
      description: 'When it ends if nothing is asked for until then, in Unix seconds',
    }),
  })
  .meta({ id: 'Session', description: 'A session of the administrator in the dashboard' })
export type Session = z.output<typeof Session>

export const SignIn = z
  .object({
    password: z.string().min(1).max(limits.passwordLength).optional().meta({
      description: 'Password of the administrator, unless there is a `link`',
    }),
    link: z.string().min(1).max(200).optional().meta({
      description: 'What stands behind `#link=` of a one-time link, in place of the password',
    }),
  })
  .meta({ id: 'SignIn', description: 'What the administrator shows: exactly one of the two' })
export type SignIn = z.output<typeof SignIn>

export const PasswordChange = z
  .object({
    current_password: z.string().min(1).max(limits.passwordLength).meta({ description: 'Password as it is now' }),
    new_password: z
      .string()
      .min(limits.passwordLengthMin)
      .max(limits.passwordLength)
      .meta({
        description: `New password, at least ${limits.passwordLengthMin} characters; those that are tried first are refused`,
      }),
  })
  .meta({ id: 'PasswordChange', description: 'Another password for the administrator' })
export type PasswordChange = z.output<typeof PasswordChange>

const cookie =
  'The session is a cookie that scripts cannot read. It counts only for requests of the dashboard itself: `Sec-Fetch-Site: same-origin` or an `Origin` of this service, and JSON.'

export const session = {
  create: route({
    method: 'POST',
    path: '/v3/admin/session',
    summary: 'Sign in as the administrator, with the password or a one-time link',
    description: `${cookie} It ends after 30 minutes without a request, and after 12 hours in any case.`,
    audience: 'public',
    body: SignIn,
    returns: Session,
    errors: [
      'invalid_request',
      'invalid_json',
      'payload_too_large',
      'unsupported_media_type',
      'administrator_required',
      'cross_site_request',
      'rate_limited',
      'service_unavailable',
    ],
  }),
  get: route({
    method: 'GET',
    path: '/v3/admin/session',
    summary: 'Tell of the session that the request belongs to',
    description: 'Not found where the password came with the request instead of a session.',
    audience: 'administrator',
    returns: Session,
    errors: ['not_found'],
  }),
  delete: route({
    method: 'DELETE',
    path: '/v3/admin/session',
    summary: 'Sign out',
    description: 'Ends the session that the request belongs to. Others go on.',
    audience: 'administrator',
  }),
  deleteAll: route({
    method: 'DELETE',
    path: '/v3/admin/sessions',
    summary: 'Sign out everywhere',
    description: 'Ends every session of the administrator, this one too, and every one-time link.',
    audience: 'administrator',
  }),
  password: route({
    method: 'PUT',
    path: '/v3/admin/password',
    summary: 'Change the password of the administrator',
    description:
      'Ends every other session and every one-time link. Not where the operator set the password with WAYPOST_ADMIN_PASSWORD.',
    audience: 'administrator',
    body: PasswordChange,
    errors: ['conflict'],
  }),
}

export const AuditEntry = z
  .object({
    id: Id.meta({ description: 'Id of the entry' }),
    at: Timestamp.meta({ description: 'When it was done, in Unix seconds' }),
    actor: z.enum(['session', 'password', 'command']).meta({
      description:
        'Who did it: `session` the dashboard, `password` HTTP Basic credentials, `command` the command `waypost`',
    }),
    address: z
      .string()
      .nullable()
      .meta({ description: 'Network address that the request came from; null for a command' }),
    action: z.string().meta({
      description: 'Id of the route, such as `apiKeys.create`, also where a command did it',
    }),
    application_id: Id.nullable().meta({ description: 'Id of the application that it was about; null where none' }),
    target: z.string().nullable().meta({ description: 'Id of the object that it was about; null where none' }),
    status: z.int().meta({ description: 'HTTP status that it was answered with: 4xx where it was refused' }),
  })
  .meta({ id: 'AuditEntry', description: 'One thing that an administrator or a command did or tried to do' })
export type AuditEntry = z.output<typeof AuditEntry>

export const audit = {
  list: route({
    method: 'GET',
    path: '/v3/admin/audit',
    summary: 'List who changed what',
    description:
      'The newest first: everything that an administrator or a command changed or tried to, sign-ins and failed sign-ins too. Kept for a year, and up to 100,000 entries, of which 10,000 of failed sign-ins.',
    audience: 'administrator',
    query: z.object({
      ...cursorPaging(),
      application_id: textParam().meta({ description: 'About this application alone' }),
      action: textParam().meta({ description: 'Of this route alone, by its id, such as `apiKeys.create`' }),
    }),
    returns: AuditEntry,
    list: 'cursor',
  }),
}

export const ServiceHealth = z
  .object({
    nodes: z
      .array(
        z.object({
          id: Id.meta({ description: 'Id of the node: another one after each start' }),
          started_at: Timestamp.meta({ description: 'When it was started, in Unix seconds' }),
          seen_at: Timestamp.meta({ description: 'When it last said that it runs, in Unix seconds' }),
          roles: z.array(z.enum(['api', 'worker'])).meta({
            description: '`api`: it answers requests; `worker`: it delivers, sends and looks for changes',
          }),
          watched_grants: z.int().meta({ description: 'How many grants it looks for changes of' }),
        }),
      )
      .meta({ description: 'The processes that share the store and run now' }),
    outbox_jobs: z.int().meta({ description: 'Jobs that are still to be done at providers and elsewhere' }),
    deliveries_waiting: z.int().meta({ description: 'Notifications that wait for a destination, counted for each' }),
    sends_waiting: z.int().meta({ description: 'Messages that are to be sent, now or at their time' }),
    grants: z
      .object({
        valid: z.int().meta({ description: 'Grants that work' }),
        invalid: z.int().meta({ description: 'Grants whose users must authenticate again' }),
      })
      .meta({ description: 'Grants of all applications by their state' }),
    destinations: z
      .object({
        active: z.int().meta({ description: 'Destinations that are sent to' }),
        failing: z.int().meta({ description: 'Destinations that are sent to though most attempts fail' }),
        failed: z.int().meta({ description: 'Destinations that are not sent to any more, because attempts failed' }),
        pause: z.int().meta({ description: 'Destinations that their application paused' }),
      })
      .meta({ description: 'Webhook destinations of all applications by their state' }),
  })
  .meta({ id: 'ServiceHealth', description: 'How the service fares now' })
export type ServiceHealth = z.output<typeof ServiceHealth>

export const HealthFigures = z
  .object({
    at: Timestamp.meta({ description: 'Beginning of the minute, or of the five minutes, in Unix seconds' }),
    requests: z.int().meta({ description: 'Requests that were answered' }),
    errors: z.int().meta({ description: 'Those of them that were answered with 5xx' }),
    latency_p50_ms: z.number().nullable().meta({
      description: 'Milliseconds within which half of the requests were answered; null where there were none',
    }),
    latency_p95_ms: z.number().nullable().meta({
      description: 'Milliseconds within which 95 % of the requests were answered; null where there were none',
    }),
    deliveries: z.int().meta({ description: 'Attempts to deliver a notification that succeeded' }),
    delivery_failures: z.int().meta({ description: 'Attempts to deliver a notification that failed' }),
    delivery_p50_ms: z.number().nullable().meta({
      description: 'Milliseconds within which half of the attempts to deliver ended; null where there were none',
    }),
    provider_errors: z.int().meta({ description: 'Errors that providers caused' }),
    watched_grants: z.int().meta({ description: 'Grants whose changes were looked for at the end of that time' }),
  })
  .meta({ id: 'HealthFigures', description: 'How the service fared in one step of time' })
export type HealthFigures = z.output<typeof HealthFigures>

export const health = {
  get: route({
    method: 'GET',
    path: '/v3/admin/health',
    summary: 'Tell how the service fares now',
    description: 'Nodes, what waits to be done, and grants and destinations by their state, over all applications.',
    audience: 'administrator',
    returns: ServiceHealth,
  }),
  series: route({
    method: 'GET',
    path: '/v3/admin/health/series',
    summary: 'Tell how the service fared, over time',
    description:
      'All nodes together, the oldest first, up to now: by the minute, over more than 8 hours by five minutes. Kept for 48 hours. Percentiles are right to within a fifth.',
    audience: 'administrator',
    query: z.object({
      hours: integerParam({ min: 1, max: 48 }).meta({ description: 'How many hours back, up to 48; 6 when absent' }),
    }),
    returns: HealthFigures,
    list: 'whole',
  }),
}
