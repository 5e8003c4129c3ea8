/** Everything under one UID: a single event, or a series with its changed occurrences. */
import type { Event } from '@waypost/contract'
import type { Moment } from '@waypost/formats/icalendar/icalendar'
import { type EventSet, slotName } from '@waypost/formats/itip/invitation-copies'
import { momentOf } from '../calendar/series.ts'
import type { Located } from './locate.ts'
import { overriddenOf, wholeOf } from './series.ts'
import type { Session } from './session.ts'
import type { EventRow } from './tables.ts'

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
  if (slot === undefined) return set
  const name = slotName(slot)
  const others = set.overrides.filter((one) => slotName(one.slot) !== name)
  return { ...set, overrides: event ? [...others, { slot, event }] : others }
}
