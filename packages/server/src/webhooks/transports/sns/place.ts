/** Where the requests of a channel go: the region of its topic, or the addresses that the operator set. */
import type { ChannelSettings } from '../channel-settings.ts'
import type { TransportTools } from '../transport.ts'
import type { RoleRequest } from './keys.ts'
import { readTopicArn } from './topic-arn.ts'

export interface SnsPlace {
  readonly url: URL
  readonly region: string
  readonly isFifo: boolean
  readonly role: RoleRequest | undefined
}

/** Undefined if the topic is not the ARN of a topic. */
export function placeOf(
  { topic, role_arn: roleArn }: ChannelSettings['sns'],
  { endpoints, applicationId }: Pick<TransportTools, 'endpoints'> & { readonly applicationId?: string },
): SnsPlace | undefined {
  const arn = readTopicArn(topic)
  if (!arn) return undefined
  const { region, isFifo } = arn
  // An emulator serves both at one address.
  const stsUrl = new URL(endpoints.sts ?? endpoints.sns ?? arn.stsUrl)
  // The trust policy of the role can require this id, so that no other application can use the role.
  const role = roleArn === null ? undefined : { roleArn, externalId: applicationId, url: stsUrl, region }
  return { url: new URL(endpoints.sns ?? arn.snsUrl), region, isFifo, role }
}
