/** A call that must end by `endsAt`, on the clock of `performance.now()`. */
export interface Expiring {
  readonly endsAt: number
  /** Its position in its group. The group sets it. */
  place?: Place | undefined
  expire(): void
}

interface Place {
  readonly call: Expiring
  before: Place | undefined
  behind: Place | undefined
}

/**
 * Calls with the same time limit: the order of arrival is the order of expiry.
 *
 * They form a linked list rather than a `Set`. A set whose members change often allocates new tables again and again,
 * and each old table points to the next one. Once V8 has promoted one of them to the old generation, all later tables
 * and the calls in them stay alive until a full garbage collection. An entry that leaves a linked list points to
 * nothing.
 */
export class DeadlineGroup {
  #first: Place | undefined
  #last: Place | undefined
  readonly #added: ((call: Expiring) => void) | undefined

  constructor(added?: (call: Expiring) => void) {
    this.#added = added
  }

  /** The call that expires first. */
  get first(): Expiring | undefined {
    return this.#first?.call
  }

  add(call: Expiring): void {
    const place: Place = { call, before: this.#last, behind: undefined }
    if (this.#last) this.#last.behind = place
    else this.#first = place
    this.#last = place
    call.place = place
    this.#added?.(call)
  }

  delete(call: Expiring): void {
    const { place } = call
    if (!place) return
    const { before, behind } = place
    if (before) before.behind = behind
    else this.#first = behind
    if (behind) behind.before = before
    else this.#last = before
    place.before = undefined
    place.behind = undefined
    call.place = undefined
  }
}

export interface DeadlineOptions {
  now?(): number
  /** Calls a function after this many milliseconds, unless the returned function is called first. */
  later?(call: () => void, milliseconds: number): () => void
}

/** Deadlines within this time of each other are checked together. */
const tickMs = 100

/** A deadline alone does not keep the process alive. */
function byTimer(call: () => void, milliseconds: number): () => void {
  const timer = setTimeout(call, milliseconds).unref()
  return () => clearTimeout(timer)
}

/**
 * Deadlines for very many calls share one timer, which is set for the call that ends first. A call that ends in time
 * costs one list entry. When the timer fires, it finds the next call, and no timer remains when nothing is in
 * progress. A deadline can fire up to one tick late.
 */
export class Deadlines implements Disposable {
  readonly #groups = new Map<number, DeadlineGroup>()
  readonly #now: () => number
  readonly #later: NonNullable<DeadlineOptions['later']>
  #cancel: (() => void) | undefined
  #firesAt = Number.POSITIVE_INFINITY

  constructor({ now = () => performance.now(), later = byTimer }: DeadlineOptions = {}) {
    this.#now = now
    this.#later = later
  }

  /** The group of calls that may take `ms` each. */
  of(ms: number): DeadlineGroup {
    const known = this.#groups.get(ms)
    if (known) return known
    const group = new DeadlineGroup((call) => {
      if (call.endsAt < this.#firesAt) this.#fireAt(call.endsAt)
    })
    this.#groups.set(ms, group)
    return group
  }

  [Symbol.dispose](): void {
    this.#cancel?.()
    this.#cancel = undefined
    this.#firesAt = Number.POSITIVE_INFINITY
  }

  #fireAt(time: number): void {
    this[Symbol.dispose]()
    this.#firesAt = time
    this.#cancel = this.#later(() => this.#tick(), Math.max(tickMs, Math.ceil(time - this.#now())))
  }

  #tick(): void {
    this[Symbol.dispose]()
    const now = this.#now()
    let next = Number.POSITIVE_INFINITY
    for (const group of this.#groups.values()) {
      for (let call = group.first; call; call = group.first) {
        if (call.endsAt > now) {
          next = Math.min(next, call.endsAt)
          break
        }
        group.delete(call)
        call.expire()
      }
    }
    // Expired calls may have started something with a deadline of its own.
    if (next < this.#firesAt) this.#fireAt(next)
  }
}
