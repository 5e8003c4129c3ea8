/** Something that must not go on after `endsAt`, on the clock of `performance.now()`. */
export interface Expiring {
  readonly endsAt: number
  /** Where it stands in its group, which sets it. */
  place?: Place | undefined
  expire(): void
}

interface Place {
  readonly call: Expiring
  before: Place | undefined
  behind: Place | undefined
}

/**
 * Calls that may take equally long: the order in which they came is the order in which they expire.
 *
 * They are a chain, and no `Set`. A set whose members come and go is given a new table again and again, and the old one goes
 * on pointing at the new: once V8 has counted one of them among the old objects, every later table, with all calls that
 * stood in it, is taken for alive until the whole heap is looked through. What leaves the chain points at nothing.
 */
export class DeadlineGroup {
  #first: Place | undefined
  #last: Place | undefined
  readonly #added: ((call: Expiring) => void) | undefined

  constructor(added?: (call: Expiring) => void) {
    this.#added = added
  }

  /** The one that expires first. */
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
  /** Calls after so many milliseconds, unless what it answers is called before. */
  later?(call: () => void, milliseconds: number): () => void
}

/** Deadlines that pass within so long of each other are looked at together. */
const tickMs = 100

/** What has a deadline holds the process by what it waits for; the deadline alone does not. */
function byTimer(call: () => void, milliseconds: number): () => void {
  const timer = setTimeout(call, milliseconds).unref()
  return () => clearTimeout(timer)
}

/**
 * Deadlines for very many calls: no timer each, one for all, which is set for the call that ends first. A call that ends in
 * time costs an entry in a chain; the timer then finds the next one when it fires, and none is left where nothing is under
 * way. A deadline passes up to a tick late.
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

  /** The calls that may take `ms` each. */
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
    // What expired may have begun something that has a deadline of its own.
    if (next < this.#firesAt) this.#fireAt(next)
  }
}
