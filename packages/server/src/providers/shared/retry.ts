/** Trying again what a provider refused for a moment, and how long it says to wait. */
import { ApiError } from '../../lib/api-error.ts'
import { sleep } from '../../lib/clock.ts'
import { newFraction } from '../../lib/ids.ts'
import type { Io } from '../io.ts'

/** Longer waits that a provider names are for whoever asks. */
const longestWaitSeconds = 2
const longestNamedSeconds = 24 * 3600
/** How often a call is tried again, and after how many milliseconds. */
const pausesMs: readonly number[] = [300, 1200]

/** The seconds of a `Retry-After` header, which are written as such or as a date (RFC 9110, 10.2.3). */
export function retryAfterSeconds(header: (name: string) => string | undefined): number | undefined {
  const text = header('retry-after')
  if (text === undefined) return undefined
  const seconds = /^\s*\d+(\.\d+)?\s*$/.test(text)
    ? Number(text)
    : (Date.parse(text) - Date.parse(header('date') ?? '')) / 1000
  return boundedWait(seconds)
}

/** Whole seconds of a wait that a provider named, at most a day; undefined where it is none. */
export const boundedWait = (seconds: number): number | undefined =>
  Number.isFinite(seconds) && seconds > 0 ? Math.min(Math.ceil(seconds), longestNamedSeconds) : undefined

/**
 * The seconds that the provider itself named, if it did: `retry_after` of `provider_error`. `retryAfter` of an error says
 * more, because clients are told a time even where the provider named none.
 */
export const namedWait = (error: unknown): number | undefined => {
  const named = error instanceof ApiError ? error.details.providerError?.retry_after : undefined
  return typeof named === 'number' ? named : undefined
}

/** Whether the provider named no wait, or one that is worth while. */
export const isShortWait = (error: unknown): boolean => (namedWait(error) ?? 0) <= longestWaitSeconds

/** Waits before a repetition: about so long, so that not all come back at once, and never shorter than a provider named. */
export async function pauseFor({ signal }: Pick<Io, 'signal'>, milliseconds: number, namedSeconds = 0): Promise<void> {
  await sleep(Math.max(milliseconds * (0.75 + newFraction() / 2), namedSeconds * 1000), signal)
  signal.throwIfAborted()
}

/** Tries again after a pause, while the failure is one that may pass and the wait is short. */
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
