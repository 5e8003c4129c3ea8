/**
 * Finds an account's calendars or contacts: at the address that was given, at the well-known path of its host, where the
 * records of the domain say (RFC 6764), or at the root.
 *
 * Records may lead only to hosts within the domain of the address, or of the service that the account is at: anybody on
 * the way could have forged them (RFC 6764 §8). Another host is named in the error and hears nothing.
 */
import { ApiError } from '../../lib/api-error.ts'
import { findService, findServicePath } from '../../lib/egress/dns.ts'
import { judgeHeardHost } from '../shared/domain-hosts.ts'
import type { DavClient } from './client.ts'
import { type Home, homeAt, type ServiceName } from './home.ts'

/** The name service, as far as discovery asks it. */
export interface Names {
  findService(name: string, signal: AbortSignal): Promise<{ host: string; port: number } | undefined>
  findServicePath(name: string, signal: AbortSignal): Promise<string | undefined>
}

export interface DiscoveryOptions {
  service: ServiceName
  /** What the account was given: of a principal, a home, a collection, or just of a host. */
  url?: string | undefined
  /** The domain of its address, as `domainOf` writes it: its records are asked where no address was given. */
  domain?: string | undefined
  /** Domains of the service that the account is at; records may lead to them too. */
  davHosts?: readonly string[] | undefined
  /** A client that may go to an address that the domain names. */
  clientFor(url: string): DavClient
  signal: AbortSignal
  names?: Names
}

export interface Found {
  home: Home
  /** Where it was found: to be asked for again. */
  url: string
}

/** Where to look, and the host that the records name although it is not the account's. */
interface Candidates {
  urls: string[]
  foreign?: string
}

/** Where the calendars or contacts are. Throws `not_found` where there are none, and `grant_invalid` where the login fails. */
export async function discover(options: DiscoveryOptions): Promise<Found> {
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

/** The address of a path that a record names. It is left out where it would lead to another host. */
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
