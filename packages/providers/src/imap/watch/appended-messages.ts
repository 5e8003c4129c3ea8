/**
 * Messages with an old date but a new UID in a watched folder. They were moved or copied within the mailbox, or were
 * added from outside by a migration tool or a client that keeps the date. Only the latter are new. A message counts
 * as new if no message left a folder at the same time and no other folder contains it.
 */
import type { Entry, Group } from '../entry.ts'
import { completeCopies } from '../index/copies.ts'
import { type FolderCursor, numbersOf, type WatchCursor } from '../mapping/cursor.ts'
import type { Session } from '../session.ts'

/** Identifies a message even if a client saves it again with other bytes. */
const nameOf = ({ messageId, key }: Entry): string => messageId ?? key

const placeOf = ({ path, uid }: Entry): string => `${uid} ${path}`

export class Appended {
  readonly #session: Session
  readonly #cursor: WatchCursor
  readonly #entries: Entry[] = []
  readonly #places = new Set<string>()

  constructor(session: Session, cursor: WatchCursor) {
    this.#session = session
    this.#cursor = cursor
  }

  get entries(): readonly Entry[] {
    return this.#entries
  }

  /**
   * Whether a message with a new UID may be new to the mailbox, regardless of its date; if so, it is recorded for the
   * check.
   */
  takes(entry: Entry, notNewBelow: number): boolean {
    if (entry.uid < notNewBelow || this.#cursor.appended.has(nameOf(entry))) return false
    this.#entries.push(entry)
    this.#places.add(placeOf(entry))
    return true
  }

  /** The messages that exist in no other place. */
  async withoutCopies(groups: readonly Group[]): Promise<Group[]> {
    if (groups.length === 0) return []
    await completeCopies(this.#session, groups)
    const names = new Set(groups.flatMap(({ entries }) => entries.map(nameOf)))
    const held = new Set<string>()
    for (const index of this.#session.mailbox.indexes()) {
      for (const entry of index.entries) {
        if (names.has(nameOf(entry)) && !this.#isNewPlace(entry)) held.add(nameOf(entry))
      }
    }
    return groups.filter(({ entries }) => !entries.some((entry) => held.has(nameOf(entry))))
  }

  /** Whether a message is as new to its folder as the checked ones: part of this check, or still to be checked. */
  #isNewPlace(entry: Entry): boolean {
    if (this.#places.has(placeOf(entry))) return true
    const at = this.#cursor.folders.get(entry.path)
    return at !== undefined && at.uidValidity === entry.uidValidity && isToJudge(at, entry.uid)
  }

  /** Records that messages were reported as new. */
  recordReported(groups: readonly Group[], now: number): void {
    for (const { entries } of groups) for (const entry of entries) this.#cursor.appended.add(nameOf(entry), now)
  }
}

const isToJudge = ({ uidNext, came, notNewBelow = 0 }: FolderCursor, uid: number): boolean =>
  uid >= notNewBelow && (uid >= uidNext || numbersOf(came).has(uid))

/** If a message is dated this close to the creation of the grant, dates alone cannot decide which was first. */
export const clockSeconds = 60

/**
 * Whether a message is older than the grant and was present before: it is never reported. If the clocks cannot
 * decide, the state of the folder at the start of watching does.
 */
export function isOlderThanGrant(
  { path, uid, date }: { path: string; uid: number; date: number },
  { begun, folders }: Pick<WatchCursor, 'begun' | 'folders'>,
  grantCreatedAt: number,
): boolean {
  if (Math.abs(date - grantCreatedAt) > clockSeconds) return date < grantCreatedAt
  const [uidValidity, uidNext] = begun.get(path) ?? ['', 0]
  return uidValidity === folders.get(path)?.uidValidity && uid < uidNext
}
