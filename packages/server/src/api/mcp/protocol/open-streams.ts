/** Counts the open streams of each credential at this node. */
import { ProtocolFault } from './faults.ts'

/** Streams that a credential may have open at a node. */
export const maxStreams = 4

export class OpenStreams {
  readonly #open = new Map<string, number>()

  /** Takes a place for a stream, and returns the function that gives it back. */
  take(key: string): () => void {
    const open = this.#open.get(key) ?? 0
    if (open >= maxStreams) {
      const data = { type: 'rate_limited' }
      throw new ProtocolFault(429, `at most ${maxStreams} streams per credential: close one`, { status: 429, data })
    }
    this.#open.set(key, open + 1)
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      const left = (this.#open.get(key) ?? 1) - 1
      if (left > 0) this.#open.set(key, left)
      else this.#open.delete(key)
    }
  }

  get total(): number {
    let total = 0
    for (const open of this.#open.values()) total += open
    return total
  }
}
