/** Requests many objects in several calls, and repeats those that a server left undone. */
import { ApiError } from '@waypost/platform/api-error'
import { isTooLarge } from '../../shared/exchange.ts'
import { EwsError, hasCode, unevenAnswer } from '../errors.ts'

export interface Batches<Thing, Answer> {
  /** Objects per call. */
  size: number
  /** Whether the operation changes nothing. */
  reads: boolean
  /** One call: an answer for each object, in their order. */
  ask(things: Thing[]): Promise<(Answer | EwsError)[]>
  /** Retries temporary failures. */
  retrying<T>(once: () => Promise<T>): Promise<T>
}

/** Codes for a call that was too large; a smaller one may succeed. */
const tooMuch = ['ErrorTooManyObjectsOpened', 'ErrorTimeoutExpired', 'ErrorExceededFindCountLimit'] as const
/** Codes for a call that certainly did not begin. */
const notBegun = ['ErrorBatchProcessingStopped'] as const

/** The answers for all objects, in their order. Throws if a whole call failed. */
export async function inBatches<Thing, Answer>(
  things: readonly Thing[],
  { size, reads, ask, retrying }: Batches<Thing, Answer>,
): Promise<(Answer | EwsError)[]> {
  const wasTooMuch = (error: unknown): boolean => reads && (hasCode(error, ...tooMuch) || isTooLarge(error))
  const isUndone = (answer: unknown): boolean => hasCode(answer, ...notBegun) || wasTooMuch(answer)

  /** One call. An error that it was too large is returned, because a retry would not change it. */
  const askOnce = (some: Thing[]): Promise<(Answer | EwsError)[] | ApiError> =>
    retrying(async () => {
      try {
        const answers = await ask(some)
        return answers.length === some.length ? answers : unevenAnswer(answers.length, some.length)
      } catch (error) {
        if (error instanceof ApiError && wasTooMuch(error)) return error
        throw error
      }
    })

  /** Halves the objects if all together were too many. */
  async function requested(some: Thing[]): Promise<(Answer | EwsError)[]> {
    const answers = await askOnce(some)
    if (!(answers instanceof ApiError)) return completed(some, answers)
    if (some.length > 1 && wasTooMuch(answers)) {
      const half = Math.ceil(some.length / 2)
      return [...(await requested(some.slice(0, half))), ...(await requested(some.slice(half)))]
    }
    if (some.length === 1 && answers instanceof EwsError) return [answers]
    throw answers
  }

  /** Repeats what was left undone, as long as each call makes progress. */
  async function completed(some: Thing[], answers: (Answer | EwsError)[]): Promise<(Answer | EwsError)[]> {
    const places = [...answers.keys()].filter((place) => isUndone(answers[place]))
    if (places.length === 0 || places.length === some.length) return answers
    const undone = some.filter((_, place) => places.includes(place))
    const again = await requested(undone)
    const all = [...answers]
    for (const [index, place] of places.entries()) all[place] = again[index] ?? (all[place] as EwsError)
    return all
  }

  const answers: (Answer | EwsError)[] = []
  for (let from = 0; from < things.length; from += size)
    answers.push(...(await requested(things.slice(from, from + size))))
  return answers
}
