/** The URLs of Google's token endpoint and of its other hosts. */
import type { Io } from '../io.ts'
import type { TokenEndpoint } from '../shared/oauth-token.ts'

export const hosts = {
  accounts: 'https://accounts.google.com',
  oauth: 'https://oauth2.googleapis.com',
  identity: 'https://openidconnect.googleapis.com',
}

/** The URL of a path on one of Google's hosts. */
export const at = (host: keyof typeof hosts, path: string, { providerUrl }: Pick<Io, 'providerUrl'>): string =>
  `${providerUrl ?? hosts[host]}${path}`

export const endpoint: TokenEndpoint = { name: 'Google', url: (io) => at('oauth', '/token', io) }
