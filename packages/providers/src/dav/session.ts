/** The CalDAV and CardDAV part of a session, for every provider that has one. */
import type { Grant } from '@waypost/contract'
import { ApiError } from '@waypost/platform/api-error'
import type { Io, SessionIo } from '../io.ts'
import type { Auth } from '../mail/server-account.ts'
import type { ObjectKind } from './bodies.ts'
import { type DavClient, type DavName, type MultiStatus, openClient } from './client.ts'
import { type DiscoveredHome, discover, type Names } from './discovery.ts'
import type { Home, ServiceName } from './home.ts'
import { openTransport } from './transport.ts'

export type { Home } from './home.ts'

/** The session fields that calendar and contact operations need. */
export interface DavSession {
  grant: Grant
  io: SessionIo
  dav: Dav
}

/** The services of an account; absent if it has none. */
export interface Dav {
  calendars?: DavService
  contacts?: DavService
}

export interface DavService {
  client: DavClient
  /**
   * Discovered at the first use, cached for the account on this node, and discovered again when the server reports
   * that it moved.
   */
  home(signal?: AbortSignal): Promise<Home>
  /** The properties of the home and of its direct members. */
  listHome(props: readonly DavName[]): Promise<MultiStatus & { home: Home }>
}

/** The servers and credentials of an account. */
export interface DavServers {
  caldavUrl?: string | undefined
  carddavUrl?: string | undefined
  auth: Auth
  /** The domain of the account's address, in the form of `domainOf`; its hosts may receive the credentials. */
  domain?: string | undefined
  /** Further domains of the account's service whose hosts may receive the credentials. */
  davHosts?: readonly string[] | undefined
}

const objectKinds: Record<ServiceName, ObjectKind> = { caldav: 'calendar', carddav: 'contacts' }

/** The cached homes of an account, for all requests on this node. */
class KnownHomes extends Map<string, Home> implements AsyncDisposable {
  async [Symbol.asyncDispose](): Promise<void> {
    this.clear()
  }
}

/** Errors that indicate a moved home. */
const elsewhere = new Set<string>(['not_found', 'provider_refused'])

/** Opens the calendars and contacts of an account; no request is sent before the first use. */
export function openDav(io: SessionIo, servers: DavServers): Dav {
  const known = io.retained('dav', () => new KnownHomes())
  const { caldavUrl, carddavUrl } = servers
  return {
    ...(caldavUrl ? { calendars: openService({ io, servers, known }, 'caldav', caldavUrl) } : {}),
    ...(carddavUrl ? { contacts: openService({ io, servers, known }, 'carddav', carddavUrl) } : {}),
  }
}

interface Opening {
  io: SessionIo
  servers: DavServers
  known: KnownHomes
}

function openService({ io, servers, known }: Opening, service: ServiceName, url: string): DavService {
  const key = `${service} ${url}`
  /** Removes the cached home, because it has moved. */
  const forgetHome = (): void => void known.delete(key)
  const clientWith = (signal: AbortSignal): DavClient =>
    openClient(
      openTransport({ io: { ...io, signal }, auth: servers.auth, hosts: hostsOf(servers, [url]), onMoved: forgetHome }),
      objectKinds[service],
    )
  const client = clientWith(io.signal)

  async function home(signal: AbortSignal = io.signal): Promise<Home> {
    const before = known.get(key)
    if (before) return before
    const clientFor = (): DavClient => (signal === io.signal ? client : clientWith(signal))
    const found = await discover({ service, url, clientFor, signal })
    known.set(key, found.home)
    return found.home
  }

  async function listHome(props: readonly DavName[], again = true): Promise<MultiStatus & { home: Home }> {
    const at = await home()
    try {
      return { ...(await client.propfind(at.url, { depth: 1, props })), home: at }
    } catch (error) {
      if (!again || !(error instanceof ApiError) || !elsewhere.has(error.code)) throw error
      forgetHome()
      return listHome(props, false)
    }
  }

  return { client, home, listHome: (props) => listHome(props) }
}

const hostsOf = ({ domain, davHosts }: DavServers, urls: readonly string[]) => ({ urls, domain, davHosts })

/**
 * Finds an account's calendars or contacts at sign-in: at an address, or through the records of its domain. Throws
 * `not_found` if there are none, and `grant_invalid` if the server refuses the login.
 */
export function findDav(
  io: Io,
  service: ServiceName,
  {
    url,
    names,
    ...servers
  }: Omit<DavServers, 'caldavUrl' | 'carddavUrl'> & { url?: string | undefined; names?: Names },
): Promise<DiscoveredHome> {
  const clientFor = (at: string): DavClient =>
    openClient(openTransport({ io, auth: servers.auth, hosts: hostsOf(servers, [at]) }), objectKinds[service])
  return discover({
    service,
    url,
    domain: servers.domain,
    davHosts: servers.davHosts,
    clientFor,
    signal: io.signal,
    ...(names ? { names } : {}),
  })
}
