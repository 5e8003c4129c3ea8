/** Asking for many things in several calls, and again for what a server left undone. */
import { ApiError } from '../../../lib/api-error.ts'
import { isTooLarge } from '../../shared/exchange.ts'
import { EwsError, hasCode, unevenAnswer } from '../errors.ts'

export interface Batches<Thing, Answer> {
  /** How many things are asked for in one call. */
  size: number
  /** Whether the operation changes nothing. */
  reads: boolean
  /** One call: an answer for each thing, in their order. */
  ask(things: Thing[]): Promise<(Answer | EwsError)[]>
  /** Tries again what failed and may pass. */
  patiently<T>(once: () => Promise<T>): Promise<T>
}

/** What was too much at a time: less may be done. */
const tooMuch = ['ErrorTooManyObjectsOpened', 'ErrorTimeoutExpired', 'ErrorExceededFindCountLimit'] as const
/** What was surely not begun. */
const notBegun = ['ErrorBatchProcessingStopped'] as const

/** The answers for all things, in their order. Throws where a whole call failed. */
export async function inBatches<Thing, Answer>(
  things: readonly Thing[],
  { size, reads, ask, patiently }: Batches<Thing, Answer>,
): Promise<(Answer | EwsError)[]> {
  const wasTooMuch = (error: unknown): boolean => reads && (hasCode(error, ...tooMuch) || isTooLarge(error))
  const isUndone = (answer: unknown): boolean => hasCode(answer, ...notBegun) || wasTooMuch(answer)

  /** One call; that it was too much is an answer, which no repetition changes. */
  const askOnce = (some: Thing[]): Promise<(Answer | EwsError)[] | ApiError> =>
    patiently(async () => {
      try {
        const answers = await ask(some)
        return answers.length === some.length ? answers : unevenAnswer(answers.length, some.length)
      } catch (error) {
        if (error instanceof ApiError && wasTooMuch(error)) return error
        throw error
      }
    })

  /** Half of them at a time, where all together were too much. */
  async function asked(some: Thing[]): Promise<(Answer | EwsError)[]> {
    const answers = await askOnce(some)
    if (!(answers instanceof ApiError)) return completed(some, answers)
    if (some.length > 1 && wasTooMuch(answers)) {
      const half = Math.ceil(some.length / 2)
      return [...(await asked(some.slice(0, half))), ...(await asked(some.slice(half)))]
    }
    if (some.length === 1 && answers instanceof EwsError) return [answers]
    throw answers
  }

  /** Asks again for what was left undone, as long as something is done each time. */
  async function completed(some: Thing[], answers: (Answer | EwsError)[]): Promise<(Answer | EwsError)[]> {
    const places = [...answers.keys()].filter((place) => isUndone(answers[place]))
    if (places.length === 0 || places.length === some.length) return answers
    const undone = some.filter((_, place) => places.includes(place))
    const again = await asked(undone)
    const all = [...answers]
    for (const [index, place] of places.entries()) all[place] = again[index] ?? (all[place] as EwsError)
    return all
  }

  const answers: (Answer | EwsError)[] = []
  for (let from = 0; from < things.length; from += size) answers.push(...(await asked(things.slice(from, from + size))))
  return answers
}
