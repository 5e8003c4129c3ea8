/**
 * Where messages are composed: light ones here, heavy ones in a thread that does nothing else, because writing megabytes of
 * HTML as text, or of files as base64, would hold up everybody.
 */
import { ApiError } from '../../lib/api-error.ts'
import type { ParseOutcome, ParsePool } from '../../lib/parsing/pool.ts'
import { weightOf } from '../../lib/parsing/weight.ts'
import type { FoundLinks } from '../tracking/links.ts'
import { linkSearchOf, type TrackingPlan, trackingPlanOf } from '../tracking/tracking.ts'
import { type Composed, type ComposeInput, compose } from './compose.ts'
import type { Made } from './worker.ts'

export interface Composer {
  /** See `compose`. */
  compose(input: ComposeInput, signal: AbortSignal): Promise<Composed>
  /** See `trackingPlanOf`. */
  plan(...asked: [...Parameters<typeof trackingPlanOf>, signal: AbortSignal]): Promise<TrackingPlan | undefined>
}

/** Characters from which on a text is heavy: it is read, and written anew. */
const heavy = 128 * 1024
/** Bytes from which on files are: they are encoded, which takes less than handing them to another thread and back. */
const heavyFiles = 256 * 1024

const isHeavy = ({ files, ...rest }: ComposeInput): boolean => weightOf(rest) >= heavy || weightOf(files) >= heavyFiles

/** A thread that did not finish in time says nothing about the message: the machine may be busy. */
function composingProblem(failure: Extract<ParseOutcome<unknown>, { ok: false }> | undefined): ApiError {
  if (failure?.reason === 'deadline') {
    const message = 'the node is too busy to compose the message; it was not sent'
    return new ApiError('service_unavailable', message, { retryAfter: 5 })
  }
  return new ApiError('invalid_request', `the message cannot be composed: ${failure?.message ?? ''}`)
}

/** `pool` runs the functions of `compose-worker.ts`. */
export function createComposer(pool: ParsePool): Composer {
  async function apart<T>(kind: string, input: unknown, signal: AbortSignal): Promise<T> {
    const [outcome] = await pool.run<unknown, T>(kind, [input], { signal })
    if (outcome?.ok) return outcome.value
    throw composingProblem(outcome)
  }

  return {
    async compose(input, signal) {
      if (!isHeavy(input)) return compose(input)
      const made = await apart<Made>('compose', input, signal)
      if ('refused' in made) throw new ApiError(made.refused.code, made.refused.message, made.refused.details)
      const { source } = made.composed
      // A buffer arrives as mere bytes.
      return { ...made.composed, source: Buffer.from(source.buffer, source.byteOffset, source.byteLength) }
    },

    async plan(request, tools, signal) {
      const search = linkSearchOf(request, tools)
      if (!search || search.html.length < heavy) return trackingPlanOf(request, tools)
      return trackingPlanOf(request, { ...tools, found: await apart<FoundLinks>('findLinks', search, signal) })
    },
  }
}
