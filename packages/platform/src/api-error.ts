// The table alone: worker threads load this module, and need no schemas.
import { type ErrorCode, errors } from '@waypost/contract/errors'

/** An error whose message quotes a provider. */
export interface QuotingError extends Error {
  readonly quotesProvider: boolean
}
export const quotesProvider = (error: unknown): boolean =>
  error instanceof Error && 'quotesProvider' in error && error.quotesProvider === true

export interface ErrorDetails {
  /** The provider's own error, passed on to the client. */
  providerError?: Record<string, unknown>
  /** Error messages by field. */
  validationErrors?: Record<string, string>
  /** Further fields of the error object, for example `provider` and `capability`. */
  fields?: Record<string, string>
  /** Seconds after which the client may retry. */
  retryAfter?: number
  /** Further response headers. */
  headers?: Record<string, string>
  cause?: unknown
}

/**
 * The only error class: a code of the contract's error table, a message for the client without secrets, and details.
 */
export class ApiError extends Error implements QuotingError {
  readonly code: ErrorCode
  readonly details: ErrorDetails

  constructor(code: ErrorCode, message?: string, details: ErrorDetails = {}) {
    super(message ?? errors[code].title, details.cause === undefined ? undefined : { cause: details.cause })
    this.name = 'ApiError'
    this.code = code
    this.details = details
  }

  get status(): number {
    return errors[this.code].status
  }

  get quotesProvider(): boolean {
    return this.details.providerError !== undefined || quotesProvider(this.cause)
  }
}

/**
 * Whether the same request would fail again. If not, its result is not stored and a retry with the same key runs
 * again.
 */
export const isFinal = ({ code, status }: ApiError): boolean =>
  status < 500 && status !== 401 && status !== 408 && status !== 429 && !errors[code].temporary

/** The error for one bad field of a request. */
export const invalidField = (field: string, problem: string): ApiError => invalidFields({ [field]: problem })

/** The error for one or more bad fields of a request. Its message describes the first one. */
export const invalidFields = (problems: Record<string, string>): ApiError => {
  const [first] = Object.entries(problems).map(([field, problem]) => `${field}: ${problem}`)
  return new ApiError('invalid_request', first, { validationErrors: problems })
}
