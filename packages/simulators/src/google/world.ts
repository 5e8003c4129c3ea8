// What the parts of one simulated Google share.

import type { SigningKey } from '../shared/oauth/keys.ts'
import type { Push } from '../shared/pushes.ts'
import type { Room } from './directory/room.ts'
import type { AccountOwner } from './owner.ts'

export interface World {
  /** `http://127.0.0.1:PORT`, no slash at the end. */
  readonly url: string
  now(): number
  /** By email address, in lower case. */
  readonly accounts: Map<string, AccountOwner>
  /** By email address, alias or number. */
  findAccount(address: string): AccountOwner | undefined
  /** Signs what receivers check by `/oauth2/v3/certs`. */
  readonly key: SigningKey
  /** POSTs in the background; `simulator.settled()` waits for it. */
  push(push: Push): void
  /** Whether mail that is sent keeps the Message-ID its sender gave it. */
  readonly keepMessageIds: boolean
  /** Where the messages of a Pub/Sub topic go, by the topic's name. */
  readonly topics: Map<string, PushSubscription>
  /** Of all organizations. */
  readonly rooms: Room[]
}

export interface PushSubscription {
  readonly endpoint: string
  /** Of the bearer token; default the endpoint. */
  readonly audience?: string
  /** Without one, pushes come without a bearer token. */
  readonly serviceAccountEmail?: string
}
