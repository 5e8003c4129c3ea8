/**
 * Composes small messages in the main thread and large ones in a worker thread: converting megabytes of HTML to text,
 * or files to base64, would block the event loop.
 */
import { ApiError } from '@waypost/platform/api-error'
import type { ParseOutcome, ParsePool } from '@waypost/platform/parsing/pool'
import { weightOf } from '@waypost/platform/parsing/yielding'
import type { FoundLinks } from '../tracking/links.ts'
import { linkSearchOf, type TrackingPlan, trackingPlanOf } from '../tracking/tracking.ts'
import { type Composed, type ComposeInput, compose } from './compose.ts'
import type { ComposeResult } from './worker.ts'

export interface Composer {
  /** See `compose`. */
  compose(input: ComposeInput, signal: AbortSignal): Promise<Composed>
  /** See `trackingPlanOf`. */
  plan(...requested: [...Parameters<typeof trackingPlanOf>, signal: AbortSignal]): Promise<TrackingPlan | undefined>
}

/** A body with more characters is composed in the worker thread. */
const heavy = 128 * 1024
/**
 * Files with more bytes are encoded in the worker thread. Below that, copying them to another thread costs more than
 * encoding them.
 */
const heavyFiles = 256 * 1024

const isHeavy = ({ files, ...rest }: ComposeInput): boolean => weightOf(rest) >= heavy || weightOf(files) >= heavyFiles

/** A timeout does not mean that the message is invalid: the machine may be busy. */
function composingProblem(failure: Extract<ParseOutcome<unknown>, { ok: false }> | undefined): ApiError {
  if (failure?.reason === 'deadline') {
    const message = 'the server is too busy to compose the message; it was not sent'
    return new ApiError('service_unavailable', message, { retryAfter: 5 })
  }
  return new ApiError('invalid_request', `the message cannot be composed: ${failure?.message ?? ''}`)
}

/** `pool` runs the functions of `compose/worker.ts`. */
export function createComposer(pool: ParsePool): Composer {
  async function apart<T>(kind: string, input: unknown, signal: AbortSignal): Promise<T> {
    const [outcome] = await pool.run<unknown, T>(kind, [input], { signal })
    if (outcome?.ok) return outcome.value
    throw composingProblem(outcome)
  }

  return {
    async compose(input, signal) {
      if (!isHeavy(input)) return compose(input)
      const made = await apart<ComposeResult>('compose', input, signal)
      if ('refused' in made) throw new ApiError(made.refused.code, made.refused.message, made.refused.details)
      const { source } = made.composed
      // Buffers arrive from the worker as Uint8Array.
      return { ...made.composed, source: Buffer.from(source.buffer, source.byteOffset, source.byteLength) }
    },

    async plan(request, tools, signal) {
      const search = linkSearchOf(request, tools)
      if (!search || search.html.length < heavy) return trackingPlanOf(request, tools)
      return trackingPlanOf(request, { ...tools, found: await apart<FoundLinks>('findLinks', search, signal) })
    },
  }
}
