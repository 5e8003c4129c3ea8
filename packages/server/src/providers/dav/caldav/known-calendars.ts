/** Calendars of an account: which collection an id names, and what events count on of it, kept for a minute. */
import { ApiError } from '../../../lib/api-error.ts'
import { isSameCollection } from '../hrefs.ts'
import { collectionId, collectionUrl } from '../ids.ts'
import type { DavResponse } from '../multistatus.ts'
import type { DavService, DavSession, Home } from '../session.ts'
import { type CalendarPlace, calendarProps, holdsEvents, placeOf } from './mapping/calendar.ts'
import type { CalDavTraits } from './traits.ts'

const keptMs = 60_000

/** What is known of an account's calendars on this node. */
interface Known extends AsyncDisposable {
  places: Map<string, { until: number; place: CalendarPlace }>
  search: SeriesSearch
}

/** Whether the server's search by time was seen to find series by occurrences that are not their first. */
export interface SeriesSearch {
  timed?: boolean | undefined
  allDay?: boolean | undefined
  /** Milliseconds. */
  triedAt: number
}

export const knownOf = ({ io }: DavSession): Known =>
  io.kept('caldav calendars', () => ({ places: new Map(), search: { triedAt: 0 }, async [Symbol.asyncDispose]() {} }))

/** The server of the account's calendars. */
export function serviceOf({ dav }: DavSession): DavService {
  if (dav.calendars) return dav.calendars
  throw new ApiError('not_supported_by_provider', 'the account has no calendars: its server names none')
}

export const homeOf = (session: DavSession): Promise<Home> => serviceOf(session).home(session.io.signal)

export const noCalendar = (): ApiError => new ApiError('not_found', 'no calendar with this id')

const noPrimary = ({ title }: CalDavTraits): ApiError =>
  new ApiError(
    'not_found',
    `there is no primary calendar at ${title}: list the calendars, and name one of them by its id`,
  )

const isPrimaryWord = ({ grant }: DavSession, id: string): boolean =>
  id === 'primary' || id.trim().toLowerCase() === grant.email.toLowerCase()

/** What the server names as the main calendar, which need not be one. */
const namedPrimary = (home: Home, traits: CalDavTraits): string | undefined =>
  traits.hasPrimary ? home.defaultCalendar : undefined

export const isPrimary = (home: Home, traits: CalDavTraits, url: string): boolean => {
  const primary = namedPrimary(home, traits)
  return primary !== undefined && isSameCollection(primary, url)
}

/** The main calendar. DAViCal names its root, where there are no events: then there is none. */
export async function primaryUrl(session: DavSession, traits: CalDavTraits): Promise<string | undefined> {
  const primary = namedPrimary(await homeOf(session), traits)
  if (primary === undefined) return undefined
  return placeAt(session, primary).then(
    () => primary,
    (error: unknown) => {
      if (isMissing(error)) return undefined
      throw error
    },
  )
}

/** The address of the collection that an id names; there need not be one. */
export async function calendarUrl(session: DavSession, traits: CalDavTraits, id: string): Promise<string> {
  if (isPrimaryWord(session, id)) {
    const primary = await primaryUrl(session, traits)
    if (primary === undefined) throw noPrimary(traits)
    return primary
  }
  const url = collectionUrl((await homeOf(session)).url, id)
  if (url === undefined) throw noCalendar()
  return url
}

export const isMissing = (error: unknown): boolean => error instanceof ApiError && error.code === 'not_found'

/** What the server says of a collection that holds events. */
export async function readCollection(session: DavSession, url: string): Promise<DavResponse> {
  try {
    const found = await serviceOf(session).client.propsOf(url, calendarProps)
    if (holdsEvents(found)) return found
  } catch (error) {
    if (!isMissing(error)) throw error
  }
  throw noCalendar()
}

/** What events count on of a calendar, as it was within the last minute. */
export async function placeAt(session: DavSession, url: string): Promise<CalendarPlace> {
  const { places } = knownOf(session)
  const now = session.io.clock.now()
  const kept = places.get(url)
  if (kept && kept.until > now) return kept.place
  places.delete(url)
  const place = await readPlace(session, url)
  places.set(url, { until: now + keptMs, place })
  return place
}

async function readPlace(session: DavSession, url: string): Promise<CalendarPlace> {
  const [home, found] = await Promise.all([homeOf(session), readCollection(session, url)])
  return placeOf(found, { url, id: collectionId(home.url, url) })
}

/** The calendar that an id names, as events need it. */
export const calendarPlace = async (session: DavSession, traits: CalDavTraits, id: string): Promise<CalendarPlace> =>
  placeAt(session, await calendarUrl(session, traits, id))

export const forgetCalendar = (session: DavSession, url: string): void => {
  knownOf(session).places.delete(url)
}

/** Nobody has more calendars. */
export const mostCollections = 1_000

/** The collections of the account that hold events, the main one first. */
export async function listCollections(session: DavSession, traits: CalDavTraits): Promise<DavResponse[]> {
  const { responses, home } = await serviceOf(session).listHome(calendarProps)
  const rank = ({ href }: DavResponse): number => (isPrimary(home, traits, href) ? 0 : 1)
  return responses
    .filter((found) => !isSameCollection(found.href, home.url) && holdsEvents(found))
    .sort((a, b) => rank(a) - rank(b) || (a.href < b.href ? -1 : 1))
    .slice(0, mostCollections)
}
