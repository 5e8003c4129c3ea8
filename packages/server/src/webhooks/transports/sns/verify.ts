/**
 * Verifies the keys, the role and the topic with `GetTopicAttributes`. SNS has no way to try `Publish` without
 * publishing, so a missing permission to publish shows at the first notification.
 */
import type { ChannelCredentials, ChannelSettings } from '../channel-settings.ts'
import { publishMs, Refused, shown, userAgent } from '../cloud-answer.ts'
import { TransportRefusal, type TransportTools } from '../transport.ts'
import { type AwsFault, faultIn, readXml } from './answers.ts'
import { assumeRole } from './keys.ts'
import { placeOf, type SnsPlace } from './place.ts'
import { type AwsKeys, signed } from './signature.ts'
import { isRoleArn } from './topic-arn.ts'

type Tools = TransportTools & { signal: AbortSignal }

const maxAnswerBytes = 65_536

export async function verifyTopic(
  settings: ChannelSettings['sns'],
  { access_key_id: accessKeyId, secret_access_key: secretAccessKey }: ChannelCredentials['sns'],
  tools: Tools,
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

async function keysFor(own: AwsKeys, { role }: SnsPlace, tools: Tools): Promise<AwsKeys> {
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
