/** From what Google answered to the errors of the API. */
import { ApiError } from '../../lib/api-error.ts'
import { boundedWait, retryAfterSeconds } from '../shared/retry.ts'

/** What an API answered with where it did not do what was asked. */
export interface Refusal {
  status: number
  header(name: string): string | undefined
  body: Uint8Array
}

/** Google's error, as its JSON APIs write it. */
interface GoogleError {
  status: number
  reason: string
  message: string
}

/** Seconds to wait where Google does not say how long. */
const pauseSeconds = 10
/** The same, where the quota is one of a day. */
const dailySeconds = 3600

const rateReasons = new Set([
  'rateLimitExceeded',
  'userRateLimitExceeded',
  'quotaExceeded',
  'dailyLimitExceeded',
  'RATE_LIMIT_EXCEEDED',
  'RESOURCE_EXHAUSTED',
])
const scopeReasons = new Set(['insufficientPermissions', 'ACCESS_TOKEN_SCOPE_INSUFFICIENT'])
const dailyReasons = new Set(['quotaExceeded', 'dailyLimitExceeded'])

const record = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
const first = (value: unknown): Record<string, unknown> => record(Array.isArray(value) ? value[0] : undefined)
const text = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Google's error, read from the body of an answer. */
export function readError(status: number, body: Uint8Array): GoogleError {
  let parsed: unknown
  try {
    parsed = JSON.parse(Buffer.from(body).toString())
  } catch {
    parsed = undefined
  }
  const error = record(record(parsed).error)
  const detail = Array.isArray(error.details) ? error.details.map(record).find(({ reason }) => text(reason) !== '') : {}
  const reason = text(first(error.errors).reason) || text(detail?.reason) || text(error.status)
  const told = scopeReasons.has(text(detail?.reason)) ? text(detail?.reason) : reason
  return { status, reason: told, message: text(error.message).slice(0, 500) }
}

/** The error of the API for a call that Google refused. `scopes` are those that would do, where the caller knows them. */
export function refused(answer: Refusal, scopes: readonly string[] = []): ApiError {
  const { status, reason, message } = readError(answer.status, answer.body)
  const details = { providerError: { status, reason, message } }
  const said = message ? `Google refused: ${message}` : undefined
  if (status === 401) return new ApiError('grant_invalid', undefined, details)
  if (status === 429 || (status === 403 && rateReasons.has(reason))) {
    const named = namedSeconds(answer, message)
    const retryAfter = named ?? (dailyReasons.has(reason) ? dailySeconds : pauseSeconds)
    const said = named === undefined ? {} : { retry_after: named }
    return new ApiError('provider_rate_limited', undefined, {
      providerError: { ...details.providerError, ...said },
      retryAfter,
    })
  }
  if (status === 403 && scopeReasons.has(reason)) {
    const named = scopes.length > 0 ? `: one of ${scopes.join(', ')}` : ''
    return new ApiError('insufficient_scopes', `the grant lacks a scope that Google asks for${named}`, details)
  }
  if (status === 404 || status === 410) return new ApiError('not_found', undefined, details)
  if (status === 409) return new ApiError('conflict', said, details)
  if (status >= 500 || status === 408) {
    return new ApiError('provider_unavailable', 'Google cannot answer now; try again', details)
  }
  return new ApiError('provider_refused', said, details)
}

/** How long Google says to wait: by the header, or by the time that Gmail writes into its message. */
function namedSeconds({ header }: Refusal, message: string): number | undefined {
  const until = Date.parse(/retry after (\S+?Z)\b/i.exec(message)?.[1] ?? '')
  return retryAfterSeconds(header) ?? boundedWait((until - Date.parse(header('date') ?? '')) / 1000)
}

/** The HTTP status that Google answered with, of an error of this file. */
export const googleStatus = (error: unknown): number | undefined => {
  const status = error instanceof ApiError ? error.details.providerError?.status : undefined
  return typeof status === 'number' ? status : undefined
}

/** The reason that Google named, such as `fullSyncRequired`. */
export const googleReason = (error: unknown): string =>
  error instanceof ApiError ? text(error.details.providerError?.reason) : ''
