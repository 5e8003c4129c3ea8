/** Runs the same action on many objects: a few at a time, continuing after errors, until it is done or stopped. */
import { WaypostError } from '@waypost/sdk'

export interface BulkFailure<T> {
  target: T
  error: unknown
}
export interface BulkProgress<T> {
  done: number
  failures: readonly BulkFailure<T>[]
}

/** Number of objects processed concurrently. */
export const bulkConcurrency = 4
/** Maximum attempts for a call that the service rejects as overloaded. */
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

/** Retries when the service asks for it. */
async function withRetries(work: () => Promise<unknown>, signal: AbortSignal): Promise<void> {
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
 * Resolves when all objects are processed or, once stopped, when running calls have ended. Every started call is
 * reported as done or failed.
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
        await withRetries(() => act(target), signal)
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
