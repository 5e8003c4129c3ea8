// What one publish request may contain. https://cloud.google.com/pubsub/quotas#resource_limits
import { isObject, type JsonObject } from '../shared/http.ts'
import { CloudError } from './errors.ts'

export const MAX_MESSAGES = 1_000
/** Of a request, and of one message. */
export const MAX_BYTES = 10_000_000
const MAX_ATTRIBUTES = 100
const MAX_ATTRIBUTE_NAME = 256
const MAX_ATTRIBUTE_VALUE = 1_024
const MAX_ORDERING_KEY = 1_024

export interface Published {
  readonly data: string
  readonly attributes: Readonly<Record<string, string>>
  readonly orderingKey: string
}

/** The messages of a publish request; throws what Pub/Sub responds to a request outside the limits. */
export function messagesOf(body: JsonObject, requestBytes: number): Published[] {
  const { messages } = body
  if (!Array.isArray(messages) || messages.length === 0) throw invalid('No messages to publish')
  if (messages.length > MAX_MESSAGES) {
    throw invalid(
      `The value for message_count is too large. You passed ${messages.length} in the request, but the maximum value is ${MAX_MESSAGES}.`,
    )
  }
  if (requestBytes > MAX_BYTES) {
    throw invalid(`Request payload size exceeds the limit: ${MAX_BYTES} bytes.`)
  }
  const published = messages.map(messageOf)
  const keys = new Set(published.map(({ orderingKey }) => orderingKey))
  if (keys.size > 1) {
    throw new CloudError(
      'FAILED_PRECONDITION',
      'In a single publish request, all messages must have no ordering key or they must all have the same ordering key.',
    )
  }
  return published
}

function messageOf(value: unknown): Published {
  if (!isObject(value)) throw invalid('Invalid value at messages')
  const unknown = Object.keys(value).find((name) => !KNOWN.has(name))
  if (unknown !== undefined) {
    throw invalid(`Invalid JSON payload received. Unknown name "${unknown}" at 'messages[0]': Cannot find field.`)
  }
  const { data = '', attributes = {}, orderingKey = '' } = value
  if (typeof data !== 'string' || !isBase64(data)) throw invalid("Invalid value at 'messages[0].data' (TYPE_BYTES)")
  if (typeof orderingKey !== 'string') throw invalid("Invalid value at 'messages[0].ordering_key' (TYPE_STRING)")
  if (Buffer.byteLength(orderingKey) > MAX_ORDERING_KEY) throw invalid('The ordering key is too long.')
  const named = attributesOf(attributes)
  if (data === '' && Object.keys(named).length === 0) throw invalid('Some messages are empty')
  return { data, attributes: named, orderingKey }
}

const KNOWN = new Set(['data', 'attributes', 'orderingKey', 'messageId', 'publishTime'])

function attributesOf(value: unknown): Record<string, string> {
  if (!isObject(value)) throw invalid("Invalid value at 'messages[0].attributes'")
  const entries = Object.entries(value)
  if (entries.length > MAX_ATTRIBUTES) throw invalid('A message has too many attributes.')
  return Object.fromEntries(
    entries.map(([name, text]) => {
      if (typeof text !== 'string') throw invalid("Invalid value at 'messages[0].attributes' (TYPE_STRING)")
      if (name === '' || name.startsWith('goog') || Buffer.byteLength(name) > MAX_ATTRIBUTE_NAME) {
        throw invalid(`The attribute key "${name}" is not valid.`)
      }
      if (Buffer.byteLength(text) > MAX_ATTRIBUTE_VALUE) throw invalid(`The value of attribute "${name}" is too long.`)
      return [name, text]
    }),
  )
}

const isBase64 = (text: string): boolean => /^[A-Za-z0-9+/_-]*={0,2}$/.test(text) && text.length % 4 !== 1
const invalid = (message: string): CloudError => new CloudError('INVALID_ARGUMENT', message)
