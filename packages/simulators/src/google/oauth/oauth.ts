// What the parts of sign-in share.

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

/** The issuer is Google's, wherever the simulator listens, so that tokens are checked as the real ones are. */
export const ISSUER = 'https://accounts.google.com'
