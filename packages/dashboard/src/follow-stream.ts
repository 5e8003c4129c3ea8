/** How news are followed: by the stream where it is on, else by the clock; slower and slower while nothing can be had. */

export interface Page<T> {
  items: readonly T[]
  next: string | undefined
}

/** What a failure means: the stream is off, nobody here may read it, or it may come back. */
export type Failure = 'off' | 'refused' | 'lost'

/** `live`: what happens comes at once; `asking`: by the clock; `lost`: the service does not answer; `ended`: not at all. */
export type Liveness = 'live' | 'asking' | 'lost' | 'ended'

export interface Following<T> {
  /** Waits for what comes after `cursor`, or for what comes from now on. */
  read(cursor: string | undefined): Promise<Page<T>>
  failureOf(error: unknown): Failure
  /** Resolves after so many milliseconds, or at once when the signal says so. */
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>
  /** What came; nothing where only the clock says that it is time to look. */
  onChange(items: readonly T[]): void
  onState(state: Liveness): void
}

/** How often is looked where there is no stream. */
export const askMs = 20_000
const firstPauseMs = 2_000
const longestPauseMs = 60_000

/** Follows until the signal says so, or until it is refused for good. */
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
      onState(failure === 'off' ? 'asking' : failure === 'lost' ? 'lost' : 'ended')
      if (failure === 'refused') return
      await sleep(failure === 'off' ? askMs : pause, signal)
      if (failure === 'off') {
        // The stream may be switched on later: from then on it is followed.
        cursor = undefined
        if (!signal.aborted) onChange([])
      } else {
        pause = Math.min(pause * 2, longestPauseMs)
        missed = true
      }
    }
  }
}
