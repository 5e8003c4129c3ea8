// Work that Exchange does some time after it accepted a request.

export interface Delayed {
  run(work: () => void): void
  /** Resolves when all work is done. */
  settled(): Promise<void>
  /** Discards pending work. */
  close(): void
}

/** With a delay of 0, work runs immediately. */
export function createDelayed(ms: number): Delayed {
  const waiting = new Map<NodeJS.Timeout, Promise<void>>()
  return {
    run(work) {
      if (ms === 0) return work()
      const { promise, resolve } = Promise.withResolvers<void>()
      const timer = setTimeout(() => {
        work()
        waiting.delete(timer)
        resolve()
      }, ms)
      waiting.set(timer, promise)
    },
    async settled() {
      while (waiting.size > 0) await Promise.all(waiting.values())
    },
    close() {
      for (const timer of waiting.keys()) clearTimeout(timer)
      waiting.clear()
    },
  }
}
