/** Finds an event by id: a stored event, an override, or an occurrence of a series. */

import type { Event } from '@waypost/contract'
import type { Moment } from '@waypost/formats/icalendar/icalendar'
import type { EventSet } from '@waypost/formats/itip/invitation-copies'
import { parseInstanceId } from '@waypost/formats/recurrence/instance-ids'
import { type Occurrence, occurrenceAt } from '@waypost/formats/recurrence/recurrence'
import { Steps } from '@waypost/formats/recurrence/steps'
import { instanceOf, momentOf, withOverride } from '../calendar/series.ts'
import type { EventAddress } from '../operations.ts'
import { notFound } from '../shared/named-objects.ts'
import { overriddenOf, parseSeries, wholeOf } from './series.ts'
import { findCalendar, type Session } from './session.ts'
import type { CalendarRow, EventRow } from './tables.ts'

export type Located = { calendar: CalendarRow; event: Event } & (
  | { what: 'single' | 'series'; row: EventRow }
  | { what: 'occurrence'; master: EventRow; occurrence: Occurrence; override: EventRow | undefined }
)

/** The event with an id, in the given calendar or in any. */
export async function locate(session: Session, at: EventAddress): Promise<Located> {
  const { tables } = session.io
  const [row, named] = await Promise.all([
    tables.events.get(at.event_id),
    at.calendar_id === undefined ? undefined : findCalendar(session, at.calendar_id),
  ])
  const reference = parseInstanceId(at.event_id)
  const master =
    reference && (!row || row.kind === 'override') ? await tables.events.get(reference.masterId) : undefined
  const holder = row ?? master
  const calendar = at.calendar_id === undefined && holder ? await tables.calendars.get(holder.event.calendar_id) : named
  if (!holder || calendar?.calendar.id !== holder.event.calendar_id) throw notFound('event')
  if (row && row.kind !== 'override') return { calendar, event: wholeOf(row), what: row.kind, row }
  const occurrence =
    reference &&
    master?.series &&
    occurrenceAt(parseSeries(master.series), reference.slot, {
      allDayZone: calendar.calendar.timezone,
      steps: new Steps(),
    })
  if (!master || !occurrence) throw notFound('event')
  const whole = wholeOf(master)
  const event = row ? overriddenOf(whole, row.event) : instanceOf(whole, occurrence)
  return { calendar, event, what: 'occurrence', master, occurrence, override: row }
}

/** The slot of a located event; undefined if it is not an occurrence. */
export const slotOf = (located: Located): Moment | undefined =>
  located.what === 'occurrence' ? momentOf(wholeOf(located.master).when, located.occurrence.slot) : undefined

/** A stored event with its changed occurrences. */
export async function storedSet({ io }: Session, row: Pick<EventRow, 'event' | 'kind'>): Promise<EventSet> {
  const main = wholeOf(row)
  if (row.kind !== 'series') return { main, overrides: [] }
  const rows = await io.tables.events.overridesOf(main.id)
  return {
    main,
    overrides: rows.map(({ slot, event }) => ({
      slot: momentOf(main.when, slot ?? ''),
      event: overriddenOf(main, event),
    })),
  }
}

/** Everything under the UID of a located event before it changes. An occurrence is included as an override. */
export async function setOf(session: Session, located: Located): Promise<EventSet> {
  if (located.what !== 'occurrence') return storedSet(session, located.row)
  return withOccurrence(await storedSet(session, located.master), located, located.event)
}

/** The set with a new version of one occurrence, or without it. */
export function withOccurrence(set: EventSet, located: Located, event: Event | undefined): EventSet {
  const slot = slotOf(located)
  return slot === undefined ? set : withOverride(set, slot, event)
}
