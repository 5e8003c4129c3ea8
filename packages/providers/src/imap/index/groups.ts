/** Groups index entries into messages: copies in several folders are one message. */
import type { Entry, Group } from '../entry.ts'
import { splitByContent } from './same-message.ts'

const daySeconds = 86_400

/**
 * The time from which all folders are completely indexed, plus a day, so that copies received at slightly different
 * times are one message.
 */
export const allCompleteSince = (folders: readonly { completeSince: number }[]): number =>
  Math.max(Number.NEGATIVE_INFINITY, ...folders.map(({ completeSince }) => completeSince)) + daySeconds

/** Position in a list: the time and id of a message. */
export type Position = Pick<Group, 'date' | 'id'>

export const newestFirst = (a: Position, b: Position): number =>
  b.date - a.date || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)

/** Groups copies; newest first, in a fixed order if the time is equal. */
export const groupEntries = (entries: Iterable<Entry>): Group[] =>
  [...messagesAmong(byKey(entries)).values()].sort(newestFirst)

/** All entries with the same key, whether they are one message or several. */
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

/** Splits families into messages, by id. */
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

/** Up to `count` groups after a position in a sorted list. */
export function behind(groups: readonly Group[], position: Position, count: number): Group[] {
  const from = firstOf(groups, (group) => newestFirst(position, group) < 0)
  return groups.slice(from, from + count)
}

/** The index of the first group for which `holds` is true; binary search. */
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

/** Longer reference chains are cut. */
const maxChain = 200

/** The indexes of all folders of an account, merged. */
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

  /** All entries with a key. */
  family(key: string): Group | undefined {
    return this.#families.get(key)
  }

  /** The message that an entry belongs to. */
  messageAt(entry: Entry): Group | undefined {
    const whole = this.#byId.get(entry.key)
    if (whole) return whole
    if (!this.#byEntry) {
      this.#byEntry = new Map()
      for (const group of this.#byId.values()) {
        // The other groups have their key as id.
        if (this.#families.has(group.id)) continue
        for (const place of group.entries) this.#byEntry.set(place, group)
      }
    }
    return this.#byEntry.get(entry)
  }

  get(id: string): Group | undefined {
    return this.#byId.get(id)
  }

  get groups(): Group[] {
    this.#groups ??= [...this.#byId.values()].sort(newestFirst)
    return this.#groups
  }

  inFolder(path: string): readonly Group[] {
    this.#folders ??= foldersOf(this.groups)
    return this.#folders.get(path) ?? []
  }

  /** The entry with a Message-ID; the oldest of several. */
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

  /** The root of a group's thread: its Message-ID, or the group's id, according to the indexes. */
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

/** Groups by folder, in the given order. */
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
