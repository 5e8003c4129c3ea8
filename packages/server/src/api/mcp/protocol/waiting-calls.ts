/**
 * Calls that wait for the answer of a person, in versions in which the answer arrives as a request of its own. If it arrives
 * at this node, the call continues at once. If it arrives at another node, the call sees it in the store soon after.
 */
import { sleep } from '@waypost/platform/clock'

const pollMs = 1_000

export class WaitingCalls {
  readonly #wakes = new Map<string, AbortController>()

  /** Waits for `look` to find something, for at most `maxMs`. Undefined: not found, or the client gave no answer. */
  async until<T>(
    key: string,
    poll: () => Promise<T | undefined>,
    { maxMs, signal }: { maxMs: number; signal: AbortSignal },
  ): Promise<T | undefined> {
    const wake = new AbortController()
    this.#wakes.set(key, wake)
    try {
      for (const end = performance.now() + maxMs; performance.now() < end && !signal.aborted; ) {
        await sleep(pollMs, AbortSignal.any([signal, wake.signal]))
        const found = await poll()
        if (found !== undefined || wake.signal.aborted) return found
      }
      return undefined
    } finally {
      this.#wakes.delete(key)
    }
  }

  /** The answer has arrived at this node. */
  wake(key: string): void {
    this.#wakes.get(key)?.abort()
  }
}
