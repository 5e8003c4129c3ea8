/**
 * Which places with one key hold the same message. Only what is certain counts: that the server says so (EMAILID,
 * X-GM-MSGID), or that all bytes are the same. Whoever is shown as two can be put together again; whoever is taken for
 * one is lost when one of the two is removed.
 */
import type { Entry } from '../entry.ts'
import { folderMark, idByContent, idByPlace } from '../mapping/ids.ts'
import type { Group } from './message-group.ts'

/** Of more messages with one key the bytes are not read: each is named by its place. */
export const maxCompared = 50

/** Places that the server says are of one message, together. */
function byServer(entries: readonly Entry[]): Entry[][] {
  // Most servers name none; strangers decide how many messages have one key.
  if (entries.every(({ emailId }) => emailId === undefined)) return entries.map((entry) => [entry])
  return [...Map.groupBy(entries, (entry) => entry.emailId ?? entry).values()]
}

const digestOf = (copies: readonly Entry[]): string | undefined =>
  copies.find(({ digest }) => digest !== undefined)?.digest

/** The places of a family whose bytes must be read before it is known which of them are one message. */
export function undecided(entries: readonly Entry[]): Entry[] {
  if (entries.length === 1) return []
  const classes = byServer(entries)
  if (classes.length === 1 || classes.length > maxCompared) return []
  return classes.flatMap((copies) => (digestOf(copies) === undefined ? copies.slice(0, 1) : []))
}

/** The messages at places with one key; one, for the time being, where it is not decided. */
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

/** Names messages by their places, each once. */
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
 * Names those of many messages that share a key with too many others to be compared. Strangers decide how many these are:
 * done as they are read, it is no work for one moment later.
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

/** Whether two places certainly hold the same bytes. */
export const areSame = (a: Entry, b: Entry): boolean =>
  a === b || (a.emailId !== undefined && a.emailId === b.emailId) || (Boolean(a.digest) && a.digest === b.digest)
