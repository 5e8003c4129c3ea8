/** Asks nobody: actions wait for approval in the queue of the service. */
import type { Questions } from './exchange.ts'
import { invalidParams } from './faults.ts'

export const noQuestions: Questions = {
  questionOf: () => undefined,
  decide: () => Promise.reject(invalidParams('nothing was asked')),
  outcomeOf: async () => undefined,
}
