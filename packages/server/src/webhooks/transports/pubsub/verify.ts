/**
 * Verifies that a service account may publish to a topic, without publishing. Google answers `testIamPermissions` to
 * everybody, and returns an empty list for a topic that does not exist.
 * https://cloud.google.com/pubsub/docs/access-control#testing_permissions
 */

import type { EgressResponse } from '@waypost/platform/egress/egress'
import { isObject, textIn } from '@waypost/platform/json/values'
import type { ChannelCredentials, ChannelSettings } from '../channel-settings.ts'
import { publishMs, Refused, shown, userAgent } from '../cloud-answer.ts'
import { TransportRefusal, type TransportTools } from '../transport.ts'
import { fetchAccessToken, readServiceAccount, UnusableKey } from './service-account.ts'
import { isTopic, topicUrl } from './topic.ts'

type Tools = TransportTools & { signal: AbortSignal }

const permission = 'pubsub.topics.publish'
const maxAnswerBytes = 16_384

export async function verifyTopic(
  { topic }: ChannelSettings['pubsub'],
  { credentials }: ChannelCredentials['pubsub'],
  tools: Tools,
): Promise<void> {
  if (!isTopic(topic)) throw new TransportRefusal('topic', 'topic must look like projects/my-project/topics/my-topic')
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

async function verifyExists(topic: string, token: string, tools: Tools): Promise<void> {
  const answer = await ask(topicUrl(topic, tools.endpoints.pubsub), token, tools)
  if (answer.status !== 200) throw refusedBy(answer)
}

async function tokenFor(credentials: string, tools: Tools): Promise<string> {
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

function ask(url: string, token: string, { egress, signal }: Tools, body?: object): Promise<EgressResponse> {
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
  const { permissions } = jsonOf(body)
  return Array.isArray(permissions) && permissions.includes(permission)
}

function refusedBy({ status, body }: EgressResponse): TransportRefusal {
  const { error } = jsonOf(body)
  const reported = shown([textIn(error, 'status'), textIn(error, 'message')].filter(Boolean).join(': '))
  const field = status === 401 ? 'credentials' : 'topic'
  return new TransportRefusal(field, `Pub/Sub answered ${status} ${reported}`.trimEnd())
}

function jsonOf(body: Buffer): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'))
    if (isObject(value)) return value
  } catch {}
  return {}
}
