/** What administrators do: applications, API keys, revocation, blocking, usage. */
import { z } from 'zod'
import { Application, Environment } from './applications.ts'
import { choiceParam, cursorPaging, Id, line, Timestamp, textParam } from './fields.ts'
import { Grant } from './grants.ts'
import { route } from './route.ts'

export const ApiKey = z
  .object({
    id: Id,
    application_id: Id,
    name: z.string(),
    hint: z.string().meta({ description: 'The beginning of the key, to tell keys apart' }),
    permissions: z.array(z.string()),
    status: z.enum(['active', 'expired', 'revoked']),
    expires_in: z.int().nullable().meta({ description: 'Days left' }),
    expires_at: Timestamp.nullable(),
    last_used_at: Timestamp.nullable(),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: 'ApiKey' })
export type ApiKey = z.output<typeof ApiKey>

export const NewApiKey = ApiKey.extend({
  api_key: z.string().meta({ description: 'The key itself: shown here and never again' }),
}).meta({ id: 'NewApiKey' })
export type NewApiKey = z.output<typeof NewApiKey>

export const ApplicationSummary = Application.omit({ callback_uris: true })
  .extend({
    grant_limit: z.int().nullable(),
    grant_count: z.int(),
    mail_per_day: z
      .int()
      .nullable()
      .meta({ description: "Mails by the service's own identity in a day (UTC); null: as the settings say" }),
  })
  .meta({ id: 'ApplicationSummary' })
export type ApplicationSummary = z.output<typeof ApplicationSummary>

export const Usage = z
  .object({
    application_id: Id,
    name: z.string(),
    billed_grants: z.int().meta({ description: 'Grants billed now: every verified grant that is not deleted' }),
    by_provider: z.record(z.string(), z.int()),
    months: z
      .array(z.object({ month: z.string(), billed_grants: z.int(), by_provider: z.record(z.string(), z.int()) }))
      .meta({ description: 'Grants that were billed at some time in the month, newest month first' }),
  })
  .meta({ id: 'Usage' })
export type Usage = z.output<typeof Usage>

export const AdminGrant = Grant.extend({
  last_used_at: Timestamp.nullable().meta({ description: 'When it was last used through the API' }),
}).meta({ id: 'AdminGrant' })
export type AdminGrant = z.output<typeof AdminGrant>

export const GrantActivity = z
  .object({
    last_used_at: Timestamp.nullable(),
    watch: z.object({
      state: z.enum(['watching', 'resting', 'starting', 'off', 'unsupported']).meta({
        description:
          'resting: the last attempt failed; off: the grant is invalid, blocked, or not to be watched; unsupported: the provider tells of no changes',
      }),
      node_id: Id.nullable().meta({ description: 'The node that looks for its changes' }),
      synced_at: Timestamp.nullable().meta({
        description: 'When all changes were fetched; noted every half an hour where there are none',
      }),
      failures: z.int().meta({ description: 'In a row' }),
      next_try_at: Timestamp.nullable(),
    }),
    errors: z
      .array(
        z.object({
          at: Timestamp,
          operation: z.string().meta({ description: 'The id of the route, or `changes` for looking for changes' }),
          type: z.string(),
          message: z.string(),
          request_id: Id.nullable(),
        }),
      )
      .meta({ description: 'The last 20, the newest first' }),
  })
  .meta({ id: 'GrantActivity' })
export type GrantActivity = z.output<typeof GrantActivity>

export const GrantCompletion = z
  .object({
    code: line(512).min(1),
    redirect_uri: z.string().min(1).max(2048).meta({ description: 'The one that the code was asked for with' }),
    code_verifier: line(128).min(1).optional().meta({ description: 'Where the code was asked for with PKCE' }),
  })
  .meta({ id: 'GrantCompletion' })
export type GrantCompletion = z.output<typeof GrantCompletion>

const application = '/v3/admin/applications/:application_id'

export const adminApplications = {
  list: route({
    method: 'GET',
    path: '/v3/admin/applications',
    summary: 'List all applications',
    audience: 'administrator',
    returns: ApplicationSummary,
    list: 'whole',
  }),
  create: route({
    method: 'POST',
    path: '/v3/admin/applications',
    summary: 'Create an application',
    audience: 'administrator',
    body: z
      .object({ name: line(256).min(1), environment: Environment.exclude(['sandbox']).default('production') })
      .meta({ id: 'ApplicationDraft' }),
    returns: ApplicationSummary,
    status: 201,
  }),
  get: route({
    method: 'GET',
    path: application,
    summary: 'Get one application',
    audience: 'administrator',
    returns: ApplicationSummary,
    errors: ['not_found'],
  }),
  update: route({
    method: 'PATCH',
    path: application,
    summary: 'Block or unblock an application, or change how many mails it may send',
    audience: 'administrator',
    body: z
      .object({
        blocked: z.boolean().optional(),
        mail_per_day: z
          .int()
          .min(0)
          .max(1_000_000)
          .nullish()
          .meta({ description: "Mails by the service's own identity in a day; null: as the settings say" }),
      })
      .refine(({ blocked, mail_per_day }) => blocked !== undefined || mail_per_day !== undefined, {
        error: 'must hold blocked or mail_per_day',
      })
      .meta({ id: 'ApplicationControl' }),
    returns: ApplicationSummary,
    errors: ['not_found'],
  }),
}

export const apiKeys = {
  list: route({
    method: 'GET',
    path: `${application}/api-keys`,
    summary: 'List the API keys of an application',
    audience: 'administrator',
    returns: ApiKey,
    list: 'whole',
    errors: ['not_found'],
  }),
  create: route({
    method: 'POST',
    path: `${application}/api-keys`,
    summary: 'Create an API key',
    description: 'The answer is the only place where the key itself stands.',
    audience: 'administrator',
    body: z
      .object({
        name: line(256).min(1),
        expires_in: z.int().min(1).max(36_500).nullish().meta({ description: 'Days; never expires when absent' }),
      })
      .meta({ id: 'ApiKeyDraft' }),
    returns: NewApiKey,
    errors: ['not_found'],
  }),
  get: route({
    method: 'GET',
    path: `${application}/api-keys/:id`,
    summary: 'Get one API key, without its secret',
    audience: 'administrator',
    returns: ApiKey,
    errors: ['not_found'],
  }),
  delete: route({
    method: 'DELETE',
    path: `${application}/api-keys/:id`,
    summary: 'Revoke an API key, at once and on every node',
    audience: 'administrator',
    errors: ['not_found'],
  }),
}

export const adminGrants = {
  list: route({
    method: 'GET',
    path: `${application}/grants`,
    summary: 'Find grants of an application',
    description: 'The newest first.',
    audience: 'administrator',
    query: z.object({
      ...cursorPaging(),
      search: line(256).min(1).optional().meta({ description: 'A part of the address, the name or the id' }),
      grant_status: choiceParam(['valid', 'invalid']),
      provider: textParam(),
    }),
    returns: AdminGrant,
    list: 'cursor',
    errors: ['not_found'],
  }),
  complete: route({
    method: 'POST',
    path: `${application}/grants/complete`,
    summary: 'Make the grant of a hosted sign-in, from the code that it ended with',
    description:
      'As `POST /v3/connect/token` does, in the name of the administrator and without tokens. `<base address>/dashboard/connected` may be the redirect URI of every application.',
    audience: 'administrator',
    body: GrantCompletion,
    returns: Grant,
    errors: ['not_found', 'invalid_grant', 'grant_limit_reached'],
  }),
  activity: route({
    method: 'GET',
    path: `${application}/grants/:grant_id/activity`,
    summary: 'Tell of the use of a grant, of the watch on it, and of its last errors',
    audience: 'administrator',
    returns: GrantActivity,
    errors: ['not_found', 'grant_not_found'],
  }),
  update: route({
    method: 'PATCH',
    path: `${application}/grants/:grant_id`,
    summary: 'Block or unblock a grant',
    audience: 'administrator',
    body: z.object({ blocked: z.boolean() }).meta({ id: 'GrantBlockChange' }),
    returns: Grant,
    errors: ['not_found', 'grant_not_found'],
  }),
  revoke: route({
    method: 'POST',
    path: `${application}/grants/:grant_id/revoke`,
    summary: 'Revoke a grant',
    description: 'The grant becomes invalid, keeps its data, stays billed, and can be authenticated again.',
    audience: 'administrator',
    returns: Grant,
    errors: ['not_found', 'grant_not_found'],
  }),
}

export const usage = {
  list: route({
    method: 'GET',
    path: '/v3/admin/usage',
    summary: 'Billed grants of every application',
    audience: 'administrator',
    query: z.object({ application_id: textParam() }),
    returns: Usage,
    list: 'whole',
  }),
  get: route({
    method: 'GET',
    path: `${application}/usage`,
    summary: 'Billed grants of one application',
    audience: 'administrator',
    returns: Usage,
    errors: ['not_found'],
  }),
}
