/** The running requests of a node. When the node stops, those that take too long are refused. */
import { limits } from '@waypost/contract'
import { ApiError } from '@waypost/platform/api-error'
import { DeadlineGroup, Deadlines, type Expiring } from '@waypost/platform/deadlines'

export interface UnderWay {
  /** Waits for `work` until the node must stop; then calls `cut` and refuses the request. */
  within<T>(work: Promise<T>, cut?: () => void): Promise<T>
  /** The same, with the deadline of a request in addition. */
  withinDeadline<T>(work: Promise<T>, cut: () => void): Promise<T>
  /** Refuses all running requests, and those that begin later. */
  end(): void
}

export function createUnderWay(deadlines = new Deadlines()): UnderWay {
  const bounded = deadlines.of(limits.deadlineMs)
  const unbounded = new DeadlineGroup()
  let isOver = false
  const begin = <T>(group: DeadlineGroup, work: Promise<T>, cut: (() => void) | undefined): Promise<T> =>
    new Promise((resolve, reject) => {
      const waiting: Expiring = {
        endsAt: performance.now() + limits.deadlineMs,
        expire() {
          group.delete(waiting)
          cut?.()
          reject(isOver ? stopping() : new ApiError('deadline_exceeded'))
        },
      }
      const succeed = (value: T): void => {
        group.delete(waiting)
        resolve(value)
      }
      const fail = (error: unknown): void => {
        group.delete(waiting)
        reject(error)
      }
      work.then(succeed, fail)
      if (isOver) waiting.expire()
      else group.add(waiting)
    })
  return {
    within: (work, cut) => begin(unbounded, work, cut),
    withinDeadline: (work, cut) => begin(bounded, work, cut),
    end() {
      isOver = true
      for (const group of [bounded, unbounded]) {
        for (let waiting = group.first; waiting; waiting = group.first) waiting.expire()
      }
    },
  }
}

const stopping = (): ApiError =>
  new ApiError(
    'service_unavailable',
    'this node is being stopped; repeat the request, with an Idempotency-Key where it changes something',
    { retryAfter: 1 },
  )
