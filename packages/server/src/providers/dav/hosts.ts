/** Which hosts an account's credentials may be shown to. A server may send us elsewhere; it may not send them anywhere. */
import { isIP } from 'node:net'
import { isLoopbackHost } from '../../lib/addresses.ts'

export interface OwnHosts {
  /** The addresses that the account was given, or that its domain names. */
  urls: readonly string[]
  /** The domain of the account's address. */
  domain?: string | undefined
  /** Domains of the service that the account is at, such as `icloud.com`. */
  davHosts?: readonly string[] | undefined
}

const isWithin = (host: string, domain: string): boolean =>
  host === domain || (isIP(domain) === 0 && host.endsWith(`.${domain}`))

/** Whether credentials may go to an address: over TLS, unless it is this very machine, and to a host of the account. */
export function isOwnAddress(url: string, { urls, domain, davHosts = [] }: OwnHosts): boolean {
  const { hostname, protocol } = new URL(url)
  if (protocol !== 'https:' && !isLoopbackHost(hostname)) return false
  const names = [...urls.map((each) => new URL(each).hostname), ...davHosts, ...(domain ? [domain.toLowerCase()] : [])]
  return names.some((name) => isWithin(hostname, name))
}
