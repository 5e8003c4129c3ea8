/**
 * A simulated Microsoft, and services that use it. Every exchange is checked against the published types of Graph if
 * they are available.
 */
import { type MicrosoftOptions, type MicrosoftSimulator, startMicrosoft } from '../../../simulators/src/index.ts'
import { checkGraphExchange } from '../../../simulators/test/graph-types.ts'
import { openService, type ServiceOptions, type TestService } from '../harness.ts'
import { checkingExchanges, createGrantByToken, type GrantWish } from './simulated.ts'

/** The scopes of a user's identity, without access to data. */
export const identity = ['openid', 'profile', 'email', 'offline_access', 'User.Read']

/** The scopes that tests request: all of them. */
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
  /** Fails if any exchange so far does not match the types. */
  checkTypes(): void
}

/** Starts a simulated Microsoft. `checkTypes` reports violations of the types, and so does disposal. */
export async function openMicrosoft(options: MicrosoftOptions = {}): Promise<MicrosoftPeer> {
  const simulator = await startMicrosoft(options)
  const checkTypes = checkingExchanges(simulator, checkGraphExchange)
  return {
    simulator,
    checkTypes,
    async [Symbol.asyncDispose]() {
      await simulator[Symbol.asyncDispose]()
      checkTypes()
    },
  }
}

/** A service that connects to the simulated Microsoft. */
export const openMicrosoftService = (
  simulator: MicrosoftSimulator,
  options: ServiceOptions = {},
): Promise<TestService> =>
  // The simulator is on loopback, which every service may reach.
  openService({ ...options, env: { WAYPOST_MICROSOFT_URL: simulator.url, WAYPOST_EGRESS: 'private', ...options.env } })

/** A grant of an account, with every scope unless others are given. */
export const createMicrosoftGrant = (
  service: TestService,
  simulator: MicrosoftSimulator,
  { scopes = everyScope, ...wish }: GrantWish,
): ReturnType<typeof createGrantByToken> => createGrantByToken('microsoft', service, simulator, { ...wish, scopes })
