/** What administrators do: applications, API keys, revocation, blocking, usage. */
import { z } from 'zod'
import { Application, Environment } from './applications.ts'
import { Id, line, Timestamp, textParam } from './fields.ts'
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
    summary: 'Block or unblock an application',
    audience: 'administrator',
    body: z.object({ blocked: z.boolean() }).meta({ id: 'BlockChange' }),
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
