/** Requests that wait, of several applications, which are served in turn. */

export interface Waiting {
  /** Whose turn it waits for. */
  readonly key: string
  readonly since: number
  /** Its client is gone: nobody waits for it any more. */
  isGone: boolean
}

interface Queue<T> {
  entries: T[]
  /** Without those who are gone. */
  length: number
}

export class Turns<T extends Waiting> {
  readonly #queues = new Map<string, Queue<T>>()
  size = 0

  add(entry: T): void {
    const queue = this.#queues.get(entry.key)
    if (queue) {
      queue.entries.push(entry)
      queue.length++
    } else this.#queues.set(entry.key, { entries: [entry], length: 1 })
    this.size++
  }

  sizeOf(key: string): number {
    return this.#queues.get(key)?.length ?? 0
  }

  /** The next of whoever was served longest ago, of those that may begin. */
  take(mayBegin: (key: string) => boolean): T | undefined {
    for (const [key, queue] of this.#queues) {
      if (!mayBegin(key)) continue
      this.#queues.delete(key)
      const first = this.#firstOf(queue)
      // Whoever is served stands at the end.
      if (queue.length > 0) this.#queues.set(key, queue)
      if (first) return first
    }
    return undefined
  }

  #firstOf(queue: Queue<T>): T | undefined {
    for (let entry = queue.entries.shift(); entry; entry = queue.entries.shift()) {
      if (entry.isGone) continue
      queue.length--
      this.size--
      return entry
    }
    return undefined
  }

  /** Its client is gone; the entry goes when it would have been its turn, and takes no place until then. */
  leave(entry: T): void {
    entry.isGone = true
    this.size--
    const queue = this.#queues.get(entry.key)
    if (!queue) return
    queue.length--
    // Who comes and goes without waiting for an answer leaves nothing behind.
    if (queue.length === 0) this.#queues.delete(entry.key)
    else if (queue.entries.length > 2 * queue.length + 64) queue.entries = queue.entries.filter(({ isGone }) => !isGone)
  }

  /** Removes who came before `since`. */
  *expire(since: number): Generator<T> {
    for (const [key, queue] of this.#queues) {
      const { entries } = queue
      const late = entries.findIndex((each) => each.since > since)
      const expired = entries.splice(0, late === -1 ? entries.length : late).filter(({ isGone }) => !isGone)
      queue.length -= expired.length
      this.size -= expired.length
      if (queue.length === 0) this.#queues.delete(key)
      yield* expired
    }
  }
}
