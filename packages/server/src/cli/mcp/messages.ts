/**
 * The JSON-RPC messages that pass through `waypost mcp`, the HTTP headers that repeat parts of them, and the events that
 * carry them.
 */
import { isObject } from '@waypost/platform/json/values'

export interface Message {
  id?: string | number
  method?: string
  params?: Record<string, unknown>
  result?: Record<string, unknown>
  error?: Record<string, unknown>
}

/** JSON-RPC error codes: text that is no JSON, no message, and a failure on the way. */
export const codes = { parse: -32700, invalid: -32600, failed: -32603 }

/** A message, or undefined for anything else. Its contents are checked by the service. */
export function messageOf(value: unknown): Message | undefined {
  if (!isObject(value) || value.jsonrpc !== '2.0') return undefined
  const { id, method, params, result, error } = value
  return {
    ...(typeof id === 'string' || typeof id === 'number' ? { id } : {}),
    ...(typeof method === 'string' ? { method } : {}),
    ...(isObject(params) ? { params } : {}),
    ...(isObject(result) ? { result } : {}),
    ...(isObject(error) ? { error } : {}),
  }
}

/** The version that a message of revision 2026-07-28 or later carries. */
export function claimedVersion({ params }: Message): string | undefined {
  const meta = params?._meta
  const version = isObject(meta) ? meta['io.modelcontextprotocol/protocolVersion'] : undefined
  return typeof version === 'string' ? version : undefined
}

/** The parameter that the header `Mcp-Name` repeats, by method. */
const namedBy: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
}

/** A value as a header: as it is if a header can carry it, otherwise in Base64 between the marks of the protocol. */
const headerValue = (value: string): string =>
  /^[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?$/.test(value) && !/^=\?base64\?.*\?=$/.test(value)
    ? value
    : `=?base64?${Buffer.from(value).toString('base64')}?=`

/** The headers that must repeat the body of a message of revision 2026-07-28 or later. */
export function repeatedHeaders(message: Message): Record<string, string> {
  const version = claimedVersion(message)
  const { method, params } = message
  if (version === undefined || method === undefined) return {}
  const field = Object.hasOwn(namedBy, method) ? namedBy[method] : undefined
  const name = field === undefined ? undefined : params?.[field]
  return {
    'mcp-protocol-version': headerValue(version),
    'mcp-method': headerValue(method),
    ...(typeof name === 'string' ? { 'mcp-name': headerValue(name) } : {}),
  }
}

/** The data of each server-sent event in a response body. Comments, which keep the connection open, are skipped. */
export async function* eventsOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  let data: string[] = []
  for await (const chunk of body) {
    rest += decoder.decode(chunk, { stream: true })
    const lines = rest.split(/\r\n|\n|\r(?!$)/)
    rest = lines.pop() ?? ''
    for (const line of lines) {
      if (line === '') {
        if (data.length > 0) yield data.join('\n')
        data = []
      } else if (line.startsWith('data:')) data.push(line.slice(line[5] === ' ' ? 6 : 5))
    }
  }
}
