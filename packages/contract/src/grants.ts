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
import { ExpiryReason } from './overview.ts'
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
      description:
        'Id of the grant: the `grant_id` in paths. It does not change when the account is authenticated again.',
    }),
    provider: ProviderKind.meta({ description: 'Provider of the account' }),
    grant_status: GrantStatus.meta({
      description: '`valid`, or `invalid` until its user authenticates again. Calls to an invalid grant fail with 401',
    }),
    invalid_reason: z
      .object({
        at: Timestamp.meta({ description: 'Time when it lost access, in Unix seconds' }),
        reason: ExpiryReason.nullable().meta({ description: 'Why it lost access; null if unknown' }),
        message: z.string().nullable().meta({
          description: 'The host that refused it, and what its server said; null if no provider refused it',
        }),
        request_id: Id.nullable().meta({ description: 'Id of the request that detected it; null if there was none' }),
      })
      .optional()
      .meta({
        description:
          'Why the grant is invalid. Only `GET /v3/grants/{grant_id}` returns it, only for an invalid grant, and only while the history of the grant reaches back to that time.',
      }),
    email: z
      .string()
      .meta({ description: 'Address of the account, or the name of a virtual account. Unique in the application.' }),
    name: z.string().nullable().meta({ description: 'Name of the user from the provider; null if unknown' }),
    scope: Scope.meta({
      description: 'Scopes approved by the user, as the provider names them; empty for providers without scopes',
    }),
    user_agent: z.string().nullable().meta({
      description: 'Browser of the last hosted sign-in; null if there was none',
    }),
    ip: z.string().nullable().meta({
      description: 'IP address of the last hosted sign-in; null if there was none',
    }),
    state: z.string().nullable().meta({ description: 'The `state` given at authentication' }),
    settings: z.record(z.string(), z.unknown()).meta({
      description: 'Connection settings, such as `imap_host`; secrets are omitted',
    }),
    metadata: Metadata.meta({
      description: 'Your own key-value pairs; an imported virtual account has `name` and `organizer` here',
    }),
    email_aliases: z.array(z.string()).optional().meta({
      description: 'Additional addresses of the account, if there are any; only with `expose_aliases`',
    }),
    provider_user_id: z.string().nullable().meta({
      description: 'Id of the user at the provider; null if there is none',
    }),
    external_id: z.string().nullable().meta({
      description: 'Your own id of the end user. Paths can use `external:<id>` as the grant id',
    }),
    credential_id: z.string().nullable().meta({
      description: "Credential of the connector with which it was authenticated; null for the connector's own client",
    }),
    account_id: z.string().optional().meta({ description: 'Previous id of an imported account; absent for others' }),
    workspace_id: Id.meta({ description: 'Workspace of the grant: one of `GET /v3/workspaces`' }),
    blocked: z.boolean().meta({
      description: 'Whether an administrator blocked it: calls fail with 423, and its changes are not watched',
    }),
    created_at: CreatedAt,
    updated_at: Timestamp.meta({ description: 'Time of the last authentication in Unix seconds' }),
  })
  .meta({ id: 'Grant', description: "An end user's account that the application can access" })
export type Grant = z.output<typeof Grant>

export const ExternalId = line(256).min(1)

export const GrantChange = z
  .object({
    settings: z.record(z.string(), z.unknown()).optional().meta({
      description:
        'New settings that replace the old ones, such as a new `refresh_token` or password. The provider must accept them first, and they must belong to the same account.',
    }),
    scope: Scope.optional().meta({
      description:
        "The stored scopes, with which the service decides what the grant may do. The user's consent at the provider does not change.",
    }),
    metadata: Metadata.optional().meta({ description: 'Your own key-value pairs: replaces all of them' }),
    external_id: ExternalId.nullable().optional().meta({
      description: 'Your own id of the end user, up to 256 characters, unique in the application; null removes it',
    }),
    workspace_id: Id.optional().meta({ description: 'Id of the workspace to which the grant moves' }),
  })
  .meta({ id: 'GrantChange', description: 'Changes to a grant. Absent fields stay unchanged.' })
export type GrantChange = z.output<typeof GrantChange>

const sortBy = () => choiceParam(['created_at', 'updated_at'], { createdAt: 'created_at', updatedAt: 'updated_at' })
const orderBy = () => choiceParam(['desc', 'asc'])
const status = () => choiceParam(['valid', 'invalid'])
const another = (name: string) => ({
  description: `Alias of \`${name}\`; takes precedence if both are given`,
})

export const GrantListQuery = z.object({
  ...offsetPaging(),
  sort_by: sortBy().meta({
    description: 'Sort key: creation time (default) or time of the last authentication',
  }),
  sortBy: sortBy().meta(another('sort_by')),
  order_by: orderBy().meta({ description: '`desc` (default): newest first; `asc`: oldest first' }),
  orderBy: orderBy().meta(another('order_by')),
  since: momentParam().meta({ description: 'Only grants created at or after this time, in Unix seconds' }),
  before: momentParam().meta({ description: 'Only grants created at or before this time, in Unix seconds' }),
  email: textParam().meta({
    description: 'Only the grant with this address, ignoring case, or of this virtual account',
  }),
  grant_status: status().meta({ description: 'Only grants with this status' }),
  grantStatus: status().meta(another('grant_status')),
  status: status().meta(another('grant_status')),
  ip: textParam().meta({ description: 'Only grants whose last hosted sign-in came from this IP address' }),
  provider: textParam().meta({ description: 'Only grants of this provider' }),
  account_id: textParam().meta({ description: 'Only the grant imported from the account with this previous id' }),
  account_ids: listParam().meta({ description: 'Only grants imported from accounts with these previous ids' }),
  workspace_id: textParam().meta({ description: 'Only grants of this workspace' }),
  connector_id: textParam().meta({ description: 'Only grants created by the connector with this id' }),
  ...selectParam,
})
export type GrantListQuery = z.output<typeof GrantListQuery>

export const grants = {
  list: route({
    right: 'every',
    method: 'GET',
    path: '/v3/grants',
    summary: 'List the grants of the application',
    description:
      'Newest first, unless `sort_by` and `order_by` are given. `sortBy`, `orderBy`, `grantStatus` and `status` are aliases.',
    audience: 'application',
    query: GrantListQuery,
    returns: Grant,
    list: 'offset',
  }),
  get: route({
    right: 'every',
    method: 'GET',
    path: '/v3/grants/:grant_id',
    summary: 'Get one grant',
    description:
      'By id, email address, `grant:<id>`, `email:<address>`, `external:<your id>`, or `me` with an access token. An access token can only read its own grant.',
    audience: 'application',
    token: true,
    query: z.object({
      expose_aliases: booleanParam().meta({
        description: '`true` adds `email_aliases` from the provider; supported by `google`, `microsoft` and `ews`',
      }),
      ...selectParam,
    }),
    returns: Grant,
    errors: ['grant_not_found', 'grant_access_denied'],
  }),
  update: route({
    right: 'administration',
    method: 'PATCH',
    path: '/v3/grants/:grant_id',
    summary: 'Change a grant',
    description:
      'Absent fields stay unchanged; `settings`, `scope` and `metadata` are replaced as a whole. The address cannot change. Sends `grant.updated` if something changed.',
    audience: 'application',
    query: z.object(selectParam),
    body: GrantChange,
    returns: Grant,
    errors: ['grant_not_found', 'conflict'],
  }),
  delete: route({
    right: 'administration',
    method: 'DELETE',
    path: '/v3/grants/:grant_id',
    summary: 'Delete a grant',
    description:
      'Deletes all stored data of the grant, revokes its tokens, and ends notifications and billing. The account at the provider is not changed. Authenticating the address again creates a new grant. Sends `grant.deleted`.',
    audience: 'application',
    errors: ['grant_not_found'],
  }),
}
