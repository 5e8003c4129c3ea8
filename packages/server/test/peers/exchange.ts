/**
 * A simulated Exchange, and services that use it. Every exchange is checked against the published schema of EWS if it
 * is available.
 */
import { type ExchangeOptions, type ExchangeSimulator, startExchange } from '../../../simulators/src/index.ts'
import { checkEwsExchange } from '../../../simulators/test/ews-schema.ts'
import { openService, type ServiceOptions, type TestService } from '../harness.ts'
import { checkingExchanges } from './simulated.ts'

/** The password of every account, unless a test sets another. */
export const exchangePassword = 'simulated-password'

export interface ExchangePeer extends AsyncDisposable {
  simulator: ExchangeSimulator
  /** Fails if any exchange so far does not match the schema. */
  checkSchema(): void
}

/** Starts a simulated Exchange. `checkSchema` reports violations of the schema, and so does disposal. */
export async function openExchange(options: ExchangeOptions = {}): Promise<ExchangePeer> {
  const simulator = await startExchange(options)
  const checkSchema = checkingExchanges(simulator, checkEwsExchange)
  return {
    simulator,
    checkSchema,
    async [Symbol.asyncDispose]() {
      await simulator[Symbol.asyncDispose]()
      checkSchema()
    },
  }
}

/** A service that connects to the simulated Exchange for every host name. */
export const openExchangeService = (simulator: ExchangeSimulator, options: ServiceOptions = {}): Promise<TestService> =>
  // The simulator is on loopback, which every service may reach.
  openService({ ...options, env: { WAYPOST_EWS_URL: simulator.url, WAYPOST_EGRESS: 'private', ...options.env } })

export interface ExchangeGrantWish {
  email: string
  key: string
  /** Default: all. */
  scopes?: readonly string[]
  /** In addition to the user name, which is the address, and the password. */
  settings?: Record<string, unknown>
}

/** Creates the connector of an application if it has none, and a grant with the password of an account. */
export async function createExchangeGrant(
  service: TestService,
  { email, key, scopes, settings }: ExchangeGrantWish,
): Promise<{ id: string; [field: string]: unknown }> {
  await service.call('POST', '/v3/connectors', { key, body: { provider: 'ews' } })
  const account = { ews_username: email, ews_password: exchangePassword, ews_host: 'mail.exchange.example', email }
  const body = {
    provider: 'ews',
    ...(scopes === undefined ? {} : { scope: [...scopes] }),
    settings: { ...account, ...settings },
  }
  const made = await service.call('POST', '/v3/connect/custom', { key, body })
  if (made.status !== 201) throw new Error(`no grant: ${JSON.stringify(made.body)}`)
  return made.body.data
}
