import { z } from 'zod'
import { line, selectParam, textParam } from './fields.ts'
import { ExternalId, Grant } from './grants.ts'
import { limits } from './limits.ts'
import { route } from './route.ts'
import { RevokeRequest, TokenAnswer, TokenInfo, TokenRequest, tokenParam } from './tokens.ts'

export const CustomAuthentication = z
  .object({
    provider: z.string().optional().meta({
      description:
        'Required. Provider of the account: `google`, `microsoft`, `imap`, `icloud`, `yahoo`, `ews` or `virtual-calendar`. The application must have its connector.',
    }),
    settings: z.record(z.string(), z.unknown()).meta({
      description:
        'Credentials of the account, depending on the provider: a refresh token, a user name with a password, or the name of a virtual account. `GET /v3/connect/custom` lists the fields. Secrets are encrypted and never returned.',
    }),
    scope: z.array(line(1024).min(1)).max(200).nullish().meta({
      description:
        'Scopes of the credentials. Stored with the grant if the provider does not report them; ignored for providers without scopes.',
    }),
    state: z
      .string()
      .max(limits.stateLength)
      .nullish()
      .meta({ description: `Your own text, stored with the grant: up to ${limits.stateLength} characters` }),
    credential_id: line(64).nullish().meta({
      description: 'Credential of the connector to use instead of its active one; same as in `settings`',
    }),
    external_id: ExternalId.nullish().meta({
      description:
        'Your own id of the end user, unique in the application. Paths can then use `external:<id>` as the grant id',
    }),
    workspace_id: line(64).nullish().meta({
      description:
        'Id of a workspace for the grant. Default: the workspace of its domain with `auto_group`, otherwise the default workspace; an existing grant stays where it is.',
    }),
  })
  .meta({ id: 'CustomAuthentication', description: 'An account and its credentials' })
export type CustomAuthentication = z.output<typeof CustomAuthentication>

export const ProviderGuide = z
  .object({
    provider: z.string().meta({ description: 'Provider of the account: the `provider` of a request' }),
    title: z.string().meta({ description: 'Display name' }),
    available: z.boolean().meta({ description: 'Whether this server can create grants of this provider' }),
    connector: z.boolean().meta({ description: 'Whether the application has the required connector' }),
    settings: z
      .array(
        z.object({
          name: z.string().meta({ description: 'Name of the field in `settings`' }),
          required: z.boolean().meta({
            description:
              'Whether the field is always required. If there are several ways to authenticate, all fields may be optional',
          }),
          description: z.string().meta({ description: 'Description of the field; empty if its name is enough' }),
        }),
      )
      .meta({ description: 'Fields that `settings` may have' }),
    example: z
      .record(z.string(), z.unknown())
      .meta({ description: 'Sample body for POST on this path, with placeholders' }),
  })
  .meta({ id: 'ProviderGuide', description: 'Requirements of one provider for custom authentication' })
export type ProviderGuide = z.output<typeof ProviderGuide>

export const connect = {
  guide: route({
    right: 'administration',
    method: 'GET',
    path: '/v3/connect/custom',
    summary: 'Get the requirements of each provider for custom authentication',
    description:
      'Returns one entry per provider. A browser that opens this path with the query of `/v3/connect/auth` is redirected to the hosted sign-in.',
    audience: 'application',
    query: z.object({
      provider: textParam().meta({ description: 'Only this provider; default: all' }),
      ...selectParam,
    }),
    returns: ProviderGuide,
    list: 'whole',
  }),
  custom: route({
    right: 'administration',
    method: 'POST',
    path: '/v3/connect/custom',
    summary: 'Create a grant from existing credentials',
    description:
      'The credentials are checked with the provider first; an error names the failing setting. If the address already has a grant, it is authenticated again and keeps its id. If that grant belongs to another provider, the request fails with 409. Requires a connector of the provider. Sends `grant.created` or `grant.updated`.',
    audience: 'application',
    query: z.object(selectParam),
    body: CustomAuthentication,
    returns: Grant,
    status: 201,
    errors: [
      'provider_required',
      'connector_required',
      'authentication_failed',
      'refresh_token_invalid',
      'grant_limit_reached',
      'conflict',
      'not_supported_by_provider',
    ],
  }),
  token: route({
    method: 'POST',
    path: '/v3/connect/token',
    summary: 'Exchange a code, refresh token or grant for an access token',
    description:
      'Accepts JSON or a form. The client authenticates with an API key as `client_secret` or bearer token. A code requested with PKCE needs its `code_verifier` and no key. A code works once; a second use revokes the tokens of the first.',
    audience: 'client',
    body: TokenRequest,
    form: true,
    returns: TokenAnswer,
    flat: true,
    errors: ['invalid_client', 'invalid_grant', 'unsupported_grant_type', 'resource_blocked'],
  }),
  tokenInfo: route({
    method: 'GET',
    path: '/v3/connect/tokeninfo',
    summary: 'Inspect a token',
    description:
      'Set exactly one parameter. An expired or revoked token, or one whose grant was deleted, fails with `invalid_token`. An API key can only inspect tokens of its own application.',
    audience: 'client',
    query: z.object({
      id_token: tokenParam().meta({ description: 'An id token signed by this service' }),
      access_token: tokenParam().meta({ description: 'An access token (`wpat_…`) issued by this service' }),
    }),
    returns: TokenInfo,
    errors: ['invalid_token', 'invalid_client'],
  }),
  revoke: route({
    method: 'POST',
    path: '/v3/connect/revoke',
    summary: 'Revoke a token',
    description:
      'Also revokes all tokens issued from the same code, including refresh tokens. The grant stays. The token is in the query, a form or JSON.',
    audience: 'client',
    query: z.object({
      token: tokenParam().meta({ description: 'Access or refresh token to revoke, unless it is in the body' }),
    }),
    body: RevokeRequest,
    form: true,
    errors: ['invalid_token', 'invalid_client'],
  }),
}
