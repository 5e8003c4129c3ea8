/**
 * What the refusals of Yahoo's token endpoint mean. It has names of its own (https://developer.yahoo.com/oauth2/guide/errors/),
 * beside those of the standard.
 */
import type { Explanation } from '../shared/oauth-token.ts'

const lost = (words: string): Explanation => ({ words: `${words}: the end user must sign in again`, needsSignIn: true })

const explanations: Readonly<Record<string, Explanation>> = {
  INVALID_REFRESH_TOKEN: lost('Yahoo does not take the refresh token'),
  TOKEN_EXPIRED: lost('the refresh token has expired at Yahoo'),
  INVALID_GRANT: lost('Yahoo does not take the code or token any more'),
  ACCOUNT_NOT_AUTHORIZED: lost('the user has taken back the consent at Yahoo'),
  UNDERAGE_USER: { words: 'Yahoo lets no application into the account of a minor' },
  INVALID_CLIENT: { words: 'Yahoo does not know this client_id' },
  INVALID_CLIENT_SECRET: { words: 'the client_secret is another one at Yahoo' },
  INVALID_REDIRECT_URI: { words: 'the redirect_uri is another one than that of the sign-in' },
  INVALID_CALLBACK: { words: 'the redirect_uri is not registered at the client' },
}

/** What a refusal means in words of ours; undefined where it is not known. */
export const explain = (error: unknown): Explanation | undefined =>
  typeof error === 'string' && Object.hasOwn(explanations, error) ? explanations[error] : undefined
