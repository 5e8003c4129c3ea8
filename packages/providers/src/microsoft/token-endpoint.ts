/**
 * The URLs of Microsoft's hosts: the identity platform, whose URLs contain a tenant, and Graph.
 * (https://learn.microsoft.com/entra/identity-platform/v2-oauth2-auth-code-flow)
 */

import type { ProviderClient } from '../identity.ts'
import type { Io } from '../io.ts'
import { type TokenEndpoint, text } from '../shared/oauth-token.ts'
import { explain } from './aadsts.ts'

export const hosts = { login: 'https://login.microsoftonline.com', graph: 'https://graph.microsoft.com' }

/** The URL of a path on one of Microsoft's hosts. */
export const at = (host: keyof typeof hosts, path: string, { providerUrl }: Pick<Io, 'providerUrl'>): string =>
  `${providerUrl ?? hosts[host]}${path}`

/** Generic tenants: the signed-in user determines the directory. */
const generic = new Set(['common', 'organizations', 'consumers'])

/** The tenant of a client: the id or a domain of a directory, or a generic one such as `common`. */
export const tenantOf = ({ data, settings }: ProviderClient): string =>
  text(data.tenant)?.trim() ?? text(settings.tenant)?.trim() ?? 'common'

/** Whether a tenant is one directory. */
export const isDirectory = (tenant: string): boolean => !generic.has(tenant.toLowerCase())

/** A path of the identity platform for a client's tenant. */
export const loginUrl = (tenant: string, path: string, io: Pick<Io, 'providerUrl'>): string =>
  at('login', `/${encodeURIComponent(tenant)}${path}`, io)

/** The token endpoint for a client. */
export const endpointFor = (client: ProviderClient): TokenEndpoint => ({
  name: 'Microsoft',
  url: (io) => loginUrl(tenantOf(client), '/oauth2/v2.0/token', io),
  passedOn: ['error_codes', 'suberror', 'trace_id', 'correlation_id', 'timestamp'],
  explain,
})
