// Errors of the Google JSON APIs: `{ error: { code, message, errors: [{ domain, reason, message }], status } }`.
// https://developers.google.com/workspace/gmail/api/guides/handle-errors

const statusNames: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  405: 'UNIMPLEMENTED',
  409: 'ALREADY_EXISTS',
  410: 'FAILED_PRECONDITION',
  412: 'FAILED_PRECONDITION',
  413: 'INVALID_ARGUMENT',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  503: 'UNAVAILABLE',
}

/** The domains of reasons; all others are `global`. */
const domains: Readonly<Record<string, string>> = {
  rateLimitExceeded: 'usageLimits',
  userRateLimitExceeded: 'usageLimits',
  dailyLimitExceeded: 'usageLimits',
  quotaExceeded: 'usageLimits',
  accessNotConfigured: 'usageLimits',
  fullSyncRequired: 'calendar',
  updatedMinTooLongAgo: 'calendar',
  timeRangeEmpty: 'calendar',
}

export interface GoogleErrorExtra {
  /** The message of the entry in `errors`, if it differs from the main message. */
  readonly detail?: string
  readonly domain?: string
  readonly status?: string
  readonly location?: string
  readonly locationType?: string
  readonly details?: readonly unknown[]
  readonly headers?: Readonly<Record<string, string>>
}

/** Thrown by a handler and rendered as Google's error response. */
export class GoogleError extends Error {
  readonly status: number
  readonly reason: string
  readonly extra: GoogleErrorExtra

  constructor(status: number, reason: string, message: string, extra: GoogleErrorExtra = {}) {
    super(message)
    this.status = status
    this.reason = reason
    this.extra = extra
  }
}

/** The body of an error response. */
export function errorBody({ status, reason, message, extra }: GoogleError): unknown {
  const { detail = message, domain = domains[reason] ?? 'global', location, locationType } = extra
  return {
    error: {
      code: status,
      message,
      errors: [
        { message: detail, domain, reason, ...(location && { location }), ...(locationType && { locationType }) },
      ],
      status: extra.status ?? statusNames[status] ?? 'UNKNOWN',
      ...(extra.details && { details: extra.details }),
    },
  }
}

export function notFound(message = 'Requested entity was not found.'): GoogleError {
  return new GoogleError(404, 'notFound', message)
}

export function invalidArgument(message: string): GoogleError {
  return new GoogleError(400, 'invalidArgument', message)
}
