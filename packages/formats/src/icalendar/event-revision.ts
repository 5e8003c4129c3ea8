/**
 * Changes one VEVENT: its fields, its time, its SEQUENCE and its timestamps.
 *
 * - If the account organizes the event, or the event has no organizer, SEQUENCE rises above all numbers of the UID
 *   with a new time, rule, location, status or guest list. A new time or rule invites the guests again (RFC 5546
 *   §2.1.4). A guest never raises it.
 * - DTSTAMP and LAST-MODIFIED grow with every change.
 */

import { type ScheduleAgent, withoutAnswers, withScheduleAgent } from './attendee-changes.ts'
import { type CalendarObject, type EventFields, type ReadingOptions, sequenceIn } from './calendar-object.ts'
import { isSameWhen } from './calendar-time-lines.ts'
import { instantIn, type Span } from './calendar-times.ts'
import { isUser, type Person } from './calendar-users.ts'
import { putProperty, withoutLines } from './content-line-changes.ts'
import { type ComponentNode, ContentLine, type Item } from './content-lines.ts'
import { type FieldChange, patchFields } from './event-patch.ts'
import { newTimeOf, putTimes } from './event-times-patch.ts'
import { plain, utcTime } from './icalendar.ts'
import { ASKED, requestedProperty, requestedSequence } from './versions.ts'

export interface ChangeOptions extends ReadingOptions {
  /** Milliseconds. */
  readonly now: number
  /** The account's own addresses, in lower case. */
  readonly addresses: readonly string[]
  /** The organizer to set when guests are added to an event without one. */
  readonly organizer: Person
  /** Which party notifies the guests of the change, or the organizer of an answer. If absent, the event decides. */
  readonly scheduleAgent?: ScheduleAgent
}

export interface Revised {
  readonly node: ComponentNode
  readonly fields: EventFields
  readonly span: Span
}

export interface Revision {
  readonly object: CalendarObject
  readonly options: ChangeOptions
  /** Whether the event repeats after the change. */
  readonly repeats: boolean
  /** Whether the recurrence differs from before. */
  readonly isNewRule?: boolean
}

/** The fields of a change whose values actually differ. */
export function realChange(change: FieldChange, before: EventFields): FieldChange {
  const entries = Object.entries(change).filter(([name, value]) => {
    if (value === undefined) return false
    if (name === 'when' && change.when !== undefined) return !isSameWhen(before.when, change.when)
    // The order of guests is irrelevant.
    if (name === 'participants') return !isSame(byAddress(before.participants), byAddress(change.participants ?? []))
    const old: unknown = Reflect.get(before, name)
    return !isSame(old ?? null, value)
  })
  return Object.fromEntries(entries)
}

const byAddress = (participants: EventFields['participants']): EventFields['participants'] =>
  participants.toSorted((a, b) => ((a.email ?? '') < (b.email ?? '') ? -1 : 1))

export const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

/** The component with a change that is already reduced by `realChange`. */
export function revise({ node, fields, span }: Revised, change: FieldChange, revision: Revision): ComponentNode {
  const { object, options, repeats, isNewRule = false } = revision
  const { when } = change
  let items: Item[] = patchFields(node.items, change, {
    before: fields,
    span,
    floating: options.zone,
    organizer: options.organizer,
  })
  if (when !== undefined) items = putTimes(items, newTimeOf(node, { when, span, text: object }), repeats)
  const isOwn = organizes(node, options)
  if (isOwn && (when !== undefined || isNewRule)) items = withoutAnswers(items)
  if (isOwn && options.scheduleAgent !== undefined) items = withScheduleAgent(items, options.scheduleAgent)
  const isSignificant =
    when !== undefined ||
    isNewRule ||
    change.status !== undefined ||
    change.location !== undefined ||
    hasOtherGuests(change, fields)
  if (!isOwn || !isSignificant) return node.with(stamped(items, options.now))
  const requested = when !== undefined || isNewRule ? undefined : requestedSequence(node)
  return node.with(numbered(stamped(items, options.now), nextSequence(object), requested))
}

/** Whether the account may raise SEQUENCE: it organizes the event, or there is no organizer. */
export function organizes(node: ComponentNode, { addresses }: ChangeOptions): boolean {
  const organizer = node.line('ORGANIZER')
  return organizer === undefined || isUser(organizer, addresses)
}

/** One above the highest SEQUENCE of the UID. */
export const nextSequence = ({ master, overrides }: CalendarObject): number =>
  Math.max(0, ...[...(master ? [master] : []), ...overrides].map(sequenceIn)) + 1

/**
 * If the recorded time is ahead by less than this, the new time is one second later. Beyond that, a clock is wrong.
 */
const CLOCK_SECONDS = 60

/** Sets the time of the change. No two changes of an event have the same time. */
export function stamped(items: readonly Item[], now: number): Item[] {
  const time = Math.floor(now / 1000)
  const line = items.find((item) => item.name === 'DTSTAMP' && item instanceof ContentLine)
  const known = (line instanceof ContentLine && instantIn(line)) || 0
  const next = known >= time && known - time < CLOCK_SECONDS ? known + 1 : time
  return putProperty(putProperty(items, utcTime('DTSTAMP', next)), utcTime('LAST-MODIFIED', next))
}

/** Sets SEQUENCE. If the guests are not invited again, answers to the SEQUENCE of their invitation stay valid. */
export function numbered(items: readonly Item[], sequence: number, requested?: number): Item[] {
  const next = putProperty(withoutLines(items, [ASKED]), plain('SEQUENCE', String(sequence)))
  const hasGuests = items.some(({ name }) => name === 'ATTENDEE')
  return requested === undefined || !hasGuests ? next : putProperty(next, requestedProperty(requested, sequence))
}

function hasOtherGuests({ participants, resources }: FieldChange, before: EventFields): boolean {
  const addresses = (list: readonly { email?: string }[]): string =>
    list
      .map(({ email }) => email?.trim().toLowerCase() ?? '')
      .sort()
      .join()
  return (
    (participants !== undefined && addresses(participants) !== addresses(before.participants)) ||
    (resources !== undefined && addresses(resources) !== addresses(before.resources))
  )
}
