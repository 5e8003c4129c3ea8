/** Who an account is at its provider, and in whose name it is used. */

/** A client at a provider: the connector's own, or one of its credentials. */
export interface ProviderClient {
  /** What sort of credential it is; the connector's own client is a `connector`. */
  type: 'connector' | 'serviceaccount' | 'adminconsent'
  /** Its secrets and names: client_id and client_secret, or what a service account has. */
  data: Record<string, unknown>
  /** The settings of the connector, such as a topic or a tenant, without secrets. */
  settings: Record<string, unknown>
}

export interface OAuthTokens {
  accessToken: string
  /** Milliseconds. */
  expiresAt: number
  /** Where the provider gave a new one. */
  refreshToken?: string | undefined
  /** What the user consented to, where the provider says so. */
  scope?: readonly string[] | undefined
  idToken?: string | undefined
  /** Where the code of the tokens came to, where the provider wants to see it at each refresh. */
  redirectUri?: string | undefined
}

/** Who an account is, once its provider accepted the credentials. */
export interface Identity {
  email: string
  name: string | null
  providerUserId: string | null
  scope: string[]
  /** Settings that may be answered. */
  settings: Record<string, unknown>
  /** What is sealed and kept to open sessions with; absent where there is nothing secret. */
  credentials?: Record<string, unknown>
  /** The access token that the account was tried with. */
  tokens?: OAuthTokens
}
