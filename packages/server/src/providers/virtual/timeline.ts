/**
 * The events of a calendar in the order of their starts, a page at a time.
 *
 * Single events and overrides come from the index of starts. The occurrences of series are computed for a stretch of time
 * that a page is likely to need, and then for the next one. So the work follows the answer, not the size of the calendar,
 * the age of its series, or the width of the window.
 */
import type { Event } from '@waypost/contract'
import { instanceId } from '../../formats/instance-ids.ts'
import { type Occurrence, occurrencesBetween } from '../../formats/recurrence.ts'
import { RecurrenceTooLarge, type Series } from '../../formats/series.ts'
import { ApiError } from '../../lib/api-error.ts'
import { JsonText } from '../../lib/json-text.ts'
import { instanceOf, overriddenOf } from './series.ts'
import type { Session } from './session.ts'
import type { CalendarRow, ListedRow, Position, SeriesRow, Window } from './tables.ts'
import type { EventFilter } from './window.ts'

export interface TimelineQuery {
  calendar: CalendarRow
  window: Window
  after: Position | undefined
  limit: number
  filter: EventFilter | undefined
  /** Occurrences and overrides of this series only. */
  masterId?: string | undefined
}

export interface Listed {
  event: Event | JsonText<Event>
  position: Position
}

/** An entry of the timeline before its event is put together: a stored event, an occurrence, or a master. */
type Entry = Position & ({ row: ListedRow } | { masterId: string; occurrence: Occurrence } | { masterId: string })

interface OpenSeries {
  id: string
  series: Series
}

const candidatesAtMost = 50_000
/** How many entries are looked at together when a filter may throw most of them away. */
const filterBatch = 500
const day = 86_400

const tooMuch = (): ApiError =>
  new ApiError('invalid_request', 'start, end: the window holds too many occurrences: ask for a shorter one')

/** By start, then by id. */
export const inOrder = (a: Position, b: Position): number =>
  a.startAt - b.startAt || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)

/** Up to `limit` events of the window after a position, series expanded. */
export async function listTimeline(session: Session, query: TimelineQuery): Promise<Listed[]> {
  const { window, calendar } = query
  const series = await seriesOf(session, query)
  const hidden = await overriddenIn(session, query, series)
  const found: Listed[] = []
  const whole = window.to - window.from
  // Long enough to fill a page if every series occurs a few times in the window.
  let length = series.length === 0 ? whole : Math.max(3600, Math.ceil((whole * query.limit) / (4 * series.length)))
  let after = query.after
  let stretch: Window = {
    from: after?.startAt ?? window.from - Math.max(calendar.longestSeconds, longestOf(series)),
    to: Math.min(window.to, Math.max(window.from, after?.startAt ?? window.from) + length),
  }
  for (let candidates = 0; candidates <= candidatesAtMost; ) {
    const batch = query.filter ? filterBatch : query.limit - found.length
    const { entries, reached } = await entriesIn(session, { ...query, after, stretch, batch }, series, hidden)
    candidates += Math.max(entries.length, reached ? 1 : 0)
    for (const listed of await assemble(session, entries)) {
      if (found.length < query.limit && passes(query.filter, listed.event)) found.push(listed)
    }
    if (found.length >= query.limit || (!reached && stretch.to >= window.to)) return found
    after = reached ?? entries.at(-1) ?? after
    if (!reached) {
      length *= 2
      stretch = { from: stretch.to, to: Math.min(window.to, stretch.to + length) }
    }
  }
  throw tooMuch()
}

const passes = (filter: EventFilter | undefined, event: Event | JsonText<Event>): boolean =>
  !filter || filter(event instanceof JsonText ? JSON.parse(event.text) : event)

/** Parsed series by their stored text: the same ones are asked for again and again. */
const parsed = new Map<string, Series>()

export function parseSeries(text: string): Series {
  let series = parsed.get(text)
  if (!series) {
    series = JSON.parse(text) as Series
    if (parsed.size > 20_000) parsed.clear()
    parsed.set(text, series)
  }
  return series
}

/** The series of calendars by calendar and revision: a page asks for them all, and they seldom change. */
const remembered = new Map<string, readonly SeriesRow[] | 'too many'>()
const rememberedCalendars = 100
const rememberedSeries = 10_000
const always: Window = { from: Number.MIN_SAFE_INTEGER, to: Number.MAX_SAFE_INTEGER }

/** The series of a calendar that may occur in the window. */
async function seriesIn({ io }: Session, { calendar, seriesRevision }: CalendarRow, window: Window) {
  const key = `${calendar.grant_id} ${calendar.id} ${seriesRevision}`
  let known = remembered.get(key)
  if (known === undefined) {
    const all = await io.tables.events.seriesIn(calendar.id, always)
    known = all.length > rememberedSeries ? 'too many' : all
    const [oldest] = remembered.keys()
    if (remembered.size >= rememberedCalendars && oldest !== undefined) remembered.delete(oldest)
    remembered.set(key, known)
  }
  if (known === 'too many') return io.tables.events.seriesIn(calendar.id, window)
  return known.filter((row) => row.startAt < window.to && row.endAt > window.from)
}

async function seriesOf(session: Session, query: TimelineQuery): Promise<OpenSeries[]> {
  const rows = await seriesIn(session, query.calendar, query.window)
  const wanted = query.masterId === undefined ? rows : rows.filter((row) => row.id === query.masterId)
  return wanted.map((row) => ({ id: row.id, series: parseSeries(row.series) }))
}

/** How long an occurrence can be; a day more for whole days, some of which are longer than others. */
const lengthOf = ({ start }: Series): number => (start.kind === 'timed' ? start.seconds : (start.days + 1) * day)

const longestOf = (series: readonly OpenSeries[]): number =>
  series.reduce((most, one) => Math.max(most, lengthOf(one.series)), 0)

/** Instance ids that have an override, which stands in the timeline for itself. */
async function overriddenIn(
  { io }: Session,
  query: TimelineQuery,
  series: readonly OpenSeries[],
): Promise<Set<string>> {
  if (series.length === 0) return new Set()
  // Two days more on both sides: the slots of all-day series are kept in UTC.
  const range = { from: query.window.from - longestOf(series) - 2 * day, to: query.window.to + 2 * day }
  const slots = await io.tables.events.overriddenSlots(query.calendar.calendar.id, range)
  return new Set(slots.map(({ masterId, slot }) => instanceId(masterId, slot)))
}

interface Batch {
  entries: Entry[]
  /** Up to where the entries are known; undefined when there are no more. */
  reached: Position | undefined
}

/** The first entries in order, at most `size`. `rows` are the stored ones among them: there may be more after the last. */
function batchOf(entries: readonly Entry[], rows: readonly ListedRow[], size: number): Batch {
  const cut = rows.length >= size ? rows.at(-1) : undefined
  const known = entries.filter((entry) => !cut || inOrder(entry, cut) <= 0).sort(inOrder)
  const shown = known.slice(0, size)
  return { entries: shown, reached: shown.length < known.length ? shown.at(-1) : cut }
}

/** Stored rows as entries: all of them, or the overrides of one series. */
const entriesOf = (rows: readonly ListedRow[], masterId: string | undefined): Entry[] =>
  rows
    .filter((row) => masterId === undefined || row.masterId === masterId)
    .map((row) => ({ startAt: row.startAt, id: row.id, row }))

/** The entries that start in the stretch and overlap the window, after a position: at most `batch`. */
async function entriesIn(
  { io }: Session,
  query: TimelineQuery & { stretch: Window; batch: number },
  series: readonly OpenSeries[],
  hidden: ReadonlySet<string>,
): Promise<Batch> {
  const { calendar, window, after, stretch, batch } = query
  const rows = await io.tables.events.inWindow(calendar.calendar.id, {
    kinds: query.masterId === undefined ? ['single', 'override'] : ['override'],
    starts: stretch,
    window,
    after,
    limit: batch,
  })
  const entries = entriesOf(rows, query.masterId)
  const allDayZone = calendar.calendar.timezone
  const range = { from: Math.max(stretch.from, window.from), to: stretch.to }
  for (const { id: masterId, series: one } of series) {
    for (const occurrence of expand(one, range, allDayZone)) {
      const id = instanceId(masterId, occurrence.slot)
      const entry: Entry = { startAt: occurrence.start, id, masterId, occurrence }
      const began = occurrence.start >= stretch.from
      if (began && !hidden.has(id) && (!after || inOrder(entry, after) > 0)) entries.push(entry)
    }
    if (entries.length > candidatesAtMost) throw tooMuch()
  }
  return batchOf(entries, rows, batch)
}

function expand(series: Series, range: Window, allDayZone: string): Occurrence[] {
  try {
    return occurrencesIn(series, range, { allDayZone })
  } catch (error) {
    if (error instanceof RecurrenceTooLarge) throw tooMuch()
    throw error
  }
}

/** A window without length holds what goes on at that moment, as it does of single events. */
function occurrencesIn(
  series: Series,
  { from, to }: Window,
  options: { allDayZone: string; limit?: number },
): Occurrence[] {
  if (from < to) return occurrencesBetween(series, { from, to }, options)
  const { allDayZone } = options
  return occurrencesBetween(series, { from, to: from + 1 }, { allDayZone }).filter(({ start }) => start < to)
}

/** Puts events together: documents go as they are stored, occurrences and overrides on top of their series. */
async function assemble({ io }: Session, entries: readonly Entry[]): Promise<Listed[]> {
  const masterIds = entries.flatMap((entry) => ('row' in entry ? (entry.row.masterId ?? []) : entry.masterId))
  const masters = await io.tables.events.documents([...new Set(masterIds)])
  return entries.flatMap((entry) => {
    const position = { startAt: entry.startAt, id: entry.id }
    if ('row' in entry && entry.row.masterId === null) return { event: entry.row.document, position }
    const master = masters.get('row' in entry ? (entry.row.masterId ?? '') : entry.masterId)
    return master ? { event: eventOf(entry, master), position } : []
  })
}

function eventOf(entry: Entry, master: Event): Event {
  if ('row' in entry) return overriddenOf(master, JSON.parse(entry.row.document.text))
  return 'occurrence' in entry ? instanceOf(master, entry.occurrence) : master
}

/** Up to `limit` events of the window: single events, changed occurrences, and masters that occur in it. */
export async function listMasters(session: Session, query: TimelineQuery): Promise<Listed[]> {
  const { calendar, window, filter, limit } = query
  const series = await seriesIn(session, calendar, window)
  const masters = series
    .filter((row) => query.masterId === undefined || row.id === query.masterId)
    .filter((row) => occursIn(row, window, calendar.calendar.timezone))
    .map((row): Entry => ({ startAt: row.startAt, id: row.id, masterId: row.id }))
  const found: Listed[] = []
  let after = query.after
  for (let candidates = 0; candidates <= candidatesAtMost; ) {
    const size = filter ? filterBatch : limit - found.length
    const rows = await session.io.tables.events.inWindow(calendar.calendar.id, {
      kinds: query.masterId === undefined ? ['single', 'override'] : ['override'],
      starts: { from: window.from - calendar.longestSeconds, to: window.to },
      window,
      after,
      limit: size,
    })
    const due = masters.filter((entry) => !after || inOrder(entry, after) > 0)
    const { entries, reached } = batchOf([...due, ...entriesOf(rows, query.masterId)], rows, size)
    candidates += Math.max(entries.length, 1)
    for (const listed of await assemble(session, entries)) {
      if (found.length < limit && passes(filter, listed.event)) found.push(listed)
    }
    if (found.length >= limit || !reached) return found
    after = reached
  }
  throw tooMuch()
}

function occursIn(row: SeriesRow, window: Window, allDayZone: string): boolean {
  try {
    return occurrencesIn(parseSeries(row.series), window, { allDayZone, limit: 1 }).length > 0
  } catch (error) {
    if (error instanceof RecurrenceTooLarge) return true
    throw error
  }
}
