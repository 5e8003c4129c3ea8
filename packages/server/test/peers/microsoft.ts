/** A simulated Microsoft for a test, and services that use it. Every exchange is checked by Graph's published types, where these are at hand. */
import { type MicrosoftOptions, type MicrosoftSimulator, startMicrosoft } from '../../../simulators/src/index.ts'
import { checkGraphExchange } from '../../../simulators/test/graph-types.ts'
import { openService, type ServiceOptions, type TestService } from '../harness.ts'
import { checkingExchanges, createGrantByToken, type GrantWish } from './simulated.ts'

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

/** A service whose Microsoft is the simulated one. */
export const openMicrosoftService = (
  simulator: MicrosoftSimulator,
  options: ServiceOptions = {},
): Promise<TestService> =>
  // The simulator is on loopback, and stays within reach whoever calls the service.
  openService({ ...options, env: { WAYPOST_MICROSOFT_URL: simulator.url, WAYPOST_EGRESS: 'private', ...options.env } })

/** A grant of an account, with every scope unless others are named. */
export const createMicrosoftGrant = (
  service: TestService,
  simulator: MicrosoftSimulator,
  { scopes = everyScope, ...wish }: GrantWish,
): ReturnType<typeof createGrantByToken> => createGrantByToken('microsoft', service, simulator, { ...wish, scopes })
