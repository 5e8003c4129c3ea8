/** Where the requests of a channel go: the region of its topic, or the addresses that the operator set. */
import type { ChannelSettings } from '../channel-settings.ts'
import type { TransportTools } from '../transport.ts'
import type { RoleRequest } from './keys.ts'

/** The domain of each partition that has SNS for everybody. */
const domains: Readonly<Record<string, string>> = {
  aws: 'amazonaws.com',
  'aws-cn': 'amazonaws.com.cn',
  'aws-us-gov': 'amazonaws.com',
}

const topicForm =
  /^arn:(aws|aws-cn|aws-us-gov):sns:([a-z]{2,3}(?:-[a-z]+)+-\d{1,2}):\d{12}:([\w-]{1,256}|[\w-]{1,251}\.fifo)$/
const roleForm = /^arn:(?:aws|aws-cn|aws-us-gov):iam::\d{12}:role\/[\w+=,.@/-]{1,512}$/

export const isRoleArn = (arn: string): boolean => roleForm.test(arn)

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
  const [, partition = '', region = '', name = ''] = topicForm.exec(topic) ?? []
  const domain = domains[partition]
  if (domain === undefined) return undefined
  // An emulator serves both at one address.
  const stsUrl = new URL(endpoints.sts ?? endpoints.sns ?? `https://sts.${region}.${domain}/`)
  // The trust policy of the role can require this id, so that no other application can use the role.
  const role = roleArn === null ? undefined : { roleArn, externalId: applicationId, url: stsUrl, region }
  const url = new URL(endpoints.sns ?? `https://sns.${region}.${domain}/`)
  return { url, region, isFifo: name.endsWith('.fifo'), role }
}
