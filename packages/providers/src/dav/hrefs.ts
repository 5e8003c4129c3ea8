/** Normalizes the addresses of resources for comparison, because servers write the same address in different ways. */

/** Characters that stay unescaped in a path segment (RFC 3986, pchar), as most servers write them. */
const plain = /%(40|3A|21|24|26|27|28|29|2A|2B|2C|3B|3D)/g

/** A normalized path segment. */
function segmentOf(written: string): string {
  return encodeURIComponent(unquoted(written)).replace(plain, (code) => decodeURIComponent(code))
}

/** A segment without percent-encoding, or unchanged if the encoding is invalid. */
export function unquoted(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

/** The normalized path of an address: segments encoded consistently, no double slashes. */
const pathOf = ({ pathname }: URL): string =>
  pathname
    .replace(/\/{2,}/g, '/')
    .split('/')
    .map(segmentOf)
    .join('/')

/** A path that is already normalized, without encoding and dots, as nearly all are. */
const plainPath = /^(?:\/[\w~!$&'()*+,;=:@-][\w.~!$&'()*+,;=:@-]*)+\/?$/

/** The maximum length of an address. */
const maxCharacters = 8 * 1024

/**
 * The absolute address for a server's href, relative to the requested address, or undefined if it is invalid. A
 * server behind a TLS proxy may write http addresses of itself; these are converted to https.
 */
export const resolveHref = (href: string, base: string): string | undefined => hrefResolver(base)(href)

/** Resolves many addresses of one answer. */
export function hrefResolver(base: string): (href: string) => string | undefined {
  const from = new URL(base)
  return (href) => {
    const text = href.trim()
    if (text === '' || text.length > maxCharacters || /[\t\r\n\\]/.test(text)) return undefined
    if (plainPath.test(text)) return `${from.origin}${text}`
    // Two leading slashes would be read as a host.
    const url = URL.parse(text.startsWith('//') ? text.replace(/^\/+/, '/') : text, from)
    if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return undefined
    const isDowngraded = from.protocol === 'https:' && url.protocol === 'http:' && url.hostname === from.hostname
    return `${isDowngraded ? from.origin : url.origin}${pathOf(url)}`
  }
}

/** A normalized address. */
export const normalised = (url: string): string => resolveHref(url, url) ?? url

/** The address of a collection, with a trailing slash. */
export const collectionAddress = (url: string): string => (url.endsWith('/') ? url : `${url}/`)

/** Whether an address is inside a collection, at any depth. */
export const isInside = (collection: string, url: string): boolean =>
  url.length > collection.length && url.startsWith(collectionAddress(collection))

/** Whether two addresses name the same collection, with or without a trailing slash. */
export const isSameCollection = (one: string, other: string): boolean =>
  collectionAddress(one) === collectionAddress(other)
