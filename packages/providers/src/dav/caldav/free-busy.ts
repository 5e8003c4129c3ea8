/**
 * Free/busy information. For the account itself it is calculated from its own calendars, because servers often answer
 * free-busy-query incorrectly. For others it comes from the outbox of a server with scheduling (RFC 6638 §5).
 */

import type { FreeBusy, FreeBusyQuery } from '@waypost/contract'
import { ApiError, invalidField } from '@waypost/platform/api-error'
import { XmlError } from '@waypost/platform/xml/xml'
import { type BusyCalendar, busyIntervals } from '@waypost/scheduling/busy-events'
import { findFreeBusy } from '@waypost/scheduling/free-busy'
import { zoneOffsetsAround } from '@waypost/scheduling/local-time'
import type { EventWindow } from '../../calendar/event-queries.ts'
import {
  busyEventsOf,
  checkFreeBusyWindow,
  eachCalendar,
  freeBusyError,
  freeBusyFrom,
} from '../../calendar/free-busy.ts'
import type { MovingEvent, Provider } from '../../provider.ts'
import { ifNotFound, isNotFound } from '../../shared/named-objects.ts'
import { notDav } from '../errors.ts'
import { collectionId } from '../ids.ts'
import type { DavSession } from '../session.ts'
import { entriesFrom } from './event-lists.ts'
import { findEvent } from './event-objects.ts'
import { calendarUrl, homeOf, listCollections, placeAt, primaryUrl, serviceOf } from './known-calendars.ts'
import { type FreeBusyAnswer, freeBusyRequest, readFreeBusyResponse } from './mapping/free-busy.ts'
import { groupReader } from './object-reading.ts'
import type { CalDavTraits } from './traits.ts'

const maxEvents = 20_000
/** An answer up to this size is parsed on the main thread. */
const smallResponse = 64 * 1024

/** The account's own addresses, in lower case. */
async function ownAddresses(session: DavSession): Promise<Set<string>> {
  const { addresses } = await homeOf(session)
  return new Set([session.grant.email.toLowerCase(), ...addresses])
}

/** The events of a calendar in a window, with expanded series, in the form for free/busy. */
async function busyCalendar(
  session: DavSession,
  url: string,
  { except, ...window }: EventWindow & { except?: MovingEvent | undefined },
): Promise<BusyCalendar> {
  const place = placeAt(session, url)
  place.catch(() => undefined)
  const searched = { session, place, url, name: `${url} free/busy`, read: groupReader(session, {}) }
  const entries = await entriesFrom(searched, {
    window,
    after: undefined,
    limit: maxEvents,
    expand: true,
    showCancelled: false,
    filter: undefined,
  })
  if (entries.length > maxEvents) {
    throw invalidField('end_time', 'the window holds too many events: ask for a shorter one')
  }
  const addresses = [...(await ownAddresses(session))]
  const events = await busyEventsOf(entries, (entry) => entry.event(), { addresses, except })
  return { timezone: (await place).zone, events }
}

/** The calendars that count for free/busy: the primary one, or all own calendars if there is none. */
async function ownCalendars(session: DavSession, traits: CalDavTraits): Promise<string[]> {
  const primary = await primaryUrl(session, traits)
  if (primary !== undefined) return [primary]
  return (await listCollections(session, traits)).map(({ href }) => href)
}

/** Parses an answer: on the main thread if it is small, else in a worker thread. */
async function reportedByOthers(
  { answers, signal }: DavSession['io'],
  body: Buffer,
): Promise<Map<string, FreeBusyAnswer>> {
  try {
    if (!answers || body.length <= smallResponse) return readFreeBusyResponse(body)
  } catch (error) {
    if (error instanceof XmlError) throw notDav('the calendar server', error)
    throw error
  }
  const [outcome] = await answers.run('freeBusy', [{ body }], signal)
  if (!outcome?.ok) throw notDav('the calendar server', new XmlError(outcome?.message))
  return new Map(outcome.value)
}

/** Free/busy of other people from the server, by address in lower case. */
async function askOthers(
  session: DavSession,
  emails: readonly string[],
  { from, to }: EventWindow,
): Promise<Map<string, FreeBusyAnswer> | { problem: string }> {
  const home = await homeOf(session)
  if (!home.schedules || home.outbox === undefined) {
    return { problem: 'the calendar server of the account does not share free/busy of other people' }
  }
  const organizer = home.addresses[0] ?? session.grant.email
  const body = freeBusyRequest({ organizer, attendees: emails, from, to, now: session.io.clock.now() })
  try {
    const answer = await serviceOf(session).client.post(home.outbox, body, {
      contentType: 'text/calendar; charset=utf-8; component=VFREEBUSY; method=REQUEST',
    })
    return await reportedByOthers(session.io, answer.body)
  } catch (error) {
    if (!(error instanceof ApiError) || error.code === 'grant_invalid' || error.code === 'provider_rate_limited') {
      throw error
    }
    return { problem: 'the calendar server of the account does not tell when others are busy' }
  }
}

export const freeBusyOperation =
  <S extends DavSession>(traits: CalDavTraits<S>) =>
  async (session: S, query: FreeBusyQuery): Promise<FreeBusy[]> => {
    const { start_time: from, end_time: to, tentative_as_busy: tentative } = query
    checkFreeBusyWindow(query)
    const keyOf = (email: string): string => email.trim().toLowerCase()
    const own = await ownAddresses(session)
    const others = [...new Set(query.emails.map(keyOf).filter((email) => !own.has(email)))]
    const [calendars, reported] = await Promise.all([
      others.length < new Set(query.emails.map(keyOf)).size ? ownBusy(session, traits, { from, to }) : [],
      others.length > 0 ? askOthers(session, others, { from, to }) : new Map<string, FreeBusyAnswer>(),
    ])
    return query.emails.map((email): FreeBusy => {
      if (own.has(keyOf(email))) return findFreeBusy(email, calendars, query)
      if (!(reported instanceof Map)) return freeBusyError(email, reported.problem)
      const known = reported.get(keyOf(email))
      if (!known?.isFound) return freeBusyError(email, known?.problem ?? `no calendar found for ${email}`)
      const busy = known.periods.filter((period) => !period.isTentative || (tentative ?? true))
      return freeBusyFrom(email, busy, query)
    })
  }

async function ownBusy(session: DavSession, traits: CalDavTraits, window: EventWindow): Promise<BusyCalendar[]> {
  const calendars: BusyCalendar[] = []
  for (const url of await ownCalendars(session, traits)) calendars.push(await busyCalendar(session, url, window))
  return calendars
}

/** The operations for availability. */
export const availabilityOf = <S extends DavSession>(
  traits: CalDavTraits<S>,
): NonNullable<Provider<S>['availability']> => ({
  async busy(session, { calendarIds, from, to, tentativeAsBusy, except }) {
    const read = async (id: string): Promise<BusyCalendar> =>
      busyCalendar(session, await calendarUrl(session, traits, id), { from, to, except })
    const calendars = await eachCalendar(session, calendarIds, { read, isMissing: isNotFound })
    const offsets = zoneOffsetsAround({ start: from, end: to })
    return busyIntervals(calendars, { offsets, tentative_as_busy: tentativeAsBusy })
  },
  /** The creation time of the newest booking that is not cancelled. */
  async lastBooked(session, { calendarIds, tagged }) {
    const home = await homeOf(session)
    const wanted = new Set(await Promise.all(calendarIds.map((id) => calendarUrl(session, traits, id))))
    for (const { calendarId, id, madeAt } of tagged) {
      const url = [...wanted].find((one) => collectionId(home.url, one) === calendarId)
      if (url !== undefined && (await stands(session, url, id))) return madeAt
    }
    return undefined
  },
})

async function stands(session: DavSession, url: string, id: string): Promise<boolean> {
  const found = await findEvent(session, url, { event_id: id }).catch(ifNotFound(undefined))
  return found !== undefined && found.event.status !== 'cancelled'
}
