/**
 * The threads that read large answers of providers. A small answer is read on the main thread, because the transfer
 * would take longer. Limits for small answers bound the work, not only the bytes.
 */
import type { ParseOutcome, ParsePool } from '@waypost/platform/parsing/pool'
import type * as answerWorker from '../answer-worker.ts'

type Kinds = typeof answerWorker
export type AnswerKind = keyof Kinds
export type AnswerInput<K extends AnswerKind> = Parameters<Kinds[K]>[0]
export type AnswerOutput<K extends AnswerKind> = ReturnType<Kinds[K]>

export interface AnswerThreads {
  /** Runs a function of the worker over inputs. Each has its own result, or the reason for its failure. */
  run<K extends AnswerKind>(
    kind: K,
    inputs: readonly AnswerInput<K>[],
    signal: AbortSignal,
  ): Promise<ParseOutcome<AnswerOutput<K>>[]>
}

/** The threads for one owner, such as a grant. The owner with the shortest recent use is served next. */
export const answerThreads = (pool: ParsePool, owner: string): AnswerThreads => ({
  run: (kind, inputs, signal) => pool.run(kind, inputs, { signal, owner }),
})

/** Up to this many bytes or characters are read on the main thread, if the other limits for small answers allow it. */
export const smallAnswer = 256 * 1024
