/** The messages of JSON-RPC 2.0, as MCP uses them: one per request, ids are texts or whole numbers. Pure. */
import type { JsonValue } from '@waypost/platform/json/guard'
import { codes, ProtocolFault } from './faults.ts'

export type MessageId = string | number
export type Params = { readonly [name: string]: JsonValue | undefined }

export type Message =
  | { kind: 'request'; id: MessageId; method: string; params: Params }
  | { kind: 'notification'; method: string; params: Params }
  | { kind: 'response'; id: MessageId; result: Params | undefined }

export type RequestMessage = Extract<Message, { kind: 'request' }>

/** Longer ids and method names serve nobody; both are repeated in answers. */
const maxLength = 2_048

export const isObject = (value: JsonValue | undefined): value is { [name: string]: JsonValue } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isId = (value: JsonValue | undefined): value is MessageId =>
  (typeof value === 'string' && value.length <= maxLength) || (typeof value === 'number' && Number.isInteger(value))

const malformed = (why: string): ProtocolFault => new ProtocolFault(codes.invalidRequest, `Invalid request: ${why}`)

/** The message in a body. Throws a fault if it is none. */
export function readMessage(body: JsonValue): Message {
  if (Array.isArray(body)) throw malformed('send one message per request; batches are not accepted')
  if (!isObject(body) || body.jsonrpc !== '2.0') throw malformed('the body is no JSON-RPC 2.0 message')
  const { id, method, params = {} } = body
  if (method === undefined) return readResponse(body)
  if (typeof method !== 'string' || method === '' || method.length > maxLength) throw malformed('method must be a text')
  if (!isObject(params)) throw malformed('params must be an object')
  if (params._meta !== undefined && !isObject(params._meta)) throw malformed('params._meta must be an object')
  if (!Object.hasOwn(body, 'id')) return { kind: 'notification', method, params }
  if (!isId(id)) throw malformed('id must be a text or a whole number')
  return { kind: 'request', id, method, params }
}

function readResponse({ id, result, error }: { [name: string]: JsonValue }): Message {
  const isOne = isId(id) && (isObject(result) ? error === undefined : result === undefined && isObject(error))
  if (!isOne) throw malformed('the body is neither a request, a notification nor a response')
  return { kind: 'response', id, result: isObject(result) ? result : undefined }
}

/** The id in a body that may be malformed otherwise, so that the error can name it. */
export const idOf = (body: JsonValue | undefined): MessageId | undefined =>
  isObject(body) && isId(body.id) ? body.id : undefined

/** The text of a response. `result` is JSON. */
export const resultText = (id: MessageId, result: string): string =>
  `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`

/** The text of an error. Without an id where none could be read (MCP 2026-07-28, "Error Responses"). */
export const errorText = (id: MessageId | undefined, { code, message, data }: ProtocolFault): string =>
  JSON.stringify({
    jsonrpc: '2.0',
    ...(id === undefined ? undefined : { id }),
    error: { code, message, ...(data === undefined ? undefined : { data }) },
  })

export const notificationText = (method: string, params: Params): string =>
  JSON.stringify({ jsonrpc: '2.0', method, params })
