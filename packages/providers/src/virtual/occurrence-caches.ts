/** The occurrence caches of a node. Each is used only at the revision of its calendar. */
import { RecurrenceTooLarge, Steps } from '@waypost/formats/recurrence/steps'
import { forEachYielding } from '@waypost/platform/parsing/yielding'
import {
  bytesOfBuckets,
  bytesOfDocument,
  bytesOfPlanned,
  bytesOfSeries,
  inOrder,
  type KnownSeries,
  knownOf,
  maxBucketSize,
  maxCachedBytes,
  maxOccurrenceCacheBytes,
  maxShort,
  newOccurrenceCache,
  type OccurrenceCache,
  type PlannedOccurrence,
  plan,
} from './occurrence-cache.ts'
import type { Session } from './session.ts'
import type { CalendarRow, SeriesRow, VirtualTables, Window } from './tables.ts'

const always: Window = { from: Number.MIN_SAFE_INTEGER, to: Number.MAX_SAFE_INTEGER }
const maxTooLarge = 1000

/** The caches of a node, within its memory limit. */
class OccurrenceCaches {
  /** By calendar; the most recently used one is last. */
  readonly #caches = new Map<string, OccurrenceCache>()
  /** Calendars that are too large to cache, with their revision. */
  readonly #tooLarge = new Map<string, number>()
  readonly #budget = { bytes: 0 }

  async open(events: VirtualTables['events'], row: CalendarRow, window: Window): Promise<OccurrenceCache> {
    const { calendar, seriesRevision: revision } = row
    const at = { revision, zone: calendar.timezone }
    const place = `${calendar.grant_id} ${calendar.id}`
    const before = this.#caches.get(place)
    if (before && before.revision === revision && before.zone === at.zone) return this.#put(place, before)
    const written = before && before.revision < revision && (await events.seriesSince(calendar.id, before.revision))
    if (before && written) return this.#put(place, renewSome(before, written, at))
    if (this.#tooLarge.get(place) !== revision) {
      const rows = await events.seriesIn(calendar.id, always)
      const occurrenceCache = before ? renewAll(before, rows, at) : newOccurrenceCache(await readSeries(rows), at)
      if (occurrenceCache.bytes <= maxOccurrenceCacheBytes) return this.#put(place, occurrenceCache)
      this.#remove(place)
      if (this.#tooLarge.size >= maxTooLarge) this.#tooLarge.clear()
      this.#tooLarge.set(place, revision)
    }
    const rows = await events.seriesIn(calendar.id, window)
    return newOccurrenceCache(await readSeries(rows), at)
  }

  #remove(place: string): void {
    const occurrenceCache = this.#caches.get(place)
    if (!occurrenceCache) return
    this.#budget.bytes -= occurrenceCache.bytes
    this.#caches.delete(place)
    occurrenceCache.budget = undefined
  }

  #put(place: string, occurrenceCache: OccurrenceCache): OccurrenceCache {
    this.#remove(place)
    this.#caches.set(place, occurrenceCache)
    occurrenceCache.budget = this.#budget
    this.#budget.bytes += occurrenceCache.bytes
    for (const oldest of this.#caches.keys()) {
      if (this.#budget.bytes <= maxCachedBytes) break
      this.#remove(oldest)
    }
    return occurrenceCache
  }
}

/** Parses the series of a calendar. Yields to other work. */
async function readSeries(rows: readonly SeriesRow[]): Promise<KnownSeries[]> {
  const known: KnownSeries[] = []
  await forEachYielding(rows, (row) => known.push(knownOf(row)))
  return known
}

/** The cache of a calendar. For a very large calendar, it contains only series that may occur in the window. */
export const openOccurrenceCache = ({ io }: Session, row: CalendarRow, window: Window): Promise<OccurrenceCache> =>
  io.shared('occurrences', () => new OccurrenceCaches()).open(io.tables.events, row, window)

/** If more series changed at once, all buckets are computed again. */
const maxChanges = 100
/** The number of times that a changed series is expanded at once for the cached buckets. */
const maxReplanned = 1000

/** The cache of a later revision for which all series were read; unchanged ones are reused. */
function renewAll(
  before: OccurrenceCache,
  rows: readonly SeriesRow[],
  at: { revision: number; zone: string },
): OccurrenceCache {
  const known = rows.map((row) => {
    const one = before.known.get(row.id)
    const same = one?.series === row.series && one.startAt === row.startAt && one.endAt === row.endAt
    return same ? one : knownOf(row)
  })
  return takeOver(before, newOccurrenceCache(known, at))
}

/** The cache of a later revision for which only the written series were read; the documents of the others stay. */
function renewSome(
  before: OccurrenceCache,
  rows: readonly SeriesRow[],
  at: { revision: number; zone: string },
): OccurrenceCache {
  const fresh = rows.map(knownOf)
  const known = new Map(before.known)
  for (const one of fresh) known.set(one.id, one)
  const gone = new Set(fresh.flatMap(({ id }) => before.known.get(id) ?? []))
  if (before.zone !== at.zone || fresh.length + gone.size > maxChanges) {
    return newOccurrenceCache([...known.values()], at)
  }
  const after: OccurrenceCache = {
    ...before,
    ...at,
    known,
    long: [...before.long.filter((one) => !gone.has(one)), ...fresh.filter((one) => one.longest > maxShort)],
    // If the longest occurrence became shorter, this looks back further than necessary.
    lookBack: fresh.reduce((max, { longest }) => (longest > maxShort ? max : Math.max(max, longest)), before.lookBack),
    buckets: new Map(),
    documents: new Map(before.documents),
    bytes: before.bytes - bytesOfBuckets(before),
    budget: undefined,
  }
  for (const one of gone) after.bytes -= bytesOfSeries(one)
  for (const one of fresh) {
    after.bytes += bytesOfSeries(one)
    const document = before.documents.get(one.id)
    if (!document) continue
    after.documents.delete(one.id)
    after.bytes -= bytesOfDocument(document)
  }
  return changeBuckets(before, after, { fresh, gone })
}

/** Reuses the buckets, with changed series replaced. */
function takeOver(before: OccurrenceCache, after: OccurrenceCache): OccurrenceCache {
  if (before.zone !== after.zone) return after
  const fresh = [...after.known.values()].filter((one) => before.known.get(one.id) !== one)
  const gone = new Set([...before.known.values()].filter((one) => after.known.get(one.id) !== one))
  if (fresh.length + gone.size > maxChanges) return after
  after.span = before.span
  return changeBuckets(before, after, { fresh, gone })
}

function changeBuckets(
  before: OccurrenceCache,
  after: OccurrenceCache,
  { fresh, gone }: { fresh: readonly KnownSeries[]; gone: ReadonlySet<KnownSeries> },
): OccurrenceCache {
  // Further buckets are computed when they are needed.
  const max = Math.ceil(maxReplanned / Math.max(1, fresh.length))
  for (const [number, bucket] of [...before.buckets].slice(-max)) {
    const window = { from: number * after.span, to: (number + 1) * after.span }
    const added = attempt(() => plan({ zone: after.zone, steps: new Steps() }, fresh, window))
    if (!added || added.length + bucket.length > maxBucketSize) continue
    const next = changedBucket(bucket, gone, added)
    after.buckets.set(number, next)
    after.bytes += next.length * bytesOfPlanned
  }
  return after
}

/** A bucket without some series and with other occurrences; both inputs are sorted. */
function changedBucket(
  bucket: readonly PlannedOccurrence[],
  gone: ReadonlySet<KnownSeries>,
  added: readonly PlannedOccurrence[],
): readonly PlannedOccurrence[] {
  const next: PlannedOccurrence[] = []
  let taken = 0
  for (const planned of bucket) {
    if (gone.has(planned.of)) continue
    for (let one = added[taken]; one && inOrder(one, planned) < 0; one = added[++taken]) next.push(one)
    next.push(planned)
  }
  return next.concat(added.slice(taken))
}

function attempt(work: () => PlannedOccurrence[]): PlannedOccurrence[] | undefined {
  try {
    return work()
  } catch (error) {
    if (error instanceof RecurrenceTooLarge) return undefined
    throw error
  }
}
