/**
 * The series of a calendar and when they occur, remembered.
 *
 * A cache holds the series of one calendar at one revision. Its buckets hold all occurrences that start in a stretch of
 * time, in order: a bucket is computed when somebody first asks for it, and a page takes from it what it needs without
 * going through the series. When the revision has moved on, the series that were written since are read and computed
 * again (`occurrence-renewal.ts`); all are read where some were lost.
 *
 * A cache is used only at the revision that the calendar's row carries, so that no node answers with what another one
 * has changed. Every change of a master counts: the documents of those that were written since go with the revision. A
 * change that has written series must not list them before it is kept: another change could come by its revision.
 *
 * Nothing here knows of overrides: `event-listing.ts` lays them over.
 */
import type { Event } from '@waypost/contract'
import { instanceId, slotOfKey } from '../../formats/icalendar/instance-ids.ts'
import { type Occurrence, occurrenceOf, walkStarts } from '../../formats/recurrence/recurrence.ts'
import { RecurrenceTooLarge, type Series } from '../../formats/recurrence/series.ts'
import { parseSeries } from './series.ts'
import type { SeriesRow, Window } from './tables.ts'

export interface KnownSeries extends SeriesRow {
  parsed: Series
  /** How long an occurrence can be; a day more for whole days, some of which are longer than others. */
  longest: number
}

/** An occurrence of a series by the key of its slot (formats/recurrence/series.ts). */
export interface Planned {
  startAt: number
  key: number
  of: KnownSeries
}

export interface OccurrenceCache {
  revision: number
  /** The calendar's zone, in which whole days begin. */
  zone: string
  known: ReadonlyMap<string, KnownSeries>
  /** Series whose occurrences are longer than two days. */
  long: readonly KnownSeries[]
  /** The length of the longest occurrence of the others. */
  lookBack: number
  /** The length of a bucket in seconds. */
  span: number
  /** By the number of the stretch since 1970. */
  buckets: Map<number, readonly Planned[]>
  /** Of masters that were asked for. */
  documents: Map<string, Event>
  /** About what it takes in memory. */
  bytes: number
  /** What all caches that are kept take together; none where this one is not kept. */
  budget: { bytes: number } | undefined
}

const day = 86_400
const longestSpan = 7 * day
const shortestSpan = 3600
/** A bucket that would hold more is made shorter, and all others with it. */
export const maxBucketSize = 20_000
/** Occurrences longer than this are looked for one series at a time where they may have begun before. */
export const maxShort = 2 * day

export const bytesOfSeries = (row: SeriesRow): number => 500 + 4 * row.series.length
export const bytesOfPlanned = 80
export const bytesOfDocument = ({ description, participants }: Event): number =>
  2000 + 2 * (description?.length ?? 0) + 400 * participants.length

export const knownOf = (row: SeriesRow): KnownSeries => {
  const parsed = parseSeries(row.series)
  const { start } = parsed
  return { ...row, parsed, longest: start.kind === 'timed' ? start.seconds : (start.days + 1) * day }
}

export function newOccurrenceCache(
  known: readonly KnownSeries[],
  { revision, zone }: { revision: number; zone: string },
): OccurrenceCache {
  const short = known.filter((one) => one.longest <= maxShort)
  return {
    revision,
    zone,
    known: new Map(known.map((one) => [one.id, one])),
    long: known.filter((one) => one.longest > maxShort),
    lookBack: short.reduce((most, one) => Math.max(most, one.longest), 0),
    span: longestSpan,
    buckets: new Map(),
    documents: new Map(),
    bytes: known.reduce((sum, one) => sum + bytesOfSeries(one), 1000),
    budget: undefined,
  }
}

/** A cache of one of the series only. */
export const occurrencesOfOne = (occurrenceCache: OccurrenceCache, id: string): OccurrenceCache => {
  const one = occurrenceCache.known.get(id)
  return newOccurrenceCache(one ? [one] : [], occurrenceCache)
}

/** By start, then by the id of the instance. */
export const inOrder = (a: Planned, b: Planned): number => a.startAt - b.startAt || compareIds(a, b)

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
export const occurrenceIn = ({ zone }: OccurrenceCache, { of, key }: Planned): Occurrence =>
  occurrenceOf(of.parsed, key, zone)

export function plan(zone: string, known: Iterable<KnownSeries>, window: Window): Planned[] {
  const found: Planned[] = []
  for (const of of known) {
    if (of.startAt >= window.to || of.endAt <= window.from) continue
    walkStarts(of.parsed, window, { allDayZone: zone, visit: (key, startAt) => void found.push({ startAt, key, of }) })
    if (found.length > maxBucketSize) throw new RecurrenceTooLarge(`more than ${maxBucketSize} occurrences`)
  }
  return found.sort(inOrder)
}

/** The bucket that holds a moment, and where it ends. */
function bucketAt(occurrenceCache: OccurrenceCache, moment: number): { bucket: readonly Planned[]; end: number } {
  const { zone, known, span } = occurrenceCache
  const number = Math.floor(moment / span)
  const window = { from: number * span, to: (number + 1) * span }
  let bucket = occurrenceCache.buckets.get(number)
  try {
    bucket ??= plan(zone, known.values(), window)
  } catch (error) {
    if (!(error instanceof RecurrenceTooLarge) || span <= shortestSpan) throw error
    occurrenceCache.span = Math.max(shortestSpan, Math.floor(span / 2))
    dropBuckets(occurrenceCache)
    return bucketAt(occurrenceCache, moment)
  }
  if (!occurrenceCache.buckets.has(number)) {
    occurrenceCache.buckets.set(number, bucket)
    grow(occurrenceCache, bucket.length * bytesOfPlanned)
  }
  return { bucket, end: window.to }
}

/** What starts in a window, in order. */
export function* startingIn(occurrenceCache: OccurrenceCache, { from, to }: Window): Generator<Planned> {
  for (let at = from; at < to; ) {
    const { bucket, end } = bucketAt(occurrenceCache, at)
    for (let index = firstFrom(bucket, at); index < bucket.length; index++) {
      const planned = bucket[index]
      if (!planned || planned.startAt >= to) return
      yield planned
    }
    at = end
  }
}

/** The index of the first that does not start before the moment. */
function firstFrom(bucket: readonly Planned[], moment: number): number {
  let [low, high] = [0, bucket.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((bucket[middle]?.startAt ?? 0) < moment) low = middle + 1
    else high = middle
  }
  return low
}

/** What began before a moment and goes on at it, in order. */
export function goingOnAt(occurrenceCache: OccurrenceCache, moment: number): Planned[] {
  const { zone, long, lookBack } = occurrenceCache
  const begun = startingIn(occurrenceCache, { from: moment - lookBack, to: moment }).filter(
    ({ of }) => of.longest <= maxShort,
  )
  const begunLongAgo = long.flatMap((one) => plan(zone, [one], { from: moment - one.longest, to: moment }))
  return [...begunLongAgo, ...begun]
    .filter((planned) => occurrenceIn(occurrenceCache, planned).end > moment)
    .sort(inOrder)
}

export const bytesOfBuckets = ({ buckets }: OccurrenceCache): number =>
  buckets.values().reduce((sum, bucket) => sum + bucket.length * bytesOfPlanned, 0)

function dropBuckets(occurrenceCache: OccurrenceCache): void {
  grow(occurrenceCache, -bytesOfBuckets(occurrenceCache))
  occurrenceCache.buckets.clear()
}

/** Remembers the documents of masters that were read at this revision or later. */
export function keepDocuments(occurrenceCache: OccurrenceCache, documents: ReadonlyMap<string, Event>): void {
  for (const [id, event] of documents) {
    if (occurrenceCache.documents.has(id) || !occurrenceCache.known.has(id)) continue
    occurrenceCache.documents.set(id, frozen(event))
    grow(occurrenceCache, bytesOfDocument(event))
  }
}

/** What is remembered is given to many: nobody may change it. */
function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  for (const part of Object.values(value)) frozen(part)
  return Object.freeze(value)
}

/** What all caches of a node may take. */
export const maxCachedBytes = 64 * 1024 * 1024
/** A calendar that takes more is not remembered: its series are read for the window, every time. */
export const maxOccurrenceCacheBytes = maxCachedBytes / 2

/** Counts what a cache takes; one that takes too much begins anew. */
function grow(occurrenceCache: OccurrenceCache, bytes: number): void {
  occurrenceCache.bytes += bytes
  if (occurrenceCache.budget) occurrenceCache.budget.bytes += bytes
  if (
    occurrenceCache.bytes <= maxOccurrenceCacheBytes ||
    occurrenceCache.buckets.size + occurrenceCache.documents.size === 0
  )
    return
  const least = [...occurrenceCache.known.values()].reduce((sum, one) => sum + bytesOfSeries(one), 1000)
  if (occurrenceCache.budget) occurrenceCache.budget.bytes -= occurrenceCache.bytes - least
  occurrenceCache.bytes = least
  occurrenceCache.buckets.clear()
  occurrenceCache.documents.clear()
}
