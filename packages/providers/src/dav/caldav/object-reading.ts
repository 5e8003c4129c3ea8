/** Parses the objects of a calendar to plain data; objects that are too large are skipped and logged. */
import { type StoredEvents, storedEvents } from '@waypost/formats/icalendar/stored-events'
import { forEachYielding } from '@waypost/platform/parsing/yielding'
import type { DavObject } from '../client.ts'
import { resourceId } from '../ids.ts'
import type { DavSession } from '../session.ts'
import { readTexts } from '../text-reading.ts'
import type { CalendarPlace } from './mapping/calendar.ts'
import { type EventContext, groupOf, type ReadGroup } from './mapping/event.ts'

/** The session fields that parsing needs. */
export type ReadingSession = {
  readonly grant: DavSession['grant']
  readonly io: Pick<DavSession['io'], 'answers' | 'log' | 'signal'>
}

export type GroupReader = (objects: readonly DavObject[], place: CalendarPlace) => Promise<ReadGroup[]>

/** An object and its parsed events. */
export interface ReadObject {
  object: DavObject
  events: StoredEvents
}

/** Parses each object. */
export async function readObjects(
  { io, grant }: ReadingSession,
  objects: readonly DavObject[],
  { zone }: Pick<CalendarPlace, 'zone'>,
): Promise<ReadObject[]> {
  const texts = objects.map(({ data }) => data)
  const read = await readTexts<StoredEvents>(io, texts, {
    kind: 'events',
    zone,
    readHere: (text, steps) => storedEvents(text, { zone }, steps),
  })
  const count = read.filter((events) => events === 'too large').length
  if (count > 0) {
    io.log.warn({ grant_id: grant.id, count }, 'objects of a calendar are too large to be read; they are left out')
  }
  const found: ReadObject[] = []
  await forEachYielding(objects, (object) => found.push({ object, events: read[found.length] ?? 'none' }))
  return found
}

/** Parses objects to groups of events; objects without events are omitted. */
export const groupReader =
  (session: ReadingSession, { tentativeAsBusy }: Pick<EventContext, 'tentativeAsBusy'>): GroupReader =>
  async (objects, place) => {
    const context = { grant: session.grant, place, tentativeAsBusy }
    const groups: ReadGroup[] = []
    await forEachYielding(await readObjects(session, objects, place), ({ object: { href }, events }) => {
      if (typeof events === 'string') return
      groups.push({ href, ...groupOf(events, resourceId(place.url, href, '.ics'), context) })
    })
    return groups
  }
