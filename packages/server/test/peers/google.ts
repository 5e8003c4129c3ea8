/** A simulated Google for a test, and services that use it. Every exchange is checked by Google's published schemas, where these are at hand. */

import { type GoogleOptions, type GoogleSimulator, startGoogle } from '../../../simulators/src/index.ts'
import { checkExchange } from '../../../simulators/test/discovery.ts'
import { openService, type ServiceOptions, type TestService } from '../harness.ts'
import { checkingExchanges, createGrantByToken, type GrantWish } from './simulated.ts'

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
  const checkSchemas = checkingExchanges(simulator, checkExchange)
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

/** A grant of an account, with every scope unless others are named. */
export const createGoogleGrant = (
  service: TestService,
  simulator: GoogleSimulator,
  { scopes = everyScope, ...wish }: GrantWish,
): ReturnType<typeof createGrantByToken> => createGrantByToken('google', service, simulator, { ...wish, scopes })
