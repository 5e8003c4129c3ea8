/**
 * Lets the writes of messages that are under way at the same time fall into one turn of the event loop, where they share a
 * commit. A write that comes alone waits for nothing. One that comes soon after another waits a little for more: in
 * proportion to what a write takes on this disk, and longer where many come.
 */
export type CommitBatching = <T>(write: () => Promise<T>) => Promise<T>

/** Milliseconds between commits. */
const [leastMs, mostMs] = [1, 8]
/** So many that shared a commit are many. */
const many = 6

export function createCommitBatching(): CommitBatching {
  let tookMs = 0
  let last = Number.NEGATIVE_INFINITY
  let came = 0
  let spacingMs = leastMs
  let next: Promise<void> | undefined

  const go = (): void => {
    last = performance.now()
    spacingMs = came >= many ? mostMs : Math.min(Math.max(tookMs, leastMs), mostMs / 2)
    came = 0
    next = undefined
  }

  function turn(): Promise<void> | undefined {
    came++
    if (next) return next
    const wait = last + spacingMs - performance.now()
    if (wait <= 0) {
      go()
      return undefined
    }
    next = new Promise<void>((resolve) => setTimeout(resolve, wait)).then(go)
    return next
  }

  return async (write) => {
    await turn()
    const from = performance.now()
    const result = await write()
    tookMs += (performance.now() - from - tookMs) / 8
    return result
  }
}

/** For a store that gathers commits itself. */
export const apart: CommitBatching = (write) => write()
