/** Administrator routes: applications, API keys, blocking, usage. */
import { z } from 'zod'
import { Count } from './admin-grants.ts'
import { CredentialRequest, credentialRequestQuery } from './agents/agents.ts'
import { KeyRights } from './agents/key-rights.ts'
import { Application, Environment } from './applications.ts'
import {
  booleanParam,
  CreatedAt,
  choiceParam,
  Id,
  integerParam,
  line,
  listParam,
  pageTokenParam,
  Timestamp,
  textParam,
  UpdatedAt,
} from './fields.ts'
import { limitingObject } from './limiting.ts'
import { limits } from './limits.ts'
import { route } from './route.ts'

export const KeyCreator = z
  .object({
    type: z.enum(['person', 'installation', 'command', 'start', 'service_account', 'unknown']).meta({
      description:
        "`person`: a person with their own account; `installation`: the installation's password or a one-time link; `command`: the `waypost` command on the server; `start`: the first start, or `WAYPOST_API_KEY`; `service_account`: a service account, named by `name`; `unknown`: created before this was recorded",
    }),
    person_id: Id.nullable().meta({
      description: 'Id of the person, who may have been removed since; null for other types',
    }),
    name: z.string().nullable().meta({
      description: 'Name of the person or service account when it created the key; null for other types',
    }),
  })
  .meta({ id: 'KeyCreator', description: 'Creator of an API key' })
export type KeyCreator = z.output<typeof KeyCreator>

export const ApiKey = z
  .object({
    id: Id.meta({ description: 'Id of the key' }),
    application_id: Id.meta({ description: 'Id of the application that the key belongs to' }),
    name: z.string().meta({ description: 'Name of the key, for your own use' }),
    hint: z.string().meta({ description: 'First characters of the key, to tell keys apart' }),
    permissions: z.array(z.string()).meta({
      description: '`["all"]`, or the operations of a restricted key, as in `rights`',
    }),
    rights: KeyRights.nullable().meta({
      description: 'The rights of a restricted key; null: the key has all rights',
    }),
    status: z.enum(['active', 'expired', 'revoked']).meta({
      description: '`active`, or the reason why the key no longer works',
    }),
    expires_in: z.int().nullable().meta({ description: 'Days until the key expires; null if it never expires' }),
    expires_at: Timestamp.nullable().meta({
      description: 'Expiry time in Unix seconds; null if it never expires',
    }),
    last_used_at: Timestamp.nullable().meta({
      description: 'Time of the last use in Unix seconds; null if never used',
    }),
    created_by: KeyCreator,
    created_at: CreatedAt,
    updated_at: UpdatedAt,
  })
  .meta({ id: 'ApiKey', description: 'An API key of an application, without its secret' })
export type ApiKey = z.output<typeof ApiKey>

export const NewApiKey = ApiKey.extend({
  api_key: z.string().meta({
    description: 'The key itself, for `Authorization: Bearer`. Returned only once',
  }),
}).meta({ id: 'NewApiKey', description: 'A newly created API key' })
export type NewApiKey = z.output<typeof NewApiKey>

export const ApplicationSummary = Application.omit({ callback_uris: true })
  .extend({
    grant_limit: z.int().nullable().meta({
      description: 'Maximum number of grants, such as 5 for the sandbox; null if unlimited',
    }),
    grant_count: z.int().meta({ description: 'Number of grants, including invalid ones' }),
    mail_per_day: z.int().nullable().meta({
      description:
        "Maximum number of mails per day (UTC) that the service sends for the application in its own name, such as alerts about destinations; null: the operator's setting",
    }),
  })
  .meta({ id: 'ApplicationSummary', description: 'An application as seen by an administrator' })
export type ApplicationSummary = z.output<typeof ApplicationSummary>

export const Usage = z
  .object({
    application_id: Id.meta({ description: 'Id of the application' }),
    name: z.string().meta({ description: 'Name of the application' }),
    billed_grants: z.int().meta({ description: 'Number of currently billed grants, including invalid ones' }),
    by_provider: z.record(z.string(), z.int()).meta({ description: 'Currently billed grants by provider' }),
    months: z
      .array(
        z.object({
          month: z.string().meta({ description: 'Month in UTC, such as `2025-02`' }),
          billed_grants: z.int().meta({ description: 'Number of grants that existed at some time in the month' }),
          by_provider: z.record(z.string(), z.int()).meta({ description: 'Grants of the month by provider' }),
        }),
      )
      .meta({ description: 'The last twelve months, newest first' }),
  })
  .meta({ id: 'Usage', description: 'Number of billed grants of an application' })
export type Usage = z.output<typeof Usage>

const application = '/v3/admin/applications/:application_id'

export const adminApplications = {
  list: route({
    method: 'GET',
    path: '/v3/admin/applications',
    summary: 'List all applications',
    description: 'Oldest first, in pages. Includes the sandbox that every installation starts with.',
    audience: 'administrator',
    query: z.object({
      limit: integerParam({ min: 1 }).meta({
        description: `Maximum page size, default 50; values above ${limits.pageMax} are reduced to ${limits.pageMax}. A page can be shorter and still have a next page.`,
      }),
      page_token: pageTokenParam(),
      search: line(256)
        .min(1)
        .optional()
        .meta({ description: 'Only applications whose name or id contains this text' }),
      application_id: listParam().meta({ description: 'Only applications with these ids, comma-separated' }),
      environment: choiceParam(Environment.options).meta({ description: 'Only applications of this environment' }),
      blocked: booleanParam().meta({
        description: '`true`: only blocked applications; `false`: only applications that are not blocked',
      }),
      sort: choiceParam(['created_at', 'name']).meta({
        description: 'Sort key; default `created_at`',
      }),
      order: choiceParam(['asc', 'desc']).meta({ description: '`asc` (default) or `desc`' }),
    }),
    returns: ApplicationSummary,
    list: 'cursor',
  }),
  create: route({
    method: 'POST',
    path: '/v3/admin/applications',
    summary: 'Create an application',
    description:
      'The application has no API key yet. Create one with `POST /v3/admin/applications/{application_id}/api-keys`.',
    audience: 'administrator',
    body: limitingObject({
      name: line(256).min(1).meta({ description: 'Name shown to end users when they sign in, up to 256 characters' }),
      environment: Environment.exclude(['sandbox']).default('production').meta({
        description:
          'Purpose of the application. It appears in its API keys and has no other effect. Default: `production`.',
      }),
    }).meta({ id: 'ApplicationDraft', description: 'A new application' }),
    returns: ApplicationSummary,
    status: 201,
  }),
  get: route({
    method: 'GET',
    path: application,
    summary: 'Get one application',
    description: 'Includes the number of its grants and its limit.',
    audience: 'administrator',
    returns: ApplicationSummary,
    errors: ['not_found'],
  }),
  update: route({
    method: 'PATCH',
    path: application,
    summary: 'Block or unblock an application, or change its mail limit',
    description: 'Set at least one field. All calls of a blocked application fail with 423; its data stays.',
    audience: 'administrator',
    body: limitingObject({
      blocked: z.boolean().optional().meta({ description: '`true` blocks the application, `false` unblocks it' }),
      mail_per_day: z.int().min(0).max(1_000_000).nullish().meta({
        description:
          "Maximum number of mails per day (UTC) that the service sends for the application in its own name; null: the operator's setting",
      }),
    })
      .refine(({ blocked, mail_per_day }) => blocked !== undefined || mail_per_day !== undefined, {
        error: 'must hold blocked or mail_per_day',
      })
      .meta({ id: 'ApplicationControl', description: 'Restrictions of an application' }),
    returns: ApplicationSummary,
    errors: ['not_found'],
  }),
  countApprovals: route({
    method: 'GET',
    path: `${application}/approvals/count`,
    summary: 'Count the approvals of an application that wait for a person',
    description: 'Exact up to 100. The approvals themselves are in `GET /v3/approvals`.',
    audience: 'administrator',
    returns: Count,
    errors: ['not_found'],
  }),
}

export const apiKeys = {
  list: route({
    method: 'GET',
    path: `${application}/api-keys`,
    summary: 'List the API keys of an application',
    description: 'Returns all keys, including expired and revoked ones. The keys themselves are never returned.',
    audience: 'administrator',
    returns: ApiKey,
    list: 'whole',
    errors: ['not_found'],
  }),
  create: route({
    method: 'POST',
    path: `${application}/api-keys`,
    summary: 'Create an API key',
    description:
      'The key itself is returned only in this response. With `rights` it is a restricted key, which starts with `wprk_`.',
    audience: 'administrator',
    body: limitingObject({
      name: line(256).min(1).meta({ description: 'Name of the key, for your own use, up to 256 characters' }),
      expires_in: z.int().min(1).max(36_500).nullish().meta({
        description: 'Days until the key expires; default: never',
      }),
      rights: KeyRights.nullish().meta({
        description:
          'The rights of a restricted key. Without them, the key has all rights. They can be changed later, but not removed',
      }),
    }).meta({ id: 'ApiKeyDraft', description: 'A new API key' }),
    returns: NewApiKey,
    errors: ['not_found'],
  }),
  get: route({
    method: 'GET',
    path: `${application}/api-keys/:id`,
    summary: 'Get one API key, without its secret',
    description: 'Works for expired and revoked keys too.',
    audience: 'administrator',
    returns: ApiKey,
    errors: ['not_found'],
  }),
  update: route({
    method: 'PATCH',
    path: `${application}/api-keys/:id`,
    summary: 'Rename an API key, or change the rights of a restricted one',
    description:
      'Set at least one field. `rights` replaces all rights of a restricted key, from the next request on every node. A key with all rights keeps them: create a restricted key and revoke the other one.',
    audience: 'administrator',
    body: limitingObject({
      name: line(256).min(1).optional().meta({ description: 'New name of the key, up to 256 characters' }),
      rights: KeyRights.optional().meta({ description: 'The new rights of a restricted key' }),
    })
      .refine(({ name, rights }) => name !== undefined || rights !== undefined, {
        error: 'must hold name or rights',
      })
      .meta({ id: 'ApiKeyChange', description: 'Changes to an API key. Absent fields stay unchanged.' }),
    returns: ApiKey,
    errors: ['not_found', 'conflict'],
  }),
  delete: route({
    method: 'DELETE',
    path: `${application}/api-keys/:id`,
    summary: 'Revoke an API key',
    description:
      'Takes effect immediately on every node. The key stays in the list as revoked. Revoking it again returns "not found".',
    audience: 'administrator',
    errors: ['not_found'],
  }),
  requests: route({
    method: 'GET',
    path: `${application}/api-keys/:id/requests`,
    summary: 'List the requests of a restricted API key',
    description:
      'Newest first, without bodies. Retention: 30 days, and about the last 10,000 requests. Entries are written every second, so the latest may be missing. Keys without `rights` have no entries.',
    audience: 'administrator',
    query: credentialRequestQuery,
    returns: CredentialRequest,
    list: 'cursor',
    errors: ['not_found'],
  }),
}

export const usage = {
  list: route({
    method: 'GET',
    path: '/v3/admin/usage',
    summary: 'Get the billed grants of every application',
    description:
      'In pages, oldest application first. A grant is billed from its first authentication until it is deleted, even while it is invalid.',
    audience: 'administrator',
    query: z.object({
      limit: integerParam({ min: 1 }).meta({
        description: `Maximum page size, default 50; values above ${limits.pageMax} are reduced to ${limits.pageMax}`,
      }),
      page_token: pageTokenParam(),
      application_id: textParam().meta({ description: 'Only this application' }),
    }),
    returns: Usage,
    list: 'cursor',
  }),
  get: route({
    method: 'GET',
    path: `${application}/usage`,
    summary: 'Get the billed grants of one application',
    description: 'A grant is billed from its first authentication until it is deleted, even while it is invalid.',
    audience: 'administrator',
    returns: Usage,
    errors: ['not_found'],
  }),
}
