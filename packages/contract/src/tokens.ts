/** The tokens that the service itself issues for grants. */
import { z } from 'zod'
import { Id, Timestamp } from './fields.ts'
import { ProviderKind } from './provider-kinds.ts'

const field = () => z.string().max(8192).nullish()

/** A token in a query: longer than other texts, because an id_token carries claims. */
export const tokenParam = () => z.string().min(1).max(8192).optional()

export const TokenRequest = z
  .object({
    grant_type: field().meta({ description: 'Required: authorization_code, refresh_token or client_credentials' }),
    client_id: field().meta({ description: 'Required: the application id' }),
    client_secret: field().meta({ description: 'An API key of the application, unless it stands in the header' }),
    code: field().meta({ description: 'For authorization_code' }),
    redirect_uri: field().meta({ description: 'For authorization_code: the one that the code was asked for with' }),
    code_verifier: field().meta({ description: 'For authorization_code, where a code_challenge was given' }),
    refresh_token: field().meta({ description: 'For refresh_token' }),
    grant_id: field().meta({ description: 'For client_credentials' }),
  })
  .meta({ id: 'TokenRequest' })
export type TokenRequest = z.output<typeof TokenRequest>

export const TokenAnswer = z
  .object({
    access_token: z.string(),
    token_type: z.literal('Bearer'),
    expires_in: z.int().meta({ description: 'Seconds' }),
    grant_id: Id,
    email: z.string(),
    scope: z.string().meta({ description: 'With spaces between' }),
    provider: ProviderKind.optional().meta({ description: 'Where a code was traded' }),
    refresh_token: z.string().optional().meta({ description: 'Where the code was asked for with access_type=offline' }),
    id_token: z.string().meta({ description: 'A JWT (ES256) with sub (the grant id), email, name and provider' }),
  })
  .meta({ id: 'TokenAnswer' })
export type TokenAnswer = z.output<typeof TokenAnswer>

export const TokenInfo = z
  .object({
    iss: z.string(),
    aud: z.string().meta({ description: 'The application id' }),
    sub: z.string().meta({ description: 'The grant id' }),
    email: z.string(),
    iat: Timestamp,
    exp: Timestamp,
  })
  .meta({ id: 'TokenInfo' })
export type TokenInfo = z.output<typeof TokenInfo>

export const RevokeRequest = z.object({ token: field() }).meta({ id: 'RevokeRequest' })
export type RevokeRequest = z.output<typeof RevokeRequest>
