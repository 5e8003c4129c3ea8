// Whether an operation sends its item, so that the response contains no id.
import type { EwsCall } from '../model.ts'
import type { StoredItem } from '../store/stored.ts'

export function isSentAway({ request }: EwsCall, { type }: StoredItem): boolean {
  return type.element === 'Message' && request.attributes.MessageDisposition?.startsWith('Send') === true
}
