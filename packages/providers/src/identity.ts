/** The identity of an account at its provider, and the client that acts for it. */

/** A client at a provider: the connector's own, or one of its credentials. */
export interface ProviderClient {
  /** The type of credential; the connector's own client is a `connector`. */
  type: 'connector' | 'serviceaccount' | 'adminconsent'
  /** Its secrets and names: client_id and client_secret, or the fields of a service account. */
  data: Record<string, unknown>
  /** The settings of the connector, such as a topic or a tenant, without secrets. */
  settings: Record<string, unknown>
}

export interface OAuthTokens {
  accessToken: string
  /** Milliseconds. */
  expiresAt: number
  /** If the provider issued a new one. */
  refreshToken?: string | undefined
  /** The scopes that the user consented to, if the provider reports them. */
  scope?: readonly string[] | undefined
  idToken?: string | undefined
  /** The redirect URI of the code, if the provider requires it at each refresh. */
  redirectUri?: string | undefined
}

/** The identity of an account after its provider accepted the credentials. */
export interface Identity {
  email: string
  name: string | null
  providerUserId: string | null
  scope: string[]
  /** Settings that the API may return. */
  settings: Record<string, unknown>
  /** Secrets that are sealed and stored to open sessions; absent if there are none. */
  credentials?: Record<string, unknown>
  /** The access token that the credentials were tested with. */
  tokens?: OAuthTokens
}
