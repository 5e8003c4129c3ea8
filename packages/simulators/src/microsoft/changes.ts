// What a part tells the subscriptions of: one change of one item.
import type { AccountOwner } from './owner.ts'

export interface ItemChange {
  readonly owner: AccountOwner
  readonly changeType: 'created' | 'updated' | 'deleted'
  /** The collections the item is or was in, as `SubscribableResource.collection` names them. */
  readonly collections: readonly string[]
  /** Such as `#Microsoft.Graph.Message`. */
  readonly type: string
  /** The path of the collection below the user, such as `Messages`. */
  readonly path: string
  /** The id of the item, immutable or not. */
  readonly id: (immutable: boolean) => string
  readonly etag: string
}
