/**
 * Limits the concurrent requests to one mailbox; the others wait in order of arrival. If the provider names a time to
 * wait, no request is made until then.
 */
import { ApiError } from '@waypost/platform/api-error'
import { sleep } from '@waypost/platform/clock'
import { untilAborted } from '@waypost/platform/egress/deadline'
import type { Io } from '../io.ts'

/** A request that would wait longer fails with the time to wait. */
const maxWaitMs = 2_000

interface Waiting {
  weight: number
  go(): void
}

export interface MailboxLimits {
  /** The number of concurrent requests that the provider accepts. */
  requests: number
  /** The provider's own refusal, for a request that would have to wait too long here. */
  refusal: { status: number; reason: string }
}

export class MailboxRequests implements AsyncDisposable {
  readonly #limits: MailboxLimits
  #free: number
  #queue: Waiting[] = []
  /** Milliseconds. */
  #pausedUntil = 0
  /** Called when the mailbox has no state to remember. */
  readonly #forget: () => void

  constructor(limits: MailboxLimits, forget: () => void) {
    this.#limits = limits
    this.#free = limits.requests
    this.#forget = forget
  }

  /** Runs a request within the limit. `weight` is the number of requests that the provider counts it as. */
  async run<T>(io: Pick<Io, 'clock' | 'signal'>, weight: number, make: () => Promise<T>): Promise<T> {
    const taken = Math.min(weight, this.#limits.requests)
    await this.#take(io.signal, taken)
    try {
      await this.#pause(io)
      return await make()
    } finally {
      this.#give(taken)
      if (this.#free === this.#limits.requests && this.#pausedUntil <= io.clock.now()) this.#forget()
    }
  }

  /** Pauses the mailbox for the time that the provider named, in seconds. */
  pauseFor({ clock }: Pick<Io, 'clock'>, seconds: number | undefined): void {
    if (seconds === undefined) return
    this.#pausedUntil = Math.max(this.#pausedUntil, clock.now() + seconds * 1000)
  }

  async #pause({ clock, signal }: Pick<Io, 'clock' | 'signal'>): Promise<void> {
    const left = this.#pausedUntil - clock.now()
    if (left <= 0) return
    if (left > maxWaitMs) {
      const retryAfter = Math.ceil(left / 1000)
      const providerError = { ...this.#limits.refusal, retry_after: retryAfter }
      throw new ApiError('provider_rate_limited', undefined, { providerError, retryAfter })
    }
    await sleep(left, signal)
    signal.throwIfAborted()
  }

  async #take(signal: AbortSignal, weight: number): Promise<void> {
    signal.throwIfAborted()
    if (this.#queue.length === 0 && this.#free >= weight) {
      this.#free -= weight
      return
    }
    const { promise, resolve } = Promise.withResolvers<void>()
    const waiting: Waiting = { weight, go: resolve }
    this.#queue.push(waiting)
    try {
      await untilAborted(promise, signal)
    } catch (error) {
      const place = this.#queue.indexOf(waiting)
      if (place === -1) this.#give(weight)
      else {
        this.#queue.splice(place, 1)
        this.#next()
      }
      throw error
    }
  }

  #give(weight: number): void {
    this.#free += weight
    this.#next()
  }

  #next(): void {
    for (let first = this.#queue[0]; first && first.weight <= this.#free; first = this.#queue[0]) {
      this.#queue.shift()
      this.#free -= first.weight
      first.go()
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // Each waiting request has a signal of its own.
  }
}
