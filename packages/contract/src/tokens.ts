/** Tokens that the service issues for grants. */
import { z } from 'zod'
import { GrantId, Timestamp } from './fields.ts'
import { ProviderKind } from './provider-kinds.ts'

const field = () => z.string().max(8192).nullish()

/** A token in a query. It is longer than other texts, because an id_token contains claims. */
export const tokenParam = () => z.string().min(1).max(8192).optional()

export const TokenRequest = z
  .object({
    grant_type: field().meta({
      description:
        'Required. Type of the exchange: `authorization_code`, `refresh_token`, or `client_credentials` for an existing grant.',
    }),
    client_id: field().meta({ description: 'Required. Id of the application.' }),
    client_secret: field().meta({
      description:
        'API key of the application, unless it is in the `Authorization` header or the code was requested with PKCE',
    }),
    code: field().meta({
      description: 'For `authorization_code`: the code from a hosted sign-in. It works once, for ten minutes',
    }),
    redirect_uri: field().meta({
      description: 'For `authorization_code`: the redirect URI with which the code was requested',
    }),
    code_verifier: field().meta({
      description: 'For `authorization_code`: the PKCE verifier, if a `code_challenge` was given',
    }),
    refresh_token: field().meta({ description: 'For `refresh_token`: a refresh token (`wprt_…`) of this service' }),
    grant_id: field().meta({ description: 'For `client_credentials`: id of the grant' }),
  })
  .meta({ id: 'TokenRequest', description: 'Credentials to exchange for an access token' })
export type TokenRequest = z.output<typeof TokenRequest>

export const TokenAnswer = z
  .object({
    access_token: z.string().meta({
      description:
        'Access token for this grant only, for `Authorization: Bearer`. `/v3/grants/me/…` then refers to the grant',
    }),
    token_type: z.literal('Bearer').meta({ description: 'Type of the token: always `Bearer`' }),
    expires_in: z.int().meta({ description: 'Seconds until the access token expires: 3600' }),
    grant_id: GrantId.meta({ description: "Id of the token's grant" }),
    email: z.string().meta({ description: 'Address of the account, or the name of a virtual account' }),
    scope: z.string().meta({ description: 'Scopes of the grant, separated by spaces' }),
    provider: ProviderKind.optional().meta({ description: 'Provider of the account; only when a code was exchanged' }),
    refresh_token: z.string().optional().meta({
      description:
        'Refresh token. Present if the code was requested with `access_type=offline`, and if a refresh token was exchanged: the same one, or a new one if the application rotates them.',
    }),
    id_token: z.string().meta({
      description:
        'Identity of the user as a JWT (ES256): `sub` (the grant id), `aud`, `email`, `name` and `provider`. Keys are at `/.well-known/jwks.json`.',
    }),
  })
  .meta({ id: 'TokenAnswer', description: 'Tokens for a grant, in OAuth 2.0 format' })
export type TokenAnswer = z.output<typeof TokenAnswer>

export const TokenInfo = z
  .object({
    iss: z.string().meta({ description: 'Issuer: the URL of this service' }),
    aud: z.string().meta({ description: 'Id of the application that the token was issued to' }),
    sub: z.string().meta({ description: "Id of the token's grant" }),
    email: z.string().meta({ description: 'Address of the account, or the name of a virtual account' }),
    iat: Timestamp.meta({ description: 'Issue time in Unix seconds' }),
    exp: Timestamp.meta({ description: 'Expiry time in Unix seconds' }),
  })
  .meta({ id: 'TokenInfo', description: 'Properties of a token, named like JWT claims' })
export type TokenInfo = z.output<typeof TokenInfo>

export const RevokeRequest = z
  .object({ token: field().meta({ description: 'Access or refresh token to revoke, unless it is in the query' }) })
  .meta({ id: 'RevokeRequest', description: 'Can be empty if the token is in the query' })
export type RevokeRequest = z.output<typeof RevokeRequest>
