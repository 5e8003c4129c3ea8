/**
 * Creates notifications for changed objects of a calendar. A series is reported as a whole, with its changed and
 * cancelled occurrences. For a guest of single occurrences, each occurrence is reported.
 */
import type { Grant } from '@waypost/contract'
import type { EventFields, PlainEvents } from '@waypost/formats/icalendar/calendar-object'
import { instanceId, slotOfKey } from '@waypost/formats/recurrence/instance-ids'
import type { Change } from '../../provider.ts'
import { nameIn } from '../collection-changes.ts'
import { resourceId } from '../ids.ts'
import { type KnownObject, type KnownObjects, shortHash } from '../known-objects.ts'
import type { CalendarPlace } from './mapping/calendar.ts'
import { groupOf } from './mapping/event.ts'
import type { ReadObject } from './object-reading.ts'
import type { EventGroup } from './timeline.ts'

export interface Telling {
  grant: Grant
  place: CalendarPlace
  /** Milliseconds. */
  now: number
  /** The time of the last poll in milliseconds. Later objects are new if nothing else is recorded. */
  after: number
}

/** The events of an object, and the note to store. */
function groupIn(
  { object: { href }, events }: ReadObject,
  { grant, place }: Telling,
): { group?: EventGroup; note: string } {
  if (typeof events === 'string') return { note: noEventNote }
  const group = groupOf(events, resourceId(place.url, href, '.ics'), { grant, place })
  return { group, note: writeNote(noteOf(events)) }
}

/** Records an object without a notification. */
export function takeDown(read: ReadObject, known: KnownObjects, telling: Telling): void {
  const { href, etag } = read.object
  known.set(nameIn(telling.place.url, href), { etag, note: groupIn(read, telling).note })
}

/** The notifications for a new or changed object; records it. */
export function tellObject(read: ReadObject, known: KnownObjects, telling: Telling): Change[] {
  const { href, etag } = read.object
  const name = nameIn(telling.place.url, href)
  const before = known.get(name)
  // An object that cannot be read was not deleted, so its note stays.
  if (read.events === 'too large' && before) {
    known.set(name, { etag, note: before.note })
    return []
  }
  const { group, note } = groupIn(read, telling)
  known.set(name, { etag, note })
  if (!group) return before ? tellGone(name, before, telling) : []
  // An object that had no event before is a new event.
  return before && before.note !== noEventNote
    ? tellDifferent(group, readNote(before.note), telling)
    : tellNew(group, telling)
}

/** The notifications for an object modified since a time, without a former note. */
export function tellFresh(read: ReadObject, telling: Telling): Change[] {
  const { group } = groupIn(read, telling)
  if (!group) return []
  const { main } = group.read
  const isOld = main?.created_at != null && (main.created_at + 1) * 1000 <= telling.after
  return main && isOld ? [reported('event.updated', telling, group.event(main))] : tellNew(group, telling)
}

const reported = (trigger: 'event.created' | 'event.updated', { now }: Telling, object: EventObject): Change => ({
  trigger,
  object,
  happenedAt: now,
})
type EventObject = Extract<Change, { trigger: 'event.updated' }>['object']

function tellNew({ read, event }: EventGroup, telling: Telling): Change[] {
  if (read.main) return [reported('event.created', telling, event(read.main))]
  return read.overrides.map(({ fields, slot }) => reported('event.created', telling, event(fields, slot)))
}

function tellDifferent(group: EventGroup, before: EventNote | undefined, telling: Telling): Change[] {
  const { read, event, id } = group
  const lateSlots = new Set(
    read.overrides.filter(({ fields }) => (fields.updated_at ?? 0) * 1000 >= telling.after).map(({ slot }) => slot),
  )
  const { main, changed, cancelled } = differenceOf(before, noteOf(read), (slot) => lateSlots.has(slot))
  if (!read.main) return tellOccurrences(group, { before, changed, cancelled }, telling)
  if (!main && changed.length === 0 && cancelled.length === 0) return []
  const ids = (slots: readonly string[]): string[] => slots.toSorted().map((slot) => instanceId(id, slot))
  return [
    reported('event.updated', telling, {
      ...event(read.main),
      ...(changed.length > 0 ? { occurrences: ids(changed) } : {}),
      ...(cancelled.length > 0 ? { cancelled_occurrences: ids(cancelled) } : {}),
    }),
  ]
}

/** Notifications for single occurrences of another organizer's series. */
function tellOccurrences(
  { read, event, id }: EventGroup,
  { before, changed, cancelled }: { before: EventNote | undefined; changed: string[]; cancelled: string[] },
  telling: Telling,
): Change[] {
  const there = new Map(read.overrides.map(({ slot, fields }) => [slot, fields]))
  return [...changed, ...cancelled].map((slot) => {
    const fields = there.get(slot)
    if (!fields || fields.status === 'cancelled') return deletion({ id: instanceId(id, slot), master: id }, telling)
    return reported(before?.changed.has(slot) ? 'event.updated' : 'event.created', telling, event(fields, slot))
  })
}

const deletion = ({ id, master }: { id: string; master?: string }, { grant, place, now }: Telling): Change => ({
  trigger: 'event.deleted',
  happenedAt: now,
  object: {
    id,
    object: 'event',
    grant_id: grant.id,
    calendar_id: place.id,
    ...(master === undefined ? {} : { master_event_id: master }),
  },
})

/** The notifications for a deleted object. */
export function tellGone(name: string, { note }: KnownObject, telling: Telling): Change[] {
  if (note === noEventNote) return []
  const id = resourceId(telling.place.url, `${telling.place.url}${name}`, '.ics')
  const before = readNote(note)
  if (!before || before.main !== undefined) return [deletion({ id }, telling)]
  return [...before.changed.keys()].map((slot) => deletion({ id: instanceId(id, slot), master: id }, telling))
}

/**
 * A note about a reported object, which the next poll compares: the event itself and, for a series, its changed and
 * cancelled occurrences.
 */
interface EventNote {
  /** The hash of the event or series; absent if there are only single occurrences. */
  main?: string
  /** Occurrences that differ from their series, by slot. */
  changed: ReadonlyMap<string, string>
  /** Slots of cancelled occurrences. */
  cancelled: ReadonlySet<string>
}

/** The note of an object without an event. */
const noEventNote = '-'

/** Timestamps are not part of the hash. */
const hashOf = ({ created_at: _, updated_at: __, ...fields }: EventFields): string =>
  shortHash(JSON.stringify(fields), 4)

function noteOf({ main, series, overrides }: PlainEvents): EventNote {
  const kind = series?.start.kind
  const excluded = kind ? (series?.recurrence.exdates.map((key) => slotOfKey(kind, key)) ?? []) : []
  const isCancelled = ({ fields }: { fields: EventFields }): boolean => fields.status === 'cancelled'
  return {
    ...(main ? { main: hashOf(withoutExceptions(main)) } : {}),
    changed: new Map(overrides.filter((each) => !isCancelled(each)).map(({ slot, fields }) => [slot, hashOf(fields)])),
    cancelled: new Set([...excluded, ...overrides.filter(isCancelled).map(({ slot }) => slot)]),
  }
}

/** Excluded occurrences are reported separately. */
const withoutExceptions = ({ recurrence, ...fields }: EventFields): EventFields => ({
  ...fields,
  ...(recurrence ? { recurrence: recurrence.filter((line) => !line.startsWith('EXDATE')) } : {}),
})

const writeNote = ({ main, changed, cancelled }: EventNote): string =>
  [main ?? '?', Array.from(changed, ([slot, hash]) => `${slot}=${hash}`).join(','), [...cancelled].join(',')]
    .join('|')
    .replace(/\|+$/, '')

/** Undefined if the object was not read when it was recorded. */
function readNote(note: string): EventNote | undefined {
  if (note === '' || note === noEventNote) return undefined
  const [main = '?', changed = '', cancelled = ''] = note.split('|')
  const parts = (text: string): string[] => text.split(',').filter((part) => part !== '')
  return {
    ...(main === '?' ? {} : { main }),
    changed: new Map(
      parts(changed).map((part): [string, string] => {
        const [slot = '', hash = ''] = part.split('=')
        return [slot, hash]
      }),
    ),
    cancelled: new Set(parts(cancelled)),
  }
}

interface Difference {
  /** Whether the event or series itself changed. */
  main: boolean
  /** Slots of occurrences that were changed, or that again equal their series. */
  changed: string[]
  cancelled: string[]
}

/**
 * The difference from the reported state. Without a former note, `isLate` decides whether an occurrence changed
 * since.
 */
function differenceOf(before: EventNote | undefined, after: EventNote, isLate: (slot: string) => boolean): Difference {
  if (!before) return { main: true, changed: [...after.changed.keys()].filter(isLate), cancelled: [] }
  const changed = [...after.changed].filter(([slot, hash]) => before.changed.get(slot) !== hash).map(([slot]) => slot)
  const restored = [...before.changed.keys(), ...before.cancelled].filter(
    (slot) => !after.changed.has(slot) && !after.cancelled.has(slot),
  )
  return {
    main: before.main !== after.main,
    changed: [...new Set([...changed, ...restored])],
    cancelled: [...after.cancelled].filter((slot) => !before.cancelled.has(slot)),
  }
}
