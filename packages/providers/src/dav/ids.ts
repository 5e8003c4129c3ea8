/**
 * Ids of calendars, events, address books and contacts. An id is the name of a resource if that is simple and the
 * resource is directly in its collection; otherwise `h_` and the encoded path. Each id identifies one resource and
 * can be converted back to its address.
 */
import { parseInstanceId } from '@waypost/formats/recurrence/instance-ids'
import { collectionAddress, isInside, normalised, unquoted } from './hrefs.ts'

export type Extension = '.ics' | '.vcf'

const marker = 'h_'
const plain = /^[A-Za-z0-9_~@-][A-Za-z0-9._~@-]*$/
/** Words with another meaning in the place of an id. */
const reserved = new Set(['primary'])

const isPlain = (name: string): boolean =>
  plain.test(name) && !name.startsWith(marker) && !reserved.has(name) && parseInstanceId(name) === undefined

/** The encoded path of an address, such that it never looks like an instance id. */
function pathId(url: string): string {
  const { pathname } = new URL(url)
  const id = marker + Buffer.from(pathname).toString('base64url')
  return parseInstanceId(id) === undefined ? id : marker + Buffer.from(`${pathname}\0`).toString('base64url')
}

/** The address that such an id encodes, on the same server; undefined if it is invalid. */
function addressOf(id: string, base: string): string | undefined {
  const bytes = Buffer.from(id.slice(marker.length), 'base64url')
  const path = bytes.toString().replace(/\0$/, '')
  if (!path.startsWith('/') || path.startsWith('//')) return undefined
  const url = normalised(`${new URL(base).origin}${path}`)
  return pathId(url) === id ? url : undefined
}

/** The name of a direct member of a collection; undefined for anything else. */
function nameIn(collection: string, url: string): string | undefined {
  if (!isInside(collection, url)) return undefined
  const rest = url.slice(collectionAddress(collection).length).replace(/\/$/, '')
  return rest === '' || rest.includes('/') ? undefined : unquoted(rest)
}

/** The id of a calendar or an address book of a home. */
export function collectionId(home: string, url: string): string {
  const name = nameIn(home, url)
  return name !== undefined && isPlain(name) ? name : pathId(collectionAddress(url))
}

/** The address of the collection with an id; undefined if the id is invalid. */
export function collectionUrl(home: string, id: string): string | undefined {
  if (isPlain(id)) return `${collectionAddress(home)}${id}/`
  const url = id.startsWith(marker) ? addressOf(id, home) : undefined
  return url?.endsWith('/') && collectionId(home, url) === id ? url : undefined
}

/** The id of an event or a contact of a collection. */
export function resourceId(collection: string, url: string, extension: Extension): string {
  const name = nameIn(collection, url)
  const stem = name?.endsWith(extension) ? name.slice(0, -extension.length) : undefined
  return stem !== undefined && isPlain(stem) && !url.endsWith('/') ? stem : pathId(url)
}

/**
 * The address of the resource with an id; undefined if the id is invalid. The address must be inside the collection,
 * or inside `within` if ids cover more than one.
 */
export function resourceUrl(
  collection: string,
  id: string,
  extension: Extension,
  within: string = collection,
): string | undefined {
  if (isPlain(id)) return `${collectionAddress(collection)}${id}${extension}`
  const url = id.startsWith(marker) ? addressOf(id, collection) : undefined
  if (url === undefined || !isInside(within, url)) return undefined
  return resourceId(collection, url, extension) === id ? url : undefined
}
