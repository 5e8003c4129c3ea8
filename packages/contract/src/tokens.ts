/** The tokens that the service itself issues for grants. */
import { z } from 'zod'
import { GrantId, Timestamp } from './fields.ts'
import { ProviderKind } from './provider-kinds.ts'

const field = () => z.string().max(8192).nullish()

/** A token in a query: longer than other texts, because an id_token carries claims. */
export const tokenParam = () => z.string().min(1).max(8192).optional()

export const TokenRequest = z
  .object({
    grant_type: field().meta({
      description:
        'Required. What is traded: `authorization_code`, `refresh_token`, or `client_credentials` for a grant that is there.',
    }),
    client_id: field().meta({ description: 'Required. Id of the application.' }),
    client_secret: field().meta({
      description:
        'API key of the application, unless it stands in the header `Authorization` or the code was asked for with PKCE',
    }),
    code: field().meta({
      description: 'For `authorization_code`: the code that a hosted sign-in ended with, good once and for ten minutes',
    }),
    redirect_uri: field().meta({
      description: 'For `authorization_code`: the redirect URI that the code was asked for with',
    }),
    code_verifier: field().meta({
      description: 'For `authorization_code`: the PKCE verifier, where a `code_challenge` was given',
    }),
    refresh_token: field().meta({ description: 'For `refresh_token`: a refresh token (`wprt_…`) of this service' }),
    grant_id: field().meta({ description: 'For `client_credentials`: id of the grant that the token is to open' }),
  })
  .meta({ id: 'TokenRequest', description: 'What is to be traded for an access token, and by whom' })
export type TokenRequest = z.output<typeof TokenRequest>

export const TokenAnswer = z
  .object({
    access_token: z.string().meta({
      description: 'Opens this grant alone, as `Authorization: Bearer`; with it `/v3/grants/me/…` names the grant',
    }),
    token_type: z.literal('Bearer').meta({ description: 'How the token is shown: always `Bearer`' }),
    expires_in: z.int().meta({ description: 'Seconds until the access token expires: 3600' }),
    grant_id: GrantId.meta({ description: 'Id of the grant that the token opens' }),
    email: z.string().meta({ description: 'Address of the account, or the name of a virtual one' }),
    scope: z.string().meta({ description: 'Scopes of the grant, with spaces between them' }),
    provider: ProviderKind.optional().meta({ description: 'Kind of the account; told where a code was traded' }),
    refresh_token: z.string().optional().meta({
      description:
        'Trades for further access tokens. Told where the code was asked for with `access_type=offline`, and where a refresh token was traded: the same one, or the next where the application has them rotated.',
    }),
    id_token: z.string().meta({
      description:
        'Who signed in, as a JWT (ES256): `sub` (the grant id), `aud`, `email`, `name` and `provider`. Keys are at `/.well-known/jwks.json`.',
    }),
  })
  .meta({ id: 'TokenAnswer', description: 'Tokens for a grant, in the shape of OAuth 2.0' })
export type TokenAnswer = z.output<typeof TokenAnswer>

export const TokenInfo = z
  .object({
    iss: z.string().meta({ description: 'Who issued it: the address of this service' }),
    aud: z.string().meta({ description: 'Id of the application that it was issued to' }),
    sub: z.string().meta({ description: 'Id of the grant that it is for' }),
    email: z.string().meta({ description: 'Address of the account, or the name of a virtual one' }),
    iat: Timestamp.meta({ description: 'When it was issued, in Unix seconds' }),
    exp: Timestamp.meta({ description: 'When it expires, in Unix seconds' }),
  })
  .meta({ id: 'TokenInfo', description: 'What a token is, in the names of JWT claims' })
export type TokenInfo = z.output<typeof TokenInfo>

export const RevokeRequest = z
  .object({ token: field().meta({ description: 'Access or refresh token to revoke, unless it stands in the query' }) })
  .meta({ id: 'RevokeRequest', description: 'May be empty where the query names the token' })
export type RevokeRequest = z.output<typeof RevokeRequest>
