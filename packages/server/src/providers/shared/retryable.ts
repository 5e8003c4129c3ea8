/** Which failures of a provider pass by themselves. */
import { ApiError } from '../../lib/api-error.ts'

/** Whether the provider did nothing because it was asked too often. */
export const isRateLimit = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'provider_rate_limited'

/** Whether asking again soon may help. */
export const isRetryable = (error: unknown): boolean =>
  error instanceof ApiError && (error.code === 'provider_rate_limited' || error.code === 'provider_unavailable')
