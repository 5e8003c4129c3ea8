/** The responses of successful requests. */
import type { NamedRoute, Route } from '@waypost/contract'
import type { z } from 'zod'
import { examplesOf } from './examples.ts'
import { type Json, refer } from './json.ts'
import { schemaOf } from './schemas.ts'

const requestId = (): Json => refer('schemas', 'RequestId')

function dataOf({ returns, list, method }: Route): Json | undefined {
  if (!returns) return undefined
  const item = schemaOf(returns, 'output')
  if (list === 'whole') return { type: 'array', description: 'All objects.', items: item }
  if (list) return { type: 'array', description: 'One page of the list.', items: item }
  const words = method === 'GET' ? 'The requested object.' : 'The result.'
  return { description: words, ...item }
}

function pagingOf({ list }: Route): Json {
  if (list !== 'offset' && list !== 'cursor') return {}
  const next_cursor = {
    type: 'string',
    description: 'The position of the next page: send it as `page_token`. Absent on the last page.',
  }
  if (list === 'cursor') return { next_cursor }
  return {
    next_cursor,
    limit: { type: 'integer', description: 'Maximum number of objects per page.' },
    offset: { type: 'integer', description: 'Number of objects skipped.' },
  }
}

function answerSchema({ route }: NamedRoute): Json {
  if (route.flat && route.returns) {
    return { allOf: [schemaOf(route.returns, 'output'), { type: 'object', properties: { request_id: requestId() } }] }
  }
  const beside = Object.entries((route.beside?.shape ?? {}) as Record<string, z.ZodType>)
  const data = dataOf(route)
  return {
    type: 'object',
    properties: {
      request_id: requestId(),
      ...Object.fromEntries(beside.map(([name, field]) => [name, schemaOf(field, 'output')])),
      ...(data ? { data } : {}),
      ...pagingOf(route),
    },
    required: [
      'request_id',
      ...beside.filter(([, field]) => !field.safeParse(undefined).success).map(([name]) => name),
      ...(data ? ['data'] : []),
    ],
  }
}

/** Server-sent events, which OpenAPI 3.1 describes as text. */
const eventsSchema: Json = {
  type: 'string',
  description: 'Events: `id` is the cursor after the item, `event` its type, and `data` the item as JSON.',
}

/** The resources whose calls cost quota units of Gmail. */
const ofGmail: ReadonlySet<string> = new Set(['messages', 'drafts', 'threads', 'folders', 'attachments'])

/** The headers about the provider calls of a request. */
const callHeadersOf = ({ route, resource }: NamedRoute): Json => ({
  ...(route.audience === 'grant'
    ? { 'x-provider-request-count': refer('headers', 'x-provider-request-count') }
    : undefined),
  ...(route.audience === 'grant' && ofGmail.has(resource)
    ? { 'x-google-quota-units': refer('headers', 'x-google-quota-units') }
    : undefined),
})

function successOf(named: NamedRoute, description: string): Json {
  const headers = { 'x-request-id': refer('headers', 'x-request-id'), ...callHeadersOf(named) }
  if (!named.route.bytes) {
    const content = {
      'application/json': { schema: answerSchema(named), ...examplesOf(named, 'response') },
      ...(named.route.events ? { 'text/event-stream': { schema: eventsSchema } } : {}),
    }
    return { description, headers, content }
  }
  const disposition = { description: '`attachment`, with the name of the file.', schema: { type: 'string' } }
  const isPaged = named.route.query !== undefined && 'page_token' in named.route.query.shape
  const next = { description: '`page_token` of the next page; absent on the last.', schema: { type: 'string' } }
  return {
    description: 'The file, under its own content type; a connection that breaks means that it is not whole',
    headers: { ...headers, 'content-disposition': disposition, ...(isPaged ? { 'next-cursor': next } : {}) },
    content: { '*/*': { schema: { type: 'string', format: 'binary' } } },
  }
}

/** A part of a file. */
function partialOf(named: NamedRoute): Json {
  const whole = successOf(named, '')
  const range = { description: 'The bytes, and the size of the file: `bytes 0-499/1234`.', schema: { type: 'string' } }
  const headers = { ...(whole.headers as Json), 'content-range': range }
  return { ...whole, description: 'The requested range of bytes', headers }
}

/** The successful responses of a route, by status. */
export function successesOf(named: NamedRoute): Json {
  const { status = 200, later, ranges } = named.route
  return {
    [String(status)]: successOf(named, 'Success'),
    ...(ranges ? { '206': partialOf(named) } : {}),
    ...(later ? { [String(later)]: successOf(named, 'Taken, and done later') } : {}),
  }
}
