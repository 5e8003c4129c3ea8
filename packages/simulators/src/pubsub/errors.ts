// Errors of the Cloud APIs: `{ error: { code, message, status } }`. https://cloud.google.com/apis/design/errors
import { jsonAnswer, type RawAnswer } from '../shared/http.ts'

const statuses = {
  INVALID_ARGUMENT: 400,
  FAILED_PRECONDITION: 400,
  UNAUTHENTICATED: 401,
  PERMISSION_DENIED: 403,
  NOT_FOUND: 404,
  ALREADY_EXISTS: 409,
  RESOURCE_EXHAUSTED: 429,
  INTERNAL: 500,
  UNIMPLEMENTED: 501,
  UNAVAILABLE: 503,
  DEADLINE_EXCEEDED: 504,
} as const
export type CloudStatus = keyof typeof statuses

/** Thrown by a handler and rendered as the error response. */
export class CloudError extends Error {
  readonly status: CloudStatus

  constructor(status: CloudStatus, message: string) {
    super(message)
    this.status = status
  }
}

/** An error response, e.g. `{ status: 503, reason: 'UNAVAILABLE' }`. */
export interface PubSubRefusal {
  readonly status: number
  readonly reason: string
  readonly message?: string
  readonly retryAfter?: number
}

export function refusalAnswer({ status, reason, message = reason, retryAfter }: PubSubRefusal): RawAnswer {
  const headers: Record<string, string> = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }
  return jsonAnswer(status, { error: { code: status, message, status: reason } }, headers)
}

export const errorAnswer = ({ status, message }: CloudError): RawAnswer =>
  refusalAnswer({ status: statuses[status], reason: status, message })
