/**
 * What one destination has in hand, as a state machine without I/O, clock or timers.
 *
 *   queue (store) ──read──▶ ready ──send──▶ under way ──ended──▶ unkept ──kept──▶ off the queue, or later in it
 *                             ▲                │
 *                             └── put back ────┘
 *
 * Its owner tells it what happened and then asks `next` what to do; it never calls back. Two rules keep it from asking in
 * circles: the queue is read only after something new was heard of it (`looked`, or a read that left something there), and
 * every read brings at least one delivery, moves its place in the queue on, or reaches its end.
 *
 * What is held is bounded in bytes. One delivery that is larger than the bound still goes, when nothing else is in hand.
 * Deliveries stay in the queue of the store until their result is kept there: `known` are those it still shows.
 */
import { ConcurrencyLimit } from './concurrency-limit.ts'

/** A delivery as the queue shows it; the queue is in the order of `due_at`, then `id`. */
export interface Queued {
  readonly id: number
  readonly due_at: number
  readonly bytes: number
}
export type Place = Pick<Queued, 'id' | 'due_at'>

/** What the owner knows when it asks. */
export interface Conditions {
  /** On a clock that never steps, in milliseconds. */
  now: number
  /** Whether attempts may begin: the destination is ours, and results can be taken. */
  mayBegin: boolean
  /** How many bytes may be in hand. */
  maxBytes: number
}

/** Read so many from here; none: only look at the destination itself. */
export interface Read {
  after: Place | undefined
  limit: number
}

export interface NextSteps<T> {
  send: readonly T[]
  /** Answer with `supplied` or `readFailed`. */
  read: Read | undefined
  /** Nothing is sent until `rested` is told, a little later. */
  rest: boolean
  /** Closed, and nothing is left to wait for. */
  over: boolean
}

const maxWidth = 32
const maxReady = 256
/** A destination that does nothing but fail is tried a few times a second, not as fast as it can refuse. */
const failuresBeforeRest = 30
/** A queue that never ends is read from its beginning this often, because of what was queued late. */
const fromStartMs = 2_000

export class Backlog<T extends Queued> {
  #ready: T[] = []
  readonly #underWay = new Map<number, T>()
  /** Read, and the result not kept yet. */
  readonly #known = new Set<number>()
  #bytes = 0
  readonly #width = new ConcurrencyLimit(maxWidth)
  #failuresInARow = 0
  #rest: 'none' | 'due' | 'begun' = 'none'
  /** The queue may hold something that was not read yet. */
  #more = false
  /** The destination itself is to be looked at. */
  #unchecked = false
  #after: Place | undefined
  #fromStartAt = Number.NEGATIVE_INFINITY
  /** The read under way, and what was kept since it was asked for: its answer may still show that. */
  #reading: { asked: number; limit: number; bytes: number; kept: Set<number> } | undefined
  #closed = false

  /** Of what is ready or under way. */
  get bytes(): number {
    return this.#bytes
  }
  get isIdle(): boolean {
    return this.#ready.length === 0 && this.#underWay.size === 0 && this.#known.size === 0
  }

  next({ now, mayBegin, maxBytes }: Conditions): NextSteps<T> {
    const send = this.#closed || !mayBegin ? [] : this.#begin()
    const rest = this.#rest === 'due'
    if (rest) this.#rest = 'begun'
    return {
      send,
      read: this.#ask(now, maxBytes),
      rest,
      over: this.#closed && this.#underWay.size === 0 && this.#known.size === 0,
    }
  }

  #begin(): T[] {
    const begun: T[] = []
    while (this.#rest === 'none' && this.#underWay.size < this.#width.now) {
      const first = this.#ready.shift()
      if (!first) break
      this.#underWay.set(first.id, first)
      begun.push(first)
      if (this.#failuresInARow >= failuresBeforeRest) this.#rest = 'due'
    }
    return begun
  }

  #ask(now: number, maxBytes: number): Read | undefined {
    if (this.#closed || this.#reading) return undefined
    const wanted = this.#more && this.#hasRoom(maxBytes)
    if (!wanted && !this.#unchecked) return undefined
    this.#unchecked = false
    const limit = wanted ? maxReady - this.#ready.length : 0
    if (wanted) {
      this.#more = false
      if (now - this.#fromStartAt > fromStartMs) this.#after = undefined
      if (!this.#after) this.#fromStartAt = now
    }
    // At the beginning of the queue stands what is in hand.
    const asked = wanted && !this.#after ? limit + this.#known.size : limit
    this.#reading = { asked, limit, bytes: maxBytes - this.#bytes, kept: new Set() }
    return { after: this.#after, limit: asked }
  }

  /** Rather many at once than one whenever there is room for it. */
  #hasRoom(maxBytes: number): boolean {
    if (this.#ready.length === 0 && this.#underWay.size === 0) return true
    if (this.#ready.length === 0) return this.#bytes < maxBytes
    return this.#ready.length < maxReady / 2 && this.#bytes < maxBytes / 2
  }

  /**
   * Of the rows that a read brought those that are new here and fit, from the first on and without gaps; and where the
   * queue goes on behind them, undefined where it ends.
   */
  choose<R extends Queued>(rows: readonly R[]): { chosen: R[]; next: Place | undefined } {
    const chosen: R[] = []
    if (!this.#reading || this.#closed) return { chosen, next: undefined }
    const { asked, limit, kept } = this.#reading
    let { bytes } = this.#reading
    for (const row of rows) {
      if (this.#known.has(row.id) || kept.has(row.id)) continue
      bytes -= row.bytes
      if (chosen.length === limit || (chosen.length > 0 && bytes < 0)) return { chosen, next: chosen.at(-1) }
      chosen.push(row)
    }
    return { chosen, next: rows.length === asked ? rows.at(-1) : undefined }
  }

  /** What was chosen of a read is here; of those in `gone` there is nothing to send, and they will be told as kept. */
  supplied(items: readonly T[], { next, gone = [] }: { next: Place | undefined; gone?: readonly number[] }): void {
    const wanted = this.#reading !== undefined && this.#reading.limit > 0
    this.#reading = undefined
    if (this.#closed) return
    if (wanted) {
      this.#after = next
      this.#more ||= next !== undefined
    }
    for (const id of gone) this.#known.add(id)
    for (const item of items) {
      this.#known.add(item.id)
      this.#ready.push(item)
      this.#bytes += item.bytes
    }
  }

  /** It is asked for again after the next look. */
  readFailed(): void {
    this.#reading = undefined
    this.#after = undefined
  }

  /** Somebody looked at all queues; this destination may have been changed, and `due` says whether something waits for it. */
  looked(due: boolean): void {
    this.#unchecked = true
    this.#more ||= due
  }

  /** An attempt ended; answers whether it counts. */
  ended(id: number, { ok, latencyMs }: { ok: boolean; latencyMs: number }): boolean {
    if (!this.#leave(id)) return false
    if (ok) this.#width.answered(latencyMs)
    else this.#width.failed()
    this.#failuresInARow = ok ? 0 : this.#failuresInARow + 1
    return true
  }

  /** An attempt was not made, or broken off from here: it does not count. */
  putBack(id: number): void {
    const item = this.#leave(id)
    if (!item) return
    if (this.#closed) return void this.#known.delete(id)
    const place = this.#ready.findIndex((other) => isBefore(item, other))
    this.#ready.splice(place < 0 ? this.#ready.length : place, 0, item)
    this.#bytes += item.bytes
    if (this.#rest === 'none') this.#rest = 'due'
  }

  #leave(id: number): T | undefined {
    const item = this.#underWay.get(id)
    if (!item) return undefined
    this.#underWay.delete(id)
    this.#bytes -= item.bytes
    return item
  }

  rested(): void {
    this.#rest = 'none'
  }

  /** Results are kept: the queue shows these no more, or later. */
  kept(ids: Iterable<number>): void {
    for (const id of ids) if (this.#known.delete(id)) this.#reading?.kept.add(id)
  }

  /** Begins nothing more. What is ready stays in the queue; what is under way may end, and its result be kept. */
  close(): void {
    this.#closed = true
    for (const { id, bytes } of this.#ready) {
      this.#known.delete(id)
      this.#bytes -= bytes
    }
    this.#ready = []
  }

  /** Waits for nothing any more: what is under way, or not kept, is done again by whoever is next. */
  abandon(): void {
    this.close()
    this.#underWay.clear()
    this.#known.clear()
    this.#bytes = 0
  }
}

const isBefore = (one: Place, other: Place): boolean =>
  one.due_at < other.due_at || (one.due_at === other.due_at && one.id < other.id)
