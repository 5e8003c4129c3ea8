/** Addresses of resources, made comparable: servers write the same one in many ways. */

/** Left as they are in a segment of a path (RFC 3986, pchar), as most servers write them. */
const plain = /%(40|3A|21|24|26|27|28|29|2A|2B|2C|3B|3D)/g

/** A segment of a path in the one way that we write it. */
function segmentOf(written: string): string {
  return encodeURIComponent(unquoted(written)).replace(plain, (code) => decodeURIComponent(code))
}

/** A segment without its quoting; as it is where the quoting is wrong. */
export function unquoted(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

/** The path of an address in the one way that we write it: segments quoted alike, no slash twice. */
const pathOf = ({ pathname }: URL): string =>
  pathname
    .replace(/\/{2,}/g, '/')
    .split('/')
    .map(segmentOf)
    .join('/')

/** A path that is written as we write it, nothing quoted and no dots to be resolved, as nearly all are. */
const plainPath = /^(?:\/[\w~!$&'()*+,;=:@-][\w.~!$&'()*+,;=:@-]*)+\/?$/

/** The longest address that is taken for one. */
const mostCharacters = 8 * 1024

/**
 * What a server calls a resource, as an absolute address, seen from the address that was asked. Undefined where it is
 * none. A server behind a proxy that speaks TLS for it writes http addresses of itself: those are meant as they were asked.
 */
export const resolveHref = (href: string, base: string): string | undefined => hrefResolver(base)(href)

/** The same for many addresses of one answer. */
export function hrefResolver(base: string): (href: string) => string | undefined {
  const from = new URL(base)
  return (href) => {
    const text = href.trim()
    if (text === '' || text.length > mostCharacters || /[\t\r\n\\]/.test(text)) return undefined
    if (plainPath.test(text)) return `${from.origin}${text}`
    // A path of two slashes at its beginning would be read as a host.
    const url = URL.parse(text.startsWith('//') ? text.replace(/^\/+/, '/') : text, from)
    if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return undefined
    const isDowngraded = from.protocol === 'https:' && url.protocol === 'http:' && url.hostname === from.hostname
    return `${isDowngraded ? from.origin : url.origin}${pathOf(url)}`
  }
}

/** An address in the one way that we write it. */
export const normalised = (url: string): string => resolveHref(url, url) ?? url

/** The address of a collection: it ends with a slash. */
export const collectionAddress = (url: string): string => (url.endsWith('/') ? url : `${url}/`)

/** Whether an address is inside a collection, at whatever depth. */
export const isInside = (collection: string, url: string): boolean =>
  url.length > collection.length && url.startsWith(collectionAddress(collection))

/** Whether two addresses are of one collection, with or without the slash at the end. */
export const isSameCollection = (one: string, other: string): boolean =>
  collectionAddress(one) === collectionAddress(other)
