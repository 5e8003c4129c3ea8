/**
 * Reads a calendar object (RFC 4791 §4.1): the event or series of one UID with its overrides, in the text of one
 * VCALENDAR. `calendar-object-changes.ts` writes it and `calendar-occurrences.ts` calculates when it takes place.
 *
 * - The master is the VEVENT without RECURRENCE-ID, at any position. If there are several, the highest SEQUENCE wins,
 *   then the last one. A guest of single occurrences has overrides without a master.
 * - An override is complete and does not follow its series. Its slot identifies it. The slot is compared as an
 *   instant, because RECURRENCE-ID may have another zone or type than DTSTART. Duplicates are resolved as for
 *   masters.
 */
import type { Event } from '@waypost/contract'
import { type ForeignSeries, foreignSeries } from '../recurrence/foreign.ts'
import { basicDate, basicUtc, keyOfWall, type SeriesStart, wallOfKey } from '../recurrence/series.ts'
import { Steps } from '../recurrence/steps.ts'
import { SECONDS_PER_DAY } from '../timezones/dates.ts'
import { remindersOf } from './alarms.ts'
import {
  dayOfTime,
  instantIn,
  type ReadTime,
  readTime,
  readTimes,
  type Span,
  seriesStart,
  spanOf,
  type TimeContext,
  whenOfSpan,
} from './calendar-times.ts'
import { guestsOf, organizerOf } from './calendar-users.ts'
import { conferencingOf } from './conference-lines.ts'
import {
  ComponentNode,
  type ContentLine,
  ContentTooLarge,
  checkText,
  type Item,
  parseItems,
  unescapeText,
} from './content-lines.ts'
import { plainText } from './vevent.ts'
import { type ZoneReader, zoneReader } from './zones-reading.ts'

/** A parsed calendar text. */
export interface CalendarObject {
  /** The whole text. */
  readonly items: readonly Item[]
  /** The VCALENDAR that holds the events. */
  readonly calendar: ComponentNode
  readonly uid: string
  readonly master: ComponentNode | undefined
  /** The components with RECURRENCE-ID, in text order. */
  readonly overrides: readonly ComponentNode[]
  readonly zones: ZoneReader
  /** What is left for zone definitions and rules: one budget for everything in the text. */
  readonly steps: Steps
}

/** The event fields that a VEVENT contains. The caller adds ids, the calendar and metadata. */
export type EventFields = Pick<
  Event,
  | 'title'
  | 'description'
  | 'location'
  | 'when'
  | 'busy'
  | 'status'
  | 'visibility'
  | 'hide_participants'
  | 'participants'
  | 'resources'
  | 'organizer'
  | 'recurrence'
  | 'ical_uid'
  | 'sequence'
  | 'reminders'
  | 'conferencing'
  | 'capacity'
  | 'created_at'
  | 'updated_at'
>

/** An override as plain data. With status `cancelled`, the occurrence does not take place. */
export interface PlainOverride {
  /** The end of its instance id (`instance-ids.ts`). */
  readonly slot: string
  readonly fields: EventFields
  readonly span: Span
  /** RANGE=THISANDFUTURE: later occurrences copy this one, up to the next such override. */
  readonly thisAndFuture: boolean
}

/** An override with the components that it was read from. */
export interface ReadOverride extends PlainOverride {
  readonly node: ComponentNode
  /** Older components of the same slot, which are ignored. */
  readonly superseded: readonly ComponentNode[]
}

/** The events of a text as plain data. */
export interface PlainEvents {
  readonly uid: string
  /** The event or series. Absent if the text has only single occurrences. */
  readonly main?: EventFields
  /** The time of the main event. */
  readonly span?: Span
  /** Present if the main event repeats. */
  readonly series?: ForeignSeries
  /** Sorted by slot, ascending. */
  readonly overrides: readonly PlainOverride[]
}

/** The events with the components that they were read from. */
export interface ReadEvents extends PlainEvents {
  readonly overrides: readonly ReadOverride[]
}

export interface ReadingOptions {
  /** The zone of floating times: the calendar's, or else the user's. An IANA id. */
  readonly zone: string
}

/** Parses the text of a resource. Returns undefined if it has no event or exceeds a limit. */
export function readCalendarObject(text: string, steps?: Steps): CalendarObject | undefined {
  try {
    return openCalendarObject(text, steps)
  } catch (error) {
    if (error instanceof ContentTooLarge) return undefined
    throw error
  }
}

/**
 * Parses like `readCalendarObject`, but throws `ContentTooLarge`, so that a caller can distinguish an oversized text
 * from a broken one. Texts that belong together, such as the versions of one event, share `steps`.
 */
export function openCalendarObject(text: string, steps = new Steps()): CalendarObject | undefined {
  const items = parseItems(text)
  for (const item of items) {
    const object = item instanceof ComponentNode && item.name === 'VCALENDAR' ? objectOf(items, item, steps) : undefined
    if (object) return object
  }
  return undefined
}

/** The object of the first UID in a calendar. */
function objectOf(items: readonly Item[], calendar: ComponentNode, steps: Steps): CalendarObject | undefined {
  let uid: string | undefined
  let master: ComponentNode | undefined
  const overrides: ComponentNode[] = []
  for (const item of calendar.items) {
    if (item.name !== 'VEVENT' || !(item instanceof ComponentNode)) continue
    const own = uidOf(item)
    uid ??= own
    if (own !== uid) continue
    if (item.line('RECURRENCE-ID')) overrides.push(item)
    else master = master === undefined ? item : later(master, item)
  }
  if (uid === undefined) return undefined
  return { items, calendar, uid, master, overrides, zones: zoneReader(calendar, steps), steps }
}

const uidOf = (event: ComponentNode): string => unescapeText(event.line('UID')?.value ?? '').trim()

export const sequenceIn = (event: ComponentNode): number => {
  const sequence = Number.parseInt(event.line('SEQUENCE')?.value ?? '0', 10)
  return Number.isSafeInteger(sequence) && sequence > 0 ? sequence : 0
}

const later = (a: ComponentNode, b: ComponentNode): ComponentNode => (sequenceIn(b) >= sequenceIn(a) ? b : a)

/** Reads all events of an object. */
export function eventsOf(object: CalendarObject, { zone }: ReadingOptions): ReadEvents {
  const context: TimeContext = { zones: object.zones, floating: zone }
  const { uid, master, steps } = object
  const span = master && spanOf(master, context)
  const series = master && span && seriesOf(master, { span, context, steps })
  const overrides = object.overrides.length === 0 ? [] : overridesOf(object, series?.start, context)
  if (master === undefined || span === undefined) return { uid, overrides }
  const main = fieldsOf(master, span, { context, uid })
  if (series === undefined) return { uid, main, span, overrides }
  return { uid, main: { ...main, recurrence: [...series.recurrence.lines] }, span, series, overrides }
}

/** The series of a master; undefined where it does not repeat. */
function seriesOf(
  master: ComponentNode,
  { span, context, steps }: { span: Span; context: TimeContext; steps: Steps },
): ForeignSeries | undefined {
  const rules: string[] = []
  const dates: { RDATE: ReadTime[]; EXDATE: ReadTime[] } = { RDATE: [], EXDATE: [] }
  for (const line of master.items) {
    if (!('value' in line)) continue
    if (line.name === 'RRULE') rules.push(line.value)
    else if (line.name === 'EXDATE' || line.name === 'RDATE') addTimes(dates[line.name], line, context)
  }
  if (rules.length === 0 && dates.RDATE.length === 0) return undefined
  const start = seriesStart(span)
  const written = (times: readonly ReadTime[]): string[] => times.map((time) => dateOf(time, start, context))
  return foreignSeries({ rules, rdates: written(dates.RDATE), exdates: written(dates.EXDATE) }, start, steps)
}

/** No real series has more dates. */
const MAX_DATES = 20_000

function addTimes(times: ReadTime[], line: ContentLine, context: TimeContext): void {
  checkText(line.value)
  for (const time of readTimes(line, context)) times.push(time)
  if (times.length > MAX_DATES) throw new ContentTooLarge(`a series of more than ${MAX_DATES} dates`)
}

/** A date of a series in the form that the series uses. A day without a time selects the occurrence on that day. */
function dateOf(time: ReadTime, start: SeriesStart, { floating }: TimeContext): string {
  if (time.kind === 'date') return basicDate(time.day)
  return start.kind === 'timed' ? basicUtc(time.at) : basicDate(dayOfTime(time, floating))
}

/** The slot that a RECURRENCE-ID names, in a series or without one. */
export function slotOfLine(
  line: ContentLine,
  start: SeriesStart | undefined,
  context: TimeContext,
): string | undefined {
  const time = readTime(line, context)
  if (time === undefined) return undefined
  if (start?.kind === 'all-day') return basicDate(dayOfTime(time, context.floating))
  if (time.kind === 'time') return basicUtc(time.at)
  if (start === undefined) return basicDate(time.day)
  const wall = wallOfKey(start, start.at)
  const second = wall - Math.floor(wall / SECONDS_PER_DAY) * SECONDS_PER_DAY
  return basicUtc(keyOfWall(start, time.day * SECONDS_PER_DAY + second))
}

function overridesOf(
  { overrides, uid }: CalendarObject,
  start: SeriesStart | undefined,
  context: TimeContext,
): ReadOverride[] {
  const found = new Map<string, { line: ContentLine; newest: ComponentNode; older: ComponentNode[] }>()
  for (const node of overrides) {
    const line = node.line('RECURRENCE-ID')
    const slot = line && slotOfLine(line, start, context)
    if (line === undefined || slot === undefined) continue
    const before = found.get(slot)
    if (before === undefined) found.set(slot, { line, newest: node, older: [] })
    else if (sequenceIn(node) >= sequenceIn(before.newest)) {
      before.older.push(before.newest)
      before.newest = node
      before.line = line
    } else before.older.push(node)
  }
  return Array.from(found, ([slot, { line, newest: node, older: superseded }]): ReadOverride[] => {
    const span = spanOf(node, context, readTime(line, context))
    if (!span) return []
    const thisAndFuture = line.parameter('RANGE')?.toUpperCase() === 'THISANDFUTURE'
    return [{ slot, node, superseded, span, thisAndFuture, fields: fieldsOf(node, span, { context, uid }) }]
  })
    .flat()
    .sort((a, b) => (a.slot < b.slot ? -1 : 1))
}

const STATUS: Readonly<Record<string, Event['status']>> = { TENTATIVE: 'maybe', CANCELLED: 'cancelled' }

/** The fields of one VEVENT. */
export function fieldsOf(
  event: ComponentNode,
  span: Span,
  { context, uid }: { context: TimeContext; uid: string },
): EventFields {
  const keyword = (name: string): string => event.line(name)?.value.trim().toUpperCase() ?? ''
  const location = textOf(event.line('LOCATION'))
  const description = descriptionOf(event)
  const visibility = keyword('CLASS')
  const conferencing = conferencingOf(event, { location, description })
  const capacity = Number(event.line('X-WAYPOST-CAPACITY')?.value)
  return {
    title: textOf(event.line('SUMMARY')),
    description,
    location,
    when: whenOfSpan(span),
    busy: isBusy(event),
    status: STATUS[keyword('STATUS')] ?? 'confirmed',
    ...(visibility === '' ? {} : { visibility: visibility === 'PUBLIC' ? 'public' : 'private' }),
    hide_participants: keyword('X-WAYPOST-HIDE-PARTICIPANTS') === 'TRUE',
    ...guestsOf(event),
    organizer: organizerOf(event.line('ORGANIZER')),
    ical_uid: uid,
    sequence: sequenceIn(event),
    reminders: remindersOf(event, span, context.floating),
    ...(conferencing ? { conferencing } : {}),
    ...(Number.isInteger(capacity) && capacity > 0 ? { capacity } : {}),
    created_at: instantIn(event.line('CREATED')),
    updated_at: instantIn(event.line('LAST-MODIFIED')) ?? instantIn(event.line('DTSTAMP')),
  }
}

const textOf = (line: ContentLine | undefined): string | null => {
  const text = line === undefined ? '' : unescapeText(line.value)
  return text === '' ? null : text
}

/** X-MICROSOFT-CDO-BUSYSTATUS counts only if TRANSP is missing. */
function isBusy(event: ComponentNode): boolean {
  const shown = event.line('TRANSP')?.value.trim().toUpperCase()
  if (shown !== undefined) return shown !== 'TRANSPARENT'
  return event.line('X-MICROSOFT-CDO-BUSYSTATUS')?.value.trim().toUpperCase() !== 'FREE'
}

/**
 * The HTML description if it matches the plain text, otherwise the plain text. Clients that change only the text
 * leave outdated HTML behind.
 */
function descriptionOf(event: ComponentNode): string | null {
  const text = textOf(event.line('DESCRIPTION'))
  const line = event.line('X-ALT-DESC')
  if (line === undefined || text === null) return text
  const html = unescapeText(line.value)
  return plainText(html) === text.trim() ? html : text
}
