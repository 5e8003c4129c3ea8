/**
 * How a watch learns that it should poll. The best way is a stream on a connection of its own. If the server has
 * none, allows no further one, or a proxy holds back its content, Exchange is polled for notifications. If that fails
 * too, the mailbox is polled at intervals. The working way is detected: intervals continue until a way has reported a
 * change, and again after a poll finds a change that it did not report. Notifications only decide when the next poll
 * is.
 */
import { ApiError } from '@waypost/platform/api-error'
import { sleep } from '@waypost/platform/clock'
import { hasCode } from '../errors.ts'
import type { Session } from '../session.ts'
import { PullStrategy } from './pull.ts'
import { hopeless, SilentStrategy, type WatchStrategy } from './strategy.ts'
import { StreamStrategy, type StreamStrategyOptions } from './streaming.ts'

const strategies: readonly ((session: Session, options: StreamStrategyOptions) => WatchStrategy)[] = [
  (session, options) => new StreamStrategy(session, options),
  (session) => new PullStrategy(session),
]

/** Notifications arrive in several pieces, so the poll waits for the others. */
const gatherMs = 300
/** A better way that failed is tried again after this time. */
const retryMs = 3_600_000
/** A way that fails this often in a row does not work. */
const maxFailures = 3
/** After the first failure it is retried at once, then with growing pauses. */
const failureMs = 2_000
/** A way that is lost sooner has failed. */
const steadyMs = 60_000

const lostSoon = (): ApiError =>
  new ApiError('provider_unavailable', 'Exchange does not keep a subscription for as long as it says')

export class Notifier implements AsyncDisposable {
  readonly #session: Session
  readonly #options: StreamStrategyOptions
  /** The index of the current way; the number of strategies if none works. */
  #place = 0
  #strategy: WatchStrategy | undefined
  /** When the best way is tried again, in milliseconds. */
  #retryAt = 0
  #failures = 0
  /** When the way was opened, by `performance.now`. */
  #openedAt = 0
  #isHeard = false
  /** Whether a notification led to the current poll. */
  #wasHeard = false
  /** Whether the way was open at the end of the last poll. */
  #wasOpen = false
  #isProven = false

  constructor(session: Session, options: StreamStrategyOptions = {}) {
    this.#session = session
    this.#options = options
  }

  /** Whether changes are reported, so that polls at intervals can be rare. */
  get isTrusted(): boolean {
    return this.#isProven && (this.#strategy?.isOpen ?? false)
  }

  /** A poll begins, which covers the notifications so far. */
  beginPoll(): void {
    this.#wasHeard = (this.#strategy?.take() ?? false) || this.#isHeard
    this.#isHeard = false
  }

  /** A poll ended, with or without changes. */
  endPoll(hasFound: boolean): void {
    if (hasFound && this.#wasHeard) this.#isProven = true
    if (hasFound && !this.#wasHeard && this.#wasOpen) this.#isProven = false
    this.#wasOpen = this.#strategy?.isOpen ?? false
  }

  /** Resolves when a poll is due; with `time` if there was no notification. */
  async wait(ms: number, signal: AbortSignal): Promise<'time' | undefined> {
    const strategy = this.#currentStrategy()
    if (!strategy) {
      await sleep(ms, signal)
      return 'time'
    }
    try {
      return await this.#waitFor(strategy, ms, signal)
    } catch (error) {
      signal.throwIfAborted()
      await this.#fallBack(error)
      // A poll covers what happened since, and the way or the next one is opened after it.
      await sleep(Math.min(ms, Math.max(this.#failures - 1, 0) * failureMs), signal)
      return 'time'
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const strategy = this.#strategy
    this.#strategy = undefined
    await strategy?.[Symbol.asyncDispose]()
  }

  async #waitFor(strategy: WatchStrategy, ms: number, signal: AbortSignal): Promise<'time' | undefined> {
    if (!strategy.isOpen) {
      await strategy.open()
      this.#openedAt = performance.now()
      // Nothing reported the changes until now.
      return 'time'
    }
    const woken = await strategy.wait(ms, signal)
    if (woken === 'lost' && performance.now() - this.#openedAt < steadyMs) throw lostSoon()
    this.#failures = 0
    if (woken !== 'told') return 'time'
    this.#isHeard = true
    await sleep(gatherMs, signal)
    return undefined
  }

  #currentStrategy(): WatchStrategy | undefined {
    if (this.#place > 0 && this.#session.io.clock.now() >= this.#retryAt) this.#useStrategy(0)
    this.#strategy ??= strategies[this.#place]?.(this.#session, this.#options)
    return this.#strategy
  }

  #useStrategy(place: number): void {
    this.#place = place
    this.#failures = 0
    this.#isProven = false
  }

  /**
   * A problem with the account is thrown. Otherwise the way is retried, or the next one is used if that cannot help.
   */
  async #fallBack(error: unknown): Promise<void> {
    if (!(error instanceof ApiError) || error.code === 'grant_invalid') throw error
    await this[Symbol.asyncDispose]()
    this.#failures += 1
    const isHopeless = error instanceof SilentStrategy || hasCode(error, ...hopeless)
    if (this.#failures < maxFailures && !isHopeless) return
    const { io, grant } = this.#session
    io.log.info({ error, grant_id: grant.id }, 'Exchange does not tell of changes in this way; the next one is tried')
    this.#useStrategy(this.#place + 1)
    this.#retryAt = io.clock.now() + retryMs
  }
}
