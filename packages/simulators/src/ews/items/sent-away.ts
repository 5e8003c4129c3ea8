// Whether an operation sends the item it is about, which then has no id to tell.
import type { EwsCall } from '../model.ts'
import type { StoredItem } from '../store/stored.ts'

export function isSentAway({ request }: EwsCall, { type }: StoredItem): boolean {
  return type.element === 'Message' && request.attributes.MessageDisposition?.startsWith('Send') === true
}
