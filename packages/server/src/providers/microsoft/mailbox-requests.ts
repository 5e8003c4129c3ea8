/**
 * Requests to one mailbox. Graph takes four at a time of an application for each mailbox, and answers 429 for more
 * (https://learn.microsoft.com/graph/throttling-limits): the others wait here for their turn, in the order in which they
 * came. Once it has said how long to wait, it is left alone for that long.
 */
import { ApiError } from '../../lib/api-error.ts'
import { sleep } from '../../lib/clock.ts'
import { untilAborted } from '../../lib/egress-deadline.ts'
import type { Io } from '../io.ts'
import type { ProviderAnswer } from '../shared/exchange.ts'
import { retryAfterSeconds } from '../shared/retry.ts'

const maxRequests = 4
/** Who would wait longer is told how long. */
const longestWaitMs = 2_000

interface Waiting {
  weight: number
  go(): void
}

export class MailboxRequests implements AsyncDisposable {
  #free = maxRequests
  #queue: Waiting[] = []
  /** Milliseconds. */
  #pausedUntil = 0
  /** There is nothing to remember of the mailbox for now. */
  readonly #forget: () => void

  constructor(forget: () => void) {
    this.#forget = forget
  }

  /** Runs a request when its turn has come; one that Graph does several of at a time has their weight. */
  async run(
    io: Pick<Io, 'clock' | 'signal'>,
    weight: number,
    make: () => Promise<ProviderAnswer>,
  ): Promise<ProviderAnswer> {
    const taken = Math.min(weight, maxRequests)
    await this.#take(io.signal, taken)
    try {
      await this.#pause(io)
      const answer = await make()
      if (answer.status === 429) this.pauseFor(io, retryAfterSeconds(answer.header))
      return answer
    } finally {
      this.#give(taken)
      if (this.#free === maxRequests && this.#pausedUntil <= io.clock.now()) this.#forget()
    }
  }

  /** Leaves the mailbox alone for as long as Graph said, in seconds. */
  pauseFor({ clock }: Pick<Io, 'clock'>, seconds: number | undefined): void {
    if (seconds === undefined) return
    this.#pausedUntil = Math.max(this.#pausedUntil, clock.now() + seconds * 1000)
  }

  async #pause({ clock, signal }: Pick<Io, 'clock' | 'signal'>): Promise<void> {
    const left = this.#pausedUntil - clock.now()
    if (left <= 0) return
    if (left > longestWaitMs) {
      const retryAfter = Math.ceil(left / 1000)
      const providerError = { status: 429, reason: 'TooManyRequests', retry_after: retryAfter }
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
    // Whoever waits has a signal of its own.
  }
}
