/**
 * Which hosts may see an account's credentials. A server may redirect us or name other hosts in its answers; credentials
 * never follow it to a host that is not the account's.
 */
import { isLoopbackHost } from '../../lib/egress/addresses.ts'
import { hostName, isWithin } from '../shared/domain-hosts.ts'

export interface OwnHosts {
  /** The addresses that the account was given, or that its domain names. */
  urls: readonly string[]
  /** The domain of the account's address, as `domainOf` writes it. */
  domain?: string | undefined
  /** Domains of the service that the account is at, such as `icloud.com`. */
  davHosts?: readonly string[] | undefined
}

/** Returns a check whether credentials may go to an address: over TLS (except on this machine), and to a host of the account. */
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
