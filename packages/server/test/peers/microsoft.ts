/** A simulated Microsoft for a test, and services that use it. Every exchange is checked by Graph's published types, where these are at hand. */
import { type MicrosoftOptions, type MicrosoftSimulator, startMicrosoft } from '../../../simulators/src/index.ts'
import { checkGraphExchange } from '../../../simulators/test/graph-types.ts'
import { openService, type ServiceOptions, type TestService } from '../harness.ts'

/** Who somebody is, and nothing of theirs. */
export const identity = ['openid', 'profile', 'email', 'offline_access', 'User.Read']

/** What tests ask for: everything. */
export const everyScope = [
  ...identity,
  'Mail.ReadWrite',
  'Mail.ReadWrite.Shared',
  'Mail.Send',
  'Mail.Send.Shared',
  'Calendars.ReadWrite',
  'Calendars.ReadWrite.Shared',
  'Contacts.ReadWrite',
  'People.Read',
  'Place.Read.All',
  'User.Read.All',
]

export interface MicrosoftPeer extends AsyncDisposable {
  simulator: MicrosoftSimulator
  /** Fails with what does not fit the types, of all that was exchanged so far. */
  checkTypes(): void
}

/** Starts a simulated Microsoft; what strays from the types is told by `checkTypes`, and when it ends. */
export async function openMicrosoft(options: MicrosoftOptions = {}): Promise<MicrosoftPeer> {
  const simulator = await startMicrosoft(options)
  const strays: unknown[] = []
  simulator.observe((exchange) => {
    try {
      checkGraphExchange(exchange)
    } catch (error) {
      strays.push(error)
    }
  })
  const checkTypes = (): void => {
    if (strays.length === 0) return
    const all = strays.splice(0)
    throw new AggregateError(all, `exchanges that do not fit the types: ${all.map(String).join('\n')}`)
  }
  return {
    simulator,
    checkTypes,
    async [Symbol.asyncDispose]() {
      await simulator[Symbol.asyncDispose]()
      checkTypes()
    },
  }
}

/** A service whose Microsoft is the simulated one. */
export const openMicrosoftService = (
  simulator: MicrosoftSimulator,
  options: ServiceOptions = {},
): Promise<TestService> =>
  // The simulator is on loopback, and stays within reach whoever calls the service.
  openService({ ...options, env: { WAYPOST_MICROSOFT_URL: simulator.url, WAYPOST_EGRESS: 'private', ...options.env } })

/** Makes the microsoft connector of an application, if it has none, and a grant by the refresh token of an account. */
export async function createMicrosoftGrant(
  service: TestService,
  simulator: MicrosoftSimulator,
  {
    email,
    key,
    scopes = everyScope,
    settings,
  }: {
    email: string
    key: string
    scopes?: readonly string[]
    /** Of the connector. */
    settings?: Record<string, unknown>
  },
): Promise<{ id: string; [field: string]: unknown }> {
  const client = { client_id: simulator.client.id, client_secret: simulator.client.secret }
  await service.call('POST', '/v3/connectors', {
    key,
    body: { provider: 'microsoft', settings: { ...client, ...settings } },
  })
  const { refreshToken } = simulator.grantToken(email, [...scopes])
  const made = await service.call('POST', '/v3/connect/custom', {
    key,
    body: { provider: 'microsoft', settings: { refresh_token: refreshToken } },
  })
  if (made.status !== 201) throw new Error(`no grant: ${JSON.stringify(made.body)}`)
  return made.body.data
}
