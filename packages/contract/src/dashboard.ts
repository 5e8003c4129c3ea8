/** What the dashboard is made of beside the other routes: signing in, who did what, and how the service fares. */
import { z } from 'zod'
import { cursorPaging, Id, integerParam, Timestamp, textParam } from './fields.ts'
import { limits } from './limits.ts'
import { route } from './route.ts'

export const Session = z
  .object({
    signed_in_at: Timestamp,
    expires_at: Timestamp.meta({ description: 'The session ends then, whatever happens' }),
    idle_expires_at: Timestamp.meta({ description: 'It ends then if nothing is asked for until then' }),
  })
  .meta({ id: 'Session' })
export type Session = z.output<typeof Session>

export const SignIn = z
  .object({
    password: z.string().min(1).max(limits.passwordLength).optional(),
    link: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .meta({ description: 'What stands behind `#link=` of a one-time link; instead of the password' }),
  })
  .meta({ id: 'SignIn' })
export type SignIn = z.output<typeof SignIn>

export const PasswordChange = z
  .object({
    current_password: z.string().min(1).max(limits.passwordLength),
    new_password: z.string().min(limits.passwordLengthMin).max(limits.passwordLength).meta({
      description: 'None of those that everybody chooses',
    }),
  })
  .meta({ id: 'PasswordChange' })
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
    audience: 'administrator',
    returns: Session,
    errors: ['not_found'],
  }),
  delete: route({
    method: 'DELETE',
    path: '/v3/admin/session',
    summary: 'Sign out',
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
    id: Id,
    at: Timestamp,
    actor: z.enum(['session', 'password', 'command']).meta({
      description: 'The dashboard, HTTP Basic credentials, or the `waypost` command',
    }),
    address: z.string().nullable().meta({ description: 'Where the request came from; null for a command' }),
    action: z
      .string()
      .meta({ description: 'The id of the route, such as `apiKeys.create`, also where a command did it' }),
    application_id: Id.nullable(),
    target: z.string().nullable().meta({ description: 'The id of the object' }),
    status: z.int().meta({ description: 'What it was answered with' }),
  })
  .meta({ id: 'AuditEntry' })
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
      application_id: textParam(),
      action: textParam().meta({ description: 'Such as `apiKeys.create`' }),
    }),
    returns: AuditEntry,
    list: 'cursor',
  }),
}

export const ServiceHealth = z
  .object({
    nodes: z.array(
      z.object({
        id: Id,
        started_at: Timestamp,
        seen_at: Timestamp,
        roles: z.array(z.enum(['api', 'worker'])),
        watched_grants: z.int().meta({ description: 'Grants whose changes this node looks for' }),
      }),
    ),
    outbox_jobs: z.int(),
    deliveries_waiting: z.int(),
    sends_waiting: z.int().meta({ description: 'Messages that are to be sent, now or at their time' }),
    grants: z.object({ valid: z.int(), invalid: z.int() }),
    destinations: z.object({ active: z.int(), failing: z.int(), failed: z.int(), pause: z.int() }),
  })
  .meta({ id: 'ServiceHealth' })
export type ServiceHealth = z.output<typeof ServiceHealth>

export const HealthFigures = z
  .object({
    at: Timestamp.meta({ description: 'The beginning of the minute, or of the five minutes' }),
    requests: z.int(),
    errors: z.int().meta({ description: 'Requests that were answered with 5xx' }),
    latency_p50_ms: z.number().nullable().meta({ description: 'null where there were no requests' }),
    latency_p95_ms: z.number().nullable(),
    deliveries: z.int().meta({ description: 'Attempts to deliver that succeeded' }),
    delivery_failures: z.int(),
    delivery_p50_ms: z.number().nullable(),
    provider_errors: z.int(),
    watched_grants: z.int(),
  })
  .meta({ id: 'HealthFigures' })
export type HealthFigures = z.output<typeof HealthFigures>

export const health = {
  get: route({
    method: 'GET',
    path: '/v3/admin/health',
    summary: 'Tell how the service fares now',
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
    query: z.object({ hours: integerParam({ min: 1, max: 48 }).meta({ description: '6 when absent' }) }),
    returns: HealthFigures,
    list: 'whole',
  }),
}
