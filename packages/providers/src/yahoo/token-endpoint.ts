/** The addresses of Yahoo's token endpoint and related endpoints, and the meaning of their errors. */
import type { Io } from '../io.ts'
import type { Explanation, TokenEndpoint } from '../shared/oauth-token.ts'

export const host = 'https://api.login.yahoo.com'

/** The address of a path of Yahoo's sign-in. */
export const at = (path: string, { providerUrl }: Pick<Io, 'providerUrl'>): string => `${providerUrl ?? host}${path}`

export const endpoint: TokenEndpoint = {
  name: 'Yahoo',
  url: (io) => at('/oauth2/get_token', io),
  basic: true,
  explain: ({ error }) => explain(error),
}

/** A code that needs a new sign-in. */
const lost = (words: string): Explanation => ({ words: `${words}: the end user must sign in again`, needsSignIn: true })

/** Yahoo's own codes (https://developer.yahoo.com/oauth2/guide/errors/), in addition to the standard ones. */
const explanations: Readonly<Record<string, Explanation>> = {
  INVALID_REFRESH_TOKEN: lost('Yahoo does not accept the refresh token'),
  TOKEN_EXPIRED: lost('the refresh token has expired at Yahoo'),
  INVALID_GRANT: lost('Yahoo no longer accepts the code or token'),
  ACCOUNT_NOT_AUTHORIZED: lost('the user has revoked the consent at Yahoo'),
  UNDERAGE_USER: { words: 'Yahoo does not allow applications to access the account of a minor' },
  INVALID_CLIENT: { words: 'Yahoo does not know this client_id' },
  INVALID_CLIENT_SECRET: { words: 'Yahoo does not accept the client_secret' },
  INVALID_REDIRECT_URI: { words: 'the redirect_uri differs from that of the sign-in' },
  INVALID_CALLBACK: { words: 'the redirect_uri is not registered for the client' },
}

/** The explanation of an error; undefined if it is unknown. */
const explain = (error: unknown): Explanation | undefined =>
  typeof error === 'string' && Object.hasOwn(explanations, error) ? explanations[error] : undefined
