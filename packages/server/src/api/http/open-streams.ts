/** Counts the open streams of each owner at this node. */

export class OpenStreams {
  readonly #max: number
  readonly #open = new Map<string, number>()

  constructor(max: number) {
    this.#max = max
  }

  /** Takes a place for a stream, and returns the function that gives it back. Undefined if all places are taken. */
  take(key: string): (() => void) | undefined {
    const open = this.#open.get(key) ?? 0
    if (open >= this.#max) return undefined
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
