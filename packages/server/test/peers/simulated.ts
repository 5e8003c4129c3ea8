/** Common parts of simulated providers: checked exchanges, and grants with a refresh token. */
import type { TestService } from '../harness.ts'

interface Observed<Exchange> {
  observe(listener: (exchange: Exchange) => void): () => void
}

/** Checks every exchange; the returned function fails if any exchange so far did not match. */
export function checkingExchanges<Exchange>(
  simulator: Observed<Exchange>,
  check: (exchange: Exchange) => void,
): () => void {
  const strays: unknown[] = []
  simulator.observe((exchange) => {
    try {
      check(exchange)
    } catch (error) {
      strays.push(error)
    }
  })
  return () => {
    if (strays.length === 0) return
    const all = strays.splice(0)
    throw new AggregateError(all, `exchanges that are not as published: ${all.map(String).join('\n')}`)
  }
}

interface OAuthSimulator {
  client: { id: string; secret: string }
  grantToken(email: string, scopes: string[]): { refreshToken: string }
}

export interface GrantWish {
  email: string
  key: string
  scopes?: readonly string[]
  /** The settings of the connector. */
  settings?: Record<string, unknown>
}

/** Creates the connector of an application if it has none, and a grant with the refresh token of an account. */
export async function createGrantByToken(
  provider: string,
  service: TestService,
  simulator: OAuthSimulator,
  { email, key, scopes = [], settings }: GrantWish,
): Promise<{ id: string; [field: string]: unknown }> {
  const client = { client_id: simulator.client.id, client_secret: simulator.client.secret }
  await service.call('POST', '/v3/connectors', { key, body: { provider, settings: { ...client, ...settings } } })
  const { refreshToken } = simulator.grantToken(email, [...scopes])
  const body = { provider, settings: { refresh_token: refreshToken } }
  const made = await service.call('POST', '/v3/connect/custom', { key, body })
  if (made.status !== 201) throw new Error(`no grant: ${JSON.stringify(made.body)}`)
  return made.body.data
}
