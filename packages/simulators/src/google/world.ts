// State shared by the modules of one simulated Google.

import type { SigningKey } from '../shared/oauth/keys.ts'
import type { Push } from '../shared/pushes.ts'
import type { Room } from './directory/room.ts'
import type { Space } from './meet/space.ts'
import type { AccountOwner } from './owner.ts'

export interface World {
  /** `http://127.0.0.1:PORT`, without a trailing slash. */
  readonly url: string
  now(): number
  /** Keyed by email address in lower case. */
  readonly accounts: Map<string, AccountOwner>
  /** Finds an account by email address, alias or id. */
  findAccount(address: string): AccountOwner | undefined
  /** Signs the tokens that receivers verify with `/oauth2/v3/certs`. */
  readonly key: SigningKey
  /** POSTs in the background; `simulator.settled()` waits for it. */
  push(push: Push): void
  /** Whether sent mail retains the Message-ID of its sender. */
  readonly keepMessageIds: boolean
  /** Push subscriptions, keyed by topic name. */
  readonly topics: Map<string, PushSubscription>
  /** The rooms of all organizations. */
  readonly rooms: Room[]
  /** The meeting spaces of all accounts. */
  readonly spaces: Space[]
}

export interface PushSubscription {
  readonly endpoint: string
  /** The audience of the bearer token; default: the endpoint. */
  readonly audience?: string
  /** If absent, pushes have no bearer token. */
  readonly serviceAccountEmail?: string
}
