/** Finds the calendars or address books of an account, and how its server handles invitations. */
import type { DavClient, DavName, Props } from './client.ts'
import { providerStatus } from './errors.ts'
import { collectionAddress, resolveHref, unquoted } from './hrefs.ts'

export type ServiceName = 'caldav' | 'carddav'

export interface Home {
  /** The collection that contains the calendars or address books: absolute, with a trailing slash. */
  url: string
  /** Absolute. */
  principal?: string
  /**
   * The addresses at which the account receives invitations: without mailto:, lower case, the preferred one first.
   */
  addresses: string[]
  /** The server sends invitations and answers itself (RFC 6638), so the service must not. */
  schedules: boolean
  /** Absolute. */
  inbox?: string
  outbox?: string
  /** The calendar that receives invitations. */
  defaultCalendar?: string
}

const homeSets: Record<ServiceName, DavName> = { caldav: 'C:calendar-home-set', carddav: 'CR:addressbook-home-set' }
const collections: Record<ServiceName, DavName> = { caldav: 'C:calendar', carddav: 'CR:addressbook' }
const schedulingProps: readonly DavName[] = [
  'C:calendar-user-address-set',
  'C:schedule-inbox-URL',
  'C:schedule-outbox-URL',
]

/** The home that an address leads to: through a principal, a resource that names one, or the collection itself. */
export async function homeAt(client: DavClient, service: ServiceName, url: string): Promise<Home | undefined> {
  const props: DavName[] = ['D:resourcetype', 'D:current-user-principal', 'D:principal-URL', homeSets[service]]
  const { href, props: found } = await client.propsOf(url, props)
  const base = absoluteBase(href, url)
  const principal = principalOf(found, base)
  const named = principal === undefined ? undefined : await homeOfPrincipal(client, service, principal)
  if (named) return named
  const [home] = addressesIn(found, homeSets[service], base)
  if (home) return { url: collectionAddress(home), addresses: [], schedules: false }
  return homeByContent(client, service, { url: collectionAddress(base), types: found.names('D:resourcetype') })
}

/** A server may return another path for a resource. On the same origin, the requested address counts. */
const absoluteBase = (href: string, url: string): string =>
  new URL(href).origin === new URL(url).origin ? (resolveHref(url, url) ?? url) : href

const addressesIn = (props: Props, name: DavName, base: string): string[] =>
  props.hrefs(name).flatMap((href) => resolveHref(href, base) ?? [])

const principalOf = (props: Props, base: string): string | undefined =>
  addressesIn(props, 'D:current-user-principal', base)[0] ??
  (props.names('D:resourcetype').includes('D:principal') ? base : addressesIn(props, 'D:principal-URL', base)[0])

async function homeOfPrincipal(client: DavClient, service: ServiceName, principal: string): Promise<Home | undefined> {
  const props = [homeSets[service], ...(service === 'caldav' ? schedulingProps : [])]
  const { props: found } = await client.propsOf(principal, props)
  const [url] = addressesIn(found, homeSets[service], principal)
  if (url === undefined) return undefined
  const home: Home = { url: collectionAddress(url), principal, addresses: [], schedules: false }
  return service === 'caldav' ? withScheduling(client, home, found) : home
}

async function withScheduling(client: DavClient, home: Home, props: Props): Promise<Home> {
  const base = home.principal ?? home.url
  const [inbox] = addressesIn(props, 'C:schedule-inbox-URL', base)
  const [outbox] = addressesIn(props, 'C:schedule-outbox-URL', base)
  const defaultCalendar = inbox ? await defaultCalendarOf(client, inbox).catch(otherwise(undefined)) : undefined
  const features = await client.features(home.url).catch(otherwise(new Set<string>()))
  return {
    ...home,
    addresses: mailAddresses(props),
    schedules: outbox !== undefined && features.has('calendar-auto-schedule'),
    ...(inbox ? { inbox } : {}),
    ...(outbox ? { outbox } : {}),
    ...(defaultCalendar ? { defaultCalendar } : {}),
  }
}

const refusing = new Set([403, 404, 405, 501])

/** A refused property does not exist; any other failure may be temporary and is thrown. */
const otherwise =
  <T>(value: T) =>
  (error: unknown): T => {
    if (!refusing.has(providerStatus(error) ?? 0)) throw error
    return value
  }

async function defaultCalendarOf(client: DavClient, inbox: string): Promise<string | undefined> {
  const { props } = await client.propsOf(inbox, ['C:schedule-default-calendar-URL'])
  const [url] = addressesIn(props, 'C:schedule-default-calendar-URL', inbox)
  return url === undefined ? undefined : collectionAddress(url)
}

const mailAddresses = (props: Props): string[] => [
  ...new Set(
    props.hrefs('C:calendar-user-address-set').flatMap((href) => {
      const address = /^mailto:(.+@.+)$/i.exec(href)?.[1]
      return address === undefined ? [] : [unquoted(address).toLowerCase()]
    }),
  ),
]

/**
 * Without a principal: a collection of the requested kind has a parent that is the home, and a home contains such
 * collections.
 */
async function homeByContent(
  client: DavClient,
  service: ServiceName,
  { url, types }: { url: string; types: readonly string[] },
): Promise<Home | undefined> {
  if (types.includes(collections[service])) {
    return { url: new URL('..', url).href, addresses: [], schedules: false }
  }
  if (!types.includes('D:collection')) return undefined
  const { responses } = await client.propfind(url, { depth: 1, props: ['D:resourcetype'] })
  const hasSome = responses.some(({ props }) => props.names('D:resourcetype').includes(collections[service]))
  return hasSome ? { url, addresses: [], schedules: false } : undefined
}
