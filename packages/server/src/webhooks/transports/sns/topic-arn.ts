/** ARNs of topics, and the addresses of SNS and STS in their region. */

export interface TopicArn {
  readonly region: string
  readonly isFifo: boolean
  readonly snsUrl: string
  readonly stsUrl: string
}

/** The domain of each partition that has SNS for everybody. */
const domains: Readonly<Record<string, string>> = {
  aws: 'amazonaws.com',
  'aws-cn': 'amazonaws.com.cn',
  'aws-us-gov': 'amazonaws.com',
}

const topicForm =
  /^arn:(aws|aws-cn|aws-us-gov):sns:([a-z]{2,3}(?:-[a-z]+)+-\d{1,2}):\d{12}:([\w-]{1,256}|[\w-]{1,251}\.fifo)$/
const roleForm = /^arn:(?:aws|aws-cn|aws-us-gov):iam::\d{12}:role\/[\w+=,.@/-]{1,512}$/

/** Undefined if the text is not the ARN of a topic. */
export function readTopicArn(arn: string): TopicArn | undefined {
  const [, partition = '', region = '', name = ''] = topicForm.exec(arn) ?? []
  const domain = domains[partition]
  if (domain === undefined) return undefined
  return {
    region,
    isFifo: name.endsWith('.fifo'),
    snsUrl: `https://sns.${region}.${domain}/`,
    stsUrl: `https://sts.${region}.${domain}/`,
  }
}

export const isRoleArn = (arn: string): boolean => roleForm.test(arn)
