/** Waiting requests of several applications, served round robin. */

export interface Waiting {
  /** The application or address that it is queued under. */
  readonly key: string
  readonly since: number
  /** Its client has left. */
  isGone: boolean
}

interface Queue<T> {
  entries: T[]
  /** Without entries whose client has left. */
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

  /** The next entry of the key that was served least recently, among those that may begin. */
  take(mayBegin: (key: string) => boolean): T | undefined {
    for (const [key, queue] of this.#queues) {
      if (!mayBegin(key)) continue
      this.#queues.delete(key)
      const first = this.#firstOf(queue)
      // A key that was served moves to the end.
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

  /** The client has left. The entry is removed when its turn comes, and counts for nothing until then. */
  leave(entry: T): void {
    entry.isGone = true
    this.size--
    const queue = this.#queues.get(entry.key)
    if (!queue) return
    queue.length--
    // An empty queue is removed, so that clients that leave early use no memory.
    if (queue.length === 0) this.#queues.delete(entry.key)
    else if (queue.entries.length > 2 * queue.length + 64) queue.entries = queue.entries.filter(({ isGone }) => !isGone)
  }

  /** Removes entries older than `since`. */
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
