/**
 * Google Pub/Sub as a transport: one `topics.publish` per notification, with the grant as ordering key.
 *
 * A publish request takes up to 1,000 messages, but all of them must have the same ordering key. A channel has only one
 * message of a grant under way, so a request contains one message.
 */
import type { Destination, EgressResponse } from '@waypost/platform/egress/egress'
import { textIn } from '@waypost/platform/json/values'
import type { ChannelCredentials, ChannelSettings } from '../channel-settings.ts'
import { answerOf, publishMs, Refused, Renewed, shown, userAgent } from '../cloud-answer.ts'
import {
  type Answer,
  type OutgoingMessage,
  type Transport,
  type TransportKind,
  TransportRefusal,
  type TransportTools,
  type VerifyingTools,
} from '../transport.ts'
import { answerIn, fetchAccessToken, readServiceAccount, UnusableKey } from './service-account.ts'

type Settings = ChannelSettings['pubsub']
type Credentials = ChannelCredentials['pubsub']

/** The body of a publish request. Base64 needs no escaping in JSON. */
function publishBody({ id, type, grantId, body, compressed }: OutgoingMessage): Buffer {
  const attributes = { id, type, ...(compressed && { content_encoding: 'gzip' }) }
  const rest = `"attributes":${JSON.stringify(attributes)},"orderingKey":${JSON.stringify(grantId)}`
  return Buffer.from(`{"messages":[{"data":"${body.toString('base64')}",${rest}}]}`)
}

/**
 * The status of an answer. Google says 400 FAILED_PRECONDITION if the topic cannot be used for now, for example because
 * its encryption key is disabled: that is no fault of the message. Neither is a redirect, which only a proxy sends.
 */
function outcomeOf(status: number, answer: Buffer): number {
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

/** https://cloud.google.com/pubsub/docs/pubsub-basics#resource_names */
const form = /^projects\/([a-z][a-z0-9.:-]{2,98}[a-z0-9])\/topics\/((?!goog)[A-Za-z][\w.~+%-]{2,254})$/
const google = 'https://pubsub.googleapis.com'

/** The address of a method of a topic; without a method, of the topic itself. */
function topicUrl(name: string, endpoint = google, method = ''): string {
  const path = name.split('/').map(encodeURIComponent).join('/')
  return `${endpoint.replace(/\/+$/, '')}/v1/${path}${method}`
}

const permission = 'pubsub.topics.publish'
const maxAnswerBytes = 16_384

/**
 * Verifies that a service account may publish to a topic, without publishing. Google answers `testIamPermissions` to
 * everybody, and returns an empty list for a topic that does not exist.
 * https://cloud.google.com/pubsub/docs/access-control#testing_permissions
 */
async function verifyTopic({ topic }: Settings, { credentials }: Credentials, tools: VerifyingTools): Promise<void> {
  if (!form.test(topic)) throw new TransportRefusal('topic', 'topic must look like projects/my-project/topics/my-topic')
  const token = await tokenFor(credentials, tools)
  const answer = await ask(topicUrl(topic, tools.endpoints.pubsub, ':testIamPermissions'), token, tools, {
    permissions: [permission],
  })
  if (answer.status === 200) {
    if (granted(answer)) return
    throw new TransportRefusal(
      'topic',
      `Pub/Sub does not let the service account publish: ${topic} does not exist, or the account lacks ${permission} (role roles/pubsub.publisher) on it`,
    )
  }
  // Google's emulator has no permissions.
  if (answer.status === 501) return verifyExists(topic, token, tools)
  throw refusedBy(answer)
}

async function verifyExists(topic: string, token: string, tools: VerifyingTools): Promise<void> {
  const answer = await ask(topicUrl(topic, tools.endpoints.pubsub), token, tools)
  if (answer.status !== 200) throw refusedBy(answer)
}

async function tokenFor(credentials: string, tools: VerifyingTools): Promise<string> {
  try {
    return (await fetchAccessToken(readServiceAccount(credentials), tools)).value
  } catch (error) {
    if (error instanceof UnusableKey) {
      throw new TransportRefusal('credentials', `credentials is not a usable service account key: ${error.message}`)
    }
    if (error instanceof Refused) throw new TransportRefusal('credentials', error.message, { cause: error })
    throw error
  }
}

function ask(url: string, token: string, { egress, signal }: VerifyingTools, body?: object): Promise<EgressResponse> {
  return egress.request({
    url,
    method: body ? 'POST' : 'GET',
    headers: {
      authorization: `Bearer ${token}`,
      'user-agent': userAgent,
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
    signal,
    deadlineMs: publishMs,
    maxBytes: maxAnswerBytes,
  })
}

function granted({ body }: EgressResponse): boolean {
  const { permissions } = answerIn(body)
  return Array.isArray(permissions) && permissions.includes(permission)
}

function refusedBy({ status, body }: EgressResponse): TransportRefusal {
  const { error } = answerIn(body)
  const reported = shown([textIn(error, 'status'), textIn(error, 'message')].filter(Boolean).join(': '))
  const field = status === 401 ? 'credentials' : 'topic'
  return new TransportRefusal(field, `Pub/Sub answered ${status} ${reported}`.trimEnd())
}
