// What the parts of one simulated Microsoft share.
import type { SigningKey } from '../shared/oauth/keys.ts'
import type { Push } from '../shared/pushes.ts'
import type { ItemChange } from './changes.ts'
import type { StateTokens } from './odata/state-tokens.ts'
import type { AccountOwner, Tenant } from './owner.ts'
import type { UploadSessions } from './upload-sessions.ts'

export interface World {
  /** `http://127.0.0.1:PORT`, no slash at the end. */
  readonly url: string
  now(): number
  /** By email address, in lower case. */
  readonly accounts: Map<string, AccountOwner>
  /** By email address, alias, Graph's id or the GUID of tokens. */
  findAccount(address: string): AccountOwner | undefined
  /** By their domain. */
  readonly tenants: Map<string, Tenant>
  /** By id or domain. */
  findTenant(name: string): Tenant | undefined
  /** Signs what receivers check by the published keys. */
  readonly key: SigningKey
  /** Ends all refresh tokens of a user, and their access tokens. */
  endSessions(oid: string): void
  /** POSTs in the background; `simulator.settled()` waits for it. */
  push(push: Push): void
  /** A part says that an item was created, updated or deleted: subscriptions are told. */
  tell(change: ItemChange): void
  /** Does something after the time that Exchange takes for it; `simulator.settled()` waits for it. */
  later(work: () => void): void
  /** What is being uploaded in pieces. */
  readonly uploads: UploadSessions
  /** What `$skiptoken` and `$deltatoken` stand for. */
  readonly tokens: StateTokens
  /** The most items that the first round of a delta query with a filter gives. */
  readonly filteredDeltaItems: number
}
