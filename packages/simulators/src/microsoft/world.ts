// State shared by the modules of one simulated Microsoft.
import type { SigningKey } from '../shared/oauth/keys.ts'
import type { Push } from '../shared/pushes.ts'
import type { ItemChange } from './changes.ts'
import type { StateTokens } from './odata/state-tokens.ts'
import type { AccountOwner, Tenant } from './owner.ts'
import type { UploadSessions } from './upload-sessions.ts'

export interface World {
  /** `http://127.0.0.1:PORT`, without a trailing slash. */
  readonly url: string
  now(): number
  /** Keyed by email address in lower case. */
  readonly accounts: Map<string, AccountOwner>
  /** Finds an account by email address, alias, Graph's id or the GUID in tokens. */
  findAccount(address: string): AccountOwner | undefined
  /** Keyed by domain. */
  readonly tenants: Map<string, Tenant>
  /** Finds a tenant by id or domain. */
  findTenant(name: string): Tenant | undefined
  /** Signs the tokens that receivers verify with the published keys. */
  readonly key: SigningKey
  /** Ends all refresh and access tokens of a user. */
  endSessions(oid: string): void
  /** POSTs in the background; `simulator.settled()` waits for it. */
  push(push: Push): void
  /** Reports that an item was created, updated or deleted; subscriptions are notified. */
  tell(change: ItemChange): void
  /** Runs work after the delay that Exchange needs for it; `simulator.settled()` waits for it. */
  later(work: () => void): void
  /** Uploads in progress. */
  readonly uploads: UploadSessions
  /** The states behind `$skiptoken` and `$deltatoken`. */
  readonly tokens: StateTokens
  /** The maximum number of items in the first round of a delta query with a filter. */
  readonly filteredDeltaItems: number
  /** The largest message that a mailbox sends, in bytes. */
  readonly maxMessageBytes: number
}
