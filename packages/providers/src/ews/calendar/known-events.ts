/**
 * The records of a watch about the events of a calendar, stored in its cursor. Ids of a mailbox share a prefix, which
 * is stored once. Pure.
 */

import { affixesOf, withAffixes, withoutAffixes } from '../watch/common-affixes.ts'
import type { SyncedFolder } from '../watch/folder-sync.ts'

export interface KnownEvent {
  /** Its version. */
  v: string
  /** The day on which it ends, as a number; absent for a series. */
  e?: number
  /** Of a series: the starts of deleted occurrences, in seconds. */
  c?: number[]
  /** Of a series: the versions of its changed occurrences, by original start in seconds. */
  x?: Record<string, string>
}

/** By id in the API. */
export type KnownEvents = Map<string, KnownEvent>

export interface StoredEvents {
  prefix: string
  suffix: string
  events: Record<string, KnownEvent>
}

/** At most this many are recorded per calendar; those that end first are dropped. */
export const maxKnown = 5_000

export function storedEvents(known: KnownEvents): StoredEvents {
  const retained = known.size <= maxKnown ? [...known] : latest(known)
  const affixes = affixesOf(retained.map(([id]) => id))
  return { ...affixes, events: Object.fromEntries(retained.map(([id, event]) => [withoutAffixes(id, affixes), event])) }
}

const latest = (known: KnownEvents): [string, KnownEvent][] => {
  const endOf = ({ e }: KnownEvent): number => e ?? Number.POSITIVE_INFINITY
  return [...known].sort(([, a], [, b]) => (endOf(b) > endOf(a) ? 1 : -1)).slice(0, maxKnown)
}

export const knownEvents = (stored: StoredEvents | undefined): KnownEvents =>
  new Map(
    Object.entries(stored?.events ?? {}).map(([middle, event]) => [withAffixes(middle, stored as StoredEvents), event]),
  )

/** The state of a calendar, stored in the cursor. */
export interface WatchedCalendar extends SyncedFolder {
  name: string
  known?: StoredEvents
  /** Changes up to this time were notified, in milliseconds of the server's clock. */
  at?: number
}
