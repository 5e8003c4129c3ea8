import { z } from 'zod'
import { line, selectParam, textParam } from './fields.ts'
import { ExternalId, Grant } from './grants.ts'
import { limits } from './limits.ts'
import { route } from './route.ts'
import { RevokeRequest, TokenAnswer, TokenInfo, TokenRequest, tokenParam } from './tokens.ts'

export const CustomAuthentication = z
  .object({
    provider: z.string().optional().meta({ description: 'Required: one of the provider kinds' }),
    settings: z.record(z.string(), z.unknown()).meta({
      description: 'What the provider needs; `GET /v3/connect/custom` describes it by provider',
    }),
    scope: z.array(line(1024).min(1)).max(200).nullish(),
    state: z.string().max(limits.stateLength).nullish(),
    credential_id: line(64).nullish(),
    external_id: ExternalId.nullish().meta({ description: 'Your own id of the end user, unique in the application' }),
  })
  .meta({ id: 'CustomAuthentication' })
export type CustomAuthentication = z.output<typeof CustomAuthentication>

export const ProviderGuide = z
  .object({
    provider: z.string(),
    title: z.string(),
    available: z.boolean().meta({ description: 'Whether this server can make grants of this kind' }),
    connector: z.boolean().meta({ description: 'Whether the application has the connector that is needed first' }),
    settings: z.array(z.object({ name: z.string(), required: z.boolean(), description: z.string() })),
    example: z.record(z.string(), z.unknown()).meta({ description: 'A body for POST on this path' }),
  })
  .meta({ id: 'ProviderGuide' })
export type ProviderGuide = z.output<typeof ProviderGuide>

export const connect = {
  guide: route({
    method: 'GET',
    path: '/v3/connect/custom',
    summary: 'Describe what each provider needs for custom authentication',
    audience: 'application',
    query: z.object({ provider: textParam(), ...selectParam }),
    returns: ProviderGuide,
    list: 'whole',
  }),
  custom: route({
    method: 'POST',
    path: '/v3/connect/custom',
    summary: 'Make a grant from credentials that you hold',
    description:
      'An address that has a grant already is authenticated again and keeps its grant id. Needs a connector of the provider.',
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
    description: 'Exactly one of the two. With an API key, tokens of its application alone are told of.',
    audience: 'client',
    query: z.object({ id_token: tokenParam(), access_token: tokenParam() }),
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
    query: z.object({ token: tokenParam() }),
    body: RevokeRequest,
    form: true,
    errors: ['invalid_token', 'invalid_client'],
  }),
}
