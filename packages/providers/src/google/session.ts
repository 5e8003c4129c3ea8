/** A session of a Google account: calls to its JSON APIs, one by one or in batches. */
import type { Grant } from '@waypost/contract'
import { ApiError } from '@waypost/platform/api-error'
import { newToken } from '@waypost/platform/ids'
import type { OnDropped, Reader } from '@waypost/platform/json/reader'
import type { SessionIo } from '../io.ts'
import { jsonOf, readAnswer } from '../shared/answer.ts'
import { type BatchFormat, errorOr, runBatches } from '../shared/batch.ts'
import {
  accepted,
  authorized,
  type ExchangeRequest,
  type ExchangeRules,
  type Method,
  mayRetry,
  type ProviderAnswer,
  type Query,
  queryText,
} from '../shared/exchange.ts'
import { acceptedFile, type FileStream } from '../shared/file-stream.ts'
import { withRetry } from '../shared/retry.ts'
import { refused } from './errors.ts'
import { quotaUnitsOf } from './gmail/quota-units.ts'
import { type PartAnswer, readBatch, writeBatch } from './multipart-batch.ts'

export type Api = 'gmail' | 'calendar' | 'people' | 'directory' | 'meet'
export type { Method, Query, QueryValue } from '../shared/exchange.ts'

export interface CallOptions extends Content {
  query?: Query
  headers?: Record<string, string>
  /** The maximum size of an answer. Default 8 MB. */
  maxBytes?: number
  deadlineMs?: number
  /** Scopes of which one is needed, named in the error if the grant has none of them. */
  scopes?: readonly string[]
}

export interface UploadOptions {
  query?: Query
  body?: unknown
  /** The type and the number of all bytes. */
  contentType: string
  length: number
}

export interface BatchCall {
  method?: Method
  /** Relative to the root of the API. */
  path: string
  query?: Query
  body?: unknown
}

export interface Session {
  readonly grant: Grant
  readonly io: SessionIo
  /**
   * One call to an API; the path is relative to its root, such as `users/me/messages`. Returns what `read` finds in
   * the JSON and throws an ApiError. A reading call is retried if Google or the connection failed, a changing one
   * only if Google did nothing.
   */
  call<T>(api: Api, method: Method, path: string, options: CallOptions & { read: Reader<T> }): Promise<T>
  /** The file that `decode` finds in the answer, as a stream. The deadline applies to its first bytes. */
  openFile(
    api: Api,
    path: string,
    options: CallOptions & { decode(answer: AsyncIterable<Buffer>): AsyncIterator<Buffer> },
  ): Promise<FileStream>
  /** The same without reading the answer. */
  execute(api: Api, method: Method, path: string, options?: CallOptions): Promise<void>
  /**
   * Begins a resumable upload (https://developers.google.com/workspace/gmail/api/guides/uploads) and returns the address
   * of its session. Nothing happens before all bytes have arrived there.
   */
  beginUpload(api: Api, method: Method, path: string, options: UploadOptions): Promise<string>
  /** Sends a piece to the session of an upload, or requests its state; returns the raw answer. */
  continueUpload(
    address: string,
    piece: { bytes: Uint8Array; headers: Record<string, string>; deadlineMs: number },
  ): Promise<ProviderAnswer>
  /** What `read` finds in the JSON of such an answer. */
  read<T>(answer: ProviderAnswer, read: Reader<T>): Promise<T>
  /** Several calls, 50 per request. Each has its own result or error, in the order of the calls. */
  batch<T>(api: Api, calls: readonly BatchCall[], read: Reader<T>): Promise<(T | ApiError)[]>
}

interface ApiFacts {
  host: string
  root: string
  batch: string
  /** The quota units of a call, where Google publishes them. */
  unitsOf?(method: Method, path: string): number | undefined
}

const apis: Record<Api, ApiFacts> = {
  gmail: {
    host: 'https://gmail.googleapis.com',
    root: '/gmail/v1/',
    batch: '/batch/gmail/v1',
    unitsOf: quotaUnitsOf,
  },
  calendar: { host: 'https://www.googleapis.com', root: '/calendar/v3/', batch: '/batch/calendar/v3' },
  directory: { host: 'https://admin.googleapis.com', root: '/admin/directory/v1/', batch: '/batch/admin/directory_v1' },
  // It has no batches.
  meet: { host: 'https://meet.googleapis.com', root: '/v2/', batch: '/batch' },
  people: { host: 'https://people.googleapis.com', root: '/v1/', batch: '/batch' },
}

const megabyte = 1024 * 1024
const callDeadlineMs = 30_000
const callBytes = 8 * megabyte
const batchDeadlineMs = 45_000
const batchBytes = 32 * megabyte
const callsPerBatch = 50

/** Google compresses answers only for user agents that contain `gzip`. */
const rules: ExchangeRules = { name: 'Google', headers: { 'user-agent': 'waypost (gzip)' }, refused }

export function open(grant: Grant, io: SessionIo): Session {
  const at: Hosts = {
    io,
    hostOf: (api) => io.providerUrl ?? apis[api].host,
    onDropped: ({ message }) =>
      io.log.warn({ grant_id: grant.id, problem: message }, 'an item that Google answered with cannot be read'),
  }
  return {
    grant,
    io,
    async call(api, method, path, options) {
      const request = requestOf(at, { api, method, path }, options)
      const take = { take: ({ body }: ProviderAnswer) => jsonOf(body, rules, io), scopes: options.scopes }
      return readAnswer(await accepted(io, request, rules, take), options.read, { ...rules, ...at })
    },
    openFile: (api, path, options) =>
      acceptedFile(io, requestOf(at, { api, method: 'GET', path }, options), rules, options),
    async execute(api, method, path, options = {}) {
      const request = requestOf(at, { api, method, path }, options)
      await accepted(io, request, rules, { take: () => undefined, scopes: options.scopes })
    },
    beginUpload: (api, method, path, options) => beginUpload(at, { api, method, path }, options),
    continueUpload: (url, { bytes, headers, deadlineMs }) =>
      authorized(io, { url, method: 'PUT', headers, body: bytes, maxBytes: callBytes, deadlineMs }, rules),
    read: async ({ body }, read) => readAnswer(await jsonOf(body, rules, io), read, { ...rules, ...at }),
    batch: (api, calls, read) => runBatches(io, calls, batchFormat(at, api, read)),
  }
}

interface Hosts {
  io: SessionIo
  hostOf(api: Api): string
  onDropped: OnDropped
}

function requestOf(
  { hostOf }: Hosts,
  { api, method, path }: { api: Api; method: Method; path: string },
  options: CallOptions,
): ExchangeRequest {
  const upload = options.raw ? { uploadType: options.body === undefined ? 'media' : 'multipart' } : {}
  const query = queryText({ ...options.query, ...upload })
  const content = contentOf(options)
  return {
    url: `${hostOf(api)}${options.raw ? '/upload' : ''}${apis[api].root}${path}${query}`,
    method,
    headers: { ...content.headers, ...options.headers },
    body: content.body,
    maxBytes: options.maxBytes ?? callBytes,
    deadlineMs: options.deadlineMs ?? callDeadlineMs,
    quotaUnits: apis[api].unitsOf?.(method, path),
  }
}

async function beginUpload(
  { io, hostOf }: Hosts,
  { api, method, path }: { api: Api; method: Method; path: string },
  { query, body, contentType, length }: UploadOptions,
): Promise<string> {
  const host = hostOf(api)
  const content = contentOf({ body: body ?? {} })
  const request: ExchangeRequest = {
    url: `${host}/upload${apis[api].root}${path}${queryText({ ...query, uploadType: 'resumable' })}`,
    method,
    headers: { ...content.headers, 'x-upload-content-type': contentType, 'x-upload-content-length': `${length}` },
    body: content.body,
    maxBytes: callBytes,
    deadlineMs: callDeadlineMs,
    quotaUnits: apis[api].unitsOf?.(method, path),
  }
  const once = async (): Promise<string> => {
    const answer = await authorized(io, request, rules)
    if (answer.status >= 300) throw refused(answer)
    // The token is sent to the address, so it must be Google's.
    const address = URL.parse(answer.header('location') ?? '', request.url)
    if (address === null || address.origin !== new URL(host).origin) {
      throw new ApiError('provider_unavailable', 'Google named no usable address for an upload; try again')
    }
    return address.href
  }
  return withRetry(io, once, mayRetry(true))
}

function unitsOfBatch(api: Api, calls: readonly BatchCall[]): number | undefined {
  const { unitsOf } = apis[api]
  return unitsOf && calls.reduce((sum, { method = 'GET', path }) => sum + (unitsOf(method, path) ?? 0), 0)
}

/** Google's batches are `multipart/mixed`, with a request in each part. */
const batchFormat = <T>(at: Hosts, api: Api, read: Reader<T>): BatchFormat<BatchCall, PartAnswer, T> => ({
  name: rules.name,
  size: callsPerBatch,
  reads: ({ method = 'GET' }) => method === 'GET',
  async send(calls, refusedToken) {
    const parts = calls.map(({ method = 'GET', path, query, body }) => ({
      method,
      target: `${apis[api].root}${path}${queryText(query)}`,
      ...(body === undefined ? {} : { body }),
    }))
    const { contentType, body } = writeBatch(parts)
    const request: ExchangeRequest = {
      url: `${at.hostOf(api)}${apis[api].batch}`,
      method: 'POST',
      headers: { 'content-type': contentType },
      body,
      maxBytes: batchBytes,
      deadlineMs: batchDeadlineMs,
      calls: calls.length,
      quotaUnits: unitsOfBatch(api, calls),
    }
    const answer = await authorized(at.io, request, rules, refusedToken)
    if (answer.status >= 300) throw refused(answer)
    return {
      token: answer.token,
      parts: readBatch(answer.header('content-type') ?? '', answer.body, parts.length),
    }
  },
  async result({ status, headers, body }) {
    if (status >= 300) return refused({ status, header: (name) => headers.get(name), body })
    return errorOr(async () => readAnswer(await jsonOf(body, rules, at.io), read, { ...rules, ...at }))
  },
})

interface Content {
  body?: unknown
  raw?: { bytes: Uint8Array; contentType: string }
}

const jsonType = 'application/json; charset=UTF-8'

/** The body of a call, with the headers that describe it. */
function contentOf({ body, raw }: Content): { headers: Record<string, string>; body?: string | Uint8Array } {
  const json = body === undefined ? undefined : JSON.stringify(body)
  if (!raw) return json === undefined ? { headers: {} } : { headers: { 'content-type': jsonType }, body: json }
  if (json === undefined) return { headers: { 'content-type': raw.contentType }, body: raw.bytes }
  const boundary = `upload_${newToken()}`
  const head = `--${boundary}\r\nContent-Type: ${jsonType}\r\n\r\n${json}\r\n--${boundary}\r\nContent-Type: ${raw.contentType}\r\n\r\n`
  return {
    headers: { 'content-type': `multipart/related; boundary=${boundary}` },
    body: Buffer.concat([Buffer.from(head), raw.bytes, Buffer.from(`\r\n--${boundary}--\r\n`)]),
  }
}
