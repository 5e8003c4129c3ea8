/** The OpenID provider that administrators may sign in with, as the operator sets it. */
import { Role } from '@waypost/contract'
import { z } from 'zod'
import { said, text } from './values.ts'

/** Below the base address; the second is registered at the provider. */
export const oidcPaths = { begin: '/dashboard/oidc/sign-in', callback: '/dashboard/oidc/callback' } as const

/** The client at the provider; its secret is kept apart. */
export interface OidcSettings {
  /** Compared letter for letter: a slash at its end counts. */
  issuer: string
  clientId: string
  /** What the button of the sign-in says. */
  name: string
  /** Of people whom nobody invited; undefined: they may not come in. */
  role: Role | undefined
}

export const oidcVariables = {
  WAYPOST_OIDC_ISSUER: said(
    z
      .url({ protocol: /^https?$/ })
      .refine((url) => !/[?#]/.test(url))
      .optional(),
    'an address that begins with https://, exactly as the provider says it (`issuer` of its /.well-known/openid-configuration)',
    'https://accounts.example.com',
  ).describe(
    'An OpenID provider for the sign-in to the dashboard, in addition to passwords. Register <base URL>/dashboard/oidc/callback there.',
  ),
  WAYPOST_OIDC_CLIENT_ID: text('the id of the client that is registered at the provider', 'waypost').describe(
    'The client that is registered at the provider.',
  ),
  WAYPOST_OIDC_CLIENT_SECRET: text('the secret of the client', '…', 'secret').describe(
    'Its secret. A client without a secret uses PKCE alone.',
  ),
  WAYPOST_OIDC_NAME: text('what the button of the sign-in calls the provider', 'Example SSO').describe(
    'The name of the provider on the sign-in button. Default: its host name.',
  ),
  WAYPOST_OIDC_ROLE: said(Role.optional(), 'owner, administrator or viewer', 'viewer').describe(
    'The role of people whom nobody invited. Default: only invited people can sign in.',
  ),
}

const shape = z.object(oidcVariables)
type Values = z.output<typeof shape>

/** What does not go together. */
export function oidcProblems(values: Values): string[] {
  const { WAYPOST_OIDC_ISSUER: issuer, WAYPOST_OIDC_CLIENT_ID: clientId } = values
  if ((issuer === undefined) !== (clientId === undefined)) {
    return ['WAYPOST_OIDC_ISSUER and WAYPOST_OIDC_CLIENT_ID go together: set both or neither']
  }
  const others = ['WAYPOST_OIDC_CLIENT_SECRET', 'WAYPOST_OIDC_NAME', 'WAYPOST_OIDC_ROLE'] as const
  const alone = issuer === undefined ? others.filter((name) => values[name] !== undefined) : []
  return alone.map((name) => `${name} is of the provider that WAYPOST_OIDC_ISSUER names: set that too`)
}

export function oidcOf(values: Values): OidcSettings | undefined {
  const { WAYPOST_OIDC_ISSUER: issuer, WAYPOST_OIDC_CLIENT_ID: clientId } = values
  if (issuer === undefined || clientId === undefined) return undefined
  const name = values.WAYPOST_OIDC_NAME ?? new URL(issuer).hostname
  return { issuer, clientId, name, role: values.WAYPOST_OIDC_ROLE }
}
