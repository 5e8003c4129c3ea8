/** Follows notifications: by the stream if it is on, otherwise by polling. Failures increase the delay. */

export interface Page<T> {
  items: readonly T[]
  next: string | undefined
}

/** Reason of a failure: the stream is off, reading it is not allowed, or the service does not respond. */
export type Failure = 'off' | 'refused' | 'lost'

/** `live`: changes arrive at once; `polling`: no stream; `lost`: the service does not respond; `ended`: stopped. */
export type Liveness = 'live' | 'polling' | 'lost' | 'ended'

export interface Following<T> {
  /** Waits for items after `cursor`, or without a cursor for items from now on. */
  read(cursor: string | undefined): Promise<Page<T>>
  failureOf(error: unknown): Failure
  /** Resolves after the given milliseconds, or as soon as the signal aborts. */
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>
  /** Called with the new items, or with an empty list when a poll is due. */
  onChange(items: readonly T[]): void
  onState(state: Liveness): void
}

/** Polling interval without a stream. */
export const pollMs = 20_000
const firstPauseMs = 2_000
const maxPauseMs = 60_000

/** Follows until the signal aborts or access is refused. */
export async function follow<T>(
  { read, failureOf, sleep, onChange, onState }: Following<T>,
  signal: AbortSignal,
): Promise<void> {
  let cursor: string | undefined
  let pause = firstPauseMs
  let missed = false
  while (!signal.aborted) {
    try {
      const page = await read(cursor)
      if (signal.aborted) return
      onState('live')
      cursor = page.next ?? cursor
      pause = firstPauseMs
      if (page.items.length > 0 || missed) onChange(page.items)
      missed = false
    } catch (error) {
      if (signal.aborted) return
      const failure = failureOf(error)
      onState(failure === 'off' ? 'polling' : failure === 'lost' ? 'lost' : 'ended')
      if (failure === 'refused') return
      await sleep(failure === 'off' ? pollMs : pause, signal)
      if (failure === 'off') {
        // The stream can be turned on later; then it is followed again.
        cursor = undefined
        if (!signal.aborted) onChange([])
      } else {
        pause = Math.min(pause * 2, maxPauseMs)
        missed = true
      }
    }
  }
}
