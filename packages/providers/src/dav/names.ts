/**
 * Names of elements and properties as this folder writes them: a fixed prefix, a colon, and the name, regardless of
 * the server's prefixes. `D` is WebDAV, `C` CalDAV, `CR` CardDAV, `CS` the extensions of calendarserver.org, `ICAL`
 * those of Apple.
 */
import type { XmlElement } from '@waypost/platform/xml/xml'

export const namespaces = {
  D: 'DAV:',
  C: 'urn:ietf:params:xml:ns:caldav',
  CR: 'urn:ietf:params:xml:ns:carddav',
  CS: 'http://calendarserver.org/ns/',
  ICAL: 'http://apple.com/ns/ical/',
} as const

type Prefix = keyof typeof namespaces
export type DavName = `${Prefix}:${string}`

const prefixes = new Map<string, string>(Object.entries(namespaces).map(([prefix, uri]) => [uri, `${prefix}:`]))

/** The name of an element; in any other namespace it is `{namespace}name`. */
export const nameOf = ({ namespace, name }: XmlElement): string =>
  `${prefixes.get(namespace) ?? `{${namespace}}`}${name}`

/** Compares without allocating a name for each element. */
export function hasName({ namespace, name: local }: XmlElement, name: DavName): boolean {
  const prefix = prefixes.get(namespace)
  return (
    prefix !== undefined &&
    name.length === prefix.length + local.length &&
    name.endsWith(local) &&
    name.startsWith(prefix)
  )
}

export const childNamed = (element: XmlElement | undefined, name: DavName): XmlElement | undefined =>
  element?.children.find((child) => hasName(child, name))

export const childrenNamed = (element: XmlElement | undefined, name: DavName): XmlElement[] =>
  element?.children.filter((child) => hasName(child, name)) ?? []

/** The namespace declarations of every request. */
export const declarations: string = Object.entries(namespaces)
  .map(([prefix, uri]) => `xmlns:${prefix}="${uri}"`)
  .join(' ')
