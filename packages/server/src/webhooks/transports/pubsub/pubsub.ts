/**
 * Google Pub/Sub as a transport: one `topics.publish` per notification, with the grant as ordering key.
 *
 * A publish request takes up to 1,000 messages, but all of them must have the same ordering key. A channel has only one
 * message of a grant under way, so a request contains one message.
 */
import type { Destination } from '@waypost/platform/egress/egress'
import type { ChannelCredentials, ChannelSettings } from '../channel-settings.ts'
import { answerOf, publishMs, Refused, userAgent } from '../cloud-answer.ts'
import { Renewed } from '../renewed.ts'
import type { Answer, OutgoingMessage, Transport, TransportKind, TransportTools } from '../transport.ts'
import { fetchAccessToken, readServiceAccount, UnusableKey } from './service-account.ts'
import { topicUrl } from './topic.ts'
import { verifyTopic } from './verify.ts'

type Settings = ChannelSettings['pubsub']
type Credentials = ChannelCredentials['pubsub']

/** The body of a publish request. Base64 needs no escaping in JSON. */
export function publishBody({ id, type, grantId, body, compressed }: OutgoingMessage): Buffer {
  const attributes = { id, type, ...(compressed && { content_encoding: 'gzip' }) }
  const rest = `"attributes":${JSON.stringify(attributes)},"orderingKey":${JSON.stringify(grantId)}`
  return Buffer.from(`{"messages":[{"data":"${body.toString('base64')}",${rest}}]}`)
}

/**
 * The status of an answer. Google says 400 FAILED_PRECONDITION if the topic cannot be used for now, for example because
 * its encryption key is disabled: that is no fault of the message. Neither is a redirect, which only a proxy sends.
 */
export function outcomeOf(status: number, answer: Buffer): number {
  if (status === 400 && /"status":\s*"FAILED_PRECONDITION"/.test(answer.toString('utf8'))) return 503
  return status >= 300 && status < 400 ? 502 : status
}

class PubSubTransport implements Transport {
  readonly #closing = new AbortController()
  readonly #tokens: Renewed<string>
  readonly #open: () => Destination
  #destination: Destination | undefined

  constructor({ topic }: Settings, { credentials }: Credentials, { egress, clock, endpoints }: TransportTools) {
    const { signal } = this.#closing
    this.#tokens = new Renewed(async () => fetchAccessToken(accountIn(credentials), { egress, clock, signal }), clock)
    this.#open = () => egress.destination(topicUrl(topic, endpoints.pubsub, ':publish'), { deadlineMs: publishMs })
  }

  send(message: OutgoingMessage): Promise<Answer> {
    return answerOf(this.#publish(message))
  }

  async #publish(message: OutgoingMessage): Promise<Answer> {
    const token = await this.#tokens.get()
    this.#destination ??= this.#open()
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'user-agent': userAgent,
    }
    const { status, answer, retryAfter } = await this.#destination.post(headers, publishBody(message))
    if (status === 401) this.#tokens.drop(token)
    return { status: outcomeOf(status, answer), answer, retryAfter }
  }

  [Symbol.dispose](): void {
    this.#closing.abort()
    this.#destination?.[Symbol.dispose]()
  }
}

/** A key that cannot be read is refused like one that Google does not accept. */
function accountIn(credentials: string) {
  try {
    return readServiceAccount(credentials)
  } catch (error) {
    if (error instanceof UnusableKey) throw new Refused(403, `The service account key is not usable: ${error.message}`)
    throw error
  }
}

export const pubsub: TransportKind<Settings, Credentials> = {
  open: (settings, credentials, tools) => new PubSubTransport(settings, credentials, tools),
  verify: verifyTopic,
}
