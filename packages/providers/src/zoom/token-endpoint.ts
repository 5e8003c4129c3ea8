/** The addresses of Zoom, and its token endpoint (https://developers.zoom.us/docs/integrations/oauth/). */
import type { Io } from '../io.ts'
import type { TokenEndpoint } from '../shared/oauth-token.ts'
import { explain } from './errors.ts'

export const hosts = { signIn: 'https://zoom.us', api: 'https://api.zoom.us' }

/** The URL of a path on one of Zoom's hosts. */
export const at = (host: keyof typeof hosts, path: string, { providerUrl }: Pick<Io, 'providerUrl'>): string =>
  `${providerUrl ?? hosts[host]}${path}`

export const endpoint: TokenEndpoint = {
  name: 'Zoom',
  url: (io) => at('signIn', '/oauth/token', io),
  basic: true,
  passedOn: ['reason'],
  explain,
}
