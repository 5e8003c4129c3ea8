/** The threads that parse and compose messages and parse answers of providers. The main thread answers requests. */
import { type CountedPool, createParsePool } from '@waypost/platform/parsing/pool'

export interface Threads extends AsyncDisposable {
  /** Parses mail from outside. */
  parse: CountedPool
  /** Composes mail of our own clients, apart from the parsing of mail from outside, and with more time. */
  composing: CountedPool
  /**
   * Parses large answers of providers, whose server may be named by outsiders; separate, so that they do not delay
   * mail.
   */
  answers: CountedPool
}

/** Time limit for one message; a request has more. */
const composingMs = 20_000
/** Time limit for one answer, in addition to a part by its size. An answer within the limits needs a tenth of it. */
const answersMs = 3_000

/**
 * `idleMs`: a thread ends after this long without work. `readingMs`: time limit for parsing a message, in addition to
 * a part by its size.
 */
export function openThreads({ readingMs, ...options }: { idleMs?: number; readingMs?: number } = {}): Threads {
  const parse = createParsePool({
    ...options,
    ...(readingMs === undefined ? {} : { deadlineMs: readingMs }),
    module: new URL('../../../formats/src/parse-worker.ts', import.meta.url),
  })
  const composing = createParsePool({
    ...options,
    module: new URL('../sending/compose/worker.ts', import.meta.url),
    threads: 2,
    deadlineMs: composingMs,
    memoryMb: 512,
  })
  const answers = createParsePool({
    ...options,
    module: new URL('../../../providers/src/answer-worker.ts', import.meta.url),
    threads: 2,
    deadlineMs: answersMs,
  })
  return {
    parse,
    composing,
    answers,
    async [Symbol.asyncDispose]() {
      await Promise.all([parse, composing, answers].map((pool) => pool[Symbol.asyncDispose]()))
    },
  }
}
