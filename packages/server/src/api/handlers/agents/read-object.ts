/** Reads the object that an action is about, with the rights of the application: the credential may lack that of reading. */
import { type ErrorCode, errors } from '@waypost/contract'
import { ApiError } from '@waypost/platform/api-error'
import type { App } from '../../app.ts'
import type { Caller } from '../../pipeline/authenticate.ts'
import type { RequestContext } from '../../pipeline/request-context.ts'

const codeOf = (status: number, type: unknown): ErrorCode =>
  (Object.keys(errors) as ErrorCode[]).find((code) => errors[code].status === status && errors[code].type === type) ??
  (status === 404 ? 'not_found' : 'service_unavailable')

/** The refusal of an internal call, as an error. */
export function errorOf(status: number, body: object): ApiError {
  const error: unknown = Reflect.get(body, 'error')
  const field = (name: string): unknown =>
    typeof error === 'object' && error !== null ? Reflect.get(error, name) : undefined
  const message = field('message')
  return new ApiError(codeOf(status, field('type')), typeof message === 'string' ? message : undefined)
}

export type ReadObject = <T>(id: string, query?: Record<string, string | undefined>) => Promise<T>

/** Reads objects with the parameters of a request's own path. */
export function objectReader(call: App['call'], context: RequestContext): ReadObject {
  const { application, params, grant, address, request, calls } = context
  if (!application) throw new Error('the request has no caller')
  const { credential: _, ...caller }: Caller = application
  return async <T>(id: string, query: Record<string, string | undefined> = {}): Promise<T> => {
    const named = grant ? { ...params, grant_id: grant.grant.id } : params
    const answer = await call({ id, caller, params: named, query, address, calls, signal: request.signal })
    if (answer.status >= 400) throw errorOf(answer.status, answer.body)
    // The route's own types have checked what it returns. Objects that exist as text are read from it.
    return JSON.parse(JSON.stringify(answer.body.data)) as T
  }
}
