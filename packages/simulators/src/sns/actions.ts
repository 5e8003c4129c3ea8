// The actions of SNS. https://docs.aws.amazon.com/sns/latest/api/API_Operations.html
import { AwsError, escapeText, invalidParameter } from './errors.ts'
import type { Principal } from './identities.ts'
import { bytesOf, draftOf, maxBytes } from './messages.ts'
import type { Topics } from './topics.ts'

export interface SnsService {
  readonly topics: Topics
  /** Counts published messages; throws when there are too many. */
  spend(messages: number): void
}

type Action = (service: SnsService, form: URLSearchParams) => string | undefined

const maxEntries = 10
const entryId = /^[\w-]{1,80}$/

const actions: Readonly<Record<string, Action>> = {
  CreateTopic({ topics }, form) {
    const arn = topics.create(form.get('Name') ?? '', pairsOf(form, 'Attributes.entry.'))
    return `<TopicArn>${arn}</TopicArn>`
  },
  DeleteTopic({ topics }, form) {
    topics.delete(form.get('TopicArn') ?? '')
    return undefined
  },
  GetTopicAttributes({ topics }, form) {
    const entries = Object.entries(topics.attributes(form.get('TopicArn') ?? ''))
    return `<Attributes>${entries.map(([key, value]) => `<entry><key>${key}</key><value>${escapeText(value)}</value></entry>`).join('')}</Attributes>`
  },
  Publish({ topics, spend }, form) {
    const arn = form.get('TopicArn') ?? form.get('TargetArn') ?? ''
    topics.check(arn)
    const draft = draftOf(form, '')
    spend(1)
    const { messageId, sequenceNumber } = topics.publish(arn, draft)
    return accepted(messageId, sequenceNumber)
  },
  PublishBatch: publishBatch,
}

function publishBatch({ topics, spend }: SnsService, form: URLSearchParams): string {
  const arn = form.get('TopicArn') ?? ''
  topics.check(arn)
  const prefixes: string[] = []
  for (let at = 1; form.has(`PublishBatchRequestEntries.member.${at}.Id`); at++) {
    prefixes.push(`PublishBatchRequestEntries.member.${at}.`)
  }
  const ids = prefixes.map((prefix) => form.get(`${prefix}Id`) ?? '')
  checkBatch(ids)
  const total = prefixes.reduce((sum, prefix) => sum + sizeOf(form, prefix), 0)
  if (total > maxBytes) {
    throw new AwsError(
      400,
      'BatchRequestTooLong',
      `The length of all the messages put together is more than the limit.`,
    )
  }
  spend(ids.length)
  const results = prefixes.map((prefix, at) => {
    const id = `<Id>${ids[at]}</Id>`
    try {
      const { messageId, sequenceNumber } = topics.publish(arn, draftOf(form, prefix))
      return { done: `<member>${id}${accepted(messageId, sequenceNumber)}</member>`, failed: '' }
    } catch (error) {
      if (!(error instanceof AwsError)) throw error
      const { code, message } = error
      const reported = `<Code>${code}</Code><Message>${escapeText(message)}</Message><SenderFault>true</SenderFault>`
      return { done: '', failed: `<member>${id}${reported}</member>` }
    }
  })
  const joined = (name: 'done' | 'failed') => results.map((result) => result[name]).join('')
  return `<Failed>${joined('failed')}</Failed><Successful>${joined('done')}</Successful>`
}

function checkBatch(ids: readonly string[]): void {
  if (ids.length === 0) throw new AwsError(400, 'EmptyBatchRequest', "The batch request doesn't contain any entries.")
  if (ids.length > maxEntries) {
    throw new AwsError(
      400,
      'TooManyEntriesInBatchRequest',
      'The batch request contains more entries than permissible (more than 10).',
    )
  }
  if (new Set(ids).size !== ids.length) {
    throw new AwsError(400, 'BatchEntryIdsNotDistinct', 'Two or more batch entries in the request have the same Id.')
  }
  if (!ids.every((id) => entryId.test(id))) {
    throw new AwsError(
      400,
      'InvalidBatchEntryId',
      "The Id of a batch entry in a batch request doesn't abide by the specification.",
    )
  }
}

/** A message that is not valid fails alone, so its size is counted without checks. */
function sizeOf(form: URLSearchParams, prefix: string): number {
  try {
    return bytesOf(draftOf(form, prefix))
  } catch {
    return Buffer.byteLength(form.get(`${prefix}Message`) ?? '')
  }
}

const accepted = (messageId: string, sequenceNumber: string | undefined): string =>
  `<MessageId>${messageId}</MessageId>${sequenceNumber === undefined ? '' : `<SequenceNumber>${sequenceNumber}</SequenceNumber>`}`

function pairsOf(form: URLSearchParams, prefix: string): Record<string, string> {
  const pairs: Record<string, string> = {}
  for (let at = 1; form.has(`${prefix}${at}.key`); at++) {
    pairs[form.get(`${prefix}${at}.key`) ?? ''] = form.get(`${prefix}${at}.value`) ?? ''
  }
  return pairs
}

/** Carries out an action; returns the XML of its result. */
export function perform(service: SnsService, principal: Principal, form: URLSearchParams): string | undefined {
  const name = form.get('Action') ?? ''
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined
  if (action === undefined)
    throw new AwsError(400, 'InvalidAction', `Could not find operation ${name} for version 2010-03-31`)
  if (form.get('Version') !== '2010-03-31') throw invalidParameter('Version')
  // A batch needs the permission to publish.
  const permission = name === 'PublishBatch' ? 'Publish' : name
  const resource = form.get('TopicArn') ?? form.get('TargetArn') ?? `topic ${form.get('Name')}`
  if (!principal.may(`sns:${permission}`)) {
    const reported = `User: ${principal.arn} is not authorized to perform: SNS:${permission} on resource: ${resource} because no identity-based policy allows the SNS:${permission} action`
    throw new AwsError(403, 'AuthorizationError', reported)
  }
  return action(service, form)
}
