/**
 * The series of a calendar and when they occur, remembered.
 *
 * An almanac holds the series of one calendar at one revision. Its leaves hold all occurrences that start in a stretch of
 * time, in order: a leaf is computed when somebody first asks for it, and a page takes from it what it needs without
 * going through the series. When the revision has moved on, the series that were written since are read and computed
 * again; all are read where some were lost.
 *
 * An almanac is used only at the revision that the calendar's row carries, so that no node answers with what another one
 * has changed. Masters' documents are dropped with the revision too, because every change of a master counts. A change
 * that has written series must not list them before it is kept: another change could come by its revision.
 *
 * Nothing here knows of overrides: the timeline lays them over.
 */
import type { Event } from '@waypost/contract'
import { instanceId, slotOfKey } from '../../formats/instance-ids.ts'
import { type Occurrence, occurrenceOf, walkStarts } from '../../formats/recurrence.ts'
import { RecurrenceTooLarge, type Series } from '../../formats/series.ts'
import { parseSeries } from './series.ts'
import type { Session } from './session.ts'
import type { CalendarRow, SeriesRow, Window } from './tables.ts'

export interface KnownSeries extends SeriesRow {
  parsed: Series
  /** How long an occurrence can be; a day more for whole days, some of which are longer than others. */
  longest: number
}

/** An occurrence of a series by the key of its slot (formats/series.ts). */
export interface Planned {
  startAt: number
  key: number
  of: KnownSeries
}

export interface Almanac {
  revision: number
  /** The calendar's zone, in which whole days begin. */
  zone: string
  known: ReadonlyMap<string, KnownSeries>
  /** Series whose occurrences are longer than two days. */
  long: readonly KnownSeries[]
  /** The length of the longest occurrence of the others. */
  lookBack: number
  /** The length of a leaf in seconds. */
  span: number
  /** By the number of the stretch since 1970. */
  leaves: Map<number, readonly Planned[]>
  /** Of masters that were asked for. */
  documents: Map<string, Event>
  /** About what it takes in memory. */
  bytes: number
}

const day = 86_400
const longestSpan = 7 * day
const shortestSpan = 3600
/** A leaf that would hold more is made shorter, and all others with it. */
const leafAtMost = 20_000
/** Occurrences longer than this are looked for one series at a time where they may have begun before. */
const shortAtMost = 2 * day
/** Where more series changed at once, all leaves are made anew. */
const changesAtMost = 100

const bytesOfSeries = (row: SeriesRow): number => 500 + 4 * row.series.length
const bytesOfPlanned = 80

const knownOf = (row: SeriesRow): KnownSeries => {
  const parsed = parseSeries(row.series)
  const { start } = parsed
  return { ...row, parsed, longest: start.kind === 'timed' ? start.seconds : (start.days + 1) * day }
}

function newAlmanac(known: readonly KnownSeries[], { revision, zone }: { revision: number; zone: string }): Almanac {
  const short = known.filter((one) => one.longest <= shortAtMost)
  return {
    revision,
    zone,
    known: new Map(known.map((one) => [one.id, one])),
    long: known.filter((one) => one.longest > shortAtMost),
    lookBack: short.reduce((most, one) => Math.max(most, one.longest), 0),
    span: longestSpan,
    leaves: new Map(),
    documents: new Map(),
    bytes: known.reduce((sum, one) => sum + bytesOfSeries(one), 1000),
  }
}

/** An almanac of one of the series only. */
export const almanacOfOne = (almanac: Almanac, id: string): Almanac => {
  const one = almanac.known.get(id)
  return newAlmanac(one ? [one] : [], almanac)
}

/** By start, then by the id of the instance. */
const inOrder = (a: Planned, b: Planned): number => a.startAt - b.startAt || compareIds(a, b)

function compareIds(a: Planned, b: Planned): number {
  const [left, right] = [a.of.id, b.of.id]
  // Where neither master's id begins with the other, they differ before their ends, and so the instances' ids do.
  if (!left.startsWith(right) && !right.startsWith(left)) return left < right ? -1 : 1
  const [leftId, rightId] = [idOf(a), idOf(b)]
  return leftId < rightId ? -1 : leftId > rightId ? 1 : 0
}

/** The id of the instance. */
export const idOf = ({ of, key }: Planned): string => instanceId(of.id, slotOfKey(of.parsed.start.kind, key))

/** The occurrence that was planned. */
export const occurrenceIn = ({ zone }: Almanac, { of, key }: Planned): Occurrence => occurrenceOf(of.parsed, key, zone)

function plan(zone: string, known: Iterable<KnownSeries>, window: Window): Planned[] {
  const found: Planned[] = []
  for (const of of known) {
    if (of.startAt >= window.to || of.endAt <= window.from) continue
    walkStarts(of.parsed, window, { allDayZone: zone, visit: (key, startAt) => void found.push({ startAt, key, of }) })
    if (found.length > leafAtMost) throw new RecurrenceTooLarge(`more than ${leafAtMost} occurrences`)
  }
  return found.sort(inOrder)
}

/** The leaf that holds a moment, and where it ends. */
function leafAt(almanac: Almanac, moment: number): { leaf: readonly Planned[]; end: number } {
  const { zone, known, span } = almanac
  const number = Math.floor(moment / span)
  const window = { from: number * span, to: (number + 1) * span }
  let leaf = almanac.leaves.get(number)
  try {
    leaf ??= plan(zone, known.values(), window)
  } catch (error) {
    if (!(error instanceof RecurrenceTooLarge) || span <= shortestSpan) throw error
    almanac.span = Math.max(shortestSpan, Math.floor(span / 2))
    dropLeaves(almanac)
    return leafAt(almanac, moment)
  }
  if (!almanac.leaves.has(number)) {
    almanac.leaves.set(number, leaf)
    grow(almanac, leaf.length * bytesOfPlanned)
  }
  return { leaf, end: window.to }
}

/** What starts in a window, in order. */
export function* startingIn(almanac: Almanac, { from, to }: Window): Generator<Planned> {
  for (let at = from; at < to; ) {
    const { leaf, end } = leafAt(almanac, at)
    for (let index = firstFrom(leaf, at); index < leaf.length; index++) {
      const planned = leaf[index]
      if (!planned || planned.startAt >= to) return
      yield planned
    }
    at = end
  }
}

/** The index of the first that does not start before the moment. */
function firstFrom(leaf: readonly Planned[], moment: number): number {
  let [low, high] = [0, leaf.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((leaf[middle]?.startAt ?? 0) < moment) low = middle + 1
    else high = middle
  }
  return low
}

/** What began before a moment and goes on at it, in order. */
export function goingOnAt(almanac: Almanac, moment: number): Planned[] {
  const { zone, long, lookBack } = almanac
  const begun = startingIn(almanac, { from: moment - lookBack, to: moment }).filter(
    ({ of }) => of.longest <= shortAtMost,
  )
  const begunLongAgo = long.flatMap((one) => plan(zone, [one], { from: moment - one.longest, to: moment }))
  return [...begunLongAgo, ...begun].filter((planned) => occurrenceIn(almanac, planned).end > moment).sort(inOrder)
}

/** The almanac of a later revision of which all series were read: those that did not change are taken over. */
function renewAll(before: Almanac, rows: readonly SeriesRow[], at: { revision: number; zone: string }): Almanac {
  const known = rows.map((row) => {
    const one = before.known.get(row.id)
    const same = one?.series === row.series && one.startAt === row.startAt && one.endAt === row.endAt
    return same ? one : knownOf(row)
  })
  return takeOver(before, newAlmanac(known, at))
}

/** The almanac of a later revision until which only these series were written. */
function renewSome(before: Almanac, rows: readonly SeriesRow[], at: { revision: number; zone: string }): Almanac {
  const known = new Map(before.known)
  for (const row of rows) known.set(row.id, knownOf(row))
  return takeOver(before, newAlmanac([...known.values()], at))
}

/** Takes over the leaves, without the series that changed, and with what they are now. */
function takeOver(before: Almanac, after: Almanac): Almanac {
  if (before.zone !== after.zone) return after
  const fresh = [...after.known.values()].filter((one) => before.known.get(one.id) !== one)
  const gone = new Set([...before.known.values()].filter((one) => after.known.get(one.id) !== one))
  if (fresh.length + gone.size > changesAtMost) return after
  after.span = before.span
  for (const [number, leaf] of before.leaves) {
    const window = { from: number * after.span, to: (number + 1) * after.span }
    const added = attempt(() => plan(after.zone, fresh, window))
    if (!added || added.length + leaf.length > leafAtMost) continue
    const kept = gone.size === 0 ? leaf : leaf.filter(({ of }) => !gone.has(of))
    const next = added.length === 0 ? kept : [...kept, ...added].sort(inOrder)
    after.leaves.set(number, next)
    after.bytes += next.length * bytesOfPlanned
  }
  return after
}

function attempt(work: () => Planned[]): Planned[] | undefined {
  try {
    return work()
  } catch (error) {
    if (error instanceof RecurrenceTooLarge) return undefined
    throw error
  }
}

function dropLeaves(almanac: Almanac): void {
  grow(almanac, -almanac.leaves.values().reduce((sum, leaf) => sum + leaf.length * bytesOfPlanned, 0))
  almanac.leaves.clear()
}

/** Remembers the documents of masters that were read at this revision or later. */
export function keepDocuments(almanac: Almanac, documents: ReadonlyMap<string, Event>): void {
  for (const [id, event] of documents) {
    if (almanac.documents.has(id) || !almanac.known.has(id)) continue
    almanac.documents.set(id, frozen(event))
    grow(almanac, 2000 + 2 * (event.description?.length ?? 0) + 400 * event.participants.length)
  }
}

/** What is remembered is given to many: nobody may change it. */
function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  for (const part of Object.values(value)) frozen(part)
  return Object.freeze(value)
}

const always: Window = { from: Number.MIN_SAFE_INTEGER, to: Number.MAX_SAFE_INTEGER }
/** By calendar, the one used last at the end. */
const shelf = new Map<string, Almanac>()
const onShelf = new WeakSet<Almanac>()
const shelfBytesAtMost = 64 * 1024 * 1024
/** A calendar that takes more is not remembered: its series are read for the window, every time. */
const almanacBytesAtMost = shelfBytesAtMost / 2
/** Calendars that were found to be too large, at their revision. */
const tooLarge = new Map<string, number>()
const tooLargeAtMost = 1000
let shelfBytes = 0

/** The almanac of a calendar; that of a very large one knows only series that may occur in the window. */
export async function openAlmanac({ io }: Session, row: CalendarRow, window: Window): Promise<Almanac> {
  const { calendar, seriesRevision: revision } = row
  const { events } = io.tables
  const at = { revision, zone: calendar.timezone }
  const place = `${calendar.grant_id} ${calendar.id}`
  const before = shelf.get(place)
  if (before && before.revision === revision && before.zone === at.zone) return putOnShelf(place, before)
  const written = before && before.revision < revision && (await events.seriesSince(calendar.id, before.revision))
  if (before && written) return putOnShelf(place, renewSome(before, written, at))
  if (tooLarge.get(place) !== revision) {
    const rows = await events.seriesIn(calendar.id, always)
    const almanac = before ? renewAll(before, rows, at) : newAlmanac(rows.map(knownOf), at)
    if (almanac.bytes <= almanacBytesAtMost) return putOnShelf(place, almanac)
    takeFromShelf(place)
    if (tooLarge.size >= tooLargeAtMost) tooLarge.clear()
    tooLarge.set(place, revision)
  }
  const rows = await events.seriesIn(calendar.id, window)
  return newAlmanac(rows.map(knownOf), at)
}

/** Counts what an almanac takes; one that takes too much begins anew. */
function grow(almanac: Almanac, bytes: number): void {
  almanac.bytes += bytes
  if (onShelf.has(almanac)) shelfBytes += bytes
  if (almanac.bytes <= almanacBytesAtMost || almanac.leaves.size + almanac.documents.size === 0) return
  const least = [...almanac.known.values()].reduce((sum, one) => sum + bytesOfSeries(one), 1000)
  if (onShelf.has(almanac)) shelfBytes -= almanac.bytes - least
  almanac.bytes = least
  almanac.leaves.clear()
  almanac.documents.clear()
}

function takeFromShelf(place: string): void {
  const almanac = shelf.get(place)
  if (!almanac) return
  shelfBytes -= almanac.bytes
  shelf.delete(place)
  onShelf.delete(almanac)
}

function putOnShelf(place: string, almanac: Almanac): Almanac {
  takeFromShelf(place)
  shelf.set(place, almanac)
  onShelf.add(almanac)
  shelfBytes += almanac.bytes
  for (const oldest of shelf.keys()) {
    if (shelfBytes <= shelfBytesAtMost) break
    takeFromShelf(oldest)
  }
  return almanac
}
