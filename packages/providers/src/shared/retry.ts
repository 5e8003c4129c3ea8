/** Retries after temporary failures, and the times to wait that providers name. */
import { ApiError } from '@waypost/platform/api-error'
import { sleep } from '@waypost/platform/clock'
import { newFraction } from '@waypost/platform/ids'
import type { Io } from '../io.ts'

/** If a provider names a longer time, the caller has to wait. */
const maxWaitSeconds = 2
const maxNamedSeconds = 24 * 3600
/** The pauses before each retry, in milliseconds. */
const pausesMs: readonly number[] = [300, 1200]

/** The seconds of a `Retry-After` header, which is a number or a date (RFC 9110, 10.2.3). */
export function retryAfterSeconds(header: (name: string) => string | undefined): number | undefined {
  const text = header('retry-after')
  if (text === undefined) return undefined
  const seconds = /^\s*\d+(\.\d+)?\s*$/.test(text)
    ? Number(text)
    : (Date.parse(text) - Date.parse(header('date') ?? '')) / 1000
  return boundedWait(seconds)
}

/** Whole seconds of a named wait, at most a day; undefined if it is not a number. */
export const boundedWait = (seconds: number): number | undefined =>
  Number.isFinite(seconds) && seconds > 0 ? Math.min(Math.ceil(seconds), maxNamedSeconds) : undefined

/**
 * The seconds that the provider itself named: `retry_after` of `provider_error`. `retryAfter` of an error is also set
 * if the provider named none, because clients always get a time.
 */
export const namedWait = (error: unknown): number | undefined => {
  const named = error instanceof ApiError ? error.details.providerError?.retry_after : undefined
  return typeof named === 'number' ? named : undefined
}

/** Whether the provider named no wait, or a short one. */
export const isShortWait = (error: unknown): boolean => (namedWait(error) ?? 0) <= maxWaitSeconds

/**
 * Waits before a retry: roughly this long, so that not all retries come at once, and never shorter than the provider
 * named.
 */
export async function pauseFor({ signal }: Pick<Io, 'signal'>, milliseconds: number, namedSeconds = 0): Promise<void> {
  await sleep(Math.max(milliseconds * (0.75 + newFraction() / 2), namedSeconds * 1000), signal)
  signal.throwIfAborted()
}

/** Retries after a pause while the failure is temporary and the wait is short. */
export async function withRetry<T>(
  io: Pick<Io, 'signal'>,
  once: () => Promise<T>,
  mayPass: (error: unknown) => boolean,
  pauses: readonly number[] = pausesMs,
): Promise<T> {
  for (const pause of pauses) {
    try {
      return await once()
    } catch (error) {
      if (!mayPass(error) || !isShortWait(error)) throw error
      await pauseFor(io, pause, namedWait(error))
    }
  }
  return once()
}
