import type { errors } from './generated/catalogue.ts'
import { temporaryErrors } from './generated/service-facts.ts'

/** The name of an error in the catalog `errors`. */
export type ErrorCode = keyof typeof errors

/**
 * `network_error`: there was no response. `unexpected_answer`: the response did not come from Waypost, but for
 * example from a proxy.
 */
export type LocalErrorType = 'network_error' | 'unexpected_answer'
/** A newer server may send types that this version does not know. */
export type WaypostErrorType = (typeof errors)[ErrorCode]['type'] | LocalErrorType | (string & Record<never, never>)

export interface WaypostErrorFacts {
  type: WaypostErrorType
  status?: number
  requestId?: string
  retryAfter?: number
  providerError?: Record<string, unknown>
  validationErrors?: Record<string, string>
  cause?: unknown
}

/** The only error of this package: everything that ends a call, except an abort by its caller. */
export class WaypostError extends Error {
  readonly type: WaypostErrorType
  /** HTTP status; undefined if there was no response. */
  readonly status: number | undefined
  /** Request id in the log of the service. */
  readonly requestId: string | undefined
  /** Seconds to wait before a retry, if the service named them. */
  readonly retryAfter: number | undefined
  /** The provider's error. */
  readonly providerError: Record<string, unknown> | undefined
  /** Messages by field. */
  readonly validationErrors: Record<string, string> | undefined
  /** Whether the same call may succeed later. */
  readonly temporary: boolean

  constructor(message: string, facts: WaypostErrorFacts) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause })
    this.name = 'WaypostError'
    this.type = facts.type
    this.status = facts.status
    this.requestId = facts.requestId
    this.retryAfter = facts.retryAfter
    this.providerError = facts.providerError
    this.validationErrors = facts.validationErrors
    this.temporary = isTemporary(facts.type, facts.status)
  }
}

/** From the service, or from a proxy that could not reach it. */
const temporaryStatuses = new Set([429, 502, 503, 504])

/** By type and status together: `provider_error` is permanent with 400 and temporary with 504. */
const temporary = new Set(temporaryErrors)

function isTemporary(type: string, status: number | undefined): boolean {
  return status === undefined || temporaryStatuses.has(status) || temporary.has(`${type} ${status}`)
}
