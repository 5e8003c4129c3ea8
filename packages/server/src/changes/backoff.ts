/** The delay before the changes of a grant are fetched again after a failure. Pure. */
import { ApiError } from '@waypost/platform/api-error'

/** 1 s, doubled with each consecutive failure up to 5 min, plus or minus up to a fifth. */
export const backoffAfter = (failures: number, fraction: number): number =>
  Math.round(Math.min(1_000 * 2 ** Math.max(failures - 1, 0), 300_000) * (0.8 + 0.4 * fraction))

/** The delay that the provider requested, in milliseconds. */
export const requestedFor = (error: unknown): number =>
  error instanceof ApiError ? (error.details.retryAfter ?? 0) * 1000 : 0
