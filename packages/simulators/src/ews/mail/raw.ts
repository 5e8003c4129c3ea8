// Items of mail as MIME.
import type { StoredItem } from '../store/stored.ts'
import { isMailItem } from './mail-items.ts'
import { rawOf } from './reading.ts'

/** The bytes of a message; undefined for an item that is none. */
export function rawOfMail(item: StoredItem): Uint8Array | undefined {
  return isMailItem(item) ? rawOf(item.content, item.receivedAt) : undefined
}
