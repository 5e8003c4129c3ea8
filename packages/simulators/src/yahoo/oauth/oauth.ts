// What the parts of sign-in share.
import type { Clients, OAuthClient } from '../../shared/oauth/clients.ts'
import type { Codes } from '../../shared/oauth/codes.ts'
import type { Grants } from '../../shared/oauth/grants.ts'
import type { SigningKey } from '../../shared/oauth/keys.ts'
import type { Accounts, RefreshProblem } from '../account.ts'

export interface YahooClient extends OAuthClient {
  /** What the application was registered with; it may ask for nothing else. Any scope is taken where absent. */
  readonly scopes?: readonly string[]
}

export interface OAuth {
  /** `http://127.0.0.1:PORT`, no slash at the end. */
  readonly url: string
  now(): number
  readonly accounts: Accounts
  readonly grants: Grants
  readonly clients: Clients<YahooClient>
  readonly codes: Codes
  readonly key: SigningKey
  /** By GUID. */
  readonly problems: Map<string, RefreshProblem>
  /** The address that the code of a refresh token came with, by the token. */
  readonly redirects: Map<string, string>
  /** Who may ask about tokens beside the clients: the mail servers. */
  readonly mailServers: { readonly id: string; readonly secret: string }
}

/** The issuer is Yahoo's, wherever the simulator listens, so that tokens are checked as the real ones are. */
export const ISSUER = 'https://api.login.yahoo.com'

/** The scopes of a `scope` parameter, each once: with spaces between them, or commas. */
export const parseScopes = (text: string): string[] => [...new Set(text.split(/[\s,]+/).filter(Boolean))]
