// Mail items as MIME.
import type { StoredItem } from '../store/stored.ts'
import { isMailItem } from './mail-items.ts'
import { rawOf } from './reading.ts'

/** The bytes of a message; undefined if the item is not a message. */
export function rawOfMail(item: StoredItem): Uint8Array | undefined {
  return isMailItem(item) ? rawOf(item.content, item.receivedAt) : undefined
}
