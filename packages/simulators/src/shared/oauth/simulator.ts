// What every simulator with OAuth has: clients, consents without a browser, and tokens as if a user had consented.
import type { AccountControls } from '../accounts.ts'
import type { Simulator, SimulatorOptions } from '../simulator.ts'
import type { OAuthClient } from './clients.ts'
import type { Grants } from './grants.ts'

export interface OAuthOptions extends SimulatorOptions {
  /** Lifetime of access tokens; default 3600, for Google and Microsoft 3599. */
  readonly accessTokenSeconds?: number
}

export interface ConsentAnswer {
  readonly email: string
  readonly deny?: boolean
}

/** At a provider whose users choose among the requested scopes. */
export interface ScopedConsentAnswer extends ConsentAnswer {
  /** Scopes that the user does not grant. */
  readonly refuse?: readonly string[]
}

export interface TokenOptions {
  readonly clientId?: string
  readonly refreshToken?: string
}

export interface IssuedTokens {
  readonly refreshToken: string
  readonly accessToken: string
}

export interface OAuthSimulator<Failure, Seed, Account, Client = OAuthClient, Answer = ConsentAnswer>
  extends Simulator<Failure>,
    AccountControls<Seed, Account> {
  /** A client that exists from the start. */
  readonly client: { readonly id: string; readonly secret: string }
  addClient(client: Client): void
  /**
   * Answers the consent page as the user `email` would, without a browser: allows every scope except those in
   * `refuse`. Returns the URL that the browser would go to next.
   */
  consent(authorizationUrl: string, answer: Answer): Promise<URL>
  /** Ends every access token, as if it had expired. */
  expireAccessTokens(): void
}

/** Issues tokens as if the user had consented earlier. */
export function issueTokens(
  grants: Grants,
  { sub, clientId, scopes }: { sub: string; clientId: string; scopes: readonly string[] },
  given: string | undefined,
): IssuedTokens {
  const consent = grants.allow(sub, clientId, scopes)
  const refreshToken = grants.issueRefresh(consent, scopes, given)
  return { refreshToken, accessToken: grants.issueAccess(consent, scopes, refreshToken).accessToken }
}

/** Answers a consent page. `choices` are further fields of its form. */
export async function answerConsent(
  url: string,
  { email, deny = false }: ConsentAnswer,
  choices: { readonly name: string; readonly values: readonly string[] } = { name: '', values: [] },
): Promise<URL> {
  const body = new URLSearchParams({ decision: deny ? 'deny' : 'allow', account: email })
  for (const value of choices.values) body.append(choices.name, value)
  const response = await fetch(url, { method: 'POST', body, redirect: 'manual' })
  const location = response.headers.get('location')
  if (location === null) throw new Error(`No consent page for this request: ${await response.text()}`)
  return new URL(location)
}
