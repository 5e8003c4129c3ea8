/**
 * A simulated Google, and services that use it. Every exchange is checked against Google's published schemas if they
 * are available.
 */

import { type GoogleOptions, type GoogleSimulator, startGoogle } from '../../../simulators/src/index.ts'
import { checkExchange } from '../../../simulators/test/discovery.ts'
import { openService, type ServiceOptions, type TestService } from '../harness.ts'
import { checkingExchanges, createGrantByToken, type GrantWish } from './simulated.ts'

/** A scope by its short name, such as `calendar.readonly`. */
export const scope = (name: string): string => `https://www.googleapis.com/auth/${name}`

/** The scopes of a user's identity, without access to data. */
export const identity = ['openid', scope('userinfo.email'), scope('userinfo.profile')]

/** The scopes that tests request: all of them. */
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
  /** Fails if any exchange so far does not match the schemas. */
  checkSchemas(): void
}

/** Starts a simulated Google. `checkSchemas` reports violations of the schemas, and so does disposal. */
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

/** A service that connects to the simulated Google. */
export const openGoogleService = (simulator: GoogleSimulator, options: ServiceOptions = {}): Promise<TestService> =>
  // The simulator is on loopback, which every service may reach.
  openService({ ...options, env: { WAYPOST_GOOGLE_URL: simulator.url, WAYPOST_EGRESS: 'private', ...options.env } })

/** A grant of an account, with every scope unless others are given. */
export const createGoogleGrant = (
  service: TestService,
  simulator: GoogleSimulator,
  { scopes = everyScope, ...wish }: GrantWish,
): ReturnType<typeof createGrantByToken> => createGrantByToken('google', service, simulator, { ...wish, scopes })
