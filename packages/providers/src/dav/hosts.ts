/**
 * Decides which hosts may receive an account's credentials. A server may redirect requests or name other hosts in its
 * answers, but credentials are sent only to hosts of the account.
 */
import { isLoopbackHost } from '@waypost/platform/egress/addresses'
import { hostName, isWithin } from '../shared/domain-hosts.ts'

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
