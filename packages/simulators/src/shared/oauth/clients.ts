// The OAuth clients that may request consent from users.

export interface OAuthClient {
  readonly id: string
  readonly secret: string
  /** If absent, any redirect URI is accepted. */
  readonly redirectUris?: readonly string[]
  /** The name on the consent page; default: the id. */
  readonly name?: string
}

export interface Clients<C extends OAuthClient = OAuthClient> {
  add(client: C): void
  find(id: string): C | undefined
}

export function createClients<C extends OAuthClient>(first: C): Clients<C> {
  const clients = new Map([[first.id, first]])
  return {
    add: (client) => clients.set(client.id, client),
    find: (id) => clients.get(id),
  }
}
