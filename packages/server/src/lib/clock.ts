/** The only place that reads the time. Milliseconds inside, seconds on the wire. */
export interface Clock {
  now(): number
}

/** What the clock of the machine shows: for telling how far it is off, and for nothing that decides. */
export const systemClock: Clock = { now: () => Date.now() }

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
