/** A session of an account at Google: calls at its JSON APIs, one by one or several as one request. */
import type { Grant } from '@waypost/contract'
import { ApiError } from '../../lib/api-error.ts'
import { sleep } from '../../lib/clock.ts'
import { EgressError } from '../../lib/egress-error.ts'
import { newFraction } from '../../lib/ids.ts'
import { takingTurns } from '../../lib/turns.ts'
import type { SessionIo } from '../provider.ts'
import { isRateLimit, isRetryable } from '../shared/retryable.ts'
import { type PartAnswer, readBatch, writeBatch } from './batch.ts'
import { namedWait, refused } from './errors.ts'
import { authorized, type Content, contentOf, type Exchange, type Method, parseJson } from './transport.ts'

export type Api = 'gmail' | 'calendar' | 'people'
export type { Method } from './transport.ts'
export type QueryValue = string | number | boolean | undefined | readonly string[]
export type Query = Readonly<Record<string, QueryValue>>

export interface CallOptions extends Content {
  query?: Query
  headers?: Record<string, string>
  /** The most that may be answered. Default 8 MB. */
  maxBytes?: number
  deadlineMs?: number
  /** Scopes of which one is needed, for the error where the grant has none of them. */
  scopes?: readonly string[]
}

export interface BatchCall {
  method?: Method
  /** Below the root of the API. */
  path: string
  query?: Query
  body?: unknown
}

export interface Session {
  readonly grant: Grant
  readonly io: SessionIo
  /**
   * One call at an API: the path below its root, such as `users/me/messages`. Answers the JSON, or undefined where there
   * is none; throws an ApiError. What reads is tried again where Google or the way to it failed, what changes only where
   * Google did nothing.
   */
  call<T>(api: Api, method: Method, path: string, options?: CallOptions): Promise<T>
  /** Several calls, 50 to a request. Each has its own result or error, in their order. */
  batch<T>(api: Api, calls: readonly BatchCall[]): Promise<(T | ApiError)[]>
}

const apis: Record<Api, { host: string; root: string; batch: string }> = {
  gmail: { host: 'https://gmail.googleapis.com', root: '/gmail/v1/', batch: '/batch/gmail/v1' },
  calendar: { host: 'https://www.googleapis.com', root: '/calendar/v3/', batch: '/batch/calendar/v3' },
  people: { host: 'https://people.googleapis.com', root: '/v1/', batch: '/batch' },
}

const megabyte = 1024 * 1024
const callDeadlineMs = 30_000
const callBytes = 8 * megabyte
const batchDeadlineMs = 45_000
const batchBytes = 32 * megabyte
const callsPerBatch = 50
/** How often what reads is tried again, and after how many milliseconds. */
const pausesMs = [300, 1200]
const batchPauseMs = 700
/** Longer waits are for whoever asks. */
const longestPauseSeconds = 2

export function open(grant: Grant, io: SessionIo): Session {
  const ways = { io, hostOf: (api: Api) => io.providerUrl ?? apis[api].host }
  return {
    grant,
    io,
    call: <T>(api: Api, method: Method, path: string, options?: CallOptions) =>
      call<T>(ways, { api, method, path }, options),
    batch: <T>(api: Api, calls: readonly BatchCall[]) => batch<T>(ways, api, calls),
  }
}

interface Ways {
  io: SessionIo
  hostOf(api: Api): string
}

const queryText = (query: Query = {}): string => {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue
    if (typeof value === 'object') for (const each of value) params.append(name, each)
    else params.append(name, `${value}`)
  }
  const text = params.toString()
  return text ? `?${text}` : ''
}

async function call<T>(
  ways: Ways,
  at: { api: Api; method: Method; path: string },
  options: CallOptions = {},
): Promise<T> {
  const { api, method, path } = at
  const upload = options.raw ? { uploadType: options.body === undefined ? 'media' : 'multipart' } : {}
  const query = queryText({ ...options.query, ...upload })
  const url = `${ways.hostOf(api)}${options.raw ? '/upload' : ''}${apis[api].root}${path}${query}`
  const content = contentOf(options)
  const request: Exchange = {
    url,
    method,
    headers: { ...content.headers, ...options.headers },
    body: content.body,
    maxBytes: options.maxBytes ?? callBytes,
    deadlineMs: options.deadlineMs ?? callDeadlineMs,
  }
  const once = async (): Promise<T> => {
    const answer = await authorized(ways.io, request)
    if (answer.status >= 300) throw refused(answer, options.scopes)
    return answer.body.length === 0 ? (undefined as T) : parseJson(answer.body)
  }
  return withRetry(ways.io, once, method === 'GET' ? isRetryableNow : isRateLimit)
}

/** Tries again after a pause, while the failure is one that may pass and the pause is short. */
async function withRetry<T>(io: SessionIo, once: () => Promise<T>, mayPass: (error: unknown) => boolean): Promise<T> {
  for (const pause of pausesMs) {
    try {
      return await once()
    } catch (error) {
      if (!mayPass(error) || !isShort(error)) throw error
      await pauseFor(io, pause)
    }
  }
  return once()
}

/** Whether Google named no wait, or one that is worth while. */
const isShort = (error: unknown): boolean => (namedWait(error) ?? 0) <= longestPauseSeconds

async function pauseFor(io: SessionIo, milliseconds: number): Promise<void> {
  const { signal } = io
  await sleep(milliseconds * (0.75 + newFraction() / 2), signal)
  signal.throwIfAborted()
}

async function batch<T>(ways: Ways, api: Api, calls: readonly BatchCall[]): Promise<(T | ApiError)[]> {
  const results: (T | ApiError)[] = []
  for (let at = 0; at < calls.length; at += callsPerBatch) {
    results.push(...(await batchPatiently<T>(ways, api, calls.slice(at, at + callsPerBatch))))
  }
  return results
}

/** A batch of which the parts that Google did not come to are asked for once more, after a pause. */
async function batchPatiently<T>(ways: Ways, api: Api, calls: readonly BatchCall[]): Promise<(T | ApiError)[]> {
  const results = await batchHalving<T>(ways, api, calls)
  const open = [...results.entries()].flatMap(([place, result]) => {
    const call = calls[place]
    const reads = (call?.method ?? 'GET') === 'GET'
    const again = result instanceof ApiError && (reads ? isRetryable(result) : isRateLimit(result)) && isShort(result)
    return call && again ? [{ place, call }] : []
  })
  if (open.length === 0) return results
  await pauseFor(ways.io, batchPauseMs)
  const some = open.map(({ call }) => call)
  for (const [at, result] of (await batchHalving<T>(ways, api, some)).entries()) {
    const place = open[at]?.place
    if (place !== undefined) results[place] = result
  }
  return results
}

/** A batch of reading calls whose answers are too large together is asked for in halves. */
async function batchHalving<T>(ways: Ways, api: Api, calls: readonly BatchCall[]): Promise<(T | ApiError)[]> {
  try {
    return await batchOnce<T>(ways, api, calls)
  } catch (error) {
    if (!isTooLarge(error) || !calls.every(({ method = 'GET' }) => method === 'GET')) throw error
    if (calls.length === 1) return [tooLarge(error)]
    const half = Math.ceil(calls.length / 2)
    const first = await batchHalving<T>(ways, api, calls.slice(0, half))
    return [...first, ...(await batchHalving<T>(ways, api, calls.slice(half)))]
  }
}

const isTooLarge = (error: unknown): boolean =>
  error instanceof ApiError && error.cause instanceof EgressError && error.cause.reason === 'too_large'

const tooLarge = (cause: unknown): ApiError =>
  new ApiError('provider_refused', 'what Google answered is too large to be read', { cause })

function resultOf<T>(answer: PartAnswer | undefined): T | ApiError {
  if (!answer) return new ApiError('provider_unavailable', 'Google left a call of a batch unanswered; try again')
  const { status, headers, body } = answer
  if (status >= 300) return refused({ status, header: (name) => headers.get(name), body })
  return body.length === 0 ? (undefined as T) : parseJson(Buffer.from(body))
}

async function batchOnce<T>(ways: Ways, api: Api, calls: readonly BatchCall[]): Promise<(T | ApiError)[]> {
  const parts = calls.map(({ method = 'GET', path, query, body }) => ({
    method,
    target: `${apis[api].root}${path}${queryText(query)}`,
    ...(body === undefined ? {} : { body }),
  }))
  const once = async (refusedToken?: string): Promise<(T | ApiError)[]> => {
    const { contentType, body } = writeBatch(parts)
    const request: Exchange = {
      url: `${ways.hostOf(api)}${apis[api].batch}`,
      method: 'POST',
      headers: { 'content-type': contentType },
      body,
      maxBytes: batchBytes,
      deadlineMs: batchDeadlineMs,
    }
    const answer = await authorized(ways.io, request, refusedToken)
    if (answer.status >= 300) throw refused(answer)
    const answers = readBatch(answer.header('content-type') ?? '', answer.body, parts.length)
    // A token that is refused is refused in every part.
    if (refusedToken === undefined && answers.every((each) => each?.status === 401)) return once(answer.token)
    const results: (T | ApiError)[] = []
    const othersTurn = takingTurns()
    for (const each of answers) {
      results.push(resultOf<T>(each))
      await othersTurn()
    }
    return results
  }
  const reads = calls.every(({ method = 'GET' }) => method === 'GET')
  return withRetry(ways.io, () => once(), reads ? isRetryableNow : isRateLimit)
}

/** What is too large now will be so again. */
const isRetryableNow = (error: unknown): boolean => isRetryable(error) && !isTooLarge(error)
