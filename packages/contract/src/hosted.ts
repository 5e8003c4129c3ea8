/** The query of `GET /v3/connect/auth`, where a browser begins a hosted sign-in. */
import { z } from 'zod'
import { booleanParam, line, listParam } from './fields.ts'
import { limits } from './limits.ts'

const text = (most: number) => line(most).optional()

export const ConnectAuthQuery = z
  .object({
    client_id: z.string().min(1).max(64).meta({ description: 'The application id' }),
    redirect_uri: z.string().min(1).max(2048).meta({ description: 'A registered one, letter for letter' }),
    response_type: z.enum(['code', 'adminconsent']),
    provider: listParam().meta({ description: 'One: straight to it; a comma list: buttons in that order' }),
    scope: text(8192).meta({ description: 'With spaces or commas between; those of the connector when absent' }),
    state: z.string().max(limits.stateLength).optional().meta({ description: 'Comes back unchanged' }),
    login_hint: text(320).meta({ description: 'The address; where it has a grant, that one is authenticated again' }),
    access_type: z.enum(['online', 'offline']).optional().meta({ description: 'offline: with a refresh token' }),
    prompt: z
      .enum(['select_provider', 'detect', 'select_provider,detect', 'detect,select_provider'])
      .optional()
      .meta({ description: 'Without effect where a provider is given' }),
    code_challenge: text(128).meta({
      description: 'S256: the digest of a verifier; plain (the default): the verifier, 43 to 128 characters',
    }),
    code_challenge_method: z
      .string()
      .transform((method) => method.toLowerCase())
      .pipe(z.enum(['plain', 's256']))
      .optional()
      .meta({ description: 'plain or S256' }),
    credential_id: text(64).meta({ description: 'A credential of the connector instead of its active one' }),
    options: listParam().meta({ description: 'smtp_required, exclude_google_granted_scopes' }),
    include_grant_scopes: booleanParam(),
    smtp_required: booleanParam(),
  })
  .meta({ id: 'ConnectAuthQuery' })
export type ConnectAuthQuery = z.output<typeof ConnectAuthQuery>
