// Microsoft's sign-in errors: `AADSTS` and a number, with ids that identify the request.
// https://learn.microsoft.com/entra/identity-platform/reference-error-codes
import { randomUUID } from 'node:crypto'
import { jsonAnswer, type RawAnswer } from '../../shared/http.ts'

export interface AadErrorExtra {
  /** Default 400. */
  readonly status?: number
  readonly suberror?: string
}

export class AadError extends Error {
  /** The OAuth error code, such as `invalid_grant`. */
  readonly code: string
  readonly number: number
  readonly extra: AadErrorExtra

  constructor(code: string, number: number, message: string, extra: AadErrorExtra = {}) {
    super(message)
    this.code = code
    this.number = number
    this.extra = extra
  }
}

interface Marks {
  readonly traceId: string
  readonly correlationId: string
  readonly timestamp: string
}

function marks(now: number): Marks {
  const timestamp = `${new Date(now).toISOString().slice(0, 19).replace('T', ' ')}Z`
  return { traceId: randomUUID(), correlationId: randomUUID(), timestamp }
}

/** `AADSTS65001: … Trace ID: … Correlation ID: … Timestamp: …` */
export function describe({ number, message }: AadError, now: number, found = marks(now)): string {
  const { traceId, correlationId, timestamp } = found
  return `AADSTS${number}: ${message} Trace ID: ${traceId} Correlation ID: ${correlationId} Timestamp: ${timestamp}`
}

/** The error response of the token endpoint. */
export function aadErrorAnswer(error: AadError, now: number): RawAnswer {
  const found = marks(now)
  return jsonAnswer(
    error.extra.status ?? 400,
    {
      error: error.code,
      error_description: describe(error, now, found),
      error_codes: [error.number],
      timestamp: found.timestamp,
      trace_id: found.traceId,
      correlation_id: found.correlationId,
      error_uri: `https://login.microsoftonline.com/error?code=${error.number}`,
      ...(error.extra.suberror !== undefined && { suberror: error.extra.suberror }),
    },
    { 'cache-control': 'no-store, no-cache' },
  )
}

export function missingParameter(name: string): AadError {
  return new AadError('invalid_request', 900144, `The request body must contain the following parameter: '${name}'.`)
}
