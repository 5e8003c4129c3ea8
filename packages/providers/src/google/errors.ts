/** Maps Google's errors to errors of the API. */
import type { ApiError } from '@waypost/platform/api-error'
import { objectIn, type Refusal, type RefusalDetail, recordOf, refusalError } from '../shared/refusal.ts'
import { boundedWait, retryAfterSeconds } from '../shared/retry.ts'

/** Seconds to wait if Google does not name a time. */
const pauseSeconds = 10
/** The same for a daily quota. */
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

const first = (value: unknown): Record<string, unknown> => recordOf(Array.isArray(value) ? value[0] : undefined)
const text = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Google's error, read from the body of an answer of its JSON APIs. */
function readError(status: number, body: Uint8Array): RefusalDetail {
  const error = recordOf(objectIn(body).error)
  const detail = Array.isArray(error.details)
    ? error.details.map(recordOf).find(({ reason }) => text(reason) !== '')
    : {}
  const reason = text(first(error.errors).reason) || text(detail?.reason) || text(error.status)
  const reported = scopeReasons.has(text(detail?.reason)) ? text(detail?.reason) : reason
  return { status, reason: reported, message: text(error.message).slice(0, 500) }
}

/**
 * The error of the API for a call that Google refused. `scopes` are the sufficient ones, if the caller knows them.
 */
export function refused(answer: Refusal, scopes?: readonly string[]): ApiError {
  const said = readError(answer.status, answer.body)
  const { status, reason, message } = said
  const isRateLimit = status === 429 || (status === 403 && rateReasons.has(reason))
  const pause = dailyReasons.has(reason) ? dailySeconds : pauseSeconds
  return refusalError('Google', said, {
    rateLimit: isRateLimit ? { named: namedSeconds(answer, message), pauseSeconds: pause } : undefined,
    lacksScope: status === 403 && scopeReasons.has(reason),
    ...(scopes ? { scopes } : {}),
  })
}

/** The seconds that Google names: in the header, or as a time in Gmail's message. */
function namedSeconds({ header }: Refusal, message: string): number | undefined {
  const until = Date.parse(/retry after (\S+?Z)\b/i.exec(message)?.[1] ?? '')
  return retryAfterSeconds(header) ?? boundedWait((until - Date.parse(header('date') ?? '')) / 1000)
}
