// What a message may contain. https://docs.aws.amazon.com/sns/latest/api/API_Publish.html
import { AwsError, invalidParameter } from './errors.ts'

/** Of one message with its attributes, and of a batch. */
export const maxBytes = 262_144
const TYPE = /^(String|String\.Array|Number|Binary)$/
const attributeName = /^(?!AWS\.|Amazon\.)(?!\.)(?!.*\.\.)[\w.-]{1,256}(?<!\.)$/i
/** Of message group and deduplication ids. */
const id = /^[A-Za-z0-9!"#$%&'()*+,\-./:;<=>?@[\\\]^_`{|}~]{1,128}$/

export interface SnsAttribute {
  readonly type: string
  readonly value: string
}

export interface SnsMessage {
  readonly messageId: string
  readonly message: string
  readonly attributes: Readonly<Record<string, SnsAttribute>>
  readonly groupId: string | undefined
  readonly deduplicationId: string | undefined
  readonly sequenceNumber: string | undefined
}

/** A message as a request describes it. */
export type Draft = Omit<SnsMessage, 'messageId' | 'sequenceNumber'>

/** Reads the fields of one message; `prefix` is that of a batch entry. */
export function draftOf(form: URLSearchParams, prefix: string): Draft {
  const message = form.get(`${prefix}Message`) ?? ''
  const attributes = attributesOf(form, `${prefix}MessageAttributes.entry.`)
  const draft = {
    message,
    attributes,
    groupId: form.get(`${prefix}MessageGroupId`) ?? undefined,
    deduplicationId: form.get(`${prefix}MessageDeduplicationId`) ?? undefined,
  }
  if (message === '') throw invalidParameter('Empty message')
  if (bytesOf(draft) > maxBytes) throw invalidParameter('Message too long')
  return draft
}

function attributesOf(form: URLSearchParams, prefix: string): Record<string, SnsAttribute> {
  const attributes: Record<string, SnsAttribute> = {}
  for (let at = 1; form.has(`${prefix}${at}.Name`); at++) {
    const name = form.get(`${prefix}${at}.Name`) ?? ''
    const type = form.get(`${prefix}${at}.Value.DataType`) ?? ''
    const value = form.get(`${prefix}${at}.Value.StringValue`) ?? form.get(`${prefix}${at}.Value.BinaryValue`) ?? ''
    if (!attributeName.test(name))
      throw new AwsError(400, 'ParameterValueInvalid', `The message attribute name '${name}' is not valid.`)
    if (!TYPE.test(type))
      throw new AwsError(
        400,
        'ParameterValueInvalid',
        `The message attribute '${name}' has an invalid message attribute type, the set of supported type prefixes is Binary, Number, and String.`,
      )
    if (value === '')
      throw new AwsError(
        400,
        'ParameterValueInvalid',
        `The message attribute '${name}' must contain non-empty message attribute value for message attribute type '${type}'.`,
      )
    attributes[name] = { type, value }
  }
  return attributes
}

/** Names, types and values of attributes count too. */
export const bytesOf = ({ message, attributes }: Pick<Draft, 'message' | 'attributes'>): number =>
  Object.entries(attributes).reduce(
    (sum, [name, { type, value }]) => sum + Buffer.byteLength(`${name}${type}${value}`),
    Buffer.byteLength(message),
  )

/** Checks the fields that only FIFO topics have. */
export function checkFifo(
  { groupId, deduplicationId }: Draft,
  { isFifo, deduplicatesContent }: { isFifo: boolean; deduplicatesContent: boolean },
): void {
  if (!isFifo) {
    if (deduplicationId !== undefined)
      throw invalidParameter(
        'The request includes MessageDeduplicationId parameter that is not valid for this topic type',
      )
    if (groupId !== undefined)
      throw invalidParameter('The request includes MessageGroupId parameter that is not valid for this topic type')
    return
  }
  if (groupId === undefined) throw invalidParameter('The MessageGroupId parameter is required for FIFO topics')
  if (!id.test(groupId)) throw invalidParameter('MessageGroupId')
  if (deduplicationId === undefined && !deduplicatesContent) {
    throw invalidParameter(
      'The topic should either have ContentBasedDeduplication enabled or MessageDeduplicationId provided explicitly',
    )
  }
  if (deduplicationId !== undefined && !id.test(deduplicationId)) throw invalidParameter('MessageDeduplicationId')
}
