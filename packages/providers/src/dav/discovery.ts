/**
 * Finds an account's calendars or contacts: at the given address, at the well-known path of its host, at the address
 * in the DNS records of the domain (RFC 6764), or at the root.
 *
 * Records may lead only to hosts within the domain of the address or of the account's service, because they could be
 * forged in transit (RFC 6764 §8). Any other host is named in the error and receives no request.
 */
import { ApiError } from '@waypost/platform/api-error'
import { findService, findServicePath } from '@waypost/platform/egress/dns'
import { judgeHeardHost } from '../shared/domain-hosts.ts'
import type { DavClient } from './client.ts'
import { type Home, homeAt, type ServiceName } from './home.ts'

/** The DNS queries that discovery needs. */
export interface Names {
  findService(name: string, signal: AbortSignal): Promise<{ host: string; port: number } | undefined>
  findServicePath(name: string, signal: AbortSignal): Promise<string | undefined>
}

export interface DiscoveryOptions {
  service: ServiceName
  /** The address from the account settings: of a principal, a home, a collection, or only a host. */
  url?: string | undefined
  /**
   * The domain of the account's address, in the form of `domainOf`. Its records are queried if there is no address.
   */
  domain?: string | undefined
  /** Domains of the account's service; records may also lead to them. */
  davHosts?: readonly string[] | undefined
  /** A client that may send requests to an address in the domain's records. */
  clientFor(url: string): DavClient
  signal: AbortSignal
  names?: Names
}

export interface DiscoveredHome {
  home: Home
  /** The address at which it was found, for later requests. */
  url: string
}

/** The addresses to try, and a foreign host that the records name. */
interface Candidates {
  urls: string[]
  foreign?: string
}

/** Finds the calendars or contacts. Throws `not_found` if there are none, and `grant_invalid` if the login fails. */
export async function discover(options: DiscoveryOptions): Promise<DiscoveredHome> {
  const { urls, foreign } = await candidatesOf(options)
  let failure: unknown
  for (const url of urls) {
    try {
      const home = await homeAt(options.clientFor(url), options.service, url)
      if (home) return { home, url }
    } catch (error) {
      options.signal.throwIfAborted()
      if (!(error instanceof ApiError) || error.code === 'grant_invalid') throw error
      failure ??= error
    }
  }
  if (foreign !== undefined) throw namedByRecords(foreign, options.domain)
  if (failure) throw failure
  throw new ApiError(
    'not_found',
    `there are no ${options.service === 'caldav' ? 'calendars' : 'contacts'} at the server`,
  )
}

async function candidatesOf({ service, url, ...options }: DiscoveryOptions): Promise<Candidates> {
  if (url !== undefined) return { urls: [url, ...atOrigin(new URL(url).origin, service)] }
  const { domain, davHosts = [], signal, names = { findService, findServicePath } } = options
  if (domain === undefined) throw noDomain()
  const atDomain = atOrigin(`https://${domain}`, service)
  const name = `_${service}s._tcp.${domain}`
  const [found, path] = await Promise.all([names.findService(name, signal), names.findServicePath(name, signal)])
  const named = found && judgeHeardHost(found, [domain, ...davHosts])
  if (!named) return { urls: atDomain }
  if ('refused' in named) {
    return { urls: atDomain, ...(named.refused === 'foreign' ? { foreign: named.host } : {}) }
  }
  const { origin } = named
  return { urls: [...pathAt(origin, path), ...atOrigin(origin, service), ...atDomain] }
}

const atOrigin = (origin: string, service: ServiceName): string[] => [`${origin}/.well-known/${service}`, `${origin}/`]

/** The address of a path in a record. It is omitted if it would lead to another host. */
function pathAt(origin: string, path: string | undefined): string[] {
  const url = path === undefined ? null : URL.parse(`${origin}${path}`)
  return url?.origin === origin && url.username === '' ? [url.href] : []
}

const noDomain = (): ApiError =>
  new ApiError('provider_refused', 'the address has no domain in which a server can be looked for', {
    providerError: { reason: 'no_domain' },
  })

const namedByRecords = (host: string, domain = ''): ApiError =>
  new ApiError(
    'provider_refused',
    `the DNS records of ${domain} name ${host}, which is not within that domain; nothing was sent there`,
    { providerError: { reason: 'foreign_host', message: host } },
  )
