/**
 * Ids of Exchange as ids of the API, and back. Theirs are base64, of which the case counts, and long; ours are the same
 * bytes as base64url without padding. What is no base64 in its canonical form is wrapped: `x_` and the text as base64url.
 *
 * An item has another id once it is moved. What stays with a message is its search key (PR_SEARCH_KEY), which therefore
 * stands behind the id of the item, after a dot.
 */

const wrapped = 'x_'

/** The id that the API shows for one of Exchange. */
export function ourId(theirs: string): string {
  const bytes = Buffer.from(theirs, 'base64')
  const ours = bytes.toString('base64url')
  const isCanonical = theirs !== '' && bytes.toString('base64') === theirs && !ours.startsWith(wrapped)
  return isCanonical ? ours : `${wrapped}${Buffer.from(theirs).toString('base64url')}`
}

/** The id of Exchange behind one of the API; undefined where it is none that the API has shown. */
export function theirId(ours: string): string | undefined {
  if (!/^[A-Za-z0-9_-]+$/.test(ours)) return undefined
  const theirs = ours.startsWith(wrapped)
    ? Buffer.from(ours.slice(wrapped.length), 'base64url').toString()
    : Buffer.from(ours, 'base64url').toString('base64')
  return theirs !== '' && ourId(theirs) === ours ? theirs : undefined
}

export interface MessagePlace {
  /** Of the item, as Exchange writes it. */
  itemId: string
  /** What stays with it over moves; absent where the server gives none. */
  searchKey?: Buffer | undefined
}

/** The id of a message. */
export function messageId({ itemId, searchKey }: MessagePlace): string {
  const id = ourId(itemId)
  return searchKey === undefined || searchKey.length === 0 ? id : `${id}.${searchKey.toString('base64url')}`
}

/** What an id of a message says; undefined where it is none. */
export function messagePlace(id: string): MessagePlace | undefined {
  const [item = '', key, ...more] = id.split('.')
  const itemId = theirId(item)
  if (itemId === undefined || more.length > 0) return undefined
  if (key === undefined) return { itemId }
  const searchKey = Buffer.from(key, 'base64url')
  return key !== '' && searchKey.toString('base64url') === key ? { itemId, searchKey } : undefined
}
