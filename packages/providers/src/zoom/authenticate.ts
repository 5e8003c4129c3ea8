/** Custom authentication with a refresh token from the application. The token is used up: the grant has the next one. */
import type { Identity, ProviderClient } from '../identity.ts'
import type { Io } from '../io.ts'
import { identifyByRefreshToken } from '../shared/oauth-client.ts'
import { identify, refresh } from './oauth.ts'

export const authenticate = (
  settings: Record<string, unknown>,
  io: Io,
  { client }: { client: ProviderClient },
): Promise<Identity> => identifyByRefreshToken({ refresh, identify }, settings, client, io)
