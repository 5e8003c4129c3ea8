/**
 * A note about a reported object, which the next poll compares: the event itself and, for a series, its changed and
 * cancelled occurrences. Pure.
 */
import type { EventFields, PlainEvents } from '@waypost/formats/icalendar/calendar-object'
import { slotOfKey } from '@waypost/formats/recurrence/instance-ids'
import { shortHash } from '../known-objects.ts'

export interface EventNote {
  /** The hash of the event or series; absent if there are only single occurrences. */
  main?: string
  /** Occurrences that differ from their series, by slot. */
  changed: ReadonlyMap<string, string>
  /** Slots of cancelled occurrences. */
  cancelled: ReadonlySet<string>
}

/** The note of an object without an event. */
export const noEventNote = '-'

/** Timestamps are not part of the hash. */
const hashOf = ({ created_at: _, updated_at: __, ...fields }: EventFields): string =>
  shortHash(JSON.stringify(fields), 4)

export function noteOf({ main, series, overrides }: PlainEvents): EventNote {
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

export const writeNote = ({ main, changed, cancelled }: EventNote): string =>
  [main ?? '?', Array.from(changed, ([slot, hash]) => `${slot}=${hash}`).join(','), [...cancelled].join(',')]
    .join('|')
    .replace(/\|+$/, '')

/** Undefined if the object was not read when it was recorded. */
export function readNote(note: string): EventNote | undefined {
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

export interface Difference {
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
export function differenceOf(
  before: EventNote | undefined,
  after: EventNote,
  isLate: (slot: string) => boolean,
): Difference {
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
