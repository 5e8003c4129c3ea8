// Parses a message in a request: JSON that creates or changes it, or MIME in base64.
import { isObject, type JsonObject } from '../../shared/http.ts'
import type { Body, MessageContent, Recipient } from '../../shared/mail/content.ts'
import { contentOfMime } from '../../shared/mail/from-mime.ts'
import { GraphError, invalidBody } from '../errors.ts'
import { ownAddress } from './addresses.ts'
import { attachmentOfJson } from './attachment-body.ts'
import type { Mailbox } from './mailbox.ts'
import type { Marks, StoredMessage } from './stored.ts'

const maxRequest = 4 * 1024 * 1024
const lists = { toRecipients: 'to', ccRecipients: 'cc', bccRecipients: 'bcc', replyTo: 'replyTo' } as const
/** Properties that can be changed only on a draft. */
const DRAFT_ONLY = [
  'subject',
  'body',
  'from',
  'sender',
  'toRecipients',
  'ccRecipients',
  'bccRecipients',
  'replyTo',
  'internetMessageId',
  'isDeliveryReceiptRequested',
  'isReadReceiptRequested',
]
const readOnly = ['internetMessageHeaders', 'conversationId', 'receivedDateTime', 'sentDateTime', 'isDraft']

/** The bytes of a message sent as MIME; the body of the request is base64. */
export function readMime(body: Uint8Array): Uint8Array {
  if (body.length > maxRequest) throw tooLarge()
  const text = Buffer.from(body).toString().replace(/\s+/g, '')
  if (text === '' || text.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(text)) {
    throw new GraphError(400, 'ErrorMimeContentInvalidBase64String', 'The MIME content is not a valid base64 string.')
  }
  return Buffer.from(text, 'base64')
}

export function isMimeRequest(headers: Headers): boolean {
  return (headers.get('content-type') ?? '').toLowerCase().startsWith('text/plain')
}

export function tooLarge(): GraphError {
  return new GraphError(413, 'RequestEntityTooLarge', 'The maximum request length supported is 4MB.')
}

export interface WrittenBody {
  readonly content: MessageContent
  readonly marks: Partial<Marks>
  readonly raw: Uint8Array | undefined
}

export function writtenAsMime(mailbox: Mailbox, body: Uint8Array): WrittenBody {
  const raw = readMime(body)
  const content = contentOfMime(raw)
  const own = ownAddress(mailbox.owner)
  return { content: { ...content, from: content.from ?? own, sender: content.sender ?? own }, marks: {}, raw }
}

/** A new message from JSON. */
export function writtenAsJson(mailbox: Mailbox, json: JsonObject, bodyLength: number): WrittenBody {
  if (bodyLength > maxRequest) throw tooLarge()
  const own = ownAddress(mailbox.owner)
  const empty: MessageContent = {
    subject: '',
    body: { contentType: 'text', content: '' },
    from: own,
    sender: own,
    to: [],
    cc: [],
    bcc: [],
    replyTo: [],
    internetMessageId: undefined,
    headers: headersOf(json.internetMessageHeaders),
    references: [],
    importance: 'normal',
    wantsDeliveryReceipt: false,
    wantsReadReceipt: false,
    sentAt: undefined,
    attachments: Array.isArray(json.attachments) ? json.attachments.map(attachmentOfJson) : [],
  }
  return { content: { ...empty, ...contentChange(json) }, marks: marksChange(json), raw: undefined }
}

/** The changes of a PATCH; throws if a change is not allowed. */
export function readChange(message: StoredMessage, json: JsonObject): Partial<StoredMessage> {
  const refused = readOnly.find((name) => name in json)
  if (refused !== undefined) throw invalidSet(refused)
  const draftOnly = DRAFT_ONLY.find((name) => name in json)
  if (draftOnly !== undefined && !message.isDraft) throw invalidSet(draftOnly)
  const content = contentChange(json)
  const isRewritten = Object.keys(content).length > 0
  return {
    ...(isRewritten && { content: { ...message.content, ...content }, raw: undefined }),
    marks: { ...message.marks, ...marksChange(json) },
  }
}

function contentChange(json: JsonObject): Partial<MessageContent> {
  const change: { -readonly [K in keyof MessageContent]?: MessageContent[K] } = {}
  if ('subject' in json) change.subject = textOf(json.subject ?? '', 'subject')
  if ('body' in json) change.body = bodyOf(json.body)
  if ('from' in json) change.from = recipientOf(json.from)
  if ('sender' in json) change.sender = recipientOf(json.sender)
  for (const [name, key] of Object.entries(lists)) if (name in json) change[key] = recipientsOf(json[name], name)
  if ('importance' in json) change.importance = oneOf(json.importance, ['low', 'normal', 'high'] as const, 'importance')
  if ('internetMessageId' in json) change.internetMessageId = textOf(json.internetMessageId, 'internetMessageId')
  if ('isDeliveryReceiptRequested' in json) change.wantsDeliveryReceipt = json.isDeliveryReceiptRequested === true
  if ('isReadReceiptRequested' in json) change.wantsReadReceipt = json.isReadReceiptRequested === true
  return change
}

function marksChange(json: JsonObject): Partial<Marks> {
  const change: { -readonly [K in keyof Marks]?: Marks[K] } = {}
  if ('isRead' in json) change.isRead = booleanOf(json.isRead, 'isRead')
  if ('categories' in json)
    change.categories = listOf(json.categories, 'categories').map((each) => textOf(each, 'categories'))
  if ('flag' in json) change.flag = flagOf(json.flag)
  if ('inferenceClassification' in json) {
    const kinds = ['focused', 'other'] as const
    change.inferenceClassification = oneOf(json.inferenceClassification, kinds, 'inferenceClassification')
  }
  return change
}

function bodyOf(value: unknown): Body {
  if (!isObject(value)) return { contentType: 'text', content: '' }
  const type = String(value.contentType ?? 'text').toLowerCase()
  return {
    contentType: oneOf(type, ['text', 'html'] as const, 'contentType'),
    content: textOf(value.content ?? '', 'content'),
  }
}

function recipientsOf(value: unknown, name: string): Recipient[] {
  return listOf(value, name).flatMap((each) => recipientOf(each) ?? [])
}

function recipientOf(value: unknown): Recipient | undefined {
  const inner = isObject(value) ? value.emailAddress : undefined
  if (!isObject(inner)) return undefined
  const address = textOf(inner.address ?? '', 'address')
  const name = textOf(inner.name ?? '', 'name')
  return { name: name === '' ? address : name, address }
}

function flagOf(value: unknown): JsonObject {
  if (!isObject(value)) throw invalidBody("The property 'flag' is not valid.")
  const flagStatus = oneOf(value.flagStatus, ['notFlagged', 'complete', 'flagged'] as const, 'flagStatus')
  if (value.dueDateTime !== undefined && value.startDateTime === undefined) {
    throw new GraphError(400, 'ErrorInvalidArgument', 'The due date cannot be set without the start date.')
  }
  if (flagStatus === 'notFlagged') return { flagStatus }
  const { startDateTime, dueDateTime, completedDateTime } = value
  return {
    flagStatus,
    ...(startDateTime !== undefined && { startDateTime }),
    ...(dueDateTime !== undefined && { dueDateTime }),
    ...(flagStatus === 'complete' && completedDateTime !== undefined && { completedDateTime }),
  }
}

/** Custom headers: one to five, all beginning with `x-`. */
function headersOf(value: unknown): MessageContent['headers'] {
  if (value === undefined) return []
  const headers = listOf(value, 'internetMessageHeaders')
  if (headers.length < 1 || headers.length > 5) {
    throw new GraphError(
      400,
      'InvalidInternetMessageHeaderCollection',
      'Maximum number of headers in one message should be less than or equal to 5.',
    )
  }
  return headers.map((header) => {
    const name = isObject(header) ? textOf(header.name, 'name') : ''
    if (!/^x-/i.test(name)) {
      throw new GraphError(
        400,
        'InvalidInternetMessageHeader',
        `The internet message header name '${name}' should start with 'x-' or 'X-'.`,
      )
    }
    return { name, value: isObject(header) ? textOf(header.value, 'value') : '' }
  })
}

function listOf(value: unknown, name: string): unknown[] {
  if (Array.isArray(value)) return value
  throw invalidBody(`The property '${name}' is not a collection.`)
}

function textOf(value: unknown, name: string): string {
  if (typeof value === 'string') return value
  throw invalidBody(`Cannot read the value of the property '${name}' as a string.`)
}

function booleanOf(value: unknown, name: string): boolean {
  if (typeof value === 'boolean') return value
  throw invalidBody(`Cannot convert the value of the property '${name}' to the expected type 'Edm.Boolean'.`)
}

function oneOf<T extends string>(value: unknown, values: readonly T[], name: string): T {
  const found = values.find((each) => typeof value === 'string' && each.toLowerCase() === value.toLowerCase())
  if (found !== undefined) return found
  throw invalidBody(`Requested value '${String(value)}' was not found for the property '${name}'.`)
}

function invalidSet(name: string): GraphError {
  return new GraphError(400, 'ErrorInvalidPropertySet', `Set action is invalid for property '${name}'.`)
}
