/** Maps the objects of a calendar to events of the API. Pure. */
import type { Event, Grant } from '@waypost/contract'
import type { EventFields, PlainEvents } from '@waypost/formats/icalendar/calendar-object'
import { instanceId, slotKey } from '@waypost/formats/recurrence/instance-ids'
import { dayStartOf } from '@waypost/formats/timezones/timezones'
import type { EventGroup } from '../timeline.ts'
import type { CalendarPlace } from './calendar.ts'

export interface EventContext {
  grant: Grant
  place: CalendarPlace
  /** Whether tentative events count as busy; default true. */
  tentativeAsBusy?: boolean | undefined
}

/** A parsed object. */
export interface ReadGroup extends EventGroup {
  href: string
}

/** The content of an object, as events. */
export const groupOf = (read: PlainEvents, id: string, context: EventContext): EventGroup => ({
  id,
  read,
  event: (fields, slot) => fromFields(fields, { id, slot }, context),
})

/** The start of the occurrence at a slot, before any move. */
function startOfSlot(slot: string, zone: string): number {
  const place = slotKey(slot) ?? { kind: 'timed', key: 0 }
  return place.kind === 'timed' ? place.key : dayStartOf(zone, place.key)
}

/** The ids of an occurrence and its series. */
const ofSeries = (id: string, slot: string, zone: string) => ({
  id: instanceId(id, slot),
  master_event_id: id,
  original_start_time: startOfSlot(slot, zone),
})

function fromFields(
  fields: EventFields,
  { id, slot }: { id: string; slot: string | undefined },
  { grant, place, tentativeAsBusy = true }: EventContext,
): Event {
  return {
    id,
    object: 'event',
    grant_id: grant.id,
    calendar_id: place.id,
    ...fields,
    ...(slot === undefined ? {} : ofSeries(id, slot, place.zone)),
    busy: fields.busy && (tentativeAsBusy || fields.status !== 'maybe'),
    // An event without an organizer belongs to the account.
    organizer: fields.organizer ?? { email: grant.email, name: null },
    read_only: place.readOnly,
    metadata: {},
  }
}
