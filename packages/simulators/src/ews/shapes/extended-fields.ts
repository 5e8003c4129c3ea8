// The extended properties that all item types have, in addition to those that clients set.
import { type ExtendedValue, tagKey } from '../store/extended.ts'
import { entryId } from '../store/ids.ts'
import type { ExtendedField, StoredItem } from '../store/stored.ts'

const seconds = (ms: number): string => new Date(ms).toISOString().replace(/\.\d+/, '')

function ownEntryId({ mailbox, folder, number }: StoredItem): string {
  return entryId({ kind: 'item', mailbox: mailbox.id, folder: folder.number, item: number }).toString('base64')
}

const common: Readonly<Record<string, ExtendedField>> = {
  // PR_SEARCH_KEY
  [tagKey(0x300b, 'Binary')]: { value: ({ searchKey }) => searchKey.toString('base64') },
  // PR_ENTRYID, PR_RECORD_KEY
  [tagKey(0x0fff, 'Binary')]: { value: ownEntryId },
  [tagKey(0x0ff9, 'Binary')]: { value: ownEntryId },
  // PR_INTERNET_ARTICLE_NUMBER, the IMAP UID: different in every folder, and increasing
  [tagKey(0x0e23, 'Integer')]: { value: ({ number }) => String(number) },
  // PR_MESSAGE_CLASS
  [tagKey(0x001a, 'String')]: { value: ({ itemClass }) => itemClass },
  // PR_CREATION_TIME, PR_LAST_MODIFICATION_TIME, PR_MESSAGE_DELIVERY_TIME
  [tagKey(0x3007, 'SystemTime')]: { value: ({ createdAt }) => seconds(createdAt) },
  [tagKey(0x3008, 'SystemTime')]: { value: ({ modifiedAt }) => seconds(modifiedAt) },
  [tagKey(0x0e06, 'SystemTime')]: { value: ({ receivedAt }) => seconds(receivedAt) },
}

/** The value of a property, by key; undefined if the item does not have it. */
export function extendedValue(item: StoredItem, key: string): ExtendedValue | undefined {
  const own = item.type.extended?.[key] ?? common[key]
  return own === undefined ? item.extended.get(key) : own.value(item)
}

/**
 * Sets a property, or deletes it if the value is undefined. Properties that are computed and read-only stay
 * unchanged.
 */
export function setExtended(item: StoredItem, key: string, value: ExtendedValue | undefined): void {
  const own = item.type.extended?.[key] ?? common[key]
  if (own !== undefined) own.set?.(item, value)
  else if (value === undefined) item.extended.delete(key)
  else item.extended.set(key, value)
}
