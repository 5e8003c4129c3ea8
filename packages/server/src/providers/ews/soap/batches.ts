/** Asking for many things in several calls, and again for what a server left undone. */
import type { ApiError } from '../../../lib/api-error.ts'
import { isTooLarge } from '../../shared/exchange.ts'
import { EwsError, hasCode, unevenAnswer } from '../errors.ts'

export interface Batches<Thing, Answer> {
  /** How many things are asked for in one call. */
  size: number
  /** Whether the operation changes nothing. */
  reads: boolean
  /** One call: an answer for each thing, in their order. */
  ask(things: Thing[]): Promise<(Answer | EwsError)[]>
}

/** What was too much at a time: less may be done. */
const tooMuch = ['ErrorTooManyObjectsOpened', 'ErrorTimeoutExpired', 'ErrorExceededFindCountLimit'] as const
/** What was surely not begun. */
const notBegun = ['ErrorBatchProcessingStopped'] as const

/** The answers for all things, in their order. Throws where a whole call failed. */
export async function inBatches<Thing, Answer>(
  things: readonly Thing[],
  { size, reads, ask }: Batches<Thing, Answer>,
): Promise<(Answer | EwsError)[]> {
  const isUndone = (answer: unknown): boolean => hasCode(answer, ...notBegun) || (reads && hasCode(answer, ...tooMuch))

  /** Half of them at a time, where all together were too much. */
  async function asked(some: Thing[]): Promise<(Answer | EwsError)[]> {
    try {
      const answers = await ask(some)
      if (answers.length !== some.length) throw unevenAnswer(answers.length, some.length)
      return await completed(some, answers)
    } catch (error) {
      if (some.length === 1 || !reads || !(hasCode(error, ...tooMuch) || isTooLarge(error))) throw error
      const half = Math.ceil(some.length / 2)
      return [...(await asked(some.slice(0, half))), ...(await asked(some.slice(half)))]
    }
  }

  /** Asks again for what was left undone, as long as something is done each time. */
  async function completed(some: Thing[], answers: (Answer | EwsError)[]): Promise<(Answer | EwsError)[]> {
    const undone = [...answers.keys()].filter((place) => isUndone(answers[place]))
    if (undone.length === 0 || undone.length === some.length) return answers
    const again = await asked(undone.flatMap((place) => some[place] as Thing))
    const all = [...answers]
    for (const [index, place] of undone.entries()) all[place] = again[index] as Answer | EwsError
    return all
  }

  const answers: (Answer | EwsError)[] = []
  for (let from = 0; from < things.length; from += size) answers.push(...(await asked(things.slice(from, from + size))))
  return answers
}

/** The first error among answers, where one thing that failed is to fail all. */
export const firstError = (answers: readonly unknown[]): ApiError | undefined =>
  answers.find((answer) => answer instanceof EwsError)
