/** Settings of the OpenID provider for administrator sign-in. */
import { Role } from '@waypost/contract'
import { z } from 'zod'
import { said, text } from './values.ts'

/** Paths below the base address. The callback is registered at the provider. */
export const oidcPaths = { begin: '/dashboard/oidc/sign-in', callback: '/dashboard/oidc/callback' } as const

/** The client at the provider. Its secret is stored separately. */
export interface OidcSettings {
  /** Compared exactly, including a trailing slash. */
  issuer: string
  clientId: string
  /** Label of the sign-in button. */
  name: string
  /** Role for people without an invitation. Undefined: they may not sign in. */
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
  WAYPOST_OIDC_CLIENT_ID: text('the id of the client registered at the provider', 'waypost').describe(
    'The client registered at the provider.',
  ),
  WAYPOST_OIDC_CLIENT_SECRET: text('the secret of the client', '…', 'secret').describe(
    'Its secret. A client without a secret uses PKCE alone.',
  ),
  WAYPOST_OIDC_NAME: text("the provider's name on the sign-in button", 'Example SSO').describe(
    'The name of the provider on the sign-in button. Default: its host name.',
  ),
  WAYPOST_OIDC_ROLE: said(Role.optional(), 'owner, administrator or viewer', 'viewer').describe(
    'The role of people without an invitation. Default: only invited people can sign in.',
  ),
}

const shape = z.object(oidcVariables)
type Values = z.output<typeof shape>

/** Settings that contradict each other. */
export function oidcProblems(values: Values): string[] {
  const { WAYPOST_OIDC_ISSUER: issuer, WAYPOST_OIDC_CLIENT_ID: clientId } = values
  if ((issuer === undefined) !== (clientId === undefined)) {
    return ['WAYPOST_OIDC_ISSUER and WAYPOST_OIDC_CLIENT_ID belong together: set both or neither']
  }
  const others = ['WAYPOST_OIDC_CLIENT_SECRET', 'WAYPOST_OIDC_NAME', 'WAYPOST_OIDC_ROLE'] as const
  const alone = issuer === undefined ? others.filter((name) => values[name] !== undefined) : []
  return alone.map((name) => `${name} needs WAYPOST_OIDC_ISSUER: set it too`)
}

export function oidcOf(values: Values): OidcSettings | undefined {
  const { WAYPOST_OIDC_ISSUER: issuer, WAYPOST_OIDC_CLIENT_ID: clientId } = values
  if (issuer === undefined || clientId === undefined) return undefined
  const name = values.WAYPOST_OIDC_NAME ?? new URL(issuer).hostname
  return { issuer, clientId, name, role: values.WAYPOST_OIDC_ROLE }
}
