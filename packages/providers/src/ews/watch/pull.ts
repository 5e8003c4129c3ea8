/** Polls Exchange for notifications, which costs less than polling the mailbox. */
import { sleep } from '@waypost/platform/clock'
import { hasCode } from '../errors.ts'
import { allEventTypes, GetEvents, Subscribe } from '../operations/notifications.ts'
import type { Session } from '../session.ts'
import { lostSubscription, type WatchStrategy } from './strategy.ts'

/** How long Exchange retains notifications that are not requested, in minutes. */
const retainedMinutes = 60
/** The maximum number of requests in a row, while Exchange reports more. */
const maxAtOnce = 20

export class PullStrategy implements WatchStrategy {
  readonly #session: Session
  #subscription: { id: string; watermark: string } | undefined
  #isReported = false

  constructor(session: Session) {
    this.#session = session
  }

  get isOpen(): boolean {
    return this.#subscription !== undefined
  }

  async open(): Promise<void> {
    const { SubscriptionId: id = '', Watermark: watermark = '' } = await this.#session.call(Subscribe, {
      Request: {
        kind: 'PullSubscriptionRequest',
        SubscribeToAllFolders: true,
        EventTypes: allEventTypes,
        Timeout: retainedMinutes,
      },
    })
    this.#subscription = { id, watermark }
  }

  take(): boolean {
    const wasReported = this.#isReported
    this.#isReported = false
    return wasReported
  }

  async wait(ms: number, signal: AbortSignal): Promise<'told' | 'time' | 'lost'> {
    const until = performance.now() + ms
    const everyMs = this.#session.io.pollSeconds * 1000
    for (;;) {
      const left = Math.max(until - performance.now(), 0)
      await sleep(Math.min(left, everyMs), signal)
      const answer = await this.#ask()
      if (answer !== 'nothing') return answer
      if (left <= everyMs) return 'time'
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#subscription = undefined
  }

  async #ask(): Promise<'told' | 'nothing' | 'lost'> {
    try {
      for (let count = 0; count < maxAtOnce && this.#subscription; count += 1) {
        const { id, watermark } = this.#subscription
        const { Notification } = await this.#session.call(GetEvents, { SubscriptionId: id, Watermark: watermark })
        const events = Notification?.Events ?? []
        this.#subscription = { id, watermark: events.findLast((event) => event.Watermark)?.Watermark ?? watermark }
        this.#isReported ||= events.some(({ kind }) => kind !== 'StatusEvent')
        if (!Notification?.MoreEvents) break
      }
      return this.#isReported ? 'told' : 'nothing'
    } catch (error) {
      if (!hasCode(error, ...lostSubscription)) throw error
      this.#subscription = undefined
      return 'lost'
    }
  }
}
