/**
 * Logs are JSON lines with named fields, never whole objects from outside. An error is logged as its class, message,
 * stack and cause. A message that quotes a provider is left out, because it may quote mail. JSON itself escapes
 * control characters.
 */
import { type DestinationStream, type Logger, pino } from 'pino'
import { quotesProvider } from './api-error.ts'
import { openOutput } from './log-output.ts'

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

/** The stack starts with the message. */
const framesOf = ({ stack = '' }: Error): string =>
  stack
    .split('\n')
    .filter((line) => /^ {4}at /.test(line))
    .join('\n')

/** The loggable part of an error: no enumerable extras, which may hold requests, parameters or credentials. */
export function describeError(error: unknown, depth = 0): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error, message: 'thrown value is not an Error' }
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined
  return {
    type: error.name,
    ...(quotesProvider(error)
      ? { message: 'message of the provider (not logged)', stack: framesOf(error) }
      : { message: error.message, stack: error.stack }),
    ...('status' in error && typeof error.status === 'number' ? { status: error.status } : {}),
    ...(code ? { code } : {}),
    ...(error.cause && depth < 4 ? { cause: describeError(error.cause, depth + 1) } : {}),
  }
}

/**
 * Creates the log of the process. It writes to standard output unless a stream is given. Every line has the fields of
 * `base`.
 */
export function createLog(level: LogLevel, stream?: DestinationStream, base: object | null = null): Log {
  return pino(
    {
      level,
      base,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { error: (error) => describeError(error) },
    },
    stream ?? openOutput(),
  )
}
