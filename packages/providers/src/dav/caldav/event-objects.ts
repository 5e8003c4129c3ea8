/** Finds an event by id: an event or a series with its object, or one occurrence of a series. */

import type { Event } from '@waypost/contract'
import {
  type CalendarObject,
  eventsOf,
  openCalendarObject,
  type PlainEvents,
  type ReadEvents,
} from '@waypost/formats/icalendar/calendar-object'
import { occurrenceAtSlot } from '@waypost/formats/icalendar/calendar-occurrences'
import { ContentTooLarge, checkChangeable } from '@waypost/formats/icalendar/content-lines'
import { parseInstanceId } from '@waypost/formats/recurrence/instance-ids'
import { Steps } from '@waypost/formats/recurrence/steps'
import type { EventAddress, Tentative } from '../../operations.ts'
import { ifNotFound, notFound } from '../../shared/named-objects.ts'
import type { DavObject } from '../client.ts'
import { resourceId, resourceUrl } from '../ids.ts'
import type { DavSession } from '../session.ts'
import { calendarUrl, listCollections, placeAt, serviceOf } from './known-calendars.ts'
import type { CalendarPlace } from './mapping/calendar.ts'
import { groupOf } from './mapping/event.ts'
import { readObjects } from './object-reading.ts'
import type { EventGroup } from './timeline.ts'
import type { CalDavTraits } from './traits.ts'

/** A parsed object of a calendar. */
interface ParsedObject {
  place: CalendarPlace
  group: EventGroup
}

/** An object with its syntax tree, which changes need. */
export interface StoredObject extends ParsedObject {
  /** As it was read from the server. */
  stored: DavObject
  object: CalendarObject
  read: ReadEvents
}

/** The event that an id names, with its kind. */
type NamedEvent<O> = O & { event: Event } & ({ what: 'single' | 'series' } | { what: 'occurrence'; slot: string })
export type Located = NamedEvent<StoredObject>

/** Parses an object for a change; throws if it has no event or is too large to change. */
export function openObject(
  session: DavSession,
  stored: DavObject,
  place: CalendarPlace,
  at: Tentative = {},
): StoredObject {
  checkChangeable(stored.data)
  const object = openCalendarObject(stored.data)
  if (!object) throw notFound('event')
  const read = eventsOf(object, place)
  return { place, stored, object, read, group: groupIn(session, { stored, place, read }, at) }
}

const groupIn = (
  { grant }: DavSession,
  { stored, place, read }: { stored: DavObject; place: CalendarPlace; read: PlainEvents },
  { tentative_as_busy: tentativeAsBusy }: Tentative,
): EventGroup => groupOf(read, resourceId(place.url, stored.href, '.ics'), { grant, place, tentativeAsBusy })

/** Finds an event within a parsed object. */
export function locateIn<O extends ParsedObject>(opened: O, slot: string | undefined): NamedEvent<O> {
  const { group, place } = opened
  const { main, series } = group.read
  if (slot === undefined) {
    if (main) return { ...opened, event: group.event(main), what: series ? 'series' : 'single' }
    throw notFound('event')
  }
  const found = occurrenceAtSlot(group.read, slot, { zone: place.zone, steps: new Steps() })
  if (!found) throw notFound('event')
  return { ...opened, event: group.event(found.fields, slot), what: 'occurrence', slot }
}

/** Parses an object that will not be changed. */
async function inspectObject(
  session: DavSession,
  stored: DavObject,
  place: CalendarPlace,
  at: Tentative = {},
): Promise<ParsedObject> {
  const [found] = await readObjects(session, [stored], place)
  if (!found || found.events === 'none') throw notFound('event')
  if (found.events === 'too large') throw new ContentTooLarge('an object of the calendar')
  return { place, group: groupIn(session, { stored, place, read: found.events }, at) }
}

type OpenObject<O> = (session: DavSession, stored: DavObject, place: CalendarPlace, at: Tentative) => O | Promise<O>

/** Reads the event with an id from a calendar. */
async function readEvent<O extends ParsedObject>(
  session: DavSession,
  calendar: string,
  at: { event_id: string } & Tentative,
  open: OpenObject<O>,
): Promise<NamedEvent<O>> {
  const reference = parseInstanceId(at.event_id)
  const url = resourceUrl(calendar, reference?.masterId ?? at.event_id, '.ics')
  if (url === undefined) throw notFound('event')
  const place = placeAt(session, calendar)
  place.catch(() => undefined)
  const stored = await readStored(session, calendar, url)
  return locateIn(await open(session, stored, await place, at), reference?.slot)
}

/** The event of a calendar by its id, for reading only. */
export const findEvent = (
  session: DavSession,
  calendar: string,
  at: { event_id: string } & Tentative,
): Promise<NamedEvent<ParsedObject>> => readEvent(session, calendar, at, inspectObject)

/**
 * Uses REPORT, because a server that compresses GET answers sends another ETag with them, which cannot be used as a
 * guard.
 */
export async function readStored(session: DavSession, calendar: string, url: string): Promise<DavObject> {
  const [found] = await serviceOf(session).client.multiget(calendar, [url]).catch(ifNotFound([]))
  if (found) return found
  throw notFound('event')
}

/** Reads the event with an id from the given calendar, or from any. */
async function readAnywhere<S extends DavSession, O extends ParsedObject>(
  session: S,
  traits: CalDavTraits<S>,
  at: EventAddress & Tentative,
  open: OpenObject<O>,
): Promise<NamedEvent<O>> {
  if (at.calendar_id !== undefined) {
    return readEvent(session, await calendarUrl(session, traits, at.calendar_id), at, open)
  }
  for (const { href } of await listCollections(session, traits)) {
    const found = await readEvent(session, href, at, open).catch(ifNotFound(undefined))
    if (found) return found
  }
  throw notFound('event')
}

/** The event by its id, with its parsed text, which a change needs. */
export const locate = <S extends DavSession>(
  session: S,
  traits: CalDavTraits<S>,
  at: EventAddress & Tentative,
): Promise<Located> => readAnywhere(session, traits, at, openObject)

/** The event by its id, for reading only. */
export const inspectEvent = async <S extends DavSession>(
  session: S,
  traits: CalDavTraits<S>,
  at: EventAddress & Tentative,
): Promise<Event> => (await readAnywhere(session, traits, at, inspectObject)).event
