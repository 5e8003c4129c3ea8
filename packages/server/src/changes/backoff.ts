/** How long a grant is left alone whose changes cannot be fetched. Pure. */
import { ApiError } from '../lib/api-error.ts'

/** 1 s, doubled with each failure in a row up to 5 min, and by up to a fifth more or less. */
export const backoffAfter = (failures: number, fraction: number): number =>
  Math.round(Math.min(1_000 * 2 ** Math.max(failures - 1, 0), 300_000) * (0.8 + 0.4 * fraction))

/** How long the provider asked to be left alone, in milliseconds. */
export const askedFor = (error: unknown): number =>
  error instanceof ApiError ? (error.details.retryAfter ?? 0) * 1000 : 0
