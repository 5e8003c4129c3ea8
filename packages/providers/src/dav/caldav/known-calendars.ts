/** Resolves calendar ids to collections, and caches calendar properties for a minute. */

import { ApiError } from '@waypost/platform/api-error'
import { ifNotFound, notFound } from '../../shared/named-objects.ts'
import { isSameCollection } from '../hrefs.ts'
import { collectionId, collectionUrl } from '../ids.ts'
import type { DavResponse } from '../multistatus.ts'
import type { DavService, DavSession, Home } from '../session.ts'
import { type CalendarPlace, calendarProps, holdsEvents, placeOf } from './mapping/calendar.ts'
import type { CalDavTraits } from './traits.ts'

const retainedMs = 60_000

/** The cached data about an account's calendars on this node. */
interface AccountCalendars extends AsyncDisposable {
  places: Map<string, { until: number; place: CalendarPlace }>
  search: SeriesSearch
}

/** Whether the server's time-range search is known to find series by later occurrences than the first. */
export interface SeriesSearch {
  timed?: boolean | undefined
  allDay?: boolean | undefined
  /** Milliseconds. */
  triedAt: number
}

export const knownOf = ({ io }: DavSession): AccountCalendars =>
  io.retained('caldav calendars', () => ({
    places: new Map(),
    search: { triedAt: 0 },
    async [Symbol.asyncDispose]() {},
  }))

/** The account's CalDAV service. */
export function serviceOf({ dav }: DavSession): DavService {
  if (dav.calendars) return dav.calendars
  throw new ApiError('not_supported_by_provider', 'the account has no calendars: its server names none')
}

export const homeOf = (session: DavSession): Promise<Home> => serviceOf(session).home(session.io.signal)

const noPrimary = ({ title }: CalDavTraits): ApiError =>
  new ApiError(
    'not_found',
    `there is no primary calendar at ${title}: list the calendars, and name one of them by its id`,
  )

const isPrimaryWord = ({ grant }: DavSession, id: string): boolean =>
  id === 'primary' || id.trim().toLowerCase() === grant.email.toLowerCase()

/** The calendar that the server names as the default, which may not be a calendar. */
const namedPrimary = (home: Home, traits: CalDavTraits): string | undefined =>
  traits.hasPrimary ? home.defaultCalendar : undefined

export const isPrimary = (home: Home, traits: CalDavTraits, url: string): boolean => {
  const primary = namedPrimary(home, traits)
  return primary !== undefined && isSameCollection(primary, url)
}

/** The primary calendar. DAViCal names its root, which has no events; then there is none. */
export async function primaryUrl(session: DavSession, traits: CalDavTraits): Promise<string | undefined> {
  const primary = namedPrimary(await homeOf(session), traits)
  if (primary === undefined) return undefined
  return placeAt(session, primary).then(() => primary, ifNotFound(undefined))
}

/** The address for a calendar id; the collection may not exist. */
export async function calendarUrl(session: DavSession, traits: CalDavTraits, id: string): Promise<string> {
  if (isPrimaryWord(session, id)) {
    const primary = await primaryUrl(session, traits)
    if (primary === undefined) throw noPrimary(traits)
    return primary
  }
  const url = collectionUrl((await homeOf(session)).url, id)
  if (url === undefined) throw notFound('calendar')
  return url
}

/** The properties of a collection with events. */
export async function readCollection(session: DavSession, url: string): Promise<DavResponse> {
  const found = await serviceOf(session).client.propsOf(url, calendarProps).catch(ifNotFound(undefined))
  if (found && holdsEvents(found)) return found
  throw notFound('calendar')
}

/** The properties of a calendar that events need, at most a minute old. */
export async function placeAt(session: DavSession, url: string): Promise<CalendarPlace> {
  const { places } = knownOf(session)
  const now = session.io.clock.now()
  const retained = places.get(url)
  if (retained && retained.until > now) return retained.place
  places.delete(url)
  const place = await readPlace(session, url)
  places.set(url, { until: now + retainedMs, place })
  return place
}

async function readPlace(session: DavSession, url: string): Promise<CalendarPlace> {
  const [home, found] = await Promise.all([homeOf(session), readCollection(session, url)])
  return placeOf(found, { url, id: collectionId(home.url, url) })
}

/** The calendar with an id, in the form that events need. */
export const calendarPlace = async (session: DavSession, traits: CalDavTraits, id: string): Promise<CalendarPlace> =>
  placeAt(session, await calendarUrl(session, traits, id))

export const forgetCalendar = (session: DavSession, url: string): void => {
  knownOf(session).places.delete(url)
}

/** No account has more calendars. */
export const maxCollections = 1_000

/** The account's collections with events, the primary one first. */
export async function listCollections(session: DavSession, traits: CalDavTraits): Promise<DavResponse[]> {
  const { responses, home } = await serviceOf(session).listHome(calendarProps)
  const rank = ({ href }: DavResponse): number => (isPrimary(home, traits, href) ? 0 : 1)
  return responses
    .filter((found) => !isSameCollection(found.href, home.url) && holdsEvents(found))
    .sort((a, b) => rank(a) - rank(b) || (a.href < b.href ? -1 : 1))
    .slice(0, maxCollections)
}
