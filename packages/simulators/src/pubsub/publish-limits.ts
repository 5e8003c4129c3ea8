// What one publish request may contain. https://cloud.google.com/pubsub/quotas#resource_limits
import { isObject, type JsonObject } from '../shared/http.ts'
import { CloudError } from './errors.ts'

export const maxMessages = 1_000
/** Of a request, and of one message. */
export const maxBytes = 10_000_000
const maxAttributes = 100
const maxAttributeName = 256
const maxAttributeValue = 1_024
const maxOrderingKey = 1_024

export interface Published {
  readonly data: string
  readonly attributes: Readonly<Record<string, string>>
  readonly orderingKey: string
}

/** The messages of a publish request; throws what Pub/Sub responds to a request outside the limits. */
export function messagesOf(body: JsonObject, requestBytes: number): Published[] {
  const { messages } = body
  if (!Array.isArray(messages) || messages.length === 0) throw invalid('No messages to publish')
  if (messages.length > maxMessages) {
    throw invalid(
      `The value for message_count is too large. You passed ${messages.length} in the request, but the maximum value is ${maxMessages}.`,
    )
  }
  if (requestBytes > maxBytes) {
    throw invalid(`Request payload size exceeds the limit: ${maxBytes} bytes.`)
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
  const unknown = Object.keys(value).find((name) => !known.has(name))
  if (unknown !== undefined) {
    throw invalid(`Invalid JSON payload received. Unknown name "${unknown}" at 'messages[0]': Cannot find field.`)
  }
  const { data = '', attributes = {}, orderingKey = '' } = value
  if (typeof data !== 'string' || !isBase64(data)) throw invalid("Invalid value at 'messages[0].data' (TYPE_BYTES)")
  if (typeof orderingKey !== 'string') throw invalid("Invalid value at 'messages[0].ordering_key' (TYPE_STRING)")
  if (Buffer.byteLength(orderingKey) > maxOrderingKey) throw invalid('The ordering key is too long.')
  const named = attributesOf(attributes)
  if (data === '' && Object.keys(named).length === 0) throw invalid('Some messages are empty')
  return { data, attributes: named, orderingKey }
}

const known = new Set(['data', 'attributes', 'orderingKey', 'messageId', 'publishTime'])

function attributesOf(value: unknown): Record<string, string> {
  if (!isObject(value)) throw invalid("Invalid value at 'messages[0].attributes'")
  const entries = Object.entries(value)
  if (entries.length > maxAttributes) throw invalid('A message has too many attributes.')
  return Object.fromEntries(
    entries.map(([name, text]) => {
      if (typeof text !== 'string') throw invalid("Invalid value at 'messages[0].attributes' (TYPE_STRING)")
      if (name === '' || name.startsWith('goog') || Buffer.byteLength(name) > maxAttributeName) {
        throw invalid(`The attribute key "${name}" is not valid.`)
      }
      if (Buffer.byteLength(text) > maxAttributeValue) throw invalid(`The value of attribute "${name}" is too long.`)
      return [name, text]
    }),
  )
}

const isBase64 = (text: string): boolean => /^[A-Za-z0-9+/_-]*={0,2}$/.test(text) && text.length % 4 !== 1
const invalid = (message: string): CloudError => new CloudError('INVALID_ARGUMENT', message)
