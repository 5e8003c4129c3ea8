// Errors of Graph: `{ error: { code, message, innerError: { date, request-id, client-request-id } } }`.
// https://learn.microsoft.com/graph/errors
import { randomUUID } from 'node:crypto'
import type { JsonObject } from '../shared/http.ts'

/** Thrown by a handler and rendered as Graph's error response. */
export class GraphError extends Error {
  readonly status: number
  readonly code: string
  readonly headers: Readonly<Record<string, string>>

  constructor(status: number, code: string, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message)
    this.status = status
    this.code = code
    this.headers = headers
  }
}

/** The ids that identify a response of Graph in its logs. */
export interface RequestMark {
  readonly requestId: string
  readonly clientRequestId: string
  readonly now: number
}

export function requestMark(headers: Headers, now: number): RequestMark {
  const requestId = randomUUID()
  return { requestId, clientRequestId: headers.get('client-request-id') ?? requestId, now }
}

/** The body of an error response. */
export function errorBody({ code, message }: { code: string; message: string }, mark: RequestMark): JsonObject {
  const date = new Date(mark.now).toISOString().slice(0, 19)
  const innerError = { date, 'request-id': mark.requestId, 'client-request-id': mark.clientRequestId }
  return { error: { code, message, innerError } }
}

export function badRequest(message: string): GraphError {
  return new GraphError(400, 'BadRequest', message)
}

/** Exchange's error for an item, folder or attachment that does not exist or was deleted. */
export function itemNotFound(message = 'The specified object was not found in the store.'): GraphError {
  return new GraphError(404, 'ErrorItemNotFound', message)
}

export function malformedId(): GraphError {
  return new GraphError(400, 'ErrorInvalidIdMalformed', 'Id is malformed.')
}

export function accessDenied(): GraphError {
  return new GraphError(403, 'ErrorAccessDenied', 'Access is denied. Check credentials and try again.')
}

export function invalidBody(message: string): GraphError {
  return new GraphError(400, 'RequestBodyRead', message)
}
