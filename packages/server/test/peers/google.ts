/** A simulated Google for a test, and services that use it. Every exchange is checked by Google's published schemas, where these are at hand. */

import { type GoogleOptions, type GoogleSimulator, startGoogle } from '../../../simulators/src/index.ts'
import { checkExchange } from '../../../simulators/test/discovery.ts'
import { openService, type ServiceOptions, type TestService } from '../harness.ts'

/** A scope by its name, such as `calendar.readonly`. */
export const scope = (name: string): string => `https://www.googleapis.com/auth/${name}`

/** Who somebody is, and nothing of theirs. */
export const identity = ['openid', scope('userinfo.email'), scope('userinfo.profile')]

/** What tests ask for: everything. */
export const everyScope = [
  ...identity,
  'https://mail.google.com/',
  scope('calendar'),
  scope('admin.directory.resource.calendar.readonly'),
  scope('contacts'),
  scope('contacts.other.readonly'),
  scope('directory.readonly'),
]

export interface GooglePeer extends AsyncDisposable {
  simulator: GoogleSimulator
  /** Fails with what does not fit the schemas, of all that was exchanged so far. */
  checkSchemas(): void
}

/** Starts a simulated Google; what strays from the schemas is told by `checkSchemas`, and when it ends. */
export async function openGoogle(options: GoogleOptions = {}): Promise<GooglePeer> {
  const simulator = await startGoogle(options)
  const strays: unknown[] = []
  simulator.observe((exchange) => {
    try {
      checkExchange(exchange)
    } catch (error) {
      strays.push(error)
    }
  })
  const checkSchemas = (): void => {
    if (strays.length > 0) throw new AggregateError(strays.splice(0), 'exchanges that do not fit the schemas')
  }
  return {
    simulator,
    checkSchemas,
    async [Symbol.asyncDispose]() {
      await simulator[Symbol.asyncDispose]()
      checkSchemas()
    },
  }
}

/** A service whose Google is the simulated one. */
export const openGoogleService = (simulator: GoogleSimulator, options: ServiceOptions = {}): Promise<TestService> =>
  // The simulator is on loopback, and stays within reach whoever calls the service.
  openService({ ...options, env: { WAYPOST_GOOGLE_URL: simulator.url, WAYPOST_EGRESS: 'private', ...options.env } })

/** Makes the google connector of an application, if it has none, and a grant by the refresh token of an account. */
export async function createGoogleGrant(
  service: TestService,
  simulator: GoogleSimulator,
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
    body: { provider: 'google', settings: { ...client, ...settings } },
  })
  const { refreshToken } = simulator.grantToken(email, [...scopes])
  const made = await service.call('POST', '/v3/connect/custom', {
    key,
    body: { provider: 'google', settings: { refresh_token: refreshToken } },
  })
  if (made.status !== 201) throw new Error(`no grant: ${JSON.stringify(made.body)}`)
  return made.body.data
}
