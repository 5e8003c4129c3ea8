import { z } from 'zod'
import {
  booleanParam,
  choiceParam,
  Id,
  line,
  listParam,
  Metadata,
  momentParam,
  offsetPaging,
  selectParam,
  Timestamp,
  textParam,
} from './fields.ts'
import { ProviderKind } from './provider-kinds.ts'
import { route } from './route.ts'

export const GrantStatus = z.enum(['valid', 'invalid']).meta({ id: 'GrantStatus' })
export type GrantStatus = z.output<typeof GrantStatus>

const Scope = z.array(line(1024).min(1)).max(200)

export const Grant = z
  .object({
    id: Id,
    provider: ProviderKind,
    grant_status: GrantStatus,
    email: z.string().meta({ description: 'The address, or the identifier of a virtual account' }),
    name: z.string().nullable(),
    scope: Scope,
    user_agent: z.string().nullable(),
    ip: z.string().nullable(),
    state: z.string().nullable(),
    settings: z.record(z.string(), z.unknown()).meta({ description: 'Without secrets' }),
    metadata: Metadata,
    email_aliases: z
      .array(z.string())
      .optional()
      .meta({ description: 'Only with `expose_aliases`, and where there are any: further addresses of the account' }),
    provider_user_id: z.string().nullable(),
    external_id: z.string().nullable().meta({ description: 'Your own id of the end user; a locator as external:<id>' }),
    credential_id: z.string().nullable(),
    account_id: z.string().optional().meta({ description: 'Only on accounts that were migrated' }),
    workspace_id: Id,
    blocked: z.boolean(),
    created_at: Timestamp,
    updated_at: Timestamp.meta({ description: 'The last successful authentication' }),
  })
  .meta({ id: 'Grant' })
export type Grant = z.output<typeof Grant>

export const ExternalId = line(256).min(1)

export const GrantChange = z
  .object({
    settings: z.record(z.string(), z.unknown()).optional().meta({
      description: 'Replaces the stored settings, for example with a new refresh_token',
    }),
    scope: Scope.optional().meta({ description: 'The stored list only; consent at the provider does not change' }),
    metadata: Metadata.optional(),
    external_id: ExternalId.nullable().optional(),
  })
  .meta({ id: 'GrantChange' })
export type GrantChange = z.output<typeof GrantChange>

export const GrantListQuery = z.object({
  ...offsetPaging(),
  sort_by: choiceParam(['created_at', 'updated_at'], { createdAt: 'created_at', updatedAt: 'updated_at' }),
  sortBy: choiceParam(['created_at', 'updated_at'], { createdAt: 'created_at', updatedAt: 'updated_at' }),
  order_by: choiceParam(['desc', 'asc']),
  orderBy: choiceParam(['desc', 'asc']),
  since: momentParam().meta({ description: 'Created at this time or later' }),
  before: momentParam().meta({ description: 'Created at this time or earlier' }),
  email: textParam(),
  grant_status: choiceParam(['valid', 'invalid']),
  grantStatus: choiceParam(['valid', 'invalid']),
  status: choiceParam(['valid', 'invalid']),
  ip: textParam(),
  provider: textParam(),
  account_id: textParam(),
  account_ids: listParam(),
  workspace_id: textParam(),
  connector_id: textParam(),
  ...selectParam,
})
export type GrantListQuery = z.output<typeof GrantListQuery>

export const grants = {
  list: route({
    method: 'GET',
    path: '/v3/grants',
    summary: 'List the grants of the application',
    description:
      'Newest first unless `sort_by` and `order_by` say otherwise. `sortBy`, `orderBy`, `grantStatus` and `status` are other spellings.',
    audience: 'application',
    query: GrantListQuery,
    returns: Grant,
    list: 'offset',
  }),
  get: route({
    method: 'GET',
    path: '/v3/grants/:grant_id',
    summary: 'Get one grant',
    description:
      'The locator is the grant id, its e-mail address, `grant:<id>`, `email:<address>`, `external:<your id>`, or `me` with an access token.',
    audience: 'application',
    token: true,
    query: z.object({
      expose_aliases: booleanParam().meta({ description: 'Adds email_aliases, where the provider tells them' }),
      ...selectParam,
    }),
    returns: Grant,
    errors: ['grant_not_found', 'grant_access_denied'],
  }),
  update: route({
    method: 'PATCH',
    path: '/v3/grants/:grant_id',
    summary: 'Change a grant',
    audience: 'application',
    query: z.object(selectParam),
    body: GrantChange,
    returns: Grant,
    errors: ['grant_not_found', 'conflict'],
  }),
  delete: route({
    method: 'DELETE',
    path: '/v3/grants/:grant_id',
    summary: 'Delete a grant',
    description:
      'Its data is removed, its tokens are revoked, notifications and billing stop. Authenticating the address again makes a new grant.',
    audience: 'application',
    errors: ['grant_not_found'],
  }),
}
