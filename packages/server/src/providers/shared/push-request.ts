/** What all providers' pushes need: they are read here, and what is not genuine is a path that does not exist. */
import { ApiError } from '../../lib/api-error.ts'
import { recordOf } from './refusal.ts'

export const notGenuine = (cause?: unknown): ApiError =>
  new ApiError('not_found', undefined, cause === undefined ? {} : { cause })

/** The JSON object that was posted. */
export function postedObject(bytes: Uint8Array): Record<string, unknown> {
  try {
    return recordOf(JSON.parse(Buffer.from(bytes).toString()))
  } catch (error) {
    throw notGenuine(error)
  }
}
