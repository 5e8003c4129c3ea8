// State shared by the sign-in modules.
import type { Accounts } from '../../shared/accounts.ts'
import type { Clients, OAuthClient } from '../../shared/oauth/clients.ts'
import type { Codes } from '../../shared/oauth/codes.ts'
import type { Grants } from '../../shared/oauth/grants.ts'
import type { SigningKey } from '../../shared/oauth/keys.ts'
import type { RefreshProblem, SimulatedYahooAccount } from '../account.ts'

export interface YahooClient extends OAuthClient {
  /**
   * The scopes that the application was registered with; it may request no others. If absent, any scope is accepted.
   */
  readonly scopes?: readonly string[]
}

export interface OAuth {
  /** `http://127.0.0.1:PORT`, without a trailing slash. */
  readonly url: string
  now(): number
  readonly accounts: Accounts<SimulatedYahooAccount>
  readonly grants: Grants
  readonly clients: Clients<YahooClient>
  readonly codes: Codes
  readonly key: SigningKey
  /** Keyed by GUID. */
  readonly problems: Map<string, RefreshProblem>
  /** The redirect URI of the code that a refresh token came from, keyed by the token. */
  readonly redirects: Map<string, string>
  /** The credentials of the mail servers, which may introspect tokens as clients do. */
  readonly mailServers: { readonly id: string; readonly secret: string }
}

/** Always Yahoo's issuer, wherever the simulator listens, so that clients verify tokens as in production. */
export const ISSUER = 'https://api.login.yahoo.com'

/** The distinct scopes of a `scope` parameter, separated by spaces or commas. */
export const parseScopes = (text: string): string[] => [...new Set(text.split(/[\s,]+/).filter(Boolean))]
