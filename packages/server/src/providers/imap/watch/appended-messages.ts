/**
 * Messages of an old date with a new UID in a folder that was known before. Mail that is moved or copied within the mailbox
 * looks so, and mail that is put there: by a tool that brings it from another account, or by a program that keeps the date
 * that it had. The latter is new to the mailbox. It is taken for that where nothing left a folder at the same time, and no
 * other place holds it: then it was nowhere before.
 */
import type { Entry } from '../entry.ts'
import { completeCopies } from '../index/copies.ts'
import type { Group } from '../index/message-group.ts'
import { type FolderCursor, numbersOf, type WatchCursor } from '../mapping/cursor.ts'
import type { Session } from '../session.ts'

/** What names a message for clients that save it again with other bytes. */
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

  /** Whether a message with a new UID may be new to the mailbox, whatever its date; then it is one of those looked up. */
  takes(entry: Entry, notNewBelow: number): boolean {
    if (entry.uid < notNewBelow || this.#cursor.appended.has(nameOf(entry))) return false
    this.#entries.push(entry)
    this.#places.add(placeOf(entry))
    return true
  }

  /** Those of the messages at these places that no other place holds. */
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

  /** Whether a message is as new to its folder as those that are looked up: judged with them, or still to be judged. */
  #isNewPlace(entry: Entry): boolean {
    if (this.#places.has(placeOf(entry))) return true
    const at = this.#cursor.folders.get(entry.path)
    return at !== undefined && at.uidValidity === entry.uidValidity && isToJudge(at, entry.uid)
  }

  /** Notes that messages are told of as new. */
  recordReported(groups: readonly Group[], now: number): void {
    for (const { entries } of groups) for (const entry of entries) this.#cursor.appended.add(nameOf(entry), now)
  }
}

const isToJudge = ({ uidNext, came, notNewBelow = 0 }: FolderCursor, uid: number): boolean =>
  uid >= notNewBelow && (uid >= uidNext || numbersOf(came).has(uid))
