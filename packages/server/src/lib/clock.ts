/** The only place that reads the time. Milliseconds inside, seconds on the wire. */
export interface Clock {
  now(): number
}

export const systemClock: Clock = { now: () => Date.now() }

/** A clock that follows another one, such as the store's: nodes whose own clocks differ agree on it. */
export interface FollowingClock extends Clock {
  /** Compares the clocks anew. */
  follow(): Promise<void>
}

export function followingClock(own: Clock, other: () => Promise<number>): FollowingClock {
  let ahead = 0
  return {
    now: () => own.now() + ahead,
    async follow() {
      const before = own.now()
      const told = await other()
      // It was told somewhere between the question and the answer.
      ahead = Math.round(told - (before + own.now()) / 2)
    },
  }
}

/** Unix seconds of a time in milliseconds. */
export const seconds = (milliseconds: number): number => Math.floor(milliseconds / 1000)

/** Resolves after `milliseconds`, or at once when the signal aborts. */
export function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve()
    const done = (): void => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, milliseconds)
    signal?.addEventListener('abort', done)
  })
}
