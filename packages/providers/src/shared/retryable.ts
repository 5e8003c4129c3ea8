/** Which failures of a provider are temporary. */
import { ApiError } from '@waypost/platform/api-error'

/** Whether the provider did nothing because of a rate limit. */
export const isRateLimit = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'provider_rate_limited'

/** Whether a retry soon may succeed. */
export const isRetryable = (error: unknown): boolean =>
  error instanceof ApiError && (error.code === 'provider_rate_limited' || error.code === 'provider_unavailable')
