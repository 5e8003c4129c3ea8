/** Something that must not go on after `endsAt`, on the clock of `performance.now()`. */
export interface Expiring {
  readonly endsAt: number
  expire(): void
}

/** Calls that may take equally long: the order in which they came is the order in which they expire. */
export interface DeadlineGroup extends Iterable<Expiring> {
  readonly size: number
  add(call: Expiring): void
  delete(call: Expiring): void
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
 * time costs an entry in a set; the timer then finds the next one when it fires, and none is left where nothing is under
 * way. A deadline passes up to a tick late.
 */
export class Deadlines implements Disposable {
  readonly #groups = new Map<number, Group>()
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
    const group = new Group((call) => {
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
      for (const call of group) {
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

class Group extends Set<Expiring> {
  readonly #added: (call: Expiring) => void

  constructor(added: (call: Expiring) => void) {
    super()
    this.#added = added
  }

  override add(call: Expiring): this {
    super.add(call)
    this.#added(call)
    return this
  }
}
