// Topics and pull subscriptions. A subscription receives what is published after it was created. With message
// ordering, a key has at most one unacknowledged batch at a time, and a redelivery repeats what follows it.
// https://cloud.google.com/pubsub/docs/ordering
import { CloudError } from './errors.ts'
import type { Published } from './publish-limits.ts'

export interface PubSubMessage extends Published {
  readonly messageId: string
  readonly publishTime: string
}

export interface SubscriptionSettings {
  readonly topic: string
  readonly enableMessageOrdering: boolean
  readonly ackDeadlineSeconds: number
}

interface Waiting {
  readonly message: PubSubMessage
  deliveries: number
  ackId: string | undefined
  /** Until when it is not delivered again. */
  until: number
}

interface Subscription extends SubscriptionSettings {
  readonly waiting: Waiting[]
}

export interface Received {
  readonly ackId: string
  readonly message: PubSubMessage
  readonly deliveryAttempt: number
}

export class Topics {
  readonly #now: () => number
  readonly #topics = new Map<string, PubSubMessage[]>()
  readonly #subscriptions = new Map<string, Subscription>()
  #published = 0
  #acked = 0

  constructor(now: () => number) {
    this.#now = now
  }

  names(project: string): string[] {
    return [...this.#topics.keys()].filter((name) => name.startsWith(`projects/${project}/topics/`))
  }

  create(name: string): void {
    if (this.#topics.has(name))
      throw new CloudError('ALREADY_EXISTS', `Resource already exists in the project (resource=${lastOf(name)}).`)
    this.#topics.set(name, [])
  }

  delete(name: string): void {
    this.messages(name)
    this.#topics.delete(name)
  }

  has(name: string): boolean {
    return this.#topics.has(name)
  }

  /** Everything that was published to a topic. */
  messages(name: string): PubSubMessage[] {
    const messages = this.#topics.get(name)
    if (messages === undefined) throw new CloudError('NOT_FOUND', `Resource not found (resource=${lastOf(name)}).`)
    return messages
  }

  /** Publishes all or nothing, and returns the ids. */
  publish(name: string, published: readonly Published[]): string[] {
    const messages = this.messages(name)
    const publishTime = new Date(this.#now()).toISOString()
    return published.map((each) => {
      this.#published++
      const message = { ...each, messageId: String(10_000_000_000_000 + this.#published), publishTime }
      messages.push(message)
      for (const subscription of this.#subscriptions.values()) {
        if (subscription.topic !== name) continue
        subscription.waiting.push({ message, deliveries: 0, ackId: undefined, until: 0 })
      }
      return message.messageId
    })
  }

  subscribe(name: string, settings: SubscriptionSettings): void {
    if (this.#subscriptions.has(name))
      throw new CloudError('ALREADY_EXISTS', `Resource already exists in the project (resource=${lastOf(name)}).`)
    this.messages(settings.topic)
    this.#subscriptions.set(name, { ...settings, waiting: [] })
  }

  subscription(name: string): Subscription {
    const subscription = this.#subscriptions.get(name)
    if (subscription === undefined) throw new CloudError('NOT_FOUND', `Resource not found (resource=${lastOf(name)}).`)
    return subscription
  }

  unsubscribe(name: string): void {
    this.subscription(name)
    this.#subscriptions.delete(name)
  }

  pull(name: string, maxMessages: number): Received[] {
    const { waiting, enableMessageOrdering, ackDeadlineSeconds } = this.subscription(name)
    const now = this.#now()
    const held = new Set(
      waiting.filter(({ until }) => enableMessageOrdering && until > now).map(({ message }) => message.orderingKey),
    )
    held.delete('')
    const due = waiting.filter(({ until, message }) => until <= now && !held.has(message.orderingKey))
    return due.slice(0, maxMessages).map((each) => {
      this.#acked++
      each.deliveries++
      each.ackId = `ack-${this.#acked}`
      each.until = now + ackDeadlineSeconds * 1000
      return { ackId: each.ackId, message: each.message, deliveryAttempt: each.deliveries }
    })
  }

  /** An unknown or expired ack id is ignored, as at Google without exactly-once delivery. */
  acknowledge(name: string, ackIds: readonly string[]): void {
    const { waiting } = this.subscription(name)
    for (const ackId of ackIds) {
      const at = waiting.findIndex((each) => each.ackId === ackId)
      if (at !== -1) waiting.splice(at, 1)
    }
  }

  /** 0 seconds makes a message available at once. */
  modifyDeadline(name: string, ackIds: readonly string[], seconds: number): void {
    for (const each of this.subscription(name).waiting) {
      if (each.ackId !== undefined && ackIds.includes(each.ackId)) each.until = this.#now() + seconds * 1000
    }
  }
}

const lastOf = (name: string): string => name.slice(name.lastIndexOf('/') + 1)
