/**
 * Several calls as one request, for providers that support it. Calls are split into requests of a bounded size.
 * Requests are halved if their answers are too large together, and calls that the provider did not process are
 * repeated once. The format of requests and answers is the provider's own (`BatchFormat`).
 */

import { ApiError } from '@waypost/platform/api-error'
import { concurrentMap } from '@waypost/platform/concurrent-map'
import { yieldBetween } from '@waypost/platform/parsing/yielding'
import type { Io } from '../io.ts'
import { isTooLarge, mayRetry } from './exchange.ts'
import { isShortWait, namedWait, pauseFor, withRetry } from './retry.ts'

/** The answer for one call of a batch. */
export interface BatchPart {
  status: number
}

export interface BatchFormat<Call, Part extends BatchPart, T> {
  /** The name of the provider in errors. */
  name: string
  /** The maximum number of calls in a request. */
  size: number
  /** The maximum number of concurrent requests; one if absent. */
  concurrency?: number
  /** Whether a call changes nothing, so that it can always be repeated. */
  reads(call: Call): boolean
  /** Sends these calls as one request; returns the answers in their order, and the token that was used. */
  send(calls: readonly Call[], refusedToken?: string): Promise<{ token: string; parts: readonly (Part | undefined)[] }>
  /** The result of a part, or the error for its refusal. */
  result(part: Part, call: Call): Promise<T | ApiError> | T | ApiError
}

/** The pause before refused parts are repeated. */
const pauseMs = 700

/**
 * Runs calls in batches. Each has its own result or error, in their order; a failure of a whole request is thrown.
 */
export async function runBatches<Call, Part extends BatchPart, T>(
  io: Pick<Io, 'signal'>,
  calls: readonly Call[],
  format: BatchFormat<Call, Part, T>,
): Promise<(T | ApiError)[]> {
  const { size, concurrency = 1 } = format
  const count = Math.ceil(calls.length / size)
  const batches = Array.from({ length: count }, (_, place) => calls.slice(place * size, (place + 1) * size))
  return (await concurrentMap(batches, concurrency, (batch) => withRefusedAgain(io, batch, format))).flat()
}

/** Runs a batch, and repeats the calls that the provider did not process once, after a pause. */
async function withRefusedAgain<Call, Part extends BatchPart, T>(
  io: Pick<Io, 'signal'>,
  calls: readonly Call[],
  format: BatchFormat<Call, Part, T>,
): Promise<(T | ApiError)[]> {
  const results = await inHalves(io, calls, format)
  const refused = calls.flatMap((call, place) => {
    const result = results[place]
    return mayRetry(format.reads(call))(result) && isShortWait(result) ? [{ place, call, result }] : []
  })
  if (refused.length === 0) return results
  await pauseFor(io, pauseMs, Math.max(...refused.map(({ result }) => namedWait(result) ?? 0)))
  const again = await inHalves(
    io,
    refused.map(({ call }) => call),
    format,
  )
  for (const [order, result] of again.entries()) {
    const place = refused[order]?.place
    if (place !== undefined) results[place] = result
  }
  return results
}

/** Halves a batch of reading calls whose answers are too large together. */
async function inHalves<Call, Part extends BatchPart, T>(
  io: Pick<Io, 'signal'>,
  calls: readonly Call[],
  format: BatchFormat<Call, Part, T>,
): Promise<(T | ApiError)[]> {
  const reads = calls.every(format.reads)
  try {
    return await withRetry(io, () => sendOnce(calls, format), mayRetry(reads))
  } catch (error) {
    if (!isTooLarge(error) || !reads) throw error
    if (calls.length === 1) return [tooLarge(error, format.name)]
    const half = Math.ceil(calls.length / 2)
    const first = await inHalves(io, calls.slice(0, half), format)
    return [...first, ...(await inHalves(io, calls.slice(half), format))]
  }
}

const tooLarge = (cause: unknown, name: string): ApiError =>
  new ApiError('provider_refused', `what ${name} answered is too large to be read`, { cause })

async function sendOnce<Call, Part extends BatchPart, T>(
  calls: readonly Call[],
  format: BatchFormat<Call, Part, T>,
): Promise<(T | ApiError)[]> {
  let { token, parts } = await format.send(calls)
  // A refused token is refused in every part.
  if (parts.length > 0 && parts.every((part) => part?.status === 401)) ({ parts } = await format.send(calls, token))
  const results: (T | ApiError)[] = []
  const othersTurn = yieldBetween()
  for (const [place, call] of calls.entries()) {
    const part = parts[place]
    results.push(part ? await format.result(part, call) : unanswered(format.name))
    await othersTurn()
  }
  return results
}

const unanswered = (name: string): ApiError =>
  new ApiError('provider_unavailable', `${name} left a call of a batch unanswered; try again`)

/** Turns a failure of one part into its result. */
export async function errorOr<T>(work: () => Promise<T>): Promise<T | ApiError> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
}
