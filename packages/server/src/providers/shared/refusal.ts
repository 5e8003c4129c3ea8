/** From what a provider refused with to the errors of the API, and back to what it said. */
import { ApiError } from '../../lib/api-error.ts'

/** What an API answered with where it did not do what was asked. */
export interface Refusal {
  status: number
  /** A header by its name in lower case. */
  header(name: string): string | undefined
  body: Uint8Array
}

/** A refusal, read: the HTTP status, the provider's own word for the reason, and what it says of it. */
export interface Said {
  status: number
  reason: string
  message: string
}

/** What a refusal means, as far as its status alone does not say it. */
export interface Meaning {
  /** The provider was asked too often: the seconds that it named, if it did, and what is told where it did not. */
  rateLimit?: { named: number | undefined; pauseSeconds: number } | undefined
  /** The seconds that it named where it cannot answer now. */
  retryAfter?: number | undefined
  /** The grant lacks a scope. */
  lacksScope?: boolean
  /** The scopes that would do, where the caller knows them. */
  scopes?: readonly string[]
}

/** The error of the API for a call that a provider refused; `name` is what the provider is called. */
export function refusalError(name: string, said: Said, meaning: Meaning): ApiError {
  const { status, message } = said
  const { rateLimit, retryAfter, lacksScope, scopes = [] } = meaning
  const details = { providerError: { ...said } }
  const words = message ? `${name} refused: ${message}` : undefined
  if (status === 401) return new ApiError('grant_invalid', undefined, details)
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

/** The HTTP status that the provider answered with, of an error of this file. */
export const providerStatus = (error: unknown): number | undefined => {
  const status = error instanceof ApiError ? error.details.providerError?.status : undefined
  return typeof status === 'number' ? status : undefined
}

/** The reason that the provider named, such as `fullSyncRequired`. */
export const providerReason = (error: unknown): string => {
  const reason = error instanceof ApiError ? error.details.providerError?.reason : undefined
  return typeof reason === 'string' ? reason : ''
}

/** What is longer is a page, and says nothing that programs read. */
const longestRefusal = 64 * 1024

/** The body of a refusal as an object; `{}` where it is none. */
export function objectIn(body: Uint8Array): Record<string, unknown> {
  try {
    return body.length > longestRefusal ? {} : recordOf(JSON.parse(Buffer.from(body).toString()))
  } catch {
    return {}
  }
}

/** A value as an object; `{}` where it is none. */
export const recordOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
