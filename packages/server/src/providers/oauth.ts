/** Signing in at a provider's own page. */
import type { Identity, OAuthTokens, ProviderClient } from './identity.ts'
import type { Io } from './io.ts'

/** A user's way to the provider's own sign-in page. */
export interface SignIn {
  redirectUri: string
  state: string
  /** PKCE, S256. */
  codeChallenge: string
  scope: readonly string[]
  loginHint?: string | undefined
  /** The user is asked for consent even where it was given before, so that there is a refresh token. */
  consent: boolean
  /** What the user consented to earlier is asked for as well. */
  includeGranted: boolean
}

/** How users of a provider sign in at its own page, and how their tokens are kept fresh. */
export interface OAuth {
  /** Asked of every user beside what the application asks for. */
  identityScope: readonly string[]
  /** Asked where neither the application nor its connector says what it wants. */
  defaultScope: readonly string[]
  /** The one spelling of a scope that grants, errors and comparisons have: of several that the provider takes. */
  canonicalScope(scope: string): string
  signInUrl(client: ProviderClient, request: SignIn, io: Pick<Io, 'providerUrl'>): string
  /** Whether it is the provider that sends a user back, where it names itself in `iss` (RFC 9207). */
  isIssuer(issuer: string, io: Pick<Io, 'providerUrl'>): boolean
  /**
   * Trades the provider's code; throws `authentication_failed`. `scope` is what was asked for, which is what was given where
   * the provider does not say (RFC 6749, 5.1).
   */
  exchange(
    client: ProviderClient,
    answer: { code: string; redirectUri: string; codeVerifier: string; scope: readonly string[] },
    io: Io,
  ): Promise<OAuthTokens>
  /** A new access token from the account's credentials; throws `grant_invalid` where the provider takes them no longer. */
  refresh(client: ProviderClient, credentials: Record<string, unknown>, io: Io): Promise<OAuthTokens>
  /** Who the tokens belong to. The credentials of the identity are what `refresh` takes. */
  identify(client: ProviderClient, tokens: OAuthTokens, io: Io): Promise<Identity>
  /** Why the provider sent a user back without a code, in words of ours; undefined where its own say enough. */
  explain?(refusal: { error: string; description: string | null }): string | undefined
  /** Consent of an administrator for all accounts of an organization, where the provider has that. */
  adminConsent?: {
    /** Refuses a credential that no organization can give its consent to; throws an error that names the field. */
    check(client: ProviderClient): void
    url(client: ProviderClient, request: { redirectUri: string; state: string }, io: Pick<Io, 'providerUrl'>): string
    /** The organization that an administrator came back from; throws `authentication_failed` where it is not the one meant. */
    tenantIn(client: ProviderClient, query: URLSearchParams): string
  }
  /** Ends the account's tokens at the provider, where that is done when a grant is deleted. */
  revoke?(credentials: Record<string, unknown>, io: Io): Promise<void>
}
