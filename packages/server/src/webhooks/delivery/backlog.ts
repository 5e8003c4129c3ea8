/**
 * The deliveries of one destination, as a state machine without I/O, clock or timers.
 *
 *   queue (store) ──read──▶ ready ──send──▶ in flight ──ended──▶ unsaved ──saved──▶ off the queue, or later in it
 *                             ▲                │
 *                             └── put back ────┘
 *
 * The owner reports events and then calls `next` to learn what to do. The machine never calls back. Two rules prevent
 * endless loops. The queue is read only after news about it (`looked`, or a read that left rows there). Every read
 * returns at least one delivery, advances the position in the queue, or reaches its end.
 *
 * The memory for deliveries is bounded in bytes. A single delivery larger than the bound is sent when nothing else is
 * in memory. Deliveries stay in the queue of the store until their result is stored. `known` are those that the queue
 * still contains.
 *
 * Channels keep the order of each grant: a delivery starts only when no other of its `lane` is under way, and the lowest
 * position of a lane goes first. If the broker is at fault, the delivery returns to its place (`stopped`), and nothing is
 * sent until `rested`. Then one delivery at a time is sent until one succeeds. If the broker takes nothing of its type,
 * only its lane waits (`held`), until `released`.
 */
import { ConcurrencyLimit } from './concurrency-limit.ts'

/** A delivery as the queue returns it, in the order of `due_at`, then `id`. */
export interface Queued {
  readonly id: number
  readonly due_at: number
  readonly bytes: number
  /** The grant, where deliveries of one grant keep their order. */
  readonly lane?: string | undefined
}
export type Place = Pick<Queued, 'id' | 'due_at'>

/** The circumstances of a call to `next`. */
export interface Conditions {
  /** On a monotonic clock, in milliseconds. */
  now: number
  /** Whether attempts may start: this node holds the lease, and results can be stored. */
  mayBegin: boolean
  /** Maximum number of bytes in memory. */
  maxBytes: number
}

/** Read this many rows from this position. None: only check the destination itself. */
export interface BacklogPage {
  after: Place | undefined
  limit: number
}

export interface NextSteps<T> {
  send: readonly T[]
  /** Respond with `supplied` or `readFailed`. */
  read: BacklogPage | undefined
  /** Nothing is sent until `rested` is called, a little later. */
  rest: boolean
  /** The same, after this many stops in a row. */
  stop: number | undefined
  /** Closed, with nothing left to wait for. */
  over: boolean
}

const maxWidth = 32
/**
 * A broker confirms many messages together, so its latency grows with their number and says nothing about its load. A
 * broker that has too much to do says so, and then the channel stops.
 */
const orderedWidth = 128
const maxReady = 256
/** Each read of a channel also looks for overtaken deliveries, and many may wait for others of their grant. */
const orderedReady = 512
/** A destination that only fails is tried a few times per second, not as fast as it can refuse. */
const failuresBeforeRest = 30
/** An endless queue is read from its beginning this often, to find rows that were queued late. */
const fromStartMs = 2_000

export class Backlog<T extends Queued> {
  #ready: T[] = []
  readonly #underWay = new Map<number, T>()
  /** Read, with a result that is not stored yet. */
  readonly #known = new Set<number>()
  /** Results that are not stored yet, by delivery. One that returned after a stop may have several. */
  readonly #unsaved = new Map<number, number>()
  readonly #ordered: boolean
  readonly #maxReady: number
  /** Lanes with a delivery under way. */
  readonly #lanes = new Set<string>()
  #bytes = 0
  readonly #width = new ConcurrencyLimit(maxWidth)
  /** How often in a row the broker was at fault. */
  #stops = 0
  #failuresInARow = 0
  #rest: 'none' | 'due' | 'stopped' | 'begun' = 'none'
  /** The queue may contain rows that were not read yet. */
  #more = false
  /** The destination itself has to be checked. */
  #unchecked = false
  #after: Place | undefined
  #fromStartAt = Number.NEGATIVE_INFINITY
  /** The running read, and the results stored since it started: its rows may still contain them. */
  #reading: { requested: number; limit: number; bytes: number; retained: Set<number> } | undefined
  #closed = false

  constructor({ ordered = false }: { ordered?: boolean } = {}) {
    this.#ordered = ordered
    this.#maxReady = ordered ? orderedReady : maxReady
  }

  /** Of ready and running deliveries. */
  get bytes(): number {
    return this.#bytes
  }
  get isIdle(): boolean {
    return this.#ready.length === 0 && this.#underWay.size === 0 && this.#known.size === 0
  }

  next({ now, mayBegin, maxBytes }: Conditions): NextSteps<T> {
    const send = this.#closed || !mayBegin ? [] : this.#begin()
    const rest = this.#rest === 'due'
    const stop = this.#rest === 'stopped' ? this.#stops : undefined
    if (rest || stop !== undefined) this.#rest = 'begun'
    return {
      send,
      stop,
      read: this.#ask(now, maxBytes),
      rest,
      over: this.#closed && this.#underWay.size === 0 && this.#known.size === 0,
    }
  }

  #begin(): T[] {
    const begun: T[] = []
    // After a stop, one delivery finds out whether the broker works again.
    const width = this.#stops > 0 ? 1 : this.#ordered ? orderedWidth : this.#width.now
    while (this.#rest === 'none' && this.#underWay.size < width) {
      const first = this.#takeFirst()
      if (!first) break
      this.#underWay.set(first.id, first)
      if (this.#ordered && first.lane !== undefined) this.#lanes.add(first.lane)
      begun.push(first)
      if (this.#failuresInARow >= failuresBeforeRest) this.#rest = 'due'
    }
    return begun
  }

  /** The first ready delivery whose lane is free. */
  #takeFirst(): T | undefined {
    if (!this.#ordered) return this.#ready.shift()
    const place = this.#ready.findIndex(({ lane }) => lane === undefined || !this.#lanes.has(lane))
    return place < 0 ? undefined : this.#ready.splice(place, 1)[0]
  }

  #ask(now: number, maxBytes: number): BacklogPage | undefined {
    if (this.#closed || this.#reading) return undefined
    const wanted = this.#more && this.#hasRoom(maxBytes)
    if (!wanted && !this.#unchecked) return undefined
    this.#unchecked = false
    const limit = wanted ? this.#maxReady - this.#ready.length : 0
    if (wanted) {
      this.#more = false
      if (now - this.#fromStartAt > fromStartMs) this.#after = undefined
      if (!this.#after) this.#fromStartAt = now
    }
    // The beginning of the queue contains the deliveries in memory.
    const requested = wanted && !this.#after ? limit + this.#known.size : limit
    this.#reading = { requested, limit, bytes: maxBytes - this.#bytes, retained: new Set() }
    return { after: this.#after, limit: requested }
  }

  /** Prefer one large read to many small ones. */
  #hasRoom(maxBytes: number): boolean {
    if (this.#ready.length === 0 && this.#underWay.size === 0) return true
    if (this.#ready.length === 0) return this.#bytes < maxBytes
    return this.#ready.length < this.#maxReady / 2 && this.#bytes < maxBytes / 2
  }

  /**
   * From the rows of a read, those that are new and fit, from the first on without gaps; and the position after them,
   * undefined at the end of the queue.
   */
  choose<R extends Queued>(rows: readonly R[]): { chosen: R[]; next: Place | undefined } {
    const chosen: R[] = []
    if (!this.#reading || this.#closed) return { chosen, next: undefined }
    const { requested, limit, retained } = this.#reading
    let { bytes } = this.#reading
    for (const row of rows) {
      if (this.#known.has(row.id) || retained.has(row.id)) continue
      bytes -= row.bytes
      if (chosen.length === limit || (chosen.length > 0 && bytes < 0)) return { chosen, next: chosen.at(-1) }
      chosen.push(row)
    }
    return { chosen, next: rows.length === requested ? rows.at(-1) : undefined }
  }

  /** The chosen rows are loaded. Those in `gone` have no notification anymore, and will be reported as stored. */
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
    // All are due, so the time at which they became due says nothing: the order is that of their positions.
    if (this.#ordered) this.#ready.sort((one, other) => one.id - other.id)
  }

  /** The number of deliveries that the queue still contains. */
  get knownCount(): number {
    return this.#known.size
  }

  /** Those that were not read yet. */
  unread<R extends Pick<Queued, 'id'>>(rows: readonly R[]): R[] {
    return rows.filter(({ id }) => !this.#known.has(id) && !this.#reading?.retained.has(id))
  }

  /** The read is repeated after the next poll. */
  readFailed(): void {
    this.#reading = undefined
    this.#after = undefined
  }

  /** All queues were polled. The destination may have changed, and `due` says whether it has deliveries waiting. */
  polled(due: boolean): void {
    this.#unchecked = true
    this.#more ||= due
  }

  /** An attempt ended. Returns whether it counts. */
  ended(id: number, { ok, latencyMs }: { ok: boolean; latencyMs: number }): boolean {
    if (!this.#leave(id)) return false
    if (this.#ordered) this.#unsaved.set(id, (this.#unsaved.get(id) ?? 0) + 1)
    if (ok) this.#stops = 0
    if (ok) this.#width.answered(latencyMs)
    else this.#width.failed()
    this.#failuresInARow = ok ? 0 : this.#failuresInARow + 1
    return true
  }

  /**
   * An attempt failed because of the broker. `again` takes its place, with the attempt counted. Returns whether it counts.
   * Attempts that were under way together count as one stop.
   */
  stopped(id: number, again: T): boolean {
    if (!this.#leave(id)) return false
    this.#unsaved.set(id, (this.#unsaved.get(id) ?? 0) + 1)
    if (this.#rest === 'none') {
      this.#stops += 1
      this.#rest = 'stopped'
    }
    if (!this.#closed) this.#return(again)
    return true
  }

  /**
   * An attempt failed because the broker takes nothing of its type. `again` takes its place, and its lane stays taken until
   * it is released. Returns whether it counts.
   */
  held(id: number, again: T): boolean {
    if (!this.#leave(id)) return false
    this.#unsaved.set(id, (this.#unsaved.get(id) ?? 0) + 1)
    this.#failuresInARow += 1
    if (this.#closed) return true
    if (again.lane !== undefined) this.#lanes.add(again.lane)
    this.#return(again)
    return true
  }

  /** The lane of a delivery that was held goes on. */
  released(lane: string): void {
    this.#lanes.delete(lane)
  }

  /** An attempt was not made or was aborted locally. It does not count. */
  putBack(id: number): void {
    const item = this.#leave(id)
    if (!item) return
    if (this.#closed) {
      this.#forget(id)
      return
    }
    this.#return(item)
    if (this.#rest === 'none') this.#rest = 'due'
  }

  #return(item: T): void {
    const isLater = (other: T): boolean => (this.#ordered ? item.id < other.id : isBefore(item, other))
    const place = this.#ready.findIndex(isLater)
    this.#ready.splice(place < 0 ? this.#ready.length : place, 0, item)
    this.#bytes += item.bytes
  }

  /** A delivery leaves memory. It stays known until its results are stored. */
  #forget(id: number): void {
    if (!this.#unsaved.has(id)) this.#known.delete(id)
  }

  #leave(id: number): T | undefined {
    const item = this.#underWay.get(id)
    if (!item) return undefined
    this.#underWay.delete(id)
    if (this.#ordered && item.lane !== undefined) this.#lanes.delete(item.lane)
    this.#bytes -= item.bytes
    return item
  }

  rested(): void {
    this.#rest = 'none'
  }

  /** Results are stored: these deliveries are off the queue, or later in it. */
  retained(ids: Iterable<number>): void {
    for (const id of ids) {
      const left = (this.#unsaved.get(id) ?? 1) - 1
      if (left > 0) this.#unsaved.set(id, left)
      else this.#unsaved.delete(id)
      if (left > 0 || this.#isHeld(id)) continue
      if (this.#known.delete(id)) this.#reading?.retained.add(id)
    }
  }

  /** Only a delivery that returned after a stop has a result and is still in memory. */
  #isHeld(id: number): boolean {
    return this.#ordered && (this.#underWay.has(id) || this.#ready.some((item) => item.id === id))
  }

  /** Starts nothing more. Ready deliveries stay in the queue. Running ones may end and store their results. */
  close(): void {
    this.#closed = true
    for (const { id, bytes } of this.#ready) {
      this.#forget(id)
      this.#bytes -= bytes
    }
    this.#ready = []
  }

  /** Waits for nothing anymore. Running and unsaved deliveries are repeated by the next owner. */
  abandon(): void {
    this.close()
    this.#underWay.clear()
    this.#lanes.clear()
    this.#unsaved.clear()
    this.#known.clear()
    this.#bytes = 0
  }
}

const isBefore = (one: Place, other: Place): boolean =>
  one.due_at < other.due_at || (one.due_at === other.due_at && one.id < other.id)
