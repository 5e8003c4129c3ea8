/**
 * Logs are JSON lines with the fields we name, never whole objects from outside: an error is logged as its class, message,
 * stack and cause, and messages are ours. Control characters are escaped by JSON itself.
 */
import { type DestinationStream, destination, type Logger, pino } from 'pino'

export type Log = Logger
export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent'

interface LoggedError {
  type: string
  message: string
  stack?: string
  code?: string
  cause?: LoggedError
}

/** What of an error may stand in the log: no enumerable extras, which may hold requests, parameters or credentials. */
export function describeError(error: unknown, depth = 0): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error, message: 'thrown value is not an Error' }
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined
  return {
    type: error.name,
    message: error.message,
    stack: error.stack,
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
    stream ?? destination({ dest: 1, sync: false, minLength: 4096, periodicFlush: 200 }),
  )
}
