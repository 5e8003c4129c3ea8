/**
 * Amazon SNS as a transport. Messages that are sent at the same time share a `PublishBatch` request, at most 10 and
 * 256 KB. On a FIFO topic, the grant is the message group, and the id of the notification the deduplication id: SNS
 * drops a repetition within five minutes.
 */
import type { Destination } from '@waypost/platform/egress/egress'
import { Batches } from '../batches.ts'
import type { ChannelCredentials, ChannelSettings } from '../channel-settings.ts'
import { answerOf, publishMs, Refused, shown, userAgent } from '../cloud-answer.ts'
import {
  type Answer,
  type OutgoingMessage,
  type Transport,
  type TransportKind,
  TransportRefusal,
  type TransportTools,
  type VerifyingTools,
} from '../transport.ts'
import { type AwsFault, batchResults, faultIn, readXml, statusOf } from './answers.ts'
import { type AwsKeys, assumeRole, type KeySource, keySource, signed } from './keys.ts'
import { batchForm, maxBytes, messageFor, type SnsMessage } from './message.ts'
import { isRoleArn, placeOf, type SnsPlace } from './topic-arn.ts'

type Settings = ChannelSettings['sns']
type Credentials = ChannelCredentials['sns']

const batchLimits = { messages: 10, bytes: maxBytes }
/** Room for the answers of ten entries, each with its error. */
const retainedBytes = 32_768

class SnsTransport implements Transport {
  readonly #closing = new AbortController()
  readonly #batches = new Batches<SnsMessage, Answer>(batchLimits, (messages) => this.#publish(messages))
  readonly #topic: string
  readonly #tools: TransportTools
  readonly #place: SnsPlace | undefined
  readonly #keys: KeySource | undefined
  #destination: Destination | undefined

  constructor(settings: Settings, credentials: Credentials, tools: TransportTools) {
    const { egress, clock } = tools
    this.#topic = settings.topic
    this.#tools = tools
    this.#place = placeOf(settings, tools)
    const own = { accessKeyId: credentials.access_key_id, secretAccessKey: credentials.secret_access_key }
    const { signal } = this.#closing
    if (this.#place) this.#keys = keySource(own, this.#place.role, { egress, clock, signal })
  }

  async send(outgoing: OutgoingMessage): Promise<Answer> {
    const message = messageFor(outgoing)
    if (message) return answerOf(this.#batches.send(message))
    return refusal(413, 'The notification does not fit into 256 KB, even without its large fields')
  }

  async #publish(messages: readonly SnsMessage[]): Promise<Answer[]> {
    if (!this.#place || !this.#keys) throw new Refused(404, 'The topic is not the ARN of an SNS topic')
    const { url, region, isFifo } = this.#place
    const keys = await this.#keys.get()
    const body = Buffer.from(batchForm(this.#topic, messages, isFifo))
    const plain = { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8', 'user-agent': userAgent }
    const at = this.#tools.clock.now()
    const headers = signed({ url, headers: plain, body }, keys, { region, service: 'sns', at })
    this.#destination ??= this.#tools.egress.destination(url, { deadlineMs: publishMs, retainedBytes })
    const { status, answer, retryAfter } = await this.#destination.post(headers, body)
    const root = readXml(answer)
    if (status === 200) {
      const results = batchResults(root)
      return messages.map((_message, at) => entryAnswer(results.get(String(at + 1))))
    }
    const fault = faultIn(root)
    const refused = statusOf(fault, status)
    if (/^(ExpiredToken|InvalidClientTokenId)/.test(fault.code)) this.#keys.drop(keys)
    return messages.map(() => ({ status: refused, answer: answer.subarray(0, 4_096), retryAfter }))
  }

  [Symbol.dispose](): void {
    this.#closing.abort()
    this.#destination?.[Symbol.dispose]()
  }
}

/** The outcome of one entry. SNS names every entry, so an answer without it was cut or comes from a proxy. */
function entryAnswer(
  result: ReturnType<typeof batchResults> extends Map<string, infer R> ? R | undefined : never,
): Answer {
  if (result === 'accepted') return refusal(200, '')
  if (result === undefined) return refusal(502, 'SNS did not say whether it accepted the message')
  return refusal(statusOf(result, 400), `${result.code}: ${result.message}`)
}

const refusal = (status: number, text: string): Answer => ({
  status,
  answer: Buffer.from(text.slice(0, 1_024)),
  retryAfter: null,
})

export const sns: TransportKind<Settings, Credentials> = {
  open: (settings, credentials, tools) => new SnsTransport(settings, credentials, tools),
  verify: verifyTopic,
}

const maxAnswerBytes = 65_536

/**
 * Verifies the keys, the role and the topic with `GetTopicAttributes`. SNS has no way to try `Publish` without
 * publishing, so a missing permission to publish shows at the first notification.
 */
async function verifyTopic(
  settings: Settings,
  { access_key_id: accessKeyId, secret_access_key: secretAccessKey }: Credentials,
  tools: VerifyingTools,
): Promise<void> {
  const place = placeOf(settings, tools)
  if (!place) {
    throw new TransportRefusal(
      'topic',
      'topic must be the ARN of a topic, such as arn:aws:sns:us-east-1:123456789012:my-topic',
    )
  }
  if (settings.role_arn !== null && !isRoleArn(settings.role_arn)) {
    throw new TransportRefusal(
      'role_arn',
      'role_arn must be the ARN of a role, such as arn:aws:iam::123456789012:role/my-role',
    )
  }
  const keys = await keysFor({ accessKeyId, secretAccessKey }, place, tools)
  const { egress, clock, signal } = tools
  const { url, region } = place
  const body = `Action=GetTopicAttributes&Version=2010-03-31&TopicArn=${encodeURIComponent(settings.topic)}`
  const plain = { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8', 'user-agent': userAgent }
  const headers = signed({ url, headers: plain, body }, keys, { region, service: 'sns', at: clock.now() })
  const deadline = { signal, deadlineMs: publishMs, maxBytes: maxAnswerBytes }
  const answer = await egress.request({ url, method: 'POST', headers, body, ...deadline })
  if (answer.status === 200) return
  throw refusedBy(faultIn(readXml(answer.body)), answer.status)
}

async function keysFor(own: AwsKeys, { role }: SnsPlace, tools: VerifyingTools): Promise<AwsKeys> {
  if (!role) return own
  try {
    return (await assumeRole(role, own, tools)).value
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    const reported = `${error.message}; its trust policy must allow the key and the external id ${role.externalId}`
    throw new TransportRefusal('role_arn', reported, { cause: error })
  }
}

/** The fields at fault, by error code. */
const fields: Readonly<Record<string, string>> = {
  InvalidClientTokenId: 'access_key_id',
  SignatureDoesNotMatch: 'secret_access_key',
}

function refusedBy({ code, message }: AwsFault, status: number): TransportRefusal {
  const reported = `SNS answered ${status} ${shown(`${code}: ${message}`)}`
  const remedy = code.startsWith('AuthorizationError') ? '; allow sns:GetTopicAttributes and sns:Publish' : ''
  return new TransportRefusal(fields[code] ?? 'topic', `${reported}${remedy}`)
}
