/**
 * Lists the events of a calendar by start, one page at a time.
 *
 * The occurrences of series come from the calendar's cache, as many as the page may need. Single events and overrides
 * come from the index of starts, up to the last of these occurrences. So the cost depends on the page, not on the
 * size of the calendar, the age of its series, or the width of the window.
 */
import type { Event } from '@waypost/contract'
import { instanceId } from '@waypost/formats/recurrence/instance-ids'
import { type ExpandOptions, type Occurrence, occurrencesBetween } from '@waypost/formats/recurrence/recurrence'
import { RecurrenceTooLarge, STEPS_OF_REQUEST, Steps } from '@waypost/formats/recurrence/steps'
import { JsonText } from '@waypost/platform/json/values'
import { forEachYielding } from '@waypost/platform/parsing/yielding'
import { type EventFilter, inOrder, tooManyOccurrences } from '../calendar/event-queries.ts'
import { instanceOf } from '../calendar/series.ts'
import {
  goingOnAt,
  idOf,
  type KnownSeries,
  keepDocuments,
  type OccurrenceCache,
  occurrenceIn,
  occurrencesOfOne,
  type PlannedOccurrence,
  startingIn,
} from './occurrence-cache.ts'
import { openOccurrenceCache } from './occurrence-caches.ts'
import { overriddenOf } from './series.ts'
import type { Session } from './session.ts'
import type { CalendarRow, ListedRow, Position, Window } from './tables.ts'

export interface EventListingQuery {
  calendar: CalendarRow
  window: Window
  after: Position | undefined
  limit: number
  filter: EventFilter | undefined
  /** Only occurrences and overrides of this series. */
  masterId?: string | undefined
}

/** A query with the budget of the request. */
interface Continued extends EventListingQuery {
  steps: Steps
}

export interface ListedEvent {
  event: Event | JsonText<Event>
  position: Position
}

/** A list entry before its event is assembled: a stored event, an occurrence, or a master. */
type Entry = Position & ({ row: ListedRow } | { masterId: string; occurrence: Occurrence } | { masterId: string })

const maxCandidates = 50_000
/** The number of entries to check together when a filter may drop most of them. */
const filterBatch = 500
const day = 86_400

const isAfter = (position: Position, after: Position | undefined): boolean => !after || inOrder(position, after) > 0

/** Up to `limit` events of the window after a position, with series expanded. */
export async function listEvents(session: Session, query: EventListingQuery): Promise<ListedEvent[]> {
  const whole = await openOccurrenceCache(session, query.calendar, query.window)
  const occurrenceCache = query.masterId === undefined ? whole : occurrencesOfOne(whole, query.masterId)
  const steps = new Steps(STEPS_OF_REQUEST)
  return collect(session, query, whole, (after, size) =>
    timelineBatch(session, { ...query, after, steps }, occurrenceCache, size),
  )
}

/** Up to `limit` events of the window: single events, changed occurrences, and masters with occurrences in it. */
export async function listMasters(session: Session, query: EventListingQuery): Promise<ListedEvent[]> {
  const occurrenceCache = await openOccurrenceCache(session, query.calendar, query.window)
  const masters = await mastersIn(occurrenceCache, query)
  return collect(session, query, occurrenceCache, async (after, size) => {
    const rows = await storedRows(session, { ...query, after }, { to: query.window.to, limit: size })
    const due = masters.filter((entry) => isAfter(entry, after))
    return batchOf([...due, ...entriesOf(rows, query.masterId)], size, rows.length < size ? undefined : rows.at(-1))
  })
}

interface Batch {
  entries: Entry[]
  /** The position up to which the entries are complete; undefined if there are no more. */
  reached: Position | undefined
}

/** Reads batches in sequence until the page is full. */
async function collect(
  session: Session,
  query: EventListingQuery,
  occurrenceCache: OccurrenceCache,
  next: (after: Position | undefined, size: number) => Promise<Batch>,
): Promise<ListedEvent[]> {
  const found: ListedEvent[] = []
  let after = query.after
  for (let candidates = 0; candidates <= maxCandidates; ) {
    const { entries, reached } = await next(after, query.filter ? filterBatch : query.limit - found.length)
    candidates += Math.max(entries.length, 1)
    await forEachYielding(await assemble(session, occurrenceCache, entries), (listed) => {
      if (found.length < query.limit && passes(query.filter, listed.event)) found.push(listed)
    })
    if (found.length >= query.limit || !reached) return found
    after = reached
  }
  throw tooManyOccurrences()
}

const passes = (filter: EventFilter | undefined, event: Event | JsonText<Event>): boolean =>
  !filter || filter(event instanceof JsonText ? JSON.parse(event.text) : event)

/** The first `size` entries in order, as far as the entries are complete: beyond `cut` there may be others. */
function batchOf(entries: readonly Entry[], size: number, cut: Position | undefined): Batch {
  const known = entries.filter((entry) => !cut || inOrder(entry, cut) <= 0).sort(inOrder)
  const shown = known.slice(0, size)
  return { entries: shown, reached: shown.length < known.length ? shown.at(-1) : cut }
}

/** Stored rows as entries: all of them, or the overrides of one series. */
const entriesOf = (rows: readonly ListedRow[], masterId: string | undefined): Entry[] =>
  rows
    .filter((row) => masterId === undefined || row.masterId === masterId)
    .map((row) => ({ startAt: row.startAt, id: row.id, row }))

/** Single events and overrides of the window, or only overrides, after a position, that start before `to`. */
const storedRows = (
  { io }: Session,
  { calendar, window, after, masterId }: EventListingQuery,
  { to, limit }: { to: number; limit: number },
): Promise<ListedRow[]> =>
  io.tables.events.inWindow(calendar.calendar.id, {
    kinds: masterId === undefined ? ['single', 'override'] : ['override'],
    starts: { from: after?.startAt ?? window.from - calendar.longestSeconds, to },
    window,
    after,
    limit,
  })

/** The next entries of the timeline, at most `size`. */
async function timelineBatch(
  session: Session,
  query: Continued,
  occurrenceCache: OccurrenceCache,
  size: number,
): Promise<Batch> {
  const planned = await plannedIn(occurrenceCache, query, size)
  // If there may be more occurrences, stored events after the last one belong to a later batch.
  const last = planned.length < size ? undefined : planned.at(-1)
  const to = last ? Math.min(query.window.to, last.startAt + 1) : query.window.to
  const [hidden, rows] = await Promise.all([
    overriddenAmong(session, query.calendar, planned),
    storedRows(session, query, { to, limit: size }),
  ])
  const occurrences = planned.filter(({ id }) => !hidden.has(id))
  const cuts = [last, rows.length < size ? undefined : rows.at(-1)].filter((position) => position !== undefined)
  return batchOf([...occurrences, ...entriesOf(rows, query.masterId)], size, cuts.sort(inOrder)[0])
}

type PlannedEntry = Position & { masterId: string; occurrence: Occurrence }

/** The first occurrences of the window after a position, including overridden ones. Yields to other work. */
async function plannedIn(
  occurrenceCache: OccurrenceCache,
  { window, after, steps }: Continued,
  size: number,
): Promise<PlannedEntry[]> {
  const found: PlannedEntry[] = []
  try {
    for await (const some of overlapping(occurrenceCache, { window, after, steps })) {
      await forEachYielding(some, (planned) => {
        if (found.length >= size || (after && planned.startAt < after.startAt)) return
        const position = { startAt: planned.startAt, id: idOf(planned) }
        if (!isAfter(position, after)) return
        found.push({ ...position, masterId: planned.of.id, occurrence: occurrenceIn(occurrenceCache, planned) })
      })
      if (found.length >= size) break
    }
  } catch (error) {
    if (error instanceof RecurrenceTooLarge) throw tooManyOccurrences()
    throw error
  }
  return found
}

/** The occurrences that overlap the window, in order, from a position on. */
async function* overlapping(
  occurrenceCache: OccurrenceCache,
  { window: { from, to }, after, steps }: Pick<Continued, 'window' | 'after' | 'steps'>,
): AsyncGenerator<readonly PlannedOccurrence[]> {
  if (!after || after.startAt < from) yield await goingOnAt(occurrenceCache, from, steps)
  yield* startingIn(occurrenceCache, { from: Math.max(from, after?.startAt ?? from), to }, steps)
}

/** The ids of occurrences with an override, which has its own entry in the list. */
async function overriddenAmong(
  { io }: Session,
  { calendar }: CalendarRow,
  planned: readonly PlannedEntry[],
): Promise<Set<string>> {
  const [first, last] = [planned[0], planned.at(-1)]
  if (!first || !last) return new Set()
  // Two days more on both sides, because all-day slots are stored with the day start at the time of the override.
  const range = { from: first.startAt - 2 * day, to: last.startAt + 2 * day }
  const slots = await io.tables.events.overriddenSlots(calendar.id, range)
  return new Set(slots.map(({ masterId, slot }) => instanceId(masterId, slot)))
}

/** Assembles events: stored documents unchanged, occurrences and overrides based on their series. */
async function assemble(
  session: Session,
  occurrenceCache: OccurrenceCache,
  entries: readonly Entry[],
): Promise<ListedEvent[]> {
  const masterIds = entries.flatMap((entry) => ('row' in entry ? (entry.row.masterId ?? []) : entry.masterId))
  const masters = await mastersOf(session, occurrenceCache, new Set(masterIds))
  const found: ListedEvent[] = []
  await forEachYielding(entries, (entry) => {
    const position = { startAt: entry.startAt, id: entry.id }
    if ('row' in entry && entry.row.masterId === null) found.push({ event: entry.row.document, position })
    else {
      const master = masters.get('row' in entry ? (entry.row.masterId ?? '') : entry.masterId)
      if (master) found.push({ event: eventOf(entry, master), position })
    }
  })
  return found
}

async function mastersOf(
  { io }: Session,
  occurrenceCache: OccurrenceCache,
  ids: ReadonlySet<string>,
): Promise<ReadonlyMap<string, Event>> {
  const missing = [...ids].filter((id) => !occurrenceCache.documents.has(id))
  if (missing.length === 0) return occurrenceCache.documents
  const read = await io.tables.events.documents(missing)
  const all = new Map(
    [...ids].flatMap((id) => occurrenceCache.documents.get(id) ?? read.get(id) ?? []).map((one) => [one.id, one]),
  )
  keepDocuments(occurrenceCache, read)
  return all
}

function eventOf(entry: Entry, master: Event): Event {
  if ('row' in entry) return overriddenOf(master, JSON.parse(entry.row.document.text))
  return 'occurrence' in entry ? instanceOf(master, entry.occurrence) : master
}

/** The masters with occurrences in the window, including overridden ones. Yields to other work. */
async function mastersIn({ known, zone }: OccurrenceCache, { window, masterId }: EventListingQuery): Promise<Entry[]> {
  const steps = new Steps(STEPS_OF_REQUEST)
  const found: Entry[] = []
  await forEachYielding(known.values(), (one) => {
    const { startAt, endAt, id } = one
    if ((masterId !== undefined && id !== masterId) || startAt >= window.to || endAt <= window.from) return
    if (occursIn(one, window, { allDayZone: zone, steps: steps.part() })) found.push({ startAt, id, masterId: id })
  })
  return found
}

function occursIn({ parsed }: KnownSeries, { from, to }: Window, options: ExpandOptions): boolean {
  try {
    if (from < to) return occurrencesBetween(parsed, { from, to }, { ...options, limit: 1 }).length > 0
    // An empty window contains the events at that moment, as for single events.
    return occurrencesBetween(parsed, { from, to: from + 1 }, options).some(({ start }) => start < to)
  } catch (error) {
    if (error instanceof RecurrenceTooLarge) return true
    throw error
  }
}
