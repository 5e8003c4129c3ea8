/**
 * Finding an account's calendars or contacts: at the address that was given, at the well-known path of its host, where
 * the records of the domain say (RFC 6764), or at the root.
 */
import { ApiError } from '../../lib/api-error.ts'
import { findService, findServicePath } from '../../lib/name-service.ts'
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
  /** The domain of its address: its records are asked where no address was given. */
  domain?: string | undefined
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

/** Where the calendars or contacts are. Throws `not_found` where there are none, and `grant_invalid` where the login fails. */
export async function discover(options: DiscoveryOptions): Promise<Found> {
  let failure: unknown
  for await (const url of candidates(options)) {
    try {
      const home = await homeAt(options.clientFor(url), options.service, url)
      if (home) return { home, url }
    } catch (error) {
      options.signal.throwIfAborted()
      if (!(error instanceof ApiError) || error.code === 'grant_invalid') throw error
      failure ??= error
    }
  }
  if (failure) throw failure
  throw new ApiError(
    'not_found',
    `there are no ${options.service === 'caldav' ? 'calendars' : 'contacts'} at the server`,
  )
}

async function* candidates({ service, url, domain, signal, names }: DiscoveryOptions): AsyncGenerator<string> {
  if (url !== undefined) {
    yield url
    yield* atOrigin(new URL(url).origin, service)
    return
  }
  if (domain === undefined) return
  const named = await byRecords(service, domain, names ?? { findService, findServicePath }, signal)
  if (named) {
    if (named.path !== undefined) yield `${named.origin}${named.path}`
    yield* atOrigin(named.origin, service)
  }
  yield* atOrigin(`https://${domain}`, service)
}

function* atOrigin(origin: string, service: ServiceName): Generator<string> {
  yield `${origin}/.well-known/${service}`
  yield `${origin}/`
}

async function byRecords(
  service: ServiceName,
  domain: string,
  names: Names,
  signal: AbortSignal,
): Promise<{ origin: string; path: string | undefined } | undefined> {
  const name = `_${service}s._tcp.${domain}`
  const [found, path] = await Promise.all([names.findService(name, signal), names.findServicePath(name, signal)])
  return found && { origin: new URL(`https://${found.host}:${found.port}`).origin, path }
}
