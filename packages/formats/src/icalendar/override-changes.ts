/** Creates overrides of a series, and updates them when the series changes. */

import { occurrenceAt, whenOfOccurrence } from '../recurrence/recurrence.ts'
import type { NewPlace } from '../recurrence/series-edit.ts'
import { laterByDays } from '../timezones/when.ts'
import type { EventFields, ReadEvents, ReadOverride } from './calendar-object.ts'
import type { TakesPlace } from './calendar-occurrences.ts'
import { isSameWhen, slotProperty, type TimeWriting, type ZonesInText } from './calendar-time-lines.ts'
import type { Span } from './calendar-times.ts'
import { lineOf, putProperty, withoutLines } from './content-line-changes.ts'
import { ComponentNode } from './content-lines.ts'
import type { FieldChange } from './event-patch.ts'
import { isSame, type Revision, realChange, revise } from './event-revision.ts'
import { newTimeOf, putTimes } from './event-times-patch.ts'
import type { SeriesAfter } from './series-patch.ts'

const OF_SERIES = ['RRULE', 'RDATE', 'EXDATE', 'EXRULE', 'RECURRENCE-ID']
/** An alarm of an override is separate from the alarm of the series, and has not been acknowledged yet. */
const OF_ONE_ALARM = ['UID', 'X-WR-ALARMUID', 'ACKNOWLEDGED', 'X-MOZ-LASTACK']

/** An occurrence as a component of its own, copied from its series or from a THISANDFUTURE override. */
export function newOverride(
  model: { node: ComponentNode; span: Span },
  { slot = '', fields: { when } }: TakesPlace,
  { text, writing }: { text: ZonesInText; writing: TimeWriting },
): ComponentNode {
  const bare = withoutLines(model.node.items, OF_SERIES).map((item) =>
    item instanceof ComponentNode && item.name === 'VALARM' ? item.with(withoutLines(item.items, OF_ONE_ALARM)) : item,
  )
  const time = newTimeOf(model.node, { when, span: model.span, text })
  const timed = putTimes(bare, time, false)
  const at = timed.findIndex(({ name }) => name === 'DTSTART')
  const line = lineOf(slotProperty('RECURRENCE-ID', slot, writing))
  return model.node.with([...timed.slice(0, at), line, ...timed.slice(at)])
}

/** The replacement of an override. The components that it superseded are removed when it leaves their slot. */
export function replacing(
  { node, superseded }: Pick<ReadOverride, 'node' | 'superseded'>,
  next: ComponentNode | undefined,
): [ComponentNode, ComponentNode | undefined][] {
  if (next === node) return []
  const isLeft = next?.line('RECURRENCE-ID') !== node.line('RECURRENCE-ID')
  return [[node, next], ...(isLeft ? superseded : []).map((one): [ComponentNode, undefined] => [one, undefined])]
}

export interface ChangedSeries {
  readonly read: ReadEvents & { readonly main: EventFields }
  readonly change: FieldChange
  readonly next: SeriesAfter
  /** The time of the series after the change. */
  readonly when: EventFields['when']
  /** Whether the start changes, or its form. */
  readonly isMoved: boolean
  readonly writing: TimeWriting
  readonly revision: Revision
}

export interface ChangedOverrides {
  /** Undefined removes an override; an unchanged one maps to itself. */
  readonly replaced: Map<ComponentNode, ComponentNode | undefined>
  /** The slots of removed overrides, which the series no longer generates. */
  readonly dropped: readonly string[]
}

/** The overrides of a series after a change. */
export function overridesAfter(changed: ChangedSeries): ChangedOverrides {
  const { read, next } = changed
  const places = next.placesOf(read.overrides.map(({ slot }) => slot))
  const nodes = read.overrides.map((override, index) => overrideAfter(override, places[index], changed))
  return {
    replaced: new Map(read.overrides.flatMap((override, index) => replacing(override, nodes[index]))),
    dropped: next.series
      ? read.overrides.flatMap(({ slot, fields }, index) =>
          nodes[index] || fields.status === 'cancelled' ? [] : [slot],
        )
      : [],
  }
}

function overrideAfter(
  override: ReadOverride,
  place: NewPlace | undefined,
  changed: ChangedSeries,
): ComponentNode | undefined {
  const { read, next, when, writing, revision } = changed
  const options = { allDayZone: revision.options.zone, steps: revision.object.steps }
  if (next.series === undefined) return undefined
  const former = read.series && occurrenceAt(read.series, override.slot, options)
  // An override that the series never generated is independent of it.
  if (former === undefined) return withFields(override, changed, undefined)
  const occurrence = place && occurrenceAt(next.series, place.slot, options)
  if (!place || !occurrence) return undefined
  const hasFollowed = isSameWhen(whenOfOccurrence(read.main.when, former), override.fields.when)
  const own = hasFollowed ? whenOfOccurrence(when, occurrence) : laterByDays(override.fields.when, place.days)
  const node = withFields(override, changed, own)
  if (!changed.isMoved && place.slot === override.slot) return node
  return node.with(putProperty(node.items, slotProperty('RECURRENCE-ID', place.slot, writing)))
}

/** The override with the changes to fields that had the same value as in the series. */
function withFields(
  override: ReadOverride,
  { read, change, revision }: ChangedSeries,
  when: EventFields['when'] | undefined,
): ComponentNode {
  const shared = Object.entries(change).filter(
    ([name]) => name !== 'when' && name !== 'recurrence' && isCommon(name, override, read.main),
  )
  const own = realChange({ ...Object.fromEntries(shared), ...(when === undefined ? {} : { when }) }, override.fields)
  return Object.keys(own).length === 0
    ? override.node
    : revise(override, own, { ...revision, repeats: false, isNewRule: false })
}

/** Guest lists are equal if the same addresses are invited, regardless of their answers. */
function isCommon(name: string, { fields }: ReadOverride, main: EventFields): boolean {
  if (name !== 'participants') return isSame(Reflect.get(fields, name), Reflect.get(main, name))
  const addresses = ({ participants }: EventFields): string[] =>
    participants.map(({ email }) => email?.toLowerCase() ?? '').sort()
  return isSame(addresses(fields), addresses(main))
}
