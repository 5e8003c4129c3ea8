/** Reads the objects of a calendar as plain data; those that are too large are left out and logged. */
import { type StoredEvents, storedEvents } from '../../../formats/icalendar/stored-events.ts'
import { forEachYielding } from '../../../lib/parsing/yielding.ts'
import type { DavObject } from '../client.ts'
import { resourceId } from '../ids.ts'
import type { DavSession } from '../session.ts'
import { readTexts } from '../text-reading.ts'
import type { CalendarPlace } from './mapping/calendar.ts'
import { type EventContext, groupOf, type ReadGroup } from './mapping/event.ts'

/** What reading needs of a session. */
export type ReadingSession = {
  readonly grant: DavSession['grant']
  readonly io: Pick<DavSession['io'], 'answers' | 'log' | 'signal'>
}

export type GroupReader = (objects: readonly DavObject[], place: CalendarPlace) => Promise<ReadGroup[]>

/** An object and what it says. */
export interface ReadObject {
  object: DavObject
  events: StoredEvents
}

/** What each object says. */
export async function readObjects(
  { io, grant }: ReadingSession,
  objects: readonly DavObject[],
  { zone }: Pick<CalendarPlace, 'zone'>,
): Promise<ReadObject[]> {
  const texts = objects.map(({ data }) => data)
  const read = await readTexts<StoredEvents>(io, texts, {
    kind: 'events',
    zone,
    readHere: (text) => storedEvents(text, { zone }),
  })
  const count = read.filter((events) => events === 'too large').length
  if (count > 0) {
    io.log.warn({ grant_id: grant.id, count }, 'objects of a calendar are too large to be read; they are left out')
  }
  const found: ReadObject[] = []
  await forEachYielding(objects, (object) => found.push({ object, events: read[found.length] ?? 'none' }))
  return found
}

/** Reads objects as groups of events; those that hold none are left out. */
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
