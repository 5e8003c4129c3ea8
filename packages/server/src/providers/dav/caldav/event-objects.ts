/** Finds what an event id names: an event or a series with its object, or one occurrence of a series. */
import type { Event } from '@waypost/contract'
import { type CalendarObject, eventsOf, readCalendarObject } from '../../../formats/calendar-object.ts'
import { occurrenceAtSlot } from '../../../formats/calendar-occurrences.ts'
import { parseInstanceId } from '../../../formats/instance-ids.ts'
import { ApiError } from '../../../lib/api-error.ts'
import type { EventAddress, Tentative } from '../../operations.ts'
import type { DavObject } from '../client.ts'
import { resourceId, resourceUrl } from '../ids.ts'
import type { DavSession } from '../session.ts'
import { calendarUrl, isMissing, listCollections, placeAt, serviceOf } from './known-calendars.ts'
import type { CalendarPlace } from './mapping/calendar.ts'
import { groupOf } from './mapping/event.ts'
import type { EventGroup } from './timeline.ts'
import type { CalDavTraits } from './traits.ts'

export const noEvent = (): ApiError => new ApiError('not_found', 'no event with this id')

/** An object of a calendar, read. */
export interface StoredObject {
  place: CalendarPlace
  /** As it was read. */
  stored: DavObject
  object: CalendarObject
  group: EventGroup
}

/** What an id names. */
export type Located = StoredObject & { event: Event } & (
    | { what: 'single' | 'series' }
    | { what: 'occurrence'; slot: string }
  )

/** An object as it is read; throws where it holds no event. */
export function openObject(
  session: DavSession,
  stored: DavObject,
  place: CalendarPlace,
  at: Tentative = {},
): StoredObject {
  const object = readCalendarObject(stored.data)
  if (!object) throw noEvent()
  const read = eventsOf(object, place)
  const id = resourceId(place.url, stored.href, '.ics')
  const group = groupOf(read, id, { grant: session.grant, place, tentativeAsBusy: at.tentative_as_busy })
  return { place, stored, object, group }
}

/** What an id names in an object that was read. */
export function locateIn(opened: StoredObject, slot: string | undefined): Located {
  const { group, place } = opened
  const { main, series } = group.read
  if (slot === undefined) {
    if (main) return { ...opened, event: group.event(main), what: series ? 'series' : 'single' }
    throw noEvent()
  }
  const found = occurrenceAtSlot(group.read, slot, place)
  if (!found) throw noEvent()
  return { ...opened, event: group.event(found.fields, slot), what: 'occurrence', slot }
}

/** The event of a calendar that an id names. */
export async function readEvent(
  session: DavSession,
  calendar: string,
  eventId: string,
  at: Tentative = {},
): Promise<Located> {
  const reference = parseInstanceId(eventId)
  const url = resourceUrl(calendar, reference?.masterId ?? eventId, '.ics')
  if (url === undefined) throw noEvent()
  const place = placeAt(session, calendar)
  place.catch(() => undefined)
  const stored = await readStored(session, calendar, url)
  return locateIn(openObject(session, stored, await place, at), reference?.slot)
}

/** Asked for by REPORT: a server that compresses what it answers to GET gives it another ETag, by which nothing can be guarded. */
export async function readStored(session: DavSession, calendar: string, url: string): Promise<DavObject> {
  try {
    const [found] = await serviceOf(session).client.multiget(calendar, [url])
    if (found) return found
  } catch (error) {
    if (!isMissing(error)) throw error
  }
  throw noEvent()
}

/** The event that an id names, in the calendar that is given, or in any. */
export async function locate<S extends DavSession>(
  session: S,
  traits: CalDavTraits<S>,
  at: EventAddress & Tentative,
): Promise<Located> {
  if (at.calendar_id !== undefined) {
    return readEvent(session, await calendarUrl(session, traits, at.calendar_id), at.event_id, at)
  }
  for (const { href } of await listCollections(session, traits)) {
    try {
      return await readEvent(session, href, at.event_id, at)
    } catch (error) {
      if (!isMissing(error)) throw error
    }
  }
  throw noEvent()
}
