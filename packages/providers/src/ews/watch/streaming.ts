/**
 * A stream of notifications (GetStreamingEvents): one answer of half an hour, over a connection of its own. The server
 * sends its status every 45 seconds. If nothing arrives for 90 seconds, a proxy holds the data back or the connection
 * is dead. A connection that ended in good order is followed by another one with the same subscription, for which the
 * server stores what happens meanwhile.
 */
import { ApiError } from '@waypost/platform/api-error'
import { sleep } from '@waypost/platform/clock'
import { EwsError, hasCode } from '../errors.ts'
import { allEventTypes, GetStreamingEvents, type StreamedEvents, Subscribe } from '../operations/sync.ts'
import type { Session } from '../session.ts'

/** How long one answer continues, in minutes: Exchange allows 30. */
const connectionMinutes = 29
const defaultSilenceMs = 90_000

/** Errors of a subscription that ended or lost events. The node subscribes again and polls the mailbox. */
const lostSubscription = [
  'ErrorSubscriptionNotFound',
  'ErrorInvalidSubscription',
  'ErrorExpiredSubscription',
  'ErrorInvalidWatermark',
  'ErrorMissedNotificationEvents',
  'ErrorReadEventsFailed',
  'ErrorSubscriptionAccessDenied',
  'ErrorSubscriptionUnsubscribed',
] as const

/** Errors of a server that has no more subscriptions or does not offer them. A retry soon would fail again. */
const refusedSubscription = [
  'ErrorExceededConnectionCount',
  'ErrorExceededSubscriptionCount',
  'ErrorInvalidRequest',
  'ErrorSchemaValidation',
  'ErrorSubscriptionDelegateAccessNotSupported',
  'ErrorNotDelegate',
  'ErrorInvalidOperation',
] as const

/** A stream on which nothing arrived, not even the status that Exchange sends regularly. */
class SilentStream extends ApiError {
  constructor(cause: unknown) {
    super('provider_unavailable', 'Exchange, or a proxy in front of it, keeps back what is streamed', { cause })
  }
}

/** Whether another stream would soon fail in the same way. */
export const isHopeless = (error: unknown): boolean =>
  error instanceof SilentStream || hasCode(error, ...refusedSubscription)

export interface StreamOptions {
  /** Data that arrives later than this is not awaited; default 90 s. */
  silenceMs?: number | undefined
}

export class Stream implements AsyncDisposable {
  readonly #session: Session
  readonly #silenceMs: number
  #isEnded = false
  #subscription: string | undefined
  #isOpen = false
  #isReported = false
  /** Why the stream ended. */
  #failure: unknown
  #wake = new AbortController()

  constructor(session: Session, { silenceMs = defaultSilenceMs }: StreamOptions = {}) {
    this.#session = session
    this.#silenceMs = silenceMs
  }

  get isOpen(): boolean {
    return this.#isOpen
  }

  /** Subscribes, and resolves with the first data of the server: before, nothing shows that a proxy lets it through. */
  async open(): Promise<void> {
    const { SubscriptionId: id } = await this.#session.call(Subscribe, {
      Request: { kind: 'StreamingSubscriptionRequest', SubscribeToAllFolders: true, EventTypes: allEventTypes },
    })
    this.#subscription = id
    const opened = Promise.withResolvers<void>()
    void this.#run(opened.resolve).then(opened.resolve, opened.reject)
    await opened.promise
  }

  /** Whether Exchange reported an event since the last call. */
  take(): boolean {
    const wasReported = this.#isReported
    this.#isReported = false
    return wasReported
  }

  /** Waits for a report or for the end of `ms`. `lost`: events may be missing, so the mailbox has to be polled. */
  async wait(ms: number, signal: AbortSignal): Promise<'reported' | 'time' | 'lost'> {
    if (!this.#isReported && this.#isOpen) {
      this.#wake = new AbortController()
      await sleep(ms, AbortSignal.any([signal, this.#wake.signal]))
    }
    signal.throwIfAborted()
    if (this.#isReported) return 'reported'
    if (this.#isOpen) return 'time'
    const failure = this.#failure
    this.#failure = undefined
    if (failure === undefined || hasCode(failure, ...lostSubscription)) return 'lost'
    throw failure
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isEnded = true
    this.#isOpen = false
    this.#wake.abort()
  }

  /** Reads one connection after the other, until one breaks off. */
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
      this.#wake.abort()
    }
  }

  /** Reads one connection; returns whether the subscription is over. */
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
    // A connection that broke off may have lost events.
    return !isClosed
  }

  /** The data of one connection. If nothing arrived in all that time, a proxy holds it back. */
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
      throw isSilent ? new SilentStream(error) : error
    }
  }

  #hear({ Notifications = [] }: StreamedEvents): void {
    const events = Notifications.flatMap(({ Events = [] }) => Events)
    if (!events.some(({ kind }) => kind !== 'StatusEvent')) return
    this.#isReported = true
    this.#wake.abort()
  }
}
