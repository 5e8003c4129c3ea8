/** Where Google's token endpoint and the hosts beside it are. */
import type { Io } from '../io.ts'
import type { TokenEndpoint } from '../shared/oauth-token.ts'

export const hosts = {
  accounts: 'https://accounts.google.com',
  oauth: 'https://oauth2.googleapis.com',
  identity: 'https://openidconnect.googleapis.com',
}

/** Where a path of one of Google's hosts is. */
export const at = (host: keyof typeof hosts, path: string, { providerUrl }: Pick<Io, 'providerUrl'>): string =>
  `${providerUrl ?? hosts[host]}${path}`

export const endpoint: TokenEndpoint = { name: 'Google', url: (io) => at('oauth', '/token', io) }
