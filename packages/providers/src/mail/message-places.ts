/**
 * The places of messages: which message is where in which folder. Servers report only that a place became empty, so
 * the places are stored for applications that subscribe to `message.deleted`. A message that left its place was moved
 * or deleted. It was deleted if it is at no other place, also after all folders were read once more: a listing of
 * folders is not atomic, and a moved message may appear in a folder that was read before the move.
 */
import { hash } from 'node:crypto'
import type { KnownPlace, MessagePlace, PlaceChanges, PlaceMemory } from './tables.ts'

/** Forgets everything. */
export const noPlaces: PlaceChanges = { added: [], removed: [], folders: [], surplus: 0, all: true }

/** The number of places that are stored for an account. */
const maxPlaces = 50_000
/** Surplus places are forgotten together. */
const surplusStep = 1_000

/** A short hash, as it is stored. */
export const placeHash = (text: string): string => hash('sha256', text, 'base64url').slice(0, 16)

/** What a watch stores in its cursor. */
export interface Departures {
  /** Ids of messages that left their last place and are deleted unless the next poll finds them elsewhere. */
  departed: readonly string[]
  /** The number of stored places, as counted here. */
  count: number
}

export interface Settled extends Departures {
  deleted: string[]
  changes: PlaceChanges
}

/** Collects the changes of one poll. */
export class PlaceBook {
  readonly #memory: PlaceMemory
  readonly #before: Departures
  readonly #nameOf: (id: string) => string
  readonly #added = new Map<string, MessagePlace & { name: string }>()
  readonly #left = new Map<string, KnownPlace>()
  readonly #folders = new Set<string>()

  /** `nameOf` returns what stays when a message is moved. */
  constructor(memory: PlaceMemory, before: Departures, nameOf: (id: string) => string = (id) => id) {
    this.#memory = memory
    this.#before = before
    this.#nameOf = (id) => placeHash(nameOf(id))
  }

  add(at: MessagePlace): void {
    this.#left.delete(keyOf(at))
    this.#added.set(keyOf(at), { ...at, name: this.#nameOf(at.id) })
  }

  /** Messages left their places. */
  leave(places: readonly KnownPlace[]): void {
    for (const at of places) {
      this.#added.delete(keyOf(at))
      this.#left.set(keyOf(at), at)
    }
  }

  /** The message that was added at a place in this poll. */
  addedAt(folder: string, place: string): KnownPlace | undefined {
    return this.#added.get(keyOf({ folder, place }))
  }

  /** A folder has other places now, or is gone: what was in it is unknown. */
  forget(folder: string): void {
    this.#folders.add(folder)
  }

  /** Decides which messages were deleted. `isComplete`: all folders were read in this poll. */
  async settle(isComplete: boolean): Promise<Settled> {
    const { departed, count } = this.#before
    const gone = [...this.#left.values()].map(({ id }) => id)
    const elsewhere = await this.#named([...departed, ...gone])
    const isGone = (id: string): boolean => !elsewhere.has(this.#nameOf(id))
    const waiting = new Set(departed.filter(isGone))
    const fresh = new Set(gone.filter(isGone)).difference(waiting)
    const added = [...this.#added.values()]
    const total = count + added.length - this.#left.size
    const surplus = total > maxPlaces ? total - maxPlaces + surplusStep : 0
    return {
      deleted: isComplete ? [...waiting] : [],
      departed: isComplete ? [...fresh] : [...waiting, ...fresh],
      count: Math.max(total - surplus, 0),
      changes: { added, removed: [...this.#left.values()], folders: [...this.#folders], surplus },
    }
  }

  /** The names among these ids that are at some place after this poll. */
  async #named(ids: readonly string[]): Promise<Set<string>> {
    const names = new Set(ids.map(this.#nameOf))
    const known = names.size === 0 ? [] : await this.#memory.named([...names])
    const stays = known.filter((at) => !this.#left.has(keyOf(at)) && !this.#folders.has(at.folder))
    const added = [...this.#added.values()].filter(({ name }) => names.has(name))
    return new Set([...stays, ...added].map(({ name }) => name))
  }
}

const keyOf = ({ folder, place }: Pick<MessagePlace, 'folder' | 'place'>): string => `${folder} ${place}`

/** Whether a poll must follow at once to decide about departed messages. */
export const isUndecided = ({ departed }: Departures): boolean => departed.length > 0
