/**
 * Which hosts belong to the domain of an address. DNS and plain HTTP can be forged on the way to us. A host that they
 * name may see an account's password only if it is within the domain of the address: its certificate then proves that
 * it belongs to that domain. The caller must name every other host explicitly.
 *
 * Only the domain itself and names below it count, never a name beside or above it. So `example.co.uk` does not open
 * `evil.co.uk`, and no list of public suffixes is needed.
 */
import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'
import { isLoopbackHost } from '@waypost/platform/egress/addresses'

const label = '[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?'
/** At least two labels: nobody has an address directly under a top-level domain, and all of `com` would be within it. */
const domainName = new RegExp(`^${label}(?:\\.${label})+$`)
// A name in DNS may hold any byte. These would end the host in a URL, or be decoded to something else.
const notInName = /[\p{Cc}\s\\/?#@:%[\]]/u

/** A host name in ASCII and lower case, without the final dot; undefined for an IP address or an invalid name. */
export function hostName(text: string): string | undefined {
  if (notInName.test(text)) return undefined
  const name = domainToASCII(text).replace(/\.$/, '').toLowerCase()
  return name === '' || isIP(name) !== 0 ? undefined : name
}

/** The domain of an address in ASCII; undefined if it is not a domain in which a server could be looked for. */
export function domainOf(address: string): string | undefined {
  const at = address.lastIndexOf('@')
  if (at < 1) return undefined
  const domain = hostName(address.slice(at + 1))
  return domain !== undefined && domainName.test(domain) ? domain : undefined
}

/** Whether a host is the domain itself or below it. Both are names as `hostName` writes them. */
export const isWithin = (host: string, domain: string): boolean => host === domain || host.endsWith(`.${domain}`)

export type HeardHost = { origin: string } | { refused: 'malformed' } | { refused: 'foreign'; host: string }

/** Whether credentials may go to a host that DNS or plain HTTP named, given the domains that it may be in. */
export function judgeHeardHost(
  { host: text, port }: { host: string; port: number },
  domains: readonly string[],
): HeardHost {
  const host = hostName(text)
  if (host === undefined || !Number.isInteger(port) || port < 1 || port > 65_535) return { refused: 'malformed' }
  if (!domains.some((domain) => isWithin(host, domain))) return { refused: 'foreign', host }
  return { origin: new URL(`https://${host}:${port}`).origin }
}

/** Hosts of an account: others that a server redirects to, or names in its answers, do not receive credentials. */
export interface OwnHosts {
  /** Addresses from the account settings or from the records of its domain. */
  urls: readonly string[]
  /** The domain of the account's address, in the form of `domainOf`. */
  domain?: string | undefined
  /** Domains of the account's service, such as `icloud.com`. */
  davHosts?: readonly string[] | undefined
}

/**
 * Returns a check whether credentials may be sent to an address: over TLS (except on this machine), and to a host of
 * the account.
 */
export function ownAddressCheck({ urls, domain, davHosts = [] }: OwnHosts): (url: string) => boolean {
  const given = urls.map((url) => new URL(url).hostname)
  const domains = [...given, ...davHosts, ...(domain ? [domain] : [])].flatMap((name) => hostName(name) ?? [])
  return (url) => {
    const { hostname, protocol } = new URL(url)
    if (protocol !== 'https:' && !isLoopbackHost(hostname)) return false
    if (given.includes(hostname)) return true
    const host = hostName(hostname)
    return host !== undefined && domains.some((name) => isWithin(host, name))
  }
}
