/**
 * Changes calendar objects: an object goes in, text comes out. Everything outside the change stays byte for byte the
 * same (`calendar-object-text.ts` lists the exceptions). `event-revision.ts` sets SEQUENCE and the timestamps.
 *
 * Overrides of a series stay as long as their slot still exists. Fields in which an override equaled the series
 * follow the series. An iCalendar override is complete and cannot say which of its fields are its own.
 */
import { ApiError, invalidField } from '@waypost/platform/api-error'
import type { Series } from '../recurrence/series.ts'
import { type AttendeeAnswer, isInvited, withAnswer, withAnswerAgent, withScheduleAgent } from './attendee-changes.ts'
import {
  type CalendarObject,
  type EventFields,
  eventsOf,
  fieldsOf,
  type ReadEvents,
  type ReadOverride,
} from './calendar-object.ts'
import { newText, skeleton } from './calendar-object-text.ts'
import { occurrenceAtSlot, type TakesPlace } from './calendar-occurrences.ts'
import {
  slotProperty,
  startWriting,
  type TimeWriting,
  timeProperties,
  writingIn,
  zonesOf,
} from './calendar-time-lines.ts'
import { spanOf } from './calendar-times.ts'
import { addLines, lineOf } from './content-line-changes.ts'
import { type ComponentNode, writeItems } from './content-lines.ts'
import { type FieldChange, patchFields } from './event-patch.ts'
import {
  type ChangeOptions,
  isSame,
  nextSequence,
  numbered,
  organizes,
  type Revised,
  type Revision,
  realChange,
  revise,
  stamped,
} from './event-revision.ts'
import { newTimeOf, startAfter } from './event-times-patch.ts'
import { utcTime } from './icalendar.ts'
import { newOverride, overridesAfter, replacing } from './override-changes.ts'
import { putSeries, seriesAfter } from './series-patch.ts'
import { requestedSequence } from './versions.ts'

export type { AttendeeAnswer } from './attendee-changes.ts'
export type { FieldChange } from './event-patch.ts'
export type { ChangeOptions } from './event-revision.ts'

const noEvent = (): ApiError => new ApiError('not_found', 'no event with this id')

/** A new event, or a new series. */
export function newCalendarObject(
  { when, recurrence, ...fields }: FieldChange & { readonly when: EventFields['when'] },
  options: ChangeOptions & { readonly uid: string },
): string {
  const { object, event } = skeleton(options.uid)
  const { zone, now, organizer } = options
  const zones = zonesOf(when)
  const start = writingIn(zones.start, undefined, object)
  const end = writingIn(zones.end, start, object)
  const lines = recurrence ?? []
  const repeats = lines.length > 0
  const times = timeProperties(when, { start, end, repeats }).flatMap((one) => (one ? lineOf(one) : []))
  const created = lineOf(utcTime('CREATED', Math.floor(now / 1000)))
  const bare = event.with(numbered(stamped(addLines(event.items, [...times, created]), now), 0))
  const context = { zones: object.zones, floating: zone }
  const span = spanOf(bare, context)
  if (span === undefined) throw invalidField('when', 'is no time')
  const before = fieldsOf(bare, span, { context, uid: options.uid })
  const { series } = seriesAfter(undefined, { start: startAfter({ when, writing: start, end }), lines })
  const patched = patchFields(
    bare.items,
    { status: 'confirmed', busy: true, ...fields },
    { before, span, floating: zone, organizer },
  )
  const reported = options.scheduleAgent === undefined ? patched : withScheduleAgent(patched, options.scheduleAgent)
  const items = repeats
    ? putSeries(reported, { before: undefined, after: series, writing: start, isRewritten: false })
    : reported
  return needText(newText(object, { replaced: new Map([[event, bare.with(items)]]), now }))
}

export interface ChangedObject {
  readonly text: string
  /** The slots of overrides that the series no longer contains. */
  readonly dropped: readonly string[]
}

/** The event, or the whole series, with changed fields. The text stays the same if no value differs. */
export function changeEvent(object: CalendarObject, change: FieldChange, options: ChangeOptions): ChangedObject {
  const read = eventsOf(object, options)
  const { main, span } = read
  const { master } = object
  if (!master || !main || !span) throw noEvent()
  const fields = realChange(change, main)
  const when = fields.when ?? main.when
  const time = newTimeOf(master, { when, span, text: object })
  const before = startWriting(master, span)
  const writing = fields.when === undefined ? before : time.writing
  const start = fields.when === undefined && read.series ? read.series.start : startAfter({ ...time, writing })
  const next = seriesAfter(read.series, { start, lines: change.recurrence })
  const real = withoutSameRule(fields, read, next.series)
  if (Object.keys(real).length === 0) return { text: writeItems(object.items), dropped: [] }
  const repeats = next.series !== undefined
  const revision: Revision = { object, options, repeats, isNewRule: real.recurrence !== undefined }
  const revised = revise({ node: master, fields: main, span }, real, revision)
  const isRewritten = !isSame(before, writing)
  const isOtherSeries = real.recurrence !== undefined || real.when !== undefined
  const items = isOtherSeries
    ? putSeries(revised.items, { before: read.series, after: next.series, writing, isRewritten })
    : revised.items
  const isMoved = isRewritten || (read.series !== undefined && !isSame(read.series.start, start))
  const { replaced, dropped } = overridesAfter({
    read: { ...read, main },
    change: real,
    next,
    when,
    isMoved,
    writing,
    revision,
  })
  const nodes = new Map([...replaced, [master, revised.with(items)] as const])
  return { text: needText(newText(object, { replaced: nodes, now: options.now })), dropped }
}

/** Recurrence lines that describe the same series are not a change. */
function withoutSameRule(change: FieldChange, { main }: ReadEvents, series: Series | undefined): FieldChange {
  if (change.recurrence === undefined || !series || !isSame(series.recurrence.lines, main?.recurrence)) return change
  const { recurrence: _, ...rest } = change
  return rest
}

interface Located {
  readonly place: TakesPlace
  /** The override, or the component that a new override is copied from. */
  readonly model: Revised
  /** The override at the slot, if there is one. */
  readonly override: ReadOverride | undefined
  /** How the slots of the series are written. */
  readonly writing: TimeWriting
}

function locate(object: CalendarObject, read: ReadEvents, { slot, zone }: { slot: string; zone: string }): Located {
  const place = occurrenceAtSlot(read, slot, { zone, steps: object.steps })
  if (place === undefined) throw noEvent()
  const { master } = object
  const writing: TimeWriting = master && read.span ? startWriting(master, read.span) : { form: 'utc' }
  const override = read.overrides.find((one) => one.slot === slot)
  if (override) return { place, model: override, override, writing }
  const model = read.overrides.findLast((one) => one.thisAndFuture && one.slot < slot)
  if (model) return { place, model, override, writing }
  if (!master || !read.main || !read.span) throw noEvent()
  return { place, model: { node: master, fields: read.main, span: read.span }, override, writing }
}

/** The component of one occurrence: its existing override, or a new one. */
function occurrenceNode({ place, model, override, writing }: Located, object: CalendarObject, zone: string): Revised {
  if (override) return model
  const node = newOverride(model, place, { text: object, writing })
  const span = spanOf(node, { zones: object.zones, floating: zone })
  if (span === undefined) throw noEvent()
  return { node, fields: place.fields, span }
}

/** The text with a new component for one occurrence. */
function withOccurrence(
  object: CalendarObject,
  { located, node, now }: { located: Located; node: ComponentNode; now: number },
): string {
  const { override } = located
  if (!override) return needText(newText(object, { added: [node], now }))
  return needText(newText(object, { replaced: new Map(replacing(override, node)), now }))
}

/** Changes one occurrence, which becomes an override. */
export function changeOccurrence(
  object: CalendarObject,
  slot: string,
  { change, options }: { change: FieldChange; options: ChangeOptions },
): string {
  if (change.recurrence && change.recurrence.length > 0) {
    throw invalidField('recurrence', 'one occurrence cannot repeat: change the series instead')
  }
  const { recurrence: _, ...fields } = change
  const located = locate(object, eventsOf(object, options), { slot, zone: options.zone })
  const real = realChange(fields, located.place.fields)
  if (Object.keys(real).length === 0) return writeItems(object.items)
  const revised = occurrenceNode(located, object, options.zone)
  const node = revise(revised, real, { object, options, repeats: false })
  return withOccurrence(object, { located, node, now: options.now })
}

/** The object without one occurrence, or undefined if no event remains. */
export function cancelOccurrence(object: CalendarObject, slot: string, options: ChangeOptions): string | undefined {
  const read = eventsOf(object, options)
  const { master } = object
  const { override, writing } = locate(object, read, { slot, zone: options.zone })
  const replaced = new Map<ComponentNode, ComponentNode | undefined>(override ? replacing(override, undefined) : [])
  if (master) {
    const line = lineOf(slotProperty('EXDATE', slot, writing))
    const without = stamped(addLines(master.items, [line]), options.now)
    const isOwn = organizes(master, options)
    replaced.set(
      master,
      master.with(isOwn ? numbered(without, nextSequence(object), requestedSequence(master)) : without),
    )
  }
  return newText(object, { replaced, now: options.now })
}

/**
 * Sets one attendee's answer in the whole object or in one occurrence. Returns undefined if none of the addresses is
 * invited. Other guests are not invited again, and SEQUENCE stays.
 */
export function setAttendeeStatus(
  object: CalendarObject,
  { slot, ...answer }: AttendeeAnswer & { readonly slot?: string },
  options: ChangeOptions,
): string | undefined {
  const answered = (node: ComponentNode): ComponentNode => {
    const items = withAnswer(node.items, answer)
    const reported = options.scheduleAgent === undefined ? items : withAnswerAgent(items, options.scheduleAgent)
    return node.with(stamped(reported, options.now))
  }
  if (slot !== undefined) {
    const located = locate(object, eventsOf(object, options), { slot, zone: options.zone })
    const { node } = occurrenceNode(located, object, options.zone)
    if (!isInvited(node, answer.addresses)) return undefined
    return withOccurrence(object, { located, node: answered(node), now: options.now })
  }
  const nodes = [...(object.master ? [object.master] : []), ...object.overrides]
  const invited = nodes.filter((node) => isInvited(node, answer.addresses))
  if (invited.length === 0) return undefined
  return newText(object, { replaced: new Map(invited.map((node) => [node, answered(node)])), now: options.now })
}

function needText(text: string | undefined): string {
  if (text === undefined) throw new RangeError('an object without events')
  return text
}
