/** Parses the objects of a calendar to plain data; objects that are too large are skipped and logged. */
import { type StoredEvents, storedEvents } from '@waypost/formats/icalendar/stored-events'
import { forEachYielding } from '@waypost/platform/parsing/yielding'
import type { EventWindow } from '../../calendar/event-queries.ts'
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

const pagingMs = 5_000
/** Larger parts are not cached. */
const maxGroups = 10_000

/** A part of a window with its parsed events. */
export interface ReadPart {
  range: EventWindow
  groups: ReadGroup[]
}

/**
 * Caches the part of a calendar that a list has read, for its next pages, so that consecutive pages come from one
 * read. A new list reads from the server, and so does a page that comes late or after the account changed an event.
 */
class ReadParts implements AsyncDisposable {
  #last: { name: string; part: ReadPart } | undefined
  #timer: NodeJS.Timeout | undefined

  find(name: string, at: number): ReadPart | undefined {
    if (this.#last?.name !== name) return undefined
    const { part } = this.#last
    return part.range.from <= at && at < part.range.to ? part : undefined
  }

  keep(name: string, part: ReadPart): void {
    this.forget()
    if (part.groups.length > maxGroups) return
    this.#last = { name, part }
    this.#timer = setTimeout(() => this.forget(), pagingMs).unref()
  }

  forget(): void {
    clearTimeout(this.#timer)
    this.#last = undefined
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.forget()
  }
}

/** The parts of an account's calendars that this node has read recently. */
export const readPartsOf = ({ io }: DavSession): ReadParts => io.retained('caldav parts', () => new ReadParts())
