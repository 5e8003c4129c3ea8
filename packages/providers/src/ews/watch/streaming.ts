/**
 * A stream of notifications (GetStreamingEvents): one answer that goes on for half an hour, over a connection of its own. The
 * server says every 45 seconds that all is well; where nothing comes for 90, something between keeps it back, or the
 * connection is dead. A connection that ends in good order is followed by the next one with the same subscription, in which
 * the server keeps what happens meanwhile.
 */
import { ApiError } from '@waypost/platform/api-error'
import { EwsError, hasCode } from '../errors.ts'
import { allEventTypes, GetStreamingEvents, type StreamedEvents, Subscribe } from '../operations/notifications.ts'
import type { Session } from '../session.ts'
import { lostSubscription, SilentStrategy, type WatchStrategy } from './strategy.ts'

/** How long one answer goes on, in minutes: Exchange allows 30. */
const connectionMinutes = 29
const defaultSilenceMs = 90_000

export interface StreamStrategyOptions {
  /** What comes later than this does not come; default 90 s. */
  silenceMs?: number | undefined
}

export class StreamStrategy implements WatchStrategy {
  readonly #session: Session
  readonly #silenceMs: number
  #isEnded = false
  #subscription: string | undefined
  #isOpen = false
  #isReported = false
  /** Why the stream is over, where it is not open. */
  #failure: unknown
  #wake: () => void = () => {}

  constructor(session: Session, { silenceMs = defaultSilenceMs }: StreamStrategyOptions = {}) {
    this.#session = session
    this.#silenceMs = silenceMs
  }

  get isOpen(): boolean {
    return this.#isOpen
  }

  /** Resolves once the server has said something: before, it is not known that anything comes through. */
  async open(): Promise<void> {
    const { SubscriptionId: id } = await this.#session.call(Subscribe, {
      Request: { kind: 'StreamingSubscriptionRequest', SubscribeToAllFolders: true, EventTypes: allEventTypes },
    })
    this.#subscription = id
    const opened = Promise.withResolvers<void>()
    void this.#run(opened.resolve).then(opened.resolve, opened.reject)
    await opened.promise
  }

  take(): boolean {
    const wasReported = this.#isReported
    this.#isReported = false
    return wasReported
  }

  async wait(ms: number, signal: AbortSignal): Promise<'told' | 'time' | 'lost'> {
    if (!this.#isReported && this.#isOpen) await this.#awaken(ms, signal)
    signal.throwIfAborted()
    if (this.#isReported) return 'told'
    if (this.#isOpen) return 'time'
    const failure = this.#failure
    this.#failure = undefined
    if (failure === undefined || hasCode(failure, ...lostSubscription)) return 'lost'
    throw failure
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isEnded = true
    this.#isOpen = false
    this.#wake()
  }

  /** Until something is told, the stream ends, or it is time. */
  async #awaken(ms: number, signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#wake = resolve
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', this.#wake, { once: true })
    try {
      await promise
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', this.#wake)
      this.#wake = () => {}
    }
  }

  /** Reads one connection after the other, until one ends otherwise than in good order. */
  async #run(onOpen: () => void): Promise<void> {
    try {
      while (!this.#isEnded) {
        const isOver = await this.#readConnection(onOpen)
        if (isOver) break
      }
    } catch (error) {
      this.#failure = error
      throw error
    } finally {
      this.#isOpen = false
      this.#wake()
    }
  }

  /** Reads what comes over one connection; answers whether the subscription is over. */
  async #readConnection(onOpen: () => void): Promise<boolean> {
    let isClosed = false
    let isAnswered = false
    for await (const answer of this.#answers(() => isAnswered)) {
      if (this.#isEnded) return true
      if (answer instanceof EwsError) {
        this.#failure = answer
        if (!this.#isOpen) throw answer
        return true
      }
      isAnswered = true
      this.#isOpen = true
      onOpen()
      if ((answer.ErrorSubscriptionIds?.length ?? 0) > 0) return true
      this.#hear(answer)
      isClosed = answer.ConnectionStatus === 'Closed'
      if (isClosed) break
    }
    if (!isAnswered) throw new ApiError('provider_unavailable', 'Exchange ended a stream of notifications at once')
    // Whether a connection that just broke off has swallowed something is not known.
    return !isClosed
  }

  /** What comes over one connection. Where nothing came in all the time, something keeps it back. */
  async *#answers(isAnswered: () => boolean): AsyncGenerator<StreamedEvents | EwsError> {
    const began = performance.now()
    const request = { SubscriptionIds: [this.#subscription ?? ''], ConnectionTimeout: connectionMinutes }
    try {
      yield* this.#session.stream(GetStreamingEvents, request, {
        silenceMs: this.#silenceMs,
        deadlineMs: this.#silenceMs,
        lifetimeMs: (connectionMinutes + 2) * 60_000,
      })
    } catch (error) {
      const isSilent = !isAnswered() && performance.now() - began >= 0.9 * this.#silenceMs
      throw isSilent ? new SilentStrategy(error) : error
    }
  }

  #hear({ Notifications = [] }: StreamedEvents): void {
    const events = Notifications.flatMap(({ Events = [] }) => Events)
    if (!events.some(({ kind }) => kind !== 'StatusEvent')) return
    this.#isReported = true
    this.#wake()
  }
}
