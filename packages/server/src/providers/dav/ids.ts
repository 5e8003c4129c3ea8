/**
 * Ids of calendars, events, address books and contacts. The name of a resource where that is plain and stands right where
 * one looks for it; else `h_` and its whole path. Each id is of one resource, and leads back to it.
 */
import { parseInstanceId } from '../../formats/icalendar/instance-ids.ts'
import { collectionAddress, isInside, normalised, unquoted } from './hrefs.ts'

export type Extension = '.ics' | '.vcf'

const marker = 'h_'
const plain = /^[A-Za-z0-9_~@-][A-Za-z0-9._~@-]*$/
/** Words that name something else where an id is expected. */
const reserved = new Set(['primary'])

const isPlain = (name: string): boolean =>
  plain.test(name) && !name.startsWith(marker) && !reserved.has(name) && parseInstanceId(name) === undefined

/** The path of an address, written so that no id of an occurrence looks like it. */
function pathId(url: string): string {
  const { pathname } = new URL(url)
  const id = marker + Buffer.from(pathname).toString('base64url')
  return parseInstanceId(id) === undefined ? id : marker + Buffer.from(`${pathname}\0`).toString('base64url')
}

/** The address that such an id names, on the same server; undefined where it is none. */
function addressOf(id: string, base: string): string | undefined {
  const bytes = Buffer.from(id.slice(marker.length), 'base64url')
  const path = bytes.toString().replace(/\0$/, '')
  if (!path.startsWith('/') || path.startsWith('//')) return undefined
  const url = normalised(`${new URL(base).origin}${path}`)
  return pathId(url) === id ? url : undefined
}

/** The name of what stands right in a collection; undefined for anything else. */
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

/** The address of the collection that an id names; undefined where there can be none. */
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
 * The address of the resource that an id names. Undefined where there can be none: what an id leads to is inside the
 * collection, or inside `within` where ids are given for more than one.
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
