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
/** An answer within the limits needs a tenth of it. */
const usualAnswerMs = 3_000

export interface ThreadOptions {
  /** A thread ends after this long without work. */
  idleMs?: number
  /** Time limits for parsing a message or an answer, in addition to a part by its size. */
  readingMs?: number
  answerMs?: number
}

export function openThreads({ readingMs, answerMs = usualAnswerMs, ...options }: ThreadOptions = {}): Threads {
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
    deadlineMs: answerMs,
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
