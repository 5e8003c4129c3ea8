// State shared by the modules of the simulated Zoom.
import type { Accounts } from '../shared/accounts.ts'
import type { Clients, OAuthClient } from '../shared/oauth/clients.ts'
import type { Codes } from '../shared/oauth/codes.ts'
import type { Grants } from '../shared/oauth/grants.ts'
import type { SimulatedZoomAccount } from './account.ts'
import type { Meetings } from './meetings.ts'

export interface ZoomClient extends OAuthClient {
  /** The scopes that the app was registered with; every consent covers them all. Default: those that Waypost needs. */
  readonly scopes?: readonly string[]
}

export interface Zoom {
  /** `http://127.0.0.1:PORT`, without a trailing slash. */
  readonly url: string
  now(): number
  readonly accounts: Accounts<SimulatedZoomAccount>
  readonly grants: Grants
  readonly clients: Clients<ZoomClient>
  readonly codes: Codes
  readonly meetings: Meetings
}

/** Granular scopes (https://developers.zoom.us/docs/integrations/oauth-scopes-granular/). */
export const usualScopes: readonly string[] = [
  'meeting:delete:meeting',
  'meeting:update:meeting',
  'meeting:write:meeting',
  'user:read:user',
]

export const scopesOf = ({ scopes = usualScopes }: ZoomClient): readonly string[] => scopes
