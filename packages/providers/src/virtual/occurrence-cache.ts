/**
 * A cache of the series of one calendar and their occurrences.
 *
 * A cache is valid for one revision of the calendar. Its buckets contain all occurrences that start in a period of
 * time, in order. A bucket is computed on first use, and a page reads from it without expanding the series. When the
 * revision has changed, only the series written since are read and computed again (`occurrence-caches.ts`). If
 * series were deleted since, all are read.
 *
 * A cache is used only at the revision in the calendar's row, so that no node answers with data that another node has
 * changed. Every change of a master counts, and documents of masters written since are dropped. A transaction that
 * has written series must not list them before its commit, because another transaction could get the same revision.
 *
 * Overrides are not part of the cache; `event-listing.ts` applies them.
 */
import type { Event } from '@waypost/contract'
import { instanceId, slotOfKey } from '@waypost/formats/recurrence/instance-ids'
import { type Occurrence, occurrenceOf, walkStarts } from '@waypost/formats/recurrence/recurrence'
import type { Series } from '@waypost/formats/recurrence/series'
import { RecurrenceTooLarge, type Steps } from '@waypost/formats/recurrence/steps'
import { forEachYielding } from '@waypost/platform/parsing/yielding'
import { parseSeries } from './series.ts'
import type { SeriesRow, Window } from './tables.ts'

export interface KnownSeries extends SeriesRow {
  parsed: Series
  /** The maximum length of an occurrence; a day more for all-day series, because some days are longer than others. */
  longest: number
}

/** An occurrence of a series, by the key of its slot (formats/recurrence/series.ts). */
export interface PlannedOccurrence {
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
  /** The length of the longest occurrence of the other series. */
  lookBack: number
  /** The length of a bucket in seconds. */
  span: number
  /** By the number of the period since 1970. */
  buckets: Map<number, readonly PlannedOccurrence[]>
  /** The documents of requested masters. */
  documents: Map<string, Event>
  /** The approximate memory use. */
  bytes: number
  /** The total size of all stored caches; undefined if this one is not stored. */
  budget: { bytes: number } | undefined
}

const day = 86_400
const maxSpan = 7 * day
const shortestSpan = 3600
/** If a bucket would contain more, all buckets are made shorter. */
export const maxBucketSize = 20_000
/** Series with longer occurrences are searched one by one for occurrences that began earlier. */
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
    lookBack: short.reduce((max, one) => Math.max(max, one.longest), 0),
    span: maxSpan,
    buckets: new Map(),
    documents: new Map(),
    bytes: known.reduce((sum, one) => sum + bytesOfSeries(one), 1000),
    budget: undefined,
  }
}

/** A cache with only one of the series. */
export const occurrencesOfOne = (occurrenceCache: OccurrenceCache, id: string): OccurrenceCache => {
  const one = occurrenceCache.known.get(id)
  return newOccurrenceCache(one ? [one] : [], occurrenceCache)
}

/** By start, then by the id of the instance. */
export const inOrder = (a: PlannedOccurrence, b: PlannedOccurrence): number => a.startAt - b.startAt || compareIds(a, b)

function compareIds(a: PlannedOccurrence, b: PlannedOccurrence): number {
  const [left, right] = [a.of.id, b.of.id]
  // If neither master id is a prefix of the other, the order of the instance ids follows the master ids.
  if (!left.startsWith(right) && !right.startsWith(left)) return left < right ? -1 : 1
  const [leftId, rightId] = [idOf(a), idOf(b)]
  return leftId < rightId ? -1 : leftId > rightId ? 1 : 0
}

/** The id of the instance. */
export const idOf = ({ of, key }: PlannedOccurrence): string => instanceId(of.id, slotOfKey(of.parsed.start.kind, key))

/** The occurrence of a cache entry. */
export const occurrenceIn = ({ zone }: OccurrenceCache, { of, key }: PlannedOccurrence): Occurrence =>
  occurrenceOf(of.parsed, key, zone)

/** The zone of a calendar, and the budget of the request that expands its series. */
export interface Planning {
  readonly zone: string
  readonly steps: Steps
}

/** The occurrences of some series in a window, in order. */
export function plan(planning: Planning, known: Iterable<KnownSeries>, window: Window): PlannedOccurrence[] {
  const found: PlannedOccurrence[] = []
  for (const of of known) addPlanned(found, of, window, planning)
  return found.sort(inOrder)
}

/** Like `plan`, for all series of a calendar. Yields to other work. */
async function planYielding(
  planning: Planning,
  known: Iterable<KnownSeries>,
  window: Window,
): Promise<PlannedOccurrence[]> {
  const found: PlannedOccurrence[] = []
  await forEachYielding(known, (of) => addPlanned(found, of, window, planning))
  return found.sort(inOrder)
}

function addPlanned(found: PlannedOccurrence[], of: KnownSeries, window: Window, { zone, steps }: Planning): void {
  if (of.startAt >= window.to || of.endAt <= window.from) return
  const visit = (key: number, startAt: number): void => void found.push({ startAt, key, of })
  walkStarts(of.parsed, window, { allDayZone: zone, steps: steps.part(), visit })
  if (found.length > maxBucketSize) throw new RecurrenceTooLarge(`more than ${maxBucketSize} occurrences`)
}

/** The bucket that contains a moment, and its end. */
async function bucketAt(
  occurrenceCache: OccurrenceCache,
  moment: number,
  steps: Steps,
): Promise<{ bucket: readonly PlannedOccurrence[]; end: number }> {
  const { zone, known, span } = occurrenceCache
  const number = Math.floor(moment / span)
  const window = { from: number * span, to: (number + 1) * span }
  const there = occurrenceCache.buckets.get(number)
  if (there) return { bucket: there, end: window.to }
  let bucket: readonly PlannedOccurrence[]
  try {
    bucket = await planYielding({ zone, steps }, known.values(), window)
  } catch (error) {
    if (!(error instanceof RecurrenceTooLarge) || span <= shortestSpan || steps.left === 0) throw error
    if (occurrenceCache.span === span) {
      occurrenceCache.span = Math.max(shortestSpan, Math.floor(span / 2))
      dropBuckets(occurrenceCache)
    }
    return bucketAt(occurrenceCache, moment, steps)
  }
  // Another request may have changed the length of the buckets, or computed this one.
  if (occurrenceCache.span === span && !occurrenceCache.buckets.has(number)) {
    occurrenceCache.buckets.set(number, bucket)
    grow(occurrenceCache, bucket.length * bytesOfPlanned)
  }
  return { bucket, end: window.to }
}

/** The occurrences that start in a window, in order, by bucket. */
export async function* startingIn(
  occurrenceCache: OccurrenceCache,
  { from, to }: Window,
  steps: Steps,
): AsyncGenerator<readonly PlannedOccurrence[]> {
  for (let at = from; at < to; ) {
    const { bucket, end } = await bucketAt(occurrenceCache, at, steps)
    yield bucket.slice(firstFrom(bucket, at), end <= to ? bucket.length : firstFrom(bucket, to))
    at = end
  }
}

/** The index of the first occurrence that does not start before the moment. */
function firstFrom(bucket: readonly PlannedOccurrence[], moment: number): number {
  let [low, high] = [0, bucket.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((bucket[middle]?.startAt ?? 0) < moment) low = middle + 1
    else high = middle
  }
  return low
}

/** The occurrences that began before a moment and have not ended, in order. */
export async function goingOnAt(
  occurrenceCache: OccurrenceCache,
  moment: number,
  steps: Steps,
): Promise<PlannedOccurrence[]> {
  const { zone, long, lookBack } = occurrenceCache
  const found: PlannedOccurrence[] = []
  const add = (planned: PlannedOccurrence): void => {
    if (occurrenceIn(occurrenceCache, planned).end > moment) found.push(planned)
  }
  await forEachYielding(long, (one) => {
    plan({ zone, steps }, [one], { from: moment - one.longest, to: moment }).forEach(add)
  })
  for await (const begun of startingIn(occurrenceCache, { from: moment - lookBack, to: moment }, steps)) {
    await forEachYielding(begun, (planned) => {
      if (planned.of.longest <= maxShort) add(planned)
    })
  }
  return found.sort(inOrder)
}

export const bytesOfBuckets = ({ buckets }: OccurrenceCache): number =>
  buckets.values().reduce((sum, bucket) => sum + bucket.length * bytesOfPlanned, 0)

function dropBuckets(occurrenceCache: OccurrenceCache): void {
  grow(occurrenceCache, -bytesOfBuckets(occurrenceCache))
  occurrenceCache.buckets.clear()
}

/** Caches documents of masters that were read at this revision or later. */
export function keepDocuments(occurrenceCache: OccurrenceCache, documents: ReadonlyMap<string, Event>): void {
  for (const [id, event] of documents) {
    if (occurrenceCache.documents.has(id) || !occurrenceCache.known.has(id)) continue
    occurrenceCache.documents.set(id, frozen(event))
    grow(occurrenceCache, bytesOfDocument(event))
  }
}

/** Cached objects are shared, so they are frozen. */
function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  for (const part of Object.values(value)) frozen(part)
  return Object.freeze(value)
}

/** The memory limit of all caches of a node. */
export const maxCachedBytes = 64 * 1024 * 1024
/** A larger calendar is not cached: its series are read for each window. */
export const maxOccurrenceCacheBytes = maxCachedBytes / 2

/** Tracks the size of a cache, and clears one that is too large. */
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
