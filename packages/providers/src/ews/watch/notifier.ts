/**
 * How a watch learns that it should poll: by a stream on a connection of its own. If the server has none, allows no
 * further one, or a proxy holds back its content, the mailbox is polled at intervals. Whether the stream works is
 * detected: intervals continue until it has reported a change, and again after a poll finds a change that it did not
 * report. Notifications only decide when the next poll is.
 */
import { ApiError } from '@waypost/platform/api-error'
import { sleep } from '@waypost/platform/clock'
import type { Session } from '../session.ts'
import { isHopeless, Stream, type StreamOptions } from './streaming.ts'

/** Notifications arrive in several pieces, so the poll waits for the others. */
const gatherMs = 300
/** A stream that does not work is tried again after this time. */
const retryMs = 3_600_000
/** A stream that fails this often in a row does not work. */
const maxFailures = 3
/** After the first failure it is retried at once, then with growing pauses. */
const failureMs = 2_000
/** A stream that is lost sooner has failed. */
const steadyMs = 60_000

const lostSoon = (): ApiError =>
  new ApiError('provider_unavailable', 'Exchange does not keep a subscription for as long as it says')

export class Notifier implements AsyncDisposable {
  readonly #session: Session
  readonly #options: StreamOptions
  #stream: Stream | undefined
  /** Until then the mailbox is polled at intervals, in milliseconds. */
  #retryAt = 0
  #failures = 0
  /** When the stream was opened, by `performance.now`. */
  #openedAt = 0
  #isHeard = false
  /** Whether a notification led to the current poll. */
  #wasHeard = false
  /** Whether the stream was open at the end of the last poll. */
  #wasOpen = false
  #isProven = false

  constructor(session: Session, options: StreamOptions = {}) {
    this.#session = session
    this.#options = options
  }

  /** Whether changes are reported, so that polls at intervals can be rare. */
  get isTrusted(): boolean {
    return this.#isProven && (this.#stream?.isOpen ?? false)
  }

  /** A poll begins, which covers the notifications so far. */
  beginPoll(): void {
    this.#wasHeard = (this.#stream?.take() ?? false) || this.#isHeard
    this.#isHeard = false
  }

  /** A poll ended, with or without changes. */
  endPoll(hasFound: boolean): void {
    if (hasFound && this.#wasHeard) this.#isProven = true
    if (hasFound && !this.#wasHeard && this.#wasOpen) this.#isProven = false
    this.#wasOpen = this.#stream?.isOpen ?? false
  }

  /** Resolves when a poll is due; with `time` if there was no notification. */
  async wait(ms: number, signal: AbortSignal): Promise<'time' | undefined> {
    if (this.#session.io.clock.now() < this.#retryAt) {
      await sleep(ms, signal)
      return 'time'
    }
    this.#stream ??= new Stream(this.#session, this.#options)
    try {
      return await this.#waitFor(this.#stream, ms, signal)
    } catch (error) {
      signal.throwIfAborted()
      await this.#fallBack(error)
      // A poll covers what happened since.
      await sleep(Math.min(ms, Math.max(this.#failures - 1, 0) * failureMs), signal)
      return 'time'
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const stream = this.#stream
    this.#stream = undefined
    await stream?.[Symbol.asyncDispose]()
  }

  async #waitFor(stream: Stream, ms: number, signal: AbortSignal): Promise<'time' | undefined> {
    if (!stream.isOpen) {
      await stream.open()
      this.#openedAt = performance.now()
      // Nothing reported the changes until now.
      return 'time'
    }
    const woken = await stream.wait(ms, signal)
    if (woken === 'lost' && performance.now() - this.#openedAt < steadyMs) throw lostSoon()
    this.#failures = 0
    if (woken !== 'reported') return 'time'
    this.#isHeard = true
    await sleep(gatherMs, signal)
    return undefined
  }

  /** A problem with the account is thrown. Otherwise the stream is opened again, or later if that cannot help. */
  async #fallBack(error: unknown): Promise<void> {
    if (!(error instanceof ApiError) || error.code === 'grant_invalid') throw error
    await this[Symbol.asyncDispose]()
    this.#failures += 1
    if (this.#failures < maxFailures && !isHopeless(error)) return
    const { io, grant } = this.#session
    io.log.info({ error, grant_id: grant.id }, 'Exchange streams no notifications; the mailbox is polled at intervals')
    this.#failures = 0
    this.#isProven = false
    this.#retryAt = io.clock.now() + retryMs
  }
}
