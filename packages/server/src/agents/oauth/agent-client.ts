/** An OAuth client, whatever describes it. */
export interface AgentClient {
  id: string
  name: string
  uri: string | null
  redirectUris: readonly string[]
  /** The host whose document describes the client. A registered client only says who it is. */
  verifiedHost?: string
}
