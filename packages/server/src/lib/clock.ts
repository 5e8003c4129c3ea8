/** The only place that reads the time. Milliseconds internally, seconds on the wire. */
export interface Clock {
  now(): number
}

/** The machine's clock. Used only to measure how far it deviates from the service clock, never to decide anything. */
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
