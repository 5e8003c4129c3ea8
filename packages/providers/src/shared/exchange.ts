/**
 * HTTP requests to a provider for an account: its token, compressed answers, a deadline and a limit of bytes, and
 * failures as errors of the API. What differs between providers is in `ExchangeRules`.
 */
import { promisify } from 'node:util'
import { gunzip, gunzipSync } from 'node:zlib'
import { ApiError } from '@waypost/platform/api-error'
import type { EgressResponse, StreamedBody } from '@waypost/platform/egress/egress'
import { EgressError } from '@waypost/platform/egress/error'
import { XmlTooLarge } from '@waypost/platform/xml/xml'
import type { Io, SessionIo } from '../io.ts'
import { isMalformed } from './answer.ts'
import { withRetry } from './retry.ts'
import { isRateLimit, isRetryable } from './retryable.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
/** The methods that WebDAV, CalDAV and CardDAV add. */
export type DavMethod = 'OPTIONS' | 'PROPFIND' | 'PROPPATCH' | 'REPORT' | 'MKCOL' | 'MKCALENDAR'

export interface ExchangeRequest {
  url: string
  method: Method | DavMethod
  headers: Record<string, string>
  body?: string | Uint8Array | StreamedBody | undefined
  /** The maximum size of an answer, compressed or not. */
  maxBytes: number
  deadlineMs: number
  /** The number of calls that a batch contains. Default 1. */
  calls?: number
  /** What the provider charges for the request, in its own units. */
  quotaUnits?: number | undefined
}

/** What a provider answered. */
export interface ProviderAnswer {
  status: number
  /** A header by its name in lower case; the first value if it was sent several times. */
  header(name: string): string | undefined
  /** The values of a header that is a list, whether sent as one header or several. */
  headerList(name: string): string[]
  body: Buffer
}

/** An answer to a request with the account's token. */
export interface AuthorizedAnswer extends ProviderAnswer {
  /** The token that was used. */
  token: string
}

/** What differs between providers. */
export interface ExchangeRules {
  /** The name of the provider in errors. */
  name: string
  /** Sent with every request. */
  headers: Readonly<Record<string, string>>
  /** The error for a refusal. `scopes` are the sufficient ones, if the caller knows them. */
  refused(answer: ProviderAnswer, scopes?: readonly string[]): ApiError
  /** Limits concurrent requests, for a provider that accepts only some. */
  inTurn?(make: () => Promise<ProviderAnswer>): Promise<ProviderAnswer>
}

/** The parts of `Io` that a request needs. */
export type ExchangeIo = Pick<Io, 'request' | 'signal' | 'calls'>

const unzip = promisify(gunzip)
/** Smaller answers are decompressed on the main thread, because the transfer to another thread would take longer. */
const inflatedAtOnce = { bytes: 16 * 1024, text: 256 * 1024 }

/** Makes one request. Returns any answer; throws an ApiError if there was none. */
export const exchange = (io: ExchangeIo, request: ExchangeRequest, rules: ExchangeRules): Promise<ProviderAnswer> =>
  rules.inTurn ? rules.inTurn(() => exchangeNow(io, request, rules)) : exchangeNow(io, request, rules)

async function exchangeNow(io: ExchangeIo, requested: ExchangeRequest, rules: ExchangeRules): Promise<ProviderAnswer> {
  const { signal } = io
  const { calls = 1, quotaUnits, ...request } = requested
  io.calls?.add(calls, quotaUnits)
  try {
    const headers = { accept: '*/*', 'accept-encoding': 'gzip', ...rules.headers, ...request.headers }
    const response = await io.request({ ...request, headers, signal, onOverflow: 'fail' })
    const body = await inflated(response, request.maxBytes, rules)
    return { status: response.status, header: headerOf(response), headerList: headerListOf(response), body }
  } catch (error) {
    if (isUnsent(error)) io.calls?.add(-calls, quotaUnits && -quotaUnits)
    signal.throwIfAborted()
    throw unreachable(error, rules.name)
  }
}

/** Whether nothing of a request was sent. */
export const isUnsent = (error: unknown): boolean => error instanceof EgressError && unsent.has(error.reason)
const unsent = new Set(['connect_failed', 'dns_failed', 'tls_failed', 'overloaded'])

const headerOf =
  ({ headers }: EgressResponse) =>
  (name: string): string | undefined => {
    const value = headers[name]
    return Array.isArray(value) ? value[0] : value
  }

const headerListOf =
  ({ headers }: EgressResponse) =>
  (name: string): string[] =>
    [headers[name] ?? []].flat().flatMap((text) => text.split(',').map((value) => value.trim()))

async function inflated({ headers, body }: EgressResponse, maxBytes: number, { name }: ExchangeRules): Promise<Buffer> {
  if (headers['content-encoding'] !== 'gzip' || body.length === 0) return body
  try {
    return inflatedNow(body, maxBytes) ?? (await unzip(body, { maxOutputLength: maxInflated(body.length, maxBytes) }))
  } catch (cause) {
    throw new EgressError('too_large', `an answer of ${name} is broken, or larger than ${maxBytes} bytes`, { cause })
  }
}

/** Ordinary answers compress to a tenth or a thirtieth. A ratio above a hundred is an attack. */
const maxInflated = (bytes: number, maxBytes: number): number =>
  Math.min(maxBytes, Math.max(inflatedAnyway, bytes * maxRatio))
const maxRatio = 100
const inflatedAnyway = 1024 * 1024

/** A small answer, decompressed; undefined if it is not small, or expands to too much. */
function inflatedNow(body: Buffer, maxBytes: number): Buffer | undefined {
  if (body.length > inflatedAtOnce.bytes) return undefined
  try {
    return gunzipSync(body, { maxOutputLength: Math.min(maxBytes, inflatedAtOnce.text) })
  } catch {
    return undefined
  }
}

/** The error for a request without an answer; `name` is the name of the provider. */
export function unreachable(error: unknown, name: string): unknown {
  if (!(error instanceof EgressError)) return error
  const words = error.reason === 'timeout' ? `${name} did not answer in time` : `${name} cannot be reached now`
  return new ApiError('provider_unavailable', `${words}; try again`, { cause: error })
}

/** Whether an error means that the answer was too large. */
export const isTooLarge = (error: unknown): boolean =>
  error instanceof ApiError &&
  ((error.cause instanceof EgressError && error.cause.reason === 'too_large') || error.cause instanceof XmlTooLarge)

/**
 * Makes a request with the account's token. If the token is refused, the request is repeated once with another one.
 */
export async function authorized(
  io: SessionIo,
  request: ExchangeRequest,
  rules: ExchangeRules,
  refusedToken?: string,
): Promise<AuthorizedAnswer> {
  const token = await io.accessToken(refusedToken)
  const headers = { ...request.headers, authorization: `Bearer ${token}` }
  const answer = await exchange(io, { ...request, headers }, rules)
  if (answer.status === 401 && refusedToken === undefined) return authorized(io, request, rules, token)
  return { ...answer, token }
}

/**
 * The part of an answer that `take` reads; throws an ApiError if the provider refused. A reading request is retried
 * if the provider or the connection failed, a changing one only if the provider did nothing.
 */
export async function accepted<T>(
  io: SessionIo,
  request: ExchangeRequest,
  rules: ExchangeRules,
  { take, scopes }: { take(answer: ProviderAnswer): T; scopes?: readonly string[] | undefined },
): Promise<T> {
  const once = async (): Promise<T> => {
    const answer = await authorized(io, request, rules)
    if (answer.status >= 300) throw rules.refused(answer, scopes)
    return take(answer)
  }
  return withRetry(io, once, mayRetry(request.method === 'GET'))
}

/** Which failures are retried. An answer that is too large or malformed would be so again. */
export const mayRetry =
  (reads: boolean) =>
  (error: unknown): boolean =>
    reads ? isRetryable(error) && !isTooLarge(error) && !isMalformed(error) : isRateLimit(error)

export type QueryValue = string | number | boolean | undefined | readonly string[]
export type Query = Readonly<Record<string, QueryValue>>

/** A query with its question mark; '' if there is none. A list repeats the name. */
export function queryText(query: Query = {}): string {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue
    if (typeof value === 'object') for (const each of value) params.append(name, each)
    else params.append(name, `${value}`)
  }
  const text = params.toString()
  return text ? `?${text}` : ''
}
