/** Messages with the places where they lie: copies in several folders are one message. */
import type { Entry } from './folder-index.ts'

export interface Group {
  id: string
  /** The newest copy's. */
  date: number
  entries: Entry[]
}

const daySeconds = 86_400

/** The time from which on all folders are known: with a day to spare, so that copies received a little apart are one. */
export const knownFrom = (folders: readonly { wholeFrom: number }[]): number =>
  Math.max(Number.NEGATIVE_INFINITY, ...folders.map(({ wholeFrom }) => wholeFrom)) + daySeconds

/** Where a list stands: a message, by its time and its id. */
export type Position = Pick<Group, 'date' | 'id'>

export const newestFirst = (a: Position, b: Position): number =>
  b.date - a.date || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)

/** Copies of a message together; newest first, and in a fixed order where the time is the same. */
export const groupEntries = (entries: Iterable<Entry>): Group[] => [...byId(entries).values()].sort(newestFirst)

function byId(entries: Iterable<Entry>): Map<string, Group> {
  const groups = new Map<string, Group>()
  for (const entry of entries) {
    const group = groups.get(entry.id)
    if (!group) groups.set(entry.id, { id: entry.id, date: entry.date, entries: [entry] })
    else {
      group.entries.push(entry)
      if (entry.date > group.date) group.date = entry.date
    }
  }
  return groups
}

/** Those of a sorted list that come behind a position, up to a number of them. */
export function behind(groups: readonly Group[], position: Position, count: number): Group[] {
  const from = firstOf(groups, (group) => newestFirst(position, group) < 0)
  return groups.slice(from, from + count)
}

/** Where in a sorted list that begins to hold which holds for all that follow. */
export function firstOf(groups: readonly Group[], holds: (group: Group) => boolean): number {
  let low = 0
  let high = groups.length
  while (low < high) {
    const middle = (low + high) >> 1
    const group = groups[middle]
    if (group && holds(group)) high = middle
    else low = middle + 1
  }
  return low
}

/** A chain of answers that is longer than this is cut. */
const chainAtMost = 200

/** What the indexes of an account know together. */
export class Known {
  readonly #byId: ReadonlyMap<string, Group>
  #groups: Group[] | undefined
  #named: Map<string, Entry> | undefined
  #threads: Map<string, Group[]> | undefined

  constructor(entries: Iterable<Entry>) {
    this.#byId = byId(entries)
  }

  get(id: string): Group | undefined {
    return this.#byId.get(id)
  }

  /** Every message, newest first. */
  get groups(): Group[] {
    this.#groups ??= [...this.#byId.values()].sort(newestFirst)
    return this.#groups
  }

  /** A message by its Message-ID, the oldest of several. */
  named(messageId: string): Entry | undefined {
    if (!this.#named) {
      this.#named = new Map()
      for (const { entries } of this.#byId.values()) {
        for (const entry of entries) {
          if (entry.messageId === undefined) continue
          const other = this.#named.get(entry.messageId)
          if (!other || entry.date < other.date) this.#named.set(entry.messageId, entry)
        }
      }
    }
    return this.#named.get(messageId)
  }
  /** The first message of a group's thread, by its Message-ID or else its id, as far as the known messages tell. */
  rootOf({ id, entries: [entry] }: Group): string {
    let root = entry?.references[0] ?? entry?.messageId ?? id
    const seen = new Set([root])
    for (let step = 0; step < chainAtMost; step++) {
      const above = this.named(root)?.references[0]
      if (above === undefined || seen.has(above)) break
      root = above
      seen.add(root)
    }
    return root
  }

  /** The members of a thread, newest first. */
  thread(root: string): readonly Group[] {
    this.#threads ??= Map.groupBy(this.groups, (group) => this.rootOf(group))
    return this.#threads.get(root) ?? []
  }
}
