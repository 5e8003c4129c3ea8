/** Messages with the places where they lie: copies in several folders are one message. */
import type { Entry } from '../entry.ts'
import type { Group } from './message-group.ts'
import { splitByContent } from './same-message.ts'

const daySeconds = 86_400

/** The time from which on all folders are known: with a day to spare, so that copies received a little apart are one. */
export const allCompleteSince = (folders: readonly { completeSince: number }[]): number =>
  Math.max(Number.NEGATIVE_INFINITY, ...folders.map(({ completeSince }) => completeSince)) + daySeconds

/** Where a list stands: a message, by its time and its id. */
export type Position = Pick<Group, 'date' | 'id'>

export const newestFirst = (a: Position, b: Position): number =>
  b.date - a.date || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)

/** Copies of a message together; newest first, and in a fixed order where the time is the same. */
export const groupEntries = (entries: Iterable<Entry>): Group[] =>
  [...messagesAmong(byKey(entries)).values()].sort(newestFirst)

/** All places with one key together, whether they are one message or several. */
function byKey(entries: Iterable<Entry>): Map<string, Group> {
  const families = new Map<string, Group>()
  for (const entry of entries) {
    const family = families.get(entry.key)
    if (!family) families.set(entry.key, { id: entry.key, date: entry.date, entries: [entry] })
    else {
      family.entries.push(entry)
      if (entry.date > family.date) family.date = entry.date
    }
  }
  return families
}

/** The messages among families, by their ids. */
function messagesAmong(families: ReadonlyMap<string, Group>): ReadonlyMap<string, Group> {
  let messages: Map<string, Group> | undefined
  for (const [key, { entries }] of families) {
    if (entries.length === 1) continue
    const apart = splitByContent(entries)
    if (apart.length === 1) continue
    messages ??= new Map(families)
    messages.delete(key)
    for (const message of apart) messages.set(message.id, message)
  }
  return messages ?? families
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
const maxChain = 200

/** What the indexes of an account know together. */
export class MergedIndex {
  readonly #families: ReadonlyMap<string, Group>
  readonly #byId: ReadonlyMap<string, Group>
  #byEntry: Map<Entry, Group> | undefined
  #groups: Group[] | undefined
  #folders: ReadonlyMap<string, Group[]> | undefined
  #named: Map<string, Entry> | undefined
  #threads: Map<string, Group[]> | undefined

  constructor(entries: Iterable<Entry>) {
    this.#families = byKey(entries)
    this.#byId = messagesAmong(this.#families)
  }

  /** All places with a key. */
  family(key: string): Group | undefined {
    return this.#families.get(key)
  }

  /** The message that a place is one of. */
  messageAt(entry: Entry): Group | undefined {
    const whole = this.#byId.get(entry.key)
    if (whole) return whole
    if (!this.#byEntry) {
      this.#byEntry = new Map()
      for (const group of this.#byId.values()) {
        // The others have the key for an id.
        if (this.#families.has(group.id)) continue
        for (const place of group.entries) this.#byEntry.set(place, group)
      }
    }
    return this.#byEntry.get(entry)
  }

  get(id: string): Group | undefined {
    return this.#byId.get(id)
  }

  /** Every message, newest first. */
  get groups(): Group[] {
    this.#groups ??= [...this.#byId.values()].sort(newestFirst)
    return this.#groups
  }

  /** Every message of a folder, newest first. */
  inFolder(path: string): readonly Group[] {
    this.#folders ??= foldersOf(this.groups)
    return this.#folders.get(path) ?? []
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
    for (let step = 0; step < maxChain; step++) {
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

/** Messages by the folders that they are in, each in the order given. */
function foldersOf(groups: readonly Group[]): ReadonlyMap<string, Group[]> {
  const folders = new Map<string, Group[]>()
  for (const group of groups) {
    for (const { path } of group.entries) {
      const folder = folders.get(path)
      if (!folder) folders.set(path, [group])
      else if (folder.at(-1) !== group) folder.push(group)
    }
  }
  return folders
}
