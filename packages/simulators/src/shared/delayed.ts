// What Exchange does a while after it has said yes.

export interface Delayed {
  run(work: () => void): void
  /** Ends when all is done. */
  settled(): Promise<void>
  /** Forgets what is not done yet. */
  close(): void
}

/** Without a delay, work is done at once. */
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
