/** Shared reading of pushes. A push that is not genuine is answered like a path that does not exist. */
import { ApiError } from '@waypost/platform/api-error'
import { recordOf } from './refusal.ts'

export const notGenuine = (cause?: unknown): ApiError =>
  new ApiError('not_found', undefined, cause === undefined ? {} : { cause })

/** The JSON object in a push. */
export function postedObject(bytes: Uint8Array): Record<string, unknown> {
  try {
    return recordOf(JSON.parse(Buffer.from(bytes).toString()))
  } catch (error) {
    throw notGenuine(error)
  }
}
