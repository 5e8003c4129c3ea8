/**
 * Logs are JSON lines with the fields we name, never whole objects from outside: an error is logged as its class, message,
 * stack and cause, and messages are ours; one that repeats what a provider said, which may repeat mail, is left out. Control
 * characters are escaped by JSON itself.
 */
import { type DestinationStream, destination, type Logger, pino } from 'pino'

export type Log = Logger
export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent'

interface LoggedError {
  type: string
  message: string
  stack?: string | undefined
  status?: number
  code?: string
  cause?: LoggedError
}

/** An error whose message holds words of a provider. */
export interface QuotingError extends Error {
  readonly quotesProvider: boolean
}
export const quotesProvider = (error: unknown): boolean =>
  error instanceof Error && 'quotesProvider' in error && error.quotesProvider === true

/** The stack begins with the message. */
const framesOf = ({ stack = '' }: Error): string =>
  stack
    .split('\n')
    .filter((line) => /^ {4}at /.test(line))
    .join('\n')

/** What of an error may stand in the log: no enumerable extras, which may hold requests, parameters or credentials. */
export function describeError(error: unknown, depth = 0): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error, message: 'thrown value is not an Error' }
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined
  return {
    type: error.name,
    ...(quotesProvider(error)
      ? { message: 'in words of the provider, which are not logged', stack: framesOf(error) }
      : { message: error.message, stack: error.stack }),
    ...('status' in error && typeof error.status === 'number' ? { status: error.status } : {}),
    ...(code ? { code } : {}),
    ...(error.cause && depth < 4 ? { cause: describeError(error.cause, depth + 1) } : {}),
  }
}

/** The process's log, to standard output unless a stream is given. */
export function createLog(level: LogLevel, stream?: DestinationStream): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { error: (error) => describeError(error) },
    },
    stream ?? standardOutput(),
  )
}

/** How long a line may wait for others that are written with it. */
const flushMs = 200

/** Lines go out together, a moment after the first of them: where nothing is logged, nobody is woken to write it. */
function standardOutput(): DestinationStream {
  const output = destination({ dest: 1, sync: false, minLength: 4096 })
  let isDue = false
  let isNew = false
  const flush = (): void => {
    isDue = false
    output.flush()
  }
  const flushSoon = (): void => {
    if (!isDue) setTimeout(flush, flushMs).unref()
    isDue = true
  }
  // What came while others were being written stays behind.
  output.on('drain', () => {
    if (isNew) flushSoon()
    isNew = false
  })
  const stream = {
    write(line: string): void {
      output.write(line)
      isNew = true
      flushSoon()
    },
    flush: (done?: (error?: Error) => void) => output.flush(done),
    flushSync: () => output.flushSync(),
  }
  return stream
}
