/**
 * One deadline for a whole call. Timers per phase are not enough: a server that sends one byte, or a 1xx response,
 * just before each timer fires would keep the call alive forever.
 */
import { EgressError } from './error.ts'

export interface Deadline extends Disposable {
  /** Its reason is always an `EgressError`. */
  readonly signal: AbortSignal
}

export interface DeadlineOptions {
  readonly ms: number
  /** The message of the `timeout` error. */
  readonly message: string
  readonly signals: readonly (AbortSignal | undefined)[]
}

/** Returns a signal that aborts after `ms`, or as soon as one of `signals` does. */
export function startDeadline({ ms, message, signals }: DeadlineOptions): Deadline {
  const controller = new AbortController()
  const stops: (() => void)[] = []
  for (const outer of signals) {
    if (outer === undefined) continue
    const pass = () => controller.abort(abortError(outer.reason))
    if (outer.aborted) pass()
    outer.addEventListener('abort', pass, { once: true })
    stops.push(() => outer.removeEventListener('abort', pass))
  }
  const timer = setTimeout(() => controller.abort(new EgressError('timeout', message)), ms)
  stops.push(() => clearTimeout(timer))
  return {
    signal: controller.signal,
    [Symbol.dispose]() {
      for (const stop of stops) stop()
    },
  }
}

/** Settles like `work`, or rejects with the signal's reason if that comes first. */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const stopped = Promise.withResolvers<never>()
  const stop = () => stopped.reject(signal.reason)
  signal.addEventListener('abort', stop, { once: true })
  if (signal.aborted) stop()
  try {
    return await Promise.race([work, stopped.promise])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

function abortError(reason: unknown): EgressError {
  if (reason instanceof EgressError) return reason
  if (reason instanceof Error && reason.name === 'TimeoutError') {
    return new EgressError('timeout', "The caller's own deadline passed before the call ended", { cause: reason })
  }
  return new EgressError('aborted', 'The caller ended the call before it was complete', { cause: reason })
}
