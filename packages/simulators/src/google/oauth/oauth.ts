// State shared by the sign-in modules.

import type { Clients } from '../../shared/oauth/clients.ts'
import type { Codes } from '../../shared/oauth/codes.ts'
import type { Grants } from '../../shared/oauth/grants.ts'
import type { World } from '../world.ts'
import type { ServiceAccounts } from './service-accounts.ts'

export interface OAuth {
  readonly world: World
  readonly grants: Grants
  readonly clients: Clients
  readonly codes: Codes
  readonly serviceAccounts: ServiceAccounts
}

/** Always Google's issuer, wherever the simulator listens, so that clients verify tokens as in production. */
export const ISSUER = 'https://accounts.google.com'
