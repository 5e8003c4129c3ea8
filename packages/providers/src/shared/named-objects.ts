/** Objects that clients name by id, and the error if there is none. */
import { ApiError } from '@waypost/platform/api-error'
import { isMalformed } from './answer.ts'

/** What an id can name. */
export type ObjectKind =
  | 'message'
  | 'thread'
  | 'draft'
  | 'folder'
  | 'attachment'
  | 'calendar'
  | 'event'
  | 'contact'
  | 'contact group'

export const notFound = (what: ObjectKind): ApiError => new ApiError('not_found', `no ${what} with this id`)

/** Whether an error means that an object does not exist. */
export const isNotFound = (error: unknown): boolean => error instanceof ApiError && error.code === 'not_found'

/** For `catch`: a value in place of an object that does not exist. */
export const ifNotFound =
  <V>(value: V) =>
  (error: unknown): V => {
    if (isNotFound(error)) return value
    throw error
  }

/** Runs a call that names an object; `isMissing` says which failures mean that there is none. */
export async function orNotFound<T>(
  what: ObjectKind,
  work: () => Promise<T>,
  isMissing: (error: unknown) => boolean,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw isMissing(error) ? notFound(what) : error
  }
}

/** The results of a batch of listed objects. Objects that were deleted meanwhile or cannot be read are left out. */
export function foundOf<T>(answers: readonly T[], isMissing: (error: unknown) => boolean): Exclude<T, ApiError>[] {
  return answers.flatMap((answer) => {
    if (!(answer instanceof ApiError)) return [answer as Exclude<T, ApiError>]
    if (isMissing(answer) || isMalformed(answer)) return []
    throw answer
  })
}
