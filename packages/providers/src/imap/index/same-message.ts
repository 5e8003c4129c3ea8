/**
 * Decides which entries with the same key are the same message. Only certain facts count: the server says so
 * (EMAILID, X-GM-MSGID), or all bytes are equal. Showing one message as two is harmless. Treating two as one would
 * lose one of them when the other is removed.
 */
import type { Entry, Group } from '../entry.ts'
import { folderMark, idByContent, idByPlace } from '../mapping/ids.ts'

/** With more messages per key, bytes are not read; each message is identified by its place. */
export const maxCompared = 50

/** Groups entries that the server identifies as one message. */
function byServer(entries: readonly Entry[]): Entry[][] {
  // Most servers have no such ids, and senders decide how many messages share a key.
  if (entries.every(({ emailId }) => emailId === undefined)) return entries.map((entry) => [entry])
  return [...Map.groupBy(entries, (entry) => entry.emailId ?? entry).values()]
}

const digestOf = (copies: readonly Entry[]): string | undefined =>
  copies.find(({ digest }) => digest !== undefined)?.digest

/** Entries whose bytes must be read to decide which are the same message. */
export function undecided(entries: readonly Entry[]): Entry[] {
  if (entries.length === 1) return []
  const classes = byServer(entries)
  if (classes.length === 1 || classes.length > maxCompared) return []
  return classes.flatMap((copies) => (digestOf(copies) === undefined ? copies.slice(0, 1) : []))
}

/** The messages among entries with the same key; one message while this is undecided. */
export function splitByContent(entries: Entry[]): Group[] {
  const [first] = entries
  if (!first) return []
  const whole = groupOf(first.key, entries)
  const classes = byServer(entries)
  if (classes.length === 1) return [whole]
  if (classes.length > maxCompared) return atTheirPlaces(classes)
  if (undecided(entries).length > 0) return [whole]
  const unreadable = classes.filter((copies) => digestOf(copies) === '')
  const read = Map.groupBy(
    classes.filter((copies) => digestOf(copies) !== ''),
    (copies) => digestOf(copies) ?? '',
  )
  if (read.size === 1 && unreadable.length === 0) return [whole]
  return [
    ...[...read].map(([digest, copies]) => groupOf(idByContent(first.key, digest), copies.flat())),
    ...atTheirPlaces(unreadable),
  ]
}

function atTheirPlaces(classes: readonly Entry[][]): Group[] {
  const idOf = placeNaming()
  return classes.flatMap((copies) => (copies[0] ? [groupOf(idOf(copies[0]), copies)] : []))
}

/** Identifies messages by their places, each once. */
function placeNaming(): (entry: Entry) => string {
  const folders = new Map<string, Buffer>()
  return (entry) => {
    if (entry.placeId !== undefined) return entry.placeId
    const folder = folders.get(entry.path) ?? folderMark(entry)
    folders.set(entry.path, folder)
    entry.placeId = idByPlace(entry.key, entry, folder)
    return entry.placeId
  }
}

/**
 * Identifies messages that share a key with too many others by their places. Senders decide how many there are, so
 * this is done while they are read.
 */
export function nameCrowded(entries: readonly Entry[]): void {
  const idOf = placeNaming()
  for (const alike of Map.groupBy(entries, ({ key }) => key).values()) {
    if (alike.length > maxCompared) for (const entry of alike) idOf(entry)
  }
}

const groupOf = (id: string, entries: Entry[]): Group => ({
  id,
  date: entries.reduce((newest, { date }) => Math.max(newest, date), Number.NEGATIVE_INFINITY),
  entries,
})

/** Whether two entries certainly have the same bytes. */
export const areSame = (a: Entry, b: Entry): boolean =>
  a === b || (a.emailId !== undefined && a.emailId === b.emailId) || (Boolean(a.digest) && a.digest === b.digest)
