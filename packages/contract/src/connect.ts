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
        'Required. Kind of the account: `google`, `microsoft`, `imap`, `icloud`, `yahoo`, `ews` or `virtual-calendar`; the application must have its connector.',
    }),
    settings: z.record(z.string(), z.unknown()).meta({
      description:
        'What opens the account, by provider: a refresh token, a user name with a password, or the name of a virtual account. `GET /v3/connect/custom` tells the fields. Secrets among them are sealed and never answered.',
    }),
    scope: z.array(line(1024).min(1)).max(200).nullish().meta({
      description:
        'Scopes that the credentials have. Kept with the grant where the provider does not tell them itself; without effect for kinds that have none.',
    }),
    state: z
      .string()
      .max(limits.stateLength)
      .nullish()
      .meta({ description: `Your own text, kept with the grant: up to ${limits.stateLength} characters` }),
    credential_id: line(64).nullish().meta({
      description: 'Credential of the connector to use in place of its active one; the same as in `settings`',
    }),
    external_id: ExternalId.nullish().meta({
      description:
        'Your own id of the end user, unique in the application; `external:<id>` then names the grant in paths',
    }),
  })
  .meta({ id: 'CustomAuthentication', description: 'An account, and what opens it' })
export type CustomAuthentication = z.output<typeof CustomAuthentication>

export const ProviderGuide = z
  .object({
    provider: z.string().meta({ description: 'Kind of the account: the `provider` of a request' }),
    title: z.string().meta({ description: 'Its name for people' }),
    available: z.boolean().meta({ description: 'Whether this server can make grants of this kind' }),
    connector: z.boolean().meta({ description: 'Whether the application has the connector that is needed first' }),
    settings: z
      .array(
        z.object({
          name: z.string().meta({ description: 'Name of the field in `settings`' }),
          required: z.boolean().meta({
            description: 'Whether it is always needed; where there are several ways to an account, none of them may be',
          }),
          description: z.string().meta({ description: 'What it is for; empty where its name says it' }),
        }),
      )
      .meta({ description: 'The fields that `settings` may have' }),
    example: z
      .record(z.string(), z.unknown())
      .meta({ description: 'Body for POST on this path, with places to fill in' }),
  })
  .meta({ id: 'ProviderGuide', description: 'What accounts of one kind need for custom authentication' })
export type ProviderGuide = z.output<typeof ProviderGuide>

export const connect = {
  guide: route({
    method: 'GET',
    path: '/v3/connect/custom',
    summary: 'Describe what each provider needs for custom authentication',
    description:
      'One entry for each provider kind. A browser that comes here with the query of `/v3/connect/auth` is led to the hosted sign-in instead.',
    audience: 'application',
    query: z.object({
      provider: textParam().meta({ description: 'Only this kind; all when absent' }),
      ...selectParam,
    }),
    returns: ProviderGuide,
    list: 'whole',
  }),
  custom: route({
    method: 'POST',
    path: '/v3/connect/custom',
    summary: 'Make a grant from credentials that you hold',
    description:
      'The credentials are tried at the provider first; a failure names the setting. An address that has a grant already is authenticated again and keeps its grant id; one that has a grant of another provider is refused with 409. Needs a connector of the provider. Told with `grant.created` or `grant.updated`.',
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
    summary: 'Trade a code, a refresh token or a grant for an access token',
    description:
      'JSON or a form. The client shows who it is by an API key as `client_secret` or as bearer; a code that was asked for with PKCE needs its `code_verifier`, and no key. A code is good for one attempt; a second one revokes what the first gave.',
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
    summary: 'Tell what a token is',
    description:
      'Give exactly one of the two. One that has expired, was revoked, or whose grant is gone is answered with `invalid_token`. With an API key, tokens of its application alone are told of.',
    audience: 'client',
    query: z.object({
      id_token: tokenParam().meta({ description: 'An id token that this service signed' }),
      access_token: tokenParam().meta({ description: 'An access token (`wpat_…`) that this service issued' }),
    }),
    returns: TokenInfo,
    errors: ['invalid_token', 'invalid_client'],
  }),
  revoke: route({
    method: 'POST',
    path: '/v3/connect/revoke',
    summary: 'Revoke a token',
    description:
      'With it go the tokens that were issued from the same code, a refresh token included. The grant stays. The token stands in the query, a form or JSON.',
    audience: 'client',
    query: z.object({
      token: tokenParam().meta({ description: 'Access or refresh token to revoke, unless it stands in the body' }),
    }),
    body: RevokeRequest,
    form: true,
    errors: ['invalid_token', 'invalid_client'],
  }),
}
