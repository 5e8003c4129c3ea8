/** The only place that reads the time. Milliseconds internally, seconds on the wire. */
export interface Clock {
  /** Whole milliseconds. */
  now(): number
}

/** The machine's clock. Used only to measure how far it deviates from the service clock, never to decide anything. */
export const systemClock: Clock = { now: () => Date.now() }

/**
 * The first whole millisecond at or after a computed time. Columns hold whole milliseconds, and a pause that is a share of
 * something seldom is one. Rounding up never makes a time earlier than computed.
 */
export const wholeMs = (milliseconds: number): number => Math.ceil(milliseconds)

/** A clock that shows whole milliseconds, whatever it reads. */
export const wholeClock = (clock: Clock): Clock => ({ now: () => Math.floor(clock.now()) })

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
