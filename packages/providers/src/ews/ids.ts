/**
 * Maps ids of Exchange to ids of the API, and back. Exchange's ids are long, case-sensitive base64; ours are the same
 * bytes as base64url without padding. An id that is not canonical base64 is wrapped: `x_` and the text as base64url.
 *
 * A moved item gets another id. The search key of a message (PR_SEARCH_KEY) stays, so it follows the item id after a
 * dot.
 */

const wrapped = 'x_'

/** The id in the API for an id of Exchange. */
export function ourId(theirs: string): string {
  const bytes = Buffer.from(theirs, 'base64')
  const ours = bytes.toString('base64url')
  const isCanonical = theirs !== '' && bytes.toString('base64') === theirs && !ours.startsWith(wrapped)
  return isCanonical ? ours : `${wrapped}${Buffer.from(theirs).toString('base64url')}`
}

/** The id of Exchange for an id in the API; undefined if the API did not issue it. */
export function theirId(ours: string): string | undefined {
  if (!/^[A-Za-z0-9_-]+$/.test(ours)) return undefined
  const theirs = ours.startsWith(wrapped)
    ? Buffer.from(ours.slice(wrapped.length), 'base64url').toString()
    : Buffer.from(ours, 'base64url').toString('base64')
  return theirs !== '' && ourId(theirs) === ours ? theirs : undefined
}

export interface MessagePlace {
  /** Exchange's id of the item. */
  itemId: string
  /** The search key, which stays when the item is moved; absent if the server returns none. */
  searchKey?: Buffer | undefined
}

/** The id of a message. */
export function messageId({ itemId, searchKey }: MessagePlace): string {
  const id = ourId(itemId)
  return searchKey === undefined || searchKey.length === 0 ? id : `${id}.${searchKey.toString('base64url')}`
}

/** The parts of a message id; undefined if it is invalid. */
export function messagePlace(id: string): MessagePlace | undefined {
  const [item = '', key, ...more] = id.split('.')
  const itemId = theirId(item)
  if (itemId === undefined || more.length > 0) return undefined
  if (key === undefined) return { itemId }
  const searchKey = Buffer.from(key, 'base64url')
  return key !== '' && searchKey.toString('base64url') === key ? { itemId, searchKey } : undefined
}
