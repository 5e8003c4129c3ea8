// The change of one item, as a part reports it to subscriptions.
import type { AccountOwner } from './owner.ts'

export interface ItemChange {
  readonly owner: AccountOwner
  readonly changeType: 'created' | 'updated' | 'deleted'
  /** The collections that contain or contained the item, named as in `SubscribableResource.collection`. */
  readonly collections: readonly string[]
  /** Such as `#Microsoft.Graph.Message`. */
  readonly type: string
  /** The path of the collection below the user, such as `Messages`. */
  readonly path: string
  /** The id of the item, immutable or not. */
  readonly id: (immutable: boolean) => string
  readonly etag: string
}
