import { z } from 'zod'
import {
  booleanParam,
  CreatedAt,
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

export const GrantStatus = z.enum(['valid', 'invalid']).meta({
  id: 'GrantStatus',
  description:
    '`invalid`: the provider refuses the credentials, or the grant was revoked; its user must authenticate again',
})
export type GrantStatus = z.output<typeof GrantStatus>

const Scope = z.array(line(1024).min(1)).max(200)

export const Grant = z
  .object({
    id: Id.meta({
      description: 'Id of the grant: the `grant_id` of paths. It stays when the account is authenticated again.',
    }),
    provider: ProviderKind.meta({ description: 'Kind of the account' }),
    grant_status: GrantStatus.meta({
      description:
        '`valid`, or `invalid` until its user authenticates again; calls to an invalid one are answered with 401',
    }),
    email: z
      .string()
      .meta({ description: 'Address of the account, or the name of a virtual one. Unique in the application.' }),
    name: z
      .string()
      .nullable()
      .meta({ description: 'Name of the user as the provider tells it; null where it does not' }),
    scope: Scope.meta({
      description: 'What the user consented to, in the words of the provider; empty for kinds that have no scopes',
    }),
    user_agent: z.string().nullable().meta({
      description: 'Browser of the last hosted sign-in; null where there was none',
    }),
    ip: z.string().nullable().meta({
      description: 'Network address that the last hosted sign-in came from; null where there was none',
    }),
    state: z.string().nullable().meta({ description: 'The `state` that was given when it was authenticated' }),
    settings: z.record(z.string(), z.unknown()).meta({
      description: 'How the account is reached, such as `imap_host`; what is secret is left out',
    }),
    metadata: Metadata.meta({
      description: 'Your own pairs of texts; a virtual account that was imported has `name` and `organizer` here',
    }),
    email_aliases: z.array(z.string()).optional().meta({
      description: 'Further addresses of the account; with `expose_aliases` only, and where there are any',
    }),
    provider_user_id: z.string().nullable().meta({
      description: 'Id of the user at the provider; null where it has none',
    }),
    external_id: z.string().nullable().meta({
      description: 'Your own id of the end user; `external:<id>` names the grant in paths',
    }),
    credential_id: z.string().nullable().meta({
      description:
        'Credential of the connector that it was authenticated with; null where that was the connector itself',
    }),
    account_id: z
      .string()
      .optional()
      .meta({ description: 'Former id of an account that was imported; absent on others' }),
    workspace_id: Id.meta({ description: 'Workspace of the application: every application has one' }),
    blocked: z.boolean().meta({
      description: 'Whether the administrator blocked it: calls are answered with 423, and nothing is watched',
    }),
    created_at: CreatedAt,
    updated_at: Timestamp.meta({ description: 'When it was last authenticated, in Unix seconds' }),
  })
  .meta({ id: 'Grant', description: 'An account of an end user that the application may use' })
export type Grant = z.output<typeof Grant>

export const ExternalId = line(256).min(1)

export const GrantChange = z
  .object({
    settings: z.record(z.string(), z.unknown()).optional().meta({
      description:
        'New settings in place of the old ones, such as another `refresh_token` or password. They are tried at the provider first, and must open the same account.',
    }),
    scope: Scope.optional().meta({
      description:
        'The list that is kept here, by which the service decides what the grant may do. What the user consented to at the provider does not change.',
    }),
    metadata: Metadata.optional().meta({ description: 'Your own pairs of texts: replaces all of them' }),
    external_id: ExternalId.nullable().optional().meta({
      description: 'Your own id of the end user, up to 256 characters, unique in the application; null removes it',
    }),
  })
  .meta({ id: 'GrantChange', description: 'What is to change of a grant. What is left out stays.' })
export type GrantChange = z.output<typeof GrantChange>

const sortBy = () => choiceParam(['created_at', 'updated_at'], { createdAt: 'created_at', updatedAt: 'updated_at' })
const orderBy = () => choiceParam(['desc', 'asc'])
const status = () => choiceParam(['valid', 'invalid'])
const another = (name: string) => ({
  description: `Another spelling of \`${name}\`, which counts where both are given`,
})

export const GrantListQuery = z.object({
  ...offsetPaging(),
  sort_by: sortBy().meta({
    description: 'What the list is in the order of: when grants were made (default) or last authenticated',
  }),
  sortBy: sortBy().meta(another('sort_by')),
  order_by: orderBy().meta({ description: '`desc`: the newest first (default); `asc`: the oldest first' }),
  orderBy: orderBy().meta(another('order_by')),
  since: momentParam().meta({ description: 'Created at this time or later, in Unix seconds' }),
  before: momentParam().meta({ description: 'Created at this time or earlier, in Unix seconds' }),
  email: textParam().meta({ description: 'Of this address, in any case, or of this virtual account' }),
  grant_status: status().meta({ description: 'In this state alone' }),
  grantStatus: status().meta(another('grant_status')),
  status: status().meta(another('grant_status')),
  ip: textParam().meta({ description: 'Whose last hosted sign-in came from this network address' }),
  provider: textParam().meta({ description: 'Of this kind of account' }),
  account_id: textParam().meta({ description: 'That was imported from the account with this former id' }),
  account_ids: listParam().meta({ description: 'That were imported from accounts with these former ids' }),
  workspace_id: textParam().meta({ description: 'Of this workspace' }),
  connector_id: textParam().meta({ description: 'Made by the connector with this id' }),
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
      'By its id, its e-mail address, `grant:<id>`, `email:<address>`, `external:<your id>`, or as `me` with an access token. An access token opens its own grant alone.',
    audience: 'application',
    token: true,
    query: z.object({
      expose_aliases: booleanParam().meta({
        description:
          '`true` adds `email_aliases`, for which the provider is asked; `google`, `microsoft` and `ews` tell them',
      }),
      ...selectParam,
    }),
    returns: Grant,
    errors: ['grant_not_found', 'grant_access_denied'],
  }),
  update: route({
    method: 'PATCH',
    path: '/v3/grants/:grant_id',
    summary: 'Change a grant',
    description:
      'Fields that are left out stay; `settings`, `scope` and `metadata` replace what was there. The address stays: it is what the grant is known by. Told with `grant.updated`, where something changed.',
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
      'What the service keeps of it is removed, its tokens are revoked, notifications and billing stop; the account at the provider is not touched. Authenticating the address again makes a new grant. Told with `grant.deleted`.',
    audience: 'application',
    errors: ['grant_not_found'],
  }),
}
