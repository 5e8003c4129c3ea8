/** Reads the object that an action is about, with the rights of the application: the credential may lack that of reading. */

import { type ErrorCode, errors } from '@waypost/contract'
import { ApiError } from '@waypost/platform/api-error'
import { fieldOf, textIn } from '@waypost/platform/json/values'
import type { Caller } from '../../grants/caller.ts'
import type { ActionContext, ReadObject } from './action.ts'
import type { CallRoute, RouteAnswer } from './call-route.ts'

const codeOf = (status: number, type: unknown): ErrorCode =>
  (Object.keys(errors) as ErrorCode[]).find((code) => errors[code].status === status && errors[code].type === type) ??
  (status === 404 ? 'not_found' : 'service_unavailable')

/** The refusal of an internal call, as an error. */
function refusalOf({ status, body }: RouteAnswer): ApiError {
  return new ApiError(codeOf(status, fieldOf(body.error, 'type')), textIn(body.error, 'message'))
}

/** Reads objects with the parameters of a request's own path. */
export function objectReader(call: CallRoute, context: ActionContext): ReadObject {
  const { application, params, grant, address, request, calls } = context
  if (!application) throw new Error('the request has no caller')
  const { credential: _, ...caller }: Caller = application
  return async <T>(id: string, query: Record<string, string | undefined> = {}): Promise<T> => {
    const named = grant ? { ...params, grant_id: grant.grant.id } : params
    const answer = await call({ id, caller, params: named, query, address, calls, signal: request.signal })
    if (answer.status >= 400) throw refusalOf(answer)
    // The route's own types have checked what it returns. Objects that exist as text are read from it.
    return JSON.parse(JSON.stringify(answer.body.data)) as T
  }
}
