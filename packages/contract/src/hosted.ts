/** The query of `GET /v3/connect/auth`, where a browser begins a hosted sign-in. */
import { z } from 'zod'
import { booleanParam, line, listParam } from './fields.ts'
import { limits } from './limits.ts'

const text = (most: number) => line(most).optional()

export const ConnectAuthQuery = z
  .object({
    client_id: z.string().min(1).max(64).meta({ description: 'Id of the application' }),
    redirect_uri: z.string().min(1).max(2048).meta({
      description: 'Where the browser comes back to: a redirect URI of the application, letter for letter',
    }),
    response_type: z.enum(['code', 'adminconsent']).meta({
      description:
        '`code`: a user signs in, and a code comes back. `adminconsent`: an administrator of an organization at Microsoft consents for it, and no code comes back.',
    }),
    provider: listParam().meta({
      description:
        'One provider: straight to its sign-in. Several with commas between them: buttons in that order. All that the application has connectors for when absent.',
    }),
    scope: text(8192).meta({
      description: 'Scopes to ask for, with spaces or commas between them; those of the connector when absent',
    }),
    state: z
      .string()
      .max(limits.stateLength)
      .optional()
      .meta({
        description: `Your own text, up to ${limits.stateLength} characters: comes back unchanged, and is kept with the grant`,
      }),
    login_hint: text(320).meta({
      description:
        'Address of the user. Where it has a grant, that one is authenticated again, and no other account will do.',
    }),
    access_type: z.enum(['online', 'offline']).optional().meta({
      description: '`offline`: the code is traded for a refresh token too. `online` when absent.',
    }),
    prompt: z.enum(['select_provider', 'detect', 'select_provider,detect', 'detect,select_provider']).optional().meta({
      description:
        'What the first page asks: which provider (`select_provider`, the default), the address (`detect`), or both in that order. Without effect where a provider is given.',
    }),
    code_challenge: text(128).meta({
      description:
        'PKCE: with `S256` the digest of a verifier, with `plain` the verifier itself, 43 to 128 characters. The exchange then needs `code_verifier`, and no API key.',
    }),
    code_challenge_method: z
      .string()
      .transform((method) => method.toLowerCase())
      .pipe(z.enum(['plain', 's256']))
      .optional()
      .meta({ description: '`plain` (default) or `S256`, in any case' }),
    credential_id: text(64).meta({
      description: 'Credential of the connector to use in place of its active one; required with `adminconsent`',
    }),
    options: listParam().meta({
      description:
        'With commas between them: `smtp_required`, the account must be able to send; `exclude_google_granted_scopes`, scopes of earlier consents at Google are not merged in',
    }),
    include_grant_scopes: booleanParam().meta({
      description: '`false` is the same as the option `exclude_google_granted_scopes`; `true` when absent',
    }),
    ui_locales: text(256).meta({
      description:
        'Languages for the pages, the best first, with spaces between them, such as `fr-CA fr en` (as in OpenID Connect). Those that there are no pages in are passed over; the languages of the browser when absent.',
    }),
    smtp_required: booleanParam().meta({ description: '`true` is the same as the option `smtp_required`' }),
  })
  .meta({ id: 'ConnectAuthQuery', description: 'What an application asks of a hosted sign-in' })
export type ConnectAuthQuery = z.output<typeof ConnectAuthQuery>
