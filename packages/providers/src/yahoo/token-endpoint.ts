/** The addresses of Yahoo's token endpoint and related endpoints, and the meaning of their errors. */
import type { Io } from '../io.ts'
import type { Explanation, TokenEndpoint } from '../shared/oauth-token.ts'
import { explain } from './errors.ts'

export const host = 'https://api.login.yahoo.com'

/** The address of a path of Yahoo's sign-in. */
export const at = (path: string, { providerUrl }: Pick<Io, 'providerUrl'>): string => `${providerUrl ?? host}${path}`

export const endpoint: TokenEndpoint = {
  name: 'Yahoo',
  url: (io) => at('/oauth2/get_token', io),
  basic: true,
  explain: ({ error }): Explanation | undefined => explain(error),
}
