/** The query of `GET /v3/connect/auth`, where a browser starts a hosted sign-in. */
import { z } from 'zod'
import { booleanParam, line, listParam } from './fields.ts'
import { limits } from './limits.ts'

const text = (max: number) => line(max).optional()

export const ConnectAuthQuery = z
  .object({
    client_id: z.string().min(1).max(64).meta({ description: 'Id of the application' }),
    redirect_uri: z.string().min(1).max(2048).meta({
      description: 'Where the browser returns to: a redirect URI of the application, exactly as registered',
    }),
    response_type: z.enum(['code', 'adminconsent']).meta({
      description:
        '`code`: a user signs in, and the browser returns with a code. `adminconsent`: an administrator of a Microsoft organization gives consent for it, without a code.',
    }),
    provider: listParam().meta({
      description:
        'One provider: opens its sign-in directly. Several, comma-separated: buttons in that order. Default: all connectors of the application.',
    }),
    scope: text(8192).meta({
      description: 'Scopes to request, separated by spaces or commas; default: those of the connector',
    }),
    state: z
      .string()
      .max(limits.stateLength)
      .optional()
      .meta({
        description: `Your own text, up to ${limits.stateLength} characters. It is returned unchanged and stored with the grant`,
      }),
    login_hint: text(320).meta({
      description:
        'Address of the user. If it has a grant, that grant is authenticated again, and no other account is accepted.',
    }),
    access_type: z.enum(['online', 'offline']).optional().meta({
      description: '`offline`: the code is exchanged for a refresh token too. Default: `online`.',
    }),
    prompt: z.enum(['select_provider', 'detect', 'select_provider,detect', 'detect,select_provider']).optional().meta({
      description:
        'Content of the first page: the provider (`select_provider`, default), the address (`detect`), or both in that order. Ignored if a provider is given.',
    }),
    code_challenge: text(128).meta({
      description:
        'PKCE: with `S256` the digest of a verifier, with `plain` the verifier itself, 43 to 128 characters. The exchange then needs `code_verifier` and no API key.',
    }),
    code_challenge_method: z
      .string()
      .transform((method) => method.toLowerCase())
      .pipe(z.enum(['plain', 's256']))
      .optional()
      .meta({ description: '`plain` (default) or `S256`, ignoring case' }),
    credential_id: text(64).meta({
      description: 'Credential of the connector to use instead of its active one; required with `adminconsent`',
    }),
    options: listParam().meta({
      description:
        'Comma-separated: `smtp_required`, the account must be able to send; `exclude_google_granted_scopes`, scopes of earlier Google consents are not merged',
    }),
    include_grant_scopes: booleanParam().meta({
      description: '`false` equals the option `exclude_google_granted_scopes`; default `true`',
    }),
    ui_locales: text(256).meta({
      description:
        'Languages of the pages in order of preference, separated by spaces, such as `fr-CA fr en` (as in OpenID Connect). Unsupported languages are ignored. Default: the languages of the browser.',
    }),
    smtp_required: booleanParam().meta({ description: '`true` equals the option `smtp_required`' }),
  })
  .meta({ id: 'ConnectAuthQuery', description: 'Parameters of a hosted sign-in' })
export type ConnectAuthQuery = z.output<typeof ConnectAuthQuery>
