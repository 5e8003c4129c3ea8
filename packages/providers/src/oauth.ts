/** Sign-in at a provider's own page. */
import type { Identity, OAuthTokens, ProviderClient } from './identity.ts'
import type { Io } from './io.ts'

/** A request for the provider's sign-in page. */
export interface SignIn {
  redirectUri: string
  state: string
  /** PKCE, S256. */
  codeChallenge: string
  scope: readonly string[]
  loginHint?: string | undefined
  /** Asks the user for consent even if it was given before, so that there is a refresh token. */
  consent: boolean
  /** Also requests the scopes that the user consented to earlier. */
  includeGranted: boolean
}

/** How users sign in at the provider's own page, and how their tokens are refreshed. */
export interface OAuth {
  /** Requested from every user, in addition to the scopes of the application. */
  identityScope: readonly string[]
  /** Requested if neither the application nor its connector names scopes. */
  defaultScope: readonly string[]
  /** The canonical name of a scope, which grants, errors and comparisons use. */
  canonicalScope(scope: string): string
  signInUrl(client: ProviderClient, request: SignIn, io: Pick<Io, 'providerUrl'>): string
  /** Whether an issuer in `iss` (RFC 9207) is this provider. */
  isIssuer(issuer: string, io: Pick<Io, 'providerUrl'>): boolean
  /**
   * Exchanges the provider's code; throws `authentication_failed`. `scope` contains the requested scopes, which count
   * as granted if the provider does not report them (RFC 6749, 5.1).
   */
  exchange(
    client: ProviderClient,
    answer: { code: string; redirectUri: string; codeVerifier: string; scope: readonly string[] },
    io: Io,
  ): Promise<OAuthTokens>
  /**
   * A new access token from the account's credentials; throws `grant_invalid` if the provider does not accept them
   * any more.
   */
  refresh(client: ProviderClient, credentials: Record<string, unknown>, io: Io): Promise<OAuthTokens>
  /** The account that the tokens belong to. The credentials of the identity are those for `refresh`. */
  identify(client: ProviderClient, tokens: OAuthTokens, io: Io): Promise<Identity>
  /** Why the provider sent a user back without a code; undefined if its own message is sufficient. */
  explain?(refusal: { error: string; description: string | null }): string | undefined
  /** Consent of an administrator for all accounts of an organization, if the provider supports it. */
  adminConsent?: {
    /** Refuses a credential that no organization can consent to; the error names the field. */
    check(client: ProviderClient): void
    url(client: ProviderClient, request: { redirectUri: string; state: string }, io: Pick<Io, 'providerUrl'>): string
    /**
     * The organization of an administrator who returns; throws `authentication_failed` if it is not the expected one.
     */
    tenantIn(client: ProviderClient, query: URLSearchParams): string
  }
  /** Revokes the account's tokens at the provider when a grant is deleted, if the provider supports it. */
  revoke?(credentials: Record<string, unknown>, io: Io): Promise<void>
}
