// Topics and what was published to them. A FIFO topic drops repetitions of a message for five minutes.
// https://docs.aws.amazon.com/sns/latest/dg/fifo-message-dedup.html
import { createHash, randomUUID } from 'node:crypto'
import { AwsError, invalidParameter } from './errors.ts'
import { checkFifo, type Draft, type SnsMessage } from './messages.ts'

const deduplicationMs = 5 * 60_000
const NAME = /^[\w-]{1,256}$/

interface Topic {
  readonly isFifo: boolean
  readonly deduplicatesContent: boolean
  readonly messages: SnsMessage[]
  /** When and as what each deduplication id was accepted. */
  readonly seen: Map<string, { at: number; messageId: string; sequenceNumber: string }>
}

export class Topics {
  readonly #place: { region: string; account: string }
  readonly #now: () => number
  readonly #topics = new Map<string, Topic>()
  #sequence = 10_000_000_000_000_000_000n

  constructor(place: { region: string; account: string }, now: () => number) {
    this.#place = place
    this.#now = now
  }

  create(name: string, attributes: Readonly<Record<string, string>>): string {
    const isFifo = attributes.FifoTopic === 'true'
    if (!NAME.test(isFifo ? name.replace(/\.fifo$/, '') : name) || isFifo !== name.endsWith('.fifo')) {
      throw invalidParameter('Topic Name')
    }
    const arn = `arn:aws:sns:${this.#place.region}:${this.#place.account}:${name}`
    const deduplicatesContent = attributes.ContentBasedDeduplication === 'true'
    if (!this.#topics.has(arn)) this.#topics.set(arn, { isFifo, deduplicatesContent, messages: [], seen: new Map() })
    return arn
  }

  /** Deleting a topic that does not exist succeeds. */
  delete(arn: string): void {
    this.#topics.delete(arn)
  }

  attributes(arn: string): Record<string, string> {
    const { isFifo, deduplicatesContent } = this.#topic(arn)
    return {
      TopicArn: arn,
      Owner: this.#place.account,
      DisplayName: '',
      SubscriptionsConfirmed: '0',
      SubscriptionsPending: '0',
      SubscriptionsDeleted: '0',
      ...(isFifo && { FifoTopic: 'true', ContentBasedDeduplication: String(deduplicatesContent) }),
    }
  }

  messages(arn: string): SnsMessage[] {
    return this.#topic(arn).messages
  }

  check(arn: string): void {
    this.#topic(arn)
  }

  publish(arn: string, draft: Draft): { messageId: string; sequenceNumber: string | undefined } {
    const topic = this.#topic(arn)
    checkFifo(draft, topic)
    const messageId = randomUUID()
    if (!topic.isFifo) {
      topic.messages.push({ ...draft, messageId, sequenceNumber: undefined })
      return { messageId, sequenceNumber: undefined }
    }
    const id = draft.deduplicationId ?? createHash('sha256').update(draft.message).digest('hex')
    const before = topic.seen.get(id)
    if (before !== undefined && this.#now() - before.at < deduplicationMs) return before
    this.#sequence += 1n
    const accepted = { messageId, sequenceNumber: String(this.#sequence) }
    topic.seen.set(id, { at: this.#now(), ...accepted })
    topic.messages.push({ ...draft, deduplicationId: id, ...accepted })
    return accepted
  }

  #topic(arn: string): Topic {
    const { region, account } = this.#place
    if (!arn.startsWith(`arn:aws:sns:${region}:`)) throw invalidParameter('TopicArn')
    const topic = this.#topics.get(arn)
    if (topic === undefined || !arn.includes(`:${account}:`))
      throw new AwsError(404, 'NotFound', 'Topic does not exist')
    return topic
  }
}
