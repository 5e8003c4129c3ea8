/** Parses the path, query and body of a request. Every error names the field. */

import { type Route, takesList } from '@waypost/contract'
import { ApiError, invalidField } from '@waypost/platform/api-error'
import { decodeUtf8, type JsonValue } from '@waypost/platform/json/guard'
import { fieldOf } from '@waypost/platform/json/values'
import type { z } from 'zod'
import type { HttpRequest } from './http.ts'
import { type JsonReading, readJsonBytes } from './json-body.ts'

/**
 * The path that is routed, as raw segments: without the path of the base address and without a trailing slash. Empty
 * segments inside stay, so that a missing id does not match another route.
 */
export function pathOf(target: string, prefix: string): string {
  const mark = target.indexOf('?')
  const hash = target.indexOf('#')
  const end = mark === -1 || (hash !== -1 && hash < mark) ? hash : mark
  let path = end === -1 ? target : target.slice(0, end)
  if (path.startsWith('//')) path = path.replace(/^\/{2,}/, '/')
  if (prefix !== '' && (path === prefix || path.startsWith(`${prefix}/`))) {
    path = path.slice(prefix.length).replace(/^\/{2,}/, '/') || '/'
  }
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path
}

/** The query of a request, together with fields that its path has in place of the query. */
export function queryOf(target: string, queryInPath: Readonly<Record<string, string>> | undefined): RawQuery {
  const mark = target.indexOf('?')
  const raw = mark === -1 ? {} : rawOf(new URLSearchParams(target.slice(mark + 1)))
  return queryInPath ? Object.assign(raw, queryInPath) : raw
}

export type RawQuery = Record<string, string | string[]>

/**
 * The fields of a query or a form. A name that is repeated has an array of texts. A value that is the text `undefined` is
 * absent: JavaScript clients send it for missing values.
 */
export function rawOf(pairs: URLSearchParams): RawQuery {
  const raw: RawQuery = Object.create(null)
  for (const [name, value] of pairs) {
    if (name.includes('[')) throw invalidField(name.slice(0, 40), 'write lists as repeated names or with commas')
    if (!value.isWellFormed() || value.includes('\0')) throw invalidField(name.slice(0, 40), 'is not valid text')
    if (value === 'undefined') continue
    const before = raw[name]
    if (Array.isArray(before)) before.push(value)
    else raw[name] = before === undefined ? value : [before, value]
  }
  return raw
}

/** The headers that a route defines. A header that is sent twice has both values, joined with a comma. */
export function rawHeaders({ headers }: Route, request: HttpRequest): Record<string, string> {
  const raw: Record<string, string> = {}
  for (const name in headers?.shape ?? {}) {
    const value = request.header(name)
    if (value !== null) raw[name] = value
  }
  return raw
}

type Part = 'query' | 'headers' | 'body'

/** Parses by a schema; the error lists every field that does not fit. */
export function parseFields<T>(schema: z.ZodType<T>, value: unknown, what: Part): T {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const problems: Record<string, string> = {}
  for (const issue of parsed.error.issues) {
    for (const name of namesOf(issue)) problems[name || what] ??= describeIssue(issue, value, what)
  }
  const summary = Object.entries(problems).map(([field, problem]) => `${field}: ${problem}`)
  throw new ApiError('invalid_request', summary.slice(0, 3).join('; '), { validationErrors: problems })
}

/** The path of an issue. Names of metadata come from the client and may be long. */
const nameOf = (path: readonly PropertyKey[]): string => path.map(String).join('.').slice(0, 100).toWellFormed()

/** The fields that an issue is about: of an object that refuses unknown fields, the first of these. */
const namesOf = (issue: z.core.$ZodIssue): string[] =>
  issue.code === 'unrecognized_keys'
    ? issue.keys.slice(0, 1).map((key) => nameOf([...issue.path, key]))
    : [nameOf(issue.path)]

function describeIssue(issue: z.core.$ZodIssue, value: unknown, what: Part): string {
  if (issue.code !== 'invalid_type' && issue.code !== 'invalid_value') return issue.message
  const holder = issue.path.slice(0, -1).reduce((at, step) => fieldOf(at, String(step)), value)
  // The value is a query text that was split into a list; it has no items to inspect.
  if (typeof holder !== 'object' || holder === null) return issue.message
  const present = fieldOf(holder, String(issue.path.at(-1) ?? ''))
  // An unexpected list in a query is a repeated name.
  const repeated = what === 'query' && Array.isArray(present)
  if (issue.code === 'invalid_value') return repeated ? 'must be given once' : issue.message
  if (present === undefined) return 'is required'
  return repeated && issue.expected !== 'array' ? 'must be given once' : issue.message
}

/** The bytes of the body, at most `max`. */
/** `arrived` is told how many bytes are held, and may throw. */
export async function readBody(
  request: HttpRequest,
  max: number,
  arrived?: (size: number) => void,
): Promise<Uint8Array> {
  if (request.header('content-encoding')) {
    throw new ApiError('unsupported_media_type', 'Content-Encoding: compressed request bodies are not taken')
  }
  const declared = request.header('content-length')
  if (declared !== null && Number(declared) > max) throw tooLarge(max)
  const bytes = await request.bytes(max, arrived).catch((cause: unknown) => {
    if (cause instanceof ApiError) throw cause
    // The client disconnected, was too slow, or sent a broken chunk. This is no failure of the service.
    throw new ApiError('invalid_request', 'the body did not arrive whole', { cause })
  })
  if (!bytes) throw tooLarge(max)
  return bytes
}

const tooLarge = (max: number): ApiError =>
  new ApiError('payload_too_large', `the body must not be larger than ${max} bytes`)

/** The JSON object or list in a body. An empty body counts as `{}`, which no list accepts. */
export async function readJson(
  route: Route,
  bytes: Uint8Array,
  { contentType, ...reading }: JsonReading & { contentType: string | null },
): Promise<JsonValue> {
  if (bytes.byteLength === 0) return {}
  const type = contentType?.split(';', 1)[0]?.trim().toLowerCase()
  if (route.form && type === 'application/x-www-form-urlencoded') return readForm(bytes)
  if (type !== undefined && type !== 'application/json') {
    throw new ApiError('unsupported_media_type', `Content-Type: must be application/json, not ${type.slice(0, 60)}`)
  }
  if (!route.body) return {}
  const parsed = await readJsonBytes(bytes, reading)
  if (parsed === undefined) throw new ApiError('invalid_json', 'the body is not valid UTF-8')
  if (!parsed.ok) throw new ApiError('invalid_json', parsed.problem)
  const isObject = typeof parsed.value === 'object' && parsed.value !== null
  if (!isObject || Array.isArray(parsed.value) !== takesList(route)) {
    throw new ApiError('invalid_json', `the body must be one JSON ${takesList(route) ? 'array' : 'object'}`)
  }
  return parsed.value
}

/** The fields of a form in a body. */
export function readForm(bytes: Uint8Array): RawQuery {
  const text = decodeUtf8(bytes)
  if (text === undefined) throw new ApiError('invalid_request', 'the body is not valid UTF-8')
  return rawOf(new URLSearchParams(text))
}
