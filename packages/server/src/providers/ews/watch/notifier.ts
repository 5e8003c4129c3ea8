/**
 * How a watch learns that there is something to look at. The best way is a stream, over a connection of its own; where the
 * server has none, gives no further one, or a proxy keeps back what comes through it, Exchange is asked whether anything
 * happened, and where that does not work either the mailbox is looked at by the clock. Which way works is found out: until
 * it has told of something that was there the clock goes on beside it, and again once a look finds what it did not tell.
 * Nothing depends on what is told but when the next look is.
 */
import { ApiError } from '../../../lib/api-error.ts'
import { sleep } from '../../../lib/clock.ts'
import { hasCode } from '../errors.ts'
import type { Session } from '../session.ts'
import { PullWay } from './pull.ts'
import { StreamWay, type StreamWayOptions } from './streaming.ts'
import { hopeless, SilentWay, type Way } from './way.ts'

const ways: readonly ((session: Session, options: StreamWayOptions) => Way)[] = [
  (session, options) => new StreamWay(session, options),
  (session) => new PullWay(session),
]

/** What is told comes in several pieces: the look waits for the others. */
const gatherMs = 300
/** A better way that did not work is tried again after this. */
const retryMs = 3_600_000
/** A way that fails so often in a row does not work. */
const mostFailures = 3
/** After the first failure it is tried again at once, and later each time. */
const failureMs = 2_000
/** A way that is lost sooner has failed. */
const steadyMs = 60_000

const lostSoon = (): ApiError =>
  new ApiError('provider_unavailable', 'Exchange does not keep a subscription for as long as it says')

export class Notifier implements AsyncDisposable {
  readonly #session: Session
  readonly #options: StreamWayOptions
  /** The place of the way that is used among all; none of them where it is the number of all. */
  #place = 0
  #way: Way | undefined
  /** When the best way is tried again, in milliseconds. */
  #retryAt = 0
  #failures = 0
  /** When the way was opened, by `performance.now`. */
  #openedAt = 0
  #isHeard = false
  /** Of the look that is under way: that there is something was told. */
  #wasHeard = false
  /** Of the last look: the way was open at its end. */
  #wasOpen = false
  #isProven = false

  constructor(session: Session, options: StreamWayOptions = {}) {
    this.#session = session
    this.#options = options
  }

  /** Whether what happens is told, so that looks by the clock may be rare. */
  get isTrusted(): boolean {
    return this.#isProven && (this.#way?.isOpen ?? false)
  }

  /** A look begins, and sees what was told until now. */
  beginLook(): void {
    this.#wasHeard = (this.#way?.take() ?? false) || this.#isHeard
    this.#isHeard = false
  }

  /** A look is over, which found something or did not. */
  endLook(hasFound: boolean): void {
    if (hasFound && this.#wasHeard) this.#isProven = true
    if (hasFound && !this.#wasHeard && this.#wasOpen) this.#isProven = false
    this.#wasOpen = this.#way?.isOpen ?? false
  }

  /** Resolves when there may be something to look at; with `time` where nobody told of it. */
  async wait(ms: number, signal: AbortSignal): Promise<'time' | undefined> {
    const way = this.#currentWay()
    if (!way) {
      await sleep(ms, signal)
      return 'time'
    }
    try {
      return await this.#waitFor(way, ms, signal)
    } catch (error) {
      signal.throwIfAborted()
      await this.#fallBack(error)
      // What happened since is looked at, and the way, or the next one, opened after that.
      await sleep(Math.min(ms, Math.max(this.#failures - 1, 0) * failureMs), signal)
      return 'time'
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const way = this.#way
    this.#way = undefined
    await way?.[Symbol.asyncDispose]()
  }

  async #waitFor(way: Way, ms: number, signal: AbortSignal): Promise<'time' | undefined> {
    if (!way.isOpen) {
      await way.open()
      this.#openedAt = performance.now()
      // What happened until now was told by nobody.
      return 'time'
    }
    const woken = await way.wait(ms, signal)
    if (woken === 'lost' && performance.now() - this.#openedAt < steadyMs) throw lostSoon()
    this.#failures = 0
    if (woken !== 'told') return 'time'
    this.#isHeard = true
    await sleep(gatherMs, signal)
    return undefined
  }

  #currentWay(): Way | undefined {
    if (this.#place > 0 && this.#session.io.clock.now() >= this.#retryAt) this.#useWay(0)
    this.#way ??= ways[this.#place]?.(this.#session, this.#options)
    return this.#way
  }

  #useWay(place: number): void {
    this.#place = place
    this.#failures = 0
    this.#isProven = false
  }

  /** What is wrong with the account is thrown; else the way is tried again, or the next one where that cannot help. */
  async #fallBack(error: unknown): Promise<void> {
    if (!(error instanceof ApiError) || error.code === 'grant_invalid') throw error
    await this[Symbol.asyncDispose]()
    this.#failures += 1
    const isHopeless = error instanceof SilentWay || hasCode(error, ...hopeless)
    if (this.#failures < mostFailures && !isHopeless) return
    const { io, grant } = this.#session
    io.log.info({ error, grant_id: grant.id }, 'Exchange does not tell of changes in this way; the next one is tried')
    this.#useWay(this.#place + 1)
    this.#retryAt = io.clock.now() + retryMs
  }
}
