/** The threads that read and compose messages and read answers of providers, apart from the one that answers requests. */
import { type CountedPool, createParsePool } from '../lib/parsing/pool.ts'

export interface Threads extends AsyncDisposable {
  /** Reads what strangers wrote. */
  parse: CountedPool
  /** Composes our own clients' mail: what strangers wrote does not hold it up, and it may take longer. */
  composing: CountedPool
  /** Reads large answers of providers, of which strangers may name the server: mail is not held up by them. */
  answers: CountedPool
}

/** For one message; a request has more. */
const composingMs = 20_000
/** For one answer, beside its size. One within the limits takes a tenth of it. */
const answersMs = 3_000

/** `idleMs`: after so long without work a thread ends. `readingMs`: what a message may take to be read, beside its size. */
export function openThreads({ readingMs, ...options }: { idleMs?: number; readingMs?: number } = {}): Threads {
  const parse = createParsePool({
    ...options,
    ...(readingMs === undefined ? {} : { deadlineMs: readingMs }),
    module: new URL('../formats/mime/parse-worker.ts', import.meta.url),
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
    module: new URL('../providers/answer-worker.ts', import.meta.url),
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
