/**
 * A notification as a message of SNS: text of at most 262,144 bytes including its attributes. A compressed body is sent
 * as base64. A notification that does not fit loses its largest fields and gets the suffix `.truncated`, as webhooks do
 * above 1 MB. Pure.
 */
import { fitted } from '../fitted.ts'
import type { OutgoingMessage } from '../transport.ts'

/** Of a message with its attributes, and of a batch. */
export const maxBytes = 262_144

export interface SnsMessage {
  readonly id: string
  readonly grantId: string
  readonly text: string
  /** All of type `String`. */
  readonly attributes: Readonly<Record<string, string>>
  /** With the names, types and values of attributes. */
  readonly bytes: number
}

/** The message for a notification. Undefined if it does not fit even without the fields that may be left out. */
export function messageFor(outgoing: OutgoingMessage): SnsMessage | undefined {
  const whole = compose(outgoing)
  if (whole.bytes <= maxBytes) return whole
  // Base64 makes three bytes four.
  const room = maxBytes - attributeRoom
  const shorter = fitted(outgoing, outgoing.compressed ? Math.floor(room / 4) * 3 : room)
  const message = shorter && compose(shorter)
  return message && message.bytes <= maxBytes ? message : undefined
}

/** For the attributes. */
const attributeRoom = 2_048

function compose({ id, type, grantId, body, compressed }: OutgoingMessage): SnsMessage {
  const text = body.toString(compressed ? 'base64' : 'utf8')
  const attributes = { id, type, ...(compressed && { content_encoding: 'gzip+base64' }) }
  const bytes = Object.entries(attributes).reduce(
    (sum, [name, value]) => sum + Buffer.byteLength(`${name}String${value}`),
    compressed ? text.length : body.length,
  )
  return { id, grantId, text, attributes, bytes }
}

/** The form of a `PublishBatch` request. The entries are numbered from 1. */
export function batchForm(topic: string, messages: readonly SnsMessage[], isFifo: boolean): string {
  const fields = ['Action=PublishBatch', 'Version=2010-03-31', `TopicArn=${encodeURIComponent(topic)}`]
  const add = (name: string, value: string) => fields.push(`${name}=${encodeURIComponent(value)}`)
  for (const [at, { id, grantId, text, attributes }] of messages.entries()) {
    const entry = `PublishBatchRequestEntries.member.${at + 1}`
    add(`${entry}.Id`, String(at + 1))
    add(`${entry}.Message`, text)
    if (isFifo) {
      add(`${entry}.MessageGroupId`, grantId)
      add(`${entry}.MessageDeduplicationId`, id)
    }
    for (const [number, [name, value]] of Object.entries(attributes).entries()) {
      const attribute = `${entry}.MessageAttributes.entry.${number + 1}`
      add(`${attribute}.Name`, name)
      add(`${attribute}.Value.DataType`, 'String')
      add(`${attribute}.Value.StringValue`, value)
    }
  }
  return fields.join('&')
}
