// The overrides of a series: how one is made of the series, and what becomes of them when the series changes.

import { occurrenceAt } from '../recurrence/recurrence.ts'
import type { NewPlace } from '../recurrence/series-edit.ts'
import type { SeriesAfter } from '../recurrence/series-patch.ts'
import { laterByDays, whenOfOccurrence } from '../timezones/when.ts'
import type { EventFields, ReadEvents, ReadOverride } from './calendar-object.ts'
import type { TakesPlace } from './calendar-occurrences.ts'
import { isSameWhen, slotProperty, type TimeWriting, type ZonesInText } from './calendar-time-lines.ts'
import type { Span } from './calendar-times.ts'
import { lineOf, putProperty, withoutLines } from './content-line-changes.ts'
import { ComponentNode } from './content-lines.ts'
import type { FieldChange } from './event-patch.ts'
import { isSame, type Revision, realChange, revise } from './event-revision.ts'
import { newTimeOf, putTimes } from './event-times-patch.ts'

const OF_SERIES = ['RRULE', 'RDATE', 'EXDATE', 'EXRULE', 'RECURRENCE-ID']
/** An alarm of one occurrence is another alarm than that of the series, and nobody has seen it yet. */
const OF_ONE_ALARM = ['UID', 'X-WR-ALARMUID', 'ACKNOWLEDGED', 'X-MOZ-LASTACK']

/** The occurrence at a slot as a component of its own, like the one that it comes from: its series, or an override that
 * speaks for it. */
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

/** What stands for an override from now on; those that it has superseded go when it leaves their slot. */
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
  /** Whether its start is another, or is written otherwise. */
  readonly isMoved: boolean
  readonly writing: TimeWriting
  readonly revision: Revision
}

export interface ChangedOverrides {
  /** Undefined for those that go, themselves where nothing changes. */
  readonly replaced: Map<ComponentNode, ComponentNode | undefined>
  /** The slots of those that go, because the series does not make them any more. */
  readonly dropped: readonly string[]
}

/** What becomes of the overrides of a series. */
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
  const options = { allDayZone: revision.options.zone }
  if (next.series === undefined) return undefined
  const former = read.series && occurrenceAt(read.series, override.slot, options)
  // What the series has never made stands for itself.
  if (former === undefined) return withFields(override, changed, undefined)
  const occurrence = place && occurrenceAt(next.series, place.slot, options)
  if (!place || !occurrence) return undefined
  const hasFollowed = isSameWhen(whenOfOccurrence(read.main.when, former), override.fields.when)
  const own = hasFollowed ? whenOfOccurrence(when, occurrence) : laterByDays(override.fields.when, place.days)
  const node = withFields(override, changed, own)
  if (!changed.isMoved && place.slot === override.slot) return node
  return node.with(putProperty(node.items, slotProperty('RECURRENCE-ID', place.slot, writing)))
}

/** The override with what it had in common with its series before. */
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

/** Guests are the same where the same ones are invited, whatever they answered. */
function isCommon(name: string, { fields }: ReadOverride, main: EventFields): boolean {
  if (name !== 'participants') return isSame(Reflect.get(fields, name), Reflect.get(main, name))
  const addresses = ({ participants }: EventFields): string[] =>
    participants.map(({ email }) => email?.toLowerCase() ?? '').sort()
  return isSame(addresses(fields), addresses(main))
}
