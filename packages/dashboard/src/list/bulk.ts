/** The same work on many objects: a few at a time, over errors, until it is done or stopped. */
import { WaypostError } from '@waypost/sdk'

export interface BulkFailure<T> {
  target: T
  error: unknown
}
export interface BulkProgress<T> {
  done: number
  failures: readonly BulkFailure<T>[]
}

/** So many at once. */
export const bulkConcurrency = 4
/** A call that the service has no time for is made again, so many times. */
const tries = 5

const sleep = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })

const isBusy = (error: unknown): error is WaypostError =>
  error instanceof WaypostError && (error.status === 429 || error.status === 503)

/** Tries again where the service asks to. */
async function patiently(work: () => Promise<unknown>, signal: AbortSignal): Promise<void> {
  for (let turn = 1; ; turn++) {
    try {
      await work()
      return
    } catch (error) {
      if (!isBusy(error) || turn === tries || signal.aborted) throw error
      await sleep(Math.min(30_000, 1000 * (error.retryAfter ?? 2 ** (turn - 1))), signal)
      if (signal.aborted) throw error
    }
  }
}

/**
 * Answers when all is done, or, once stopped, when what is under way has ended. What was begun is always told: done, or
 * failed and why.
 */
export async function runBulk<T>(
  targets: readonly T[],
  act: (target: T) => Promise<unknown>,
  { signal, onProgress }: { signal: AbortSignal; onProgress(progress: BulkProgress<T>): void },
): Promise<BulkProgress<T>> {
  const failures: BulkFailure<T>[] = []
  let done = 0
  let next = 0
  const worker = async (): Promise<void> => {
    while (!signal.aborted && next < targets.length) {
      const target = targets[next++] as T
      try {
        await patiently(() => act(target), signal)
        done += 1
      } catch (error) {
        failures.push({ target, error })
      }
      onProgress({ done, failures: [...failures] })
    }
  }
  await Promise.all(Array.from({ length: bulkConcurrency }, worker))
  return { done, failures }
}
