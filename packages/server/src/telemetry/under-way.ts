/** The requests that a node is at work on: when it ends, those that take longer than it can wait are answered instead. */
import { ApiError } from '../lib/api-error.ts'

export interface UnderWay {
  /** Waits for `work` until the node can wait no longer; `cut` is told then, before the request is refused. */
  within<T>(work: Promise<T>, cut?: () => void): Promise<T>
  /** Refuses what is still under way, and whatever begins afterwards. */
  end(): void
}

export function createUnderWay(): UnderWay {
  const cuts = new Set<() => void>()
  let isOver = false
  return {
    within(work, cut) {
      return new Promise((resolve, reject) => {
        const end = (): void => {
          cut?.()
          reject(stopping())
        }
        work.then(
          (value) => {
            cuts.delete(end)
            resolve(value)
          },
          (error) => {
            cuts.delete(end)
            reject(error)
          },
        )
        if (isOver) end()
        else cuts.add(end)
      })
    },
    end() {
      isOver = true
      for (const cut of cuts) cut()
      cuts.clear()
    },
  }
}

const stopping = (): ApiError =>
  new ApiError(
    'service_unavailable',
    'this node is being stopped; repeat the request, with an Idempotency-Key where it changes something',
    { retryAfter: 1 },
  )
