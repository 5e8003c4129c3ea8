import { type ErrorCode, errors } from '@waypost/contract'
import { type QuotingError, quotesProvider } from './log.ts'

export interface ErrorDetails {
  /** What the provider said, passed on. */
  providerError?: Record<string, unknown>
  /** Field to message. */
  validationErrors?: Record<string, string>
  /** Further fields of the error object, for example `provider` and `capability`. */
  fields?: Record<string, string>
  /** Seconds until a repetition makes sense. */
  retryAfter?: number
  /** Further response headers. */
  headers?: Record<string, string>
  cause?: unknown
}

/** The one error class: a code of the contract's table, a message for the client that holds no secret, and details. */
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

/** Whether the same request would be refused again: else its outcome is not kept, and a repetition is tried anew. */
export const isFinal = ({ code, status }: ApiError): boolean =>
  status < 500 && status !== 401 && status !== 408 && status !== 429 && !errors[code].temporary

/** The error for one bad field of a request. */
export const invalidField = (field: string, problem: string): ApiError => invalidFields({ [field]: problem })

/** The error for bad fields of a request, at least one; its message tells the first. */
export const invalidFields = (problems: Record<string, string>): ApiError => {
  const [first] = Object.entries(problems).map(([field, problem]) => `${field}: ${problem}`)
  return new ApiError('invalid_request', first, { validationErrors: problems })
}
