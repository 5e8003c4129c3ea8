/** What administrators do: applications, API keys, blocking, usage. */
import { z } from 'zod'
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
import { limits } from './limits.ts'
import { route } from './route.ts'

export const KeyCreator = z
  .object({
    type: z.enum(['person', 'installation', 'command', 'start', 'unknown']).meta({
      description:
        '`person`: somebody under their own name; `installation`: the password of the installation, or a one-time link; `command`: `waypost` on the machine of the service; `start`: the first start, or `WAYPOST_API_KEY`; `unknown`: created before this was recorded',
    }),
    person_id: Id.nullable().meta({ description: 'Id of the person, who may be removed since; null for the others' }),
    name: z.string().nullable().meta({
      description: 'Name of the person when they created the key; null for the others',
    }),
  })
  .meta({ id: 'KeyCreator', description: 'Who created an API key' })
export type KeyCreator = z.output<typeof KeyCreator>

export const ApiKey = z
  .object({
    id: Id.meta({ description: 'Id of the key' }),
    application_id: Id.meta({ description: 'Id of the application that it opens' }),
    name: z.string().meta({ description: 'Name for those who keep it' }),
    hint: z.string().meta({ description: 'Beginning of the key, to tell keys apart' }),
    permissions: z.array(z.string()).meta({ description: 'What it may do: always `["all"]`' }),
    status: z.enum(['active', 'expired', 'revoked']).meta({
      description: '`active`, or why it does not open anything any more',
    }),
    expires_in: z.int().nullable().meta({ description: 'Days left until it expires; null where it never does' }),
    expires_at: Timestamp.nullable().meta({
      description: 'When it expires, in Unix seconds; null where it never does',
    }),
    last_used_at: Timestamp.nullable().meta({
      description: 'When it was last used, in Unix seconds; null where it never was',
    }),
    created_by: KeyCreator,
    created_at: CreatedAt,
    updated_at: UpdatedAt,
  })
  .meta({ id: 'ApiKey', description: 'An API key of an application, without the key itself' })
export type ApiKey = z.output<typeof ApiKey>

export const NewApiKey = ApiKey.extend({
  api_key: z.string().meta({
    description: 'The key itself, for `Authorization: Bearer`: told here and never again',
  }),
}).meta({ id: 'NewApiKey', description: 'An API key that was just made' })
export type NewApiKey = z.output<typeof NewApiKey>

export const ApplicationSummary = Application.omit({ callback_uris: true })
  .extend({
    grant_limit: z.int().nullable().meta({
      description: 'How many grants it may have, such as 5 for the sandbox; null where there is no limit',
    }),
    grant_count: z.int().meta({ description: 'How many grants it has, invalid ones included' }),
    mail_per_day: z.int().nullable().meta({
      description:
        "How many mails the service may send for it in a day (UTC) by the service's own identity, such as those about destinations; null: as the settings say",
    }),
  })
  .meta({ id: 'ApplicationSummary', description: 'An application as the administrator sees it' })
export type ApplicationSummary = z.output<typeof ApplicationSummary>

export const Usage = z
  .object({
    application_id: Id.meta({ description: 'Id of the application' }),
    name: z.string().meta({ description: 'Name of the application' }),
    billed_grants: z.int().meta({ description: 'Grants that count now: all that are there, invalid ones included' }),
    by_provider: z.record(z.string(), z.int()).meta({ description: 'The same by the kind of the account' }),
    months: z
      .array(
        z.object({
          month: z.string().meta({ description: 'Month in UTC, such as `2025-02`' }),
          billed_grants: z.int().meta({ description: 'Grants that were there at some time in the month' }),
          by_provider: z.record(z.string(), z.int()).meta({ description: 'The same by the kind of the account' }),
        }),
      )
      .meta({ description: 'The last twelve months, the newest first' }),
  })
  .meta({ id: 'Usage', description: 'How many grants of an application count for billing' })
export type Usage = z.output<typeof Usage>

const application = '/v3/admin/applications/:application_id'

export const adminApplications = {
  list: route({
    method: 'GET',
    path: '/v3/admin/applications',
    summary: 'List all applications',
    description: 'The oldest first, in pages. The sandbox, which every installation begins with, is among them.',
    audience: 'administrator',
    query: z.object({
      limit: integerParam({ min: 1 }).meta({
        description: `How many a page has at most, 50 when absent; more than ${limits.pageMax} is taken as ${limits.pageMax}. A page may hold fewer and still have a next one.`,
      }),
      page_token: pageTokenParam(),
      search: line(256).min(1).optional().meta({ description: 'With this text in the name or the id' }),
      application_id: listParam().meta({ description: 'Those with these ids alone, with commas between them' }),
      environment: choiceParam(Environment.options).meta({ description: 'Of this environment alone' }),
      blocked: booleanParam().meta({ description: '`true`: blocked ones alone; `false`: those that are not' }),
      sort: choiceParam(['created_at', 'name']).meta({
        description: 'What the order goes by; `created_at` when absent',
      }),
      order: choiceParam(['asc', 'desc']).meta({ description: '`asc` when absent; `desc` the other way round' }),
    }),
    returns: ApplicationSummary,
    list: 'cursor',
  }),
  create: route({
    method: 'POST',
    path: '/v3/admin/applications',
    summary: 'Create an application',
    description: 'It has no API key yet: create one with `POST /v3/admin/applications/{application_id}/api-keys`.',
    audience: 'administrator',
    body: z
      .object({
        name: line(256).min(1).meta({ description: 'Name that end users see when they sign in, up to 256 characters' }),
        environment: Environment.exclude(['sandbox']).default('production').meta({
          description: 'What it is for: stands in its API keys, and changes nothing else. `production` when absent.',
        }),
      })
      .meta({ id: 'ApplicationDraft', description: 'An application to be made' }),
    returns: ApplicationSummary,
    status: 201,
  }),
  get: route({
    method: 'GET',
    path: application,
    summary: 'Get one application',
    description: 'With how many grants it has and may have.',
    audience: 'administrator',
    returns: ApplicationSummary,
    errors: ['not_found'],
  }),
  update: route({
    method: 'PATCH',
    path: application,
    summary: 'Block or unblock an application, or change how many mails it may send',
    description:
      'Give at least one of the two. All calls of a blocked application are answered with 423; its data stays.',
    audience: 'administrator',
    body: z
      .object({
        blocked: z.boolean().optional().meta({ description: '`true` blocks it, `false` opens it again' }),
        mail_per_day: z.int().min(0).max(1_000_000).nullish().meta({
          description:
            "How many mails the service may send for it in a day (UTC) by the service's own identity; null: as the settings say",
        }),
      })
      .refine(({ blocked, mail_per_day }) => blocked !== undefined || mail_per_day !== undefined, {
        error: 'must hold blocked or mail_per_day',
      })
      .meta({ id: 'ApplicationControl', description: 'What an application may do' }),
    returns: ApplicationSummary,
    errors: ['not_found'],
  }),
}

export const apiKeys = {
  list: route({
    method: 'GET',
    path: `${application}/api-keys`,
    summary: 'List the API keys of an application',
    description: 'Whole, expired and revoked ones included. The keys themselves are never answered.',
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
        name: line(256).min(1).meta({ description: 'Name for those who keep it, up to 256 characters' }),
        expires_in: z.int().min(1).max(36_500).nullish().meta({
          description: 'Days until it expires; it never does when absent',
        }),
      })
      .meta({ id: 'ApiKeyDraft', description: 'An API key to be made' }),
    returns: NewApiKey,
    errors: ['not_found'],
  }),
  get: route({
    method: 'GET',
    path: `${application}/api-keys/:id`,
    summary: 'Get one API key, without its secret',
    description: 'Also one that has expired or was revoked.',
    audience: 'administrator',
    returns: ApiKey,
    errors: ['not_found'],
  }),
  delete: route({
    method: 'DELETE',
    path: `${application}/api-keys/:id`,
    summary: 'Revoke an API key, at once and on every node',
    description:
      'It opens nothing any more, and stays in the list as revoked. One that is revoked already is not found.',
    audience: 'administrator',
    errors: ['not_found'],
  }),
}

export const usage = {
  list: route({
    method: 'GET',
    path: '/v3/admin/usage',
    summary: 'Billed grants of every application',
    description:
      'In pages, the oldest application first. A grant counts from its first authentication until it is deleted, also while it is invalid.',
    audience: 'administrator',
    query: z.object({
      limit: integerParam({ min: 1 }).meta({
        description: `How many applications a page has at most, 50 when absent; more than ${limits.pageMax} is taken as ${limits.pageMax}`,
      }),
      page_token: pageTokenParam(),
      application_id: textParam().meta({ description: 'Of this application alone' }),
    }),
    returns: Usage,
    list: 'cursor',
  }),
  get: route({
    method: 'GET',
    path: `${application}/usage`,
    summary: 'Billed grants of one application',
    description: 'A grant counts from its first authentication until it is deleted, also while it is invalid.',
    audience: 'administrator',
    returns: Usage,
    errors: ['not_found'],
  }),
}
