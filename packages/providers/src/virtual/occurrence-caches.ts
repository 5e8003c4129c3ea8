/** The occurrence caches of a node. Each is used only at the revision of its calendar. */
import { forEachYielding } from '@waypost/platform/parsing/yielding'
import {
  type KnownSeries,
  knownOf,
  maxCachedBytes,
  maxOccurrenceCacheBytes,
  newOccurrenceCache,
  type OccurrenceCache,
} from './occurrence-cache.ts'
import { renewAll, renewSome } from './occurrence-renewal.ts'
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
