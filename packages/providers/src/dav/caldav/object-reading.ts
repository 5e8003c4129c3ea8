/** Parses the objects of a calendar to plain data; objects that are too large are skipped and logged. */
import { type StoredEvents, storedEvents } from '@waypost/formats/icalendar/stored-events'
import { forEachYielding } from '@waypost/platform/parsing/yielding'
import type { DavObject } from '../client.ts'
import { resourceId } from '../ids.ts'
import type { DavSession } from '../session.ts'
import { type ReadingSession, readContents } from '../text-reading.ts'
import type { CalendarPlace } from './mapping/calendar.ts'
import { type EventContext, groupOf, type ReadGroup } from './mapping/event.ts'

export type GroupReader = (objects: readonly DavObject[], place: CalendarPlace) => Promise<ReadGroup[]>

/** An object and its parsed events. */
export interface ReadObject {
  object: DavObject
  events: StoredEvents
}

/** Parses each object. */
export async function readObjects(
  session: ReadingSession,
  objects: readonly DavObject[],
  { zone }: Pick<CalendarPlace, 'zone'>,
): Promise<ReadObject[]> {
  const found = await readContents<DavObject, StoredEvents>(session, objects, {
    kind: 'events',
    zone,
    readHere: (text, steps) => storedEvents(text, { zone }, steps),
    leftOut: 'objects of a calendar are too large to be read; they are left out',
  })
  return found.map(({ object, content }) => ({ object, events: content }))
}

/** Parses objects to groups of events; objects without events are omitted. */
export const groupReader =
  (
    session: ReadingSession & Pick<DavSession, 'grant'>,
    { tentativeAsBusy }: Pick<EventContext, 'tentativeAsBusy'>,
  ): GroupReader =>
  async (objects, place) => {
    const context = { grant: session.grant, place, tentativeAsBusy }
    const groups: ReadGroup[] = []
    await forEachYielding(await readObjects(session, objects, place), ({ object: { href }, events }) => {
      if (typeof events === 'string') return
      groups.push({ href, ...groupOf(events, resourceId(place.url, href, '.ics'), context) })
    })
    return groups
  }
