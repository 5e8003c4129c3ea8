/**
 * Finds messages that were deleted, for applications that subscribe to this. A place is an item in a folder: a moved
 * message becomes another item with the same lasting name. Drafts and messages older than the grant have no stored
 * places.
 */
import { clockSeconds } from '../../mail/message-notifications.ts'
import { type Departures, PlaceBook, placeHash, type Settled } from '../../mail/message-places.ts'
import type { PlaceMemory } from '../../mail/tables.ts'
import type { SyncChange } from '../operations/sync.ts'
import type { Session } from '../session.ts'
import { mailIn } from './mail-api.ts'
import { idOf, itemIdOf, lastingId, receivedOf } from './mapping/names.ts'

export class FolderDeletions {
  readonly #book: PlaceBook
  readonly #memory: PlaceMemory
  readonly #created: number
  /** Items that left a folder. */
  readonly #gone = new Map<string, Set<string>>()

  constructor({ grant }: Session, memory: PlaceMemory, before: Departures = { departed: [], count: 0 }) {
    this.#memory = memory
    this.#book = new PlaceBook(memory, before, lastingId)
    this.#created = (grant.created_at ?? 0) - clockSeconds
  }

  /** Records a change in a folder. */
  note(folderId: string, change: SyncChange): void {
    const folder = placeHash(folderId)
    if (change.kind === 'Delete') {
      const gone = this.#gone.get(folder) ?? new Set()
      this.#gone.set(folder, gone.add(placeHash(change.ItemId.Id)))
      return
    }
    if (change.kind === 'ReadFlagChange') return
    const [item] = mailIn(change.Item ? [change.Item] : [])
    if (!item?.ItemId || item.IsDraft || receivedOf(item) < this.#created) return
    this.#book.add({ folder, place: placeHash(itemIdOf(item)), id: idOf(item), date: receivedOf(item) })
  }

  /** A folder was deleted. */
  forget(folderId: string): void {
    this.#book.forget(placeHash(folderId))
  }

  async settle(isComplete: boolean): Promise<Settled> {
    for (const [folder, places] of this.#gone) {
      const added = [...places].flatMap((place) => this.#book.addedAt(folder, place) ?? [])
      this.#book.leave([...(await this.#memory.at(folder, [...places])), ...added])
    }
    return this.#book.settle(isComplete)
  }
}
