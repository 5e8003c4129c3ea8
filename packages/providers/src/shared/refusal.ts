/** Maps a provider's refusal to an error of the API, and reads the refusal in such an error. */
import { ApiError } from '@waypost/platform/api-error'

/** The answer of a provider that refused. */
export interface Refusal {
  status: number
  /** A header by its name in lower case. */
  header(name: string): string | undefined
  body: Uint8Array
}

/** A parsed refusal: the HTTP status, the provider's code for the reason, and its message. */
export interface RefusalDetail {
  status: number
  reason: string
  message: string
}

/** What a refusal means, beyond its status. */
export interface Meaning {
  /** A rate limit: the seconds that the provider named, and the pause to use if it named none. */
  rateLimit?: { named: number | undefined; pauseSeconds: number } | undefined
  /** The seconds that the provider named if it is unavailable. */
  retryAfter?: number | undefined
  /** The grant lacks a scope. */
  lacksScope?: boolean
  /** The sufficient scopes, if the caller knows them. */
  scopes?: readonly string[]
}

/** The error of the API for a refused call; `name` is the name of the provider. */
export function refusalError(name: string, said: RefusalDetail, meaning: Meaning): ApiError {
  const { status, message } = said
  const { rateLimit, retryAfter, lacksScope, scopes = [] } = meaning
  const details = { providerError: { ...said } }
  const words = message ? `${name} refused: ${message}` : undefined
  if (status === 401) {
    const refusal = `${name} did not accept the credentials (HTTP 401): the end user must authenticate again`
    return new ApiError('grant_invalid', refusal, details)
  }
  if (rateLimit) {
    const { named, pauseSeconds } = rateLimit
    const providerError = { ...said, ...(named === undefined ? {} : { retry_after: named }) }
    return new ApiError('provider_rate_limited', undefined, { providerError, retryAfter: named ?? pauseSeconds })
  }
  if (lacksScope) {
    const named = scopes.length > 0 ? `: one of ${scopes.join(', ')}` : ''
    return new ApiError('insufficient_scopes', `the grant lacks a scope that ${name} asks for${named}`, details)
  }
  if (status === 404 || status === 410) return new ApiError('not_found', undefined, details)
  if (status === 409) return new ApiError('conflict', words, details)
  if (status >= 500 || status === 408) {
    const words = `${name} cannot answer now; try again`
    if (retryAfter === undefined) return new ApiError('provider_unavailable', words, details)
    return new ApiError('provider_unavailable', words, {
      providerError: { ...said, retry_after: retryAfter },
      retryAfter,
    })
  }
  return new ApiError('provider_refused', words, details)
}

/** The HTTP status of the provider in such an error. */
export const providerStatus = (error: unknown): number | undefined => {
  const status = error instanceof ApiError ? error.details.providerError?.status : undefined
  return typeof status === 'number' ? status : undefined
}

/** The provider's code for the reason, such as `fullSyncRequired`. */
export const providerReason = (error: unknown): string => {
  const reason = error instanceof ApiError ? error.details.providerError?.reason : undefined
  return typeof reason === 'string' ? reason : ''
}

/** A longer body is a web page, which contains no error code. */
const maxRefusal = 64 * 1024

/** The body of a refusal as an object; `{}` if it is not one. */
export function objectIn(body: Uint8Array): Record<string, unknown> {
  try {
    return body.length > maxRefusal ? {} : recordOf(JSON.parse(Buffer.from(body).toString()))
  } catch {
    return {}
  }
}

/** A value as an object; `{}` if it is not one. */
export const recordOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
