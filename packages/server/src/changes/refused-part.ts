/** Records on the timeline of a grant that the provider refuses to report changes of a part. */

import { ApiError } from '@waypost/platform/api-error'
import type { RefusedPart } from '@waypost/providers/provider'
import type { ActivityBook } from '../grants/activity.ts'
import type { Watch } from './change-reader.ts'

const namesOfParts: Readonly<Record<string, string>> = { mail: 'mail', calendar: 'calendars', contacts: 'contacts' }

/** Records only the first of consecutive refusals. */
export function notePart(
  activity: Pick<ActivityBook, 'failed'> | undefined,
  { grantId, applicationId, provider }: Pick<Watch, 'grantId' | 'applicationId' | 'provider'>,
  { part, error, failures }: RefusedPart,
): void {
  if (failures > 1) return
  const message = `changes of ${namesOfParts[part] ?? part} cannot be read; retrying: ${error.message}`
  // No client requested an object by id, so `not_found` is a refusal of the provider here.
  const code = error.code === 'insufficient_scopes' ? error.code : 'provider_refused'
  const noted = new ApiError(code, message, { ...error.details, cause: error })
  const of = provider === undefined ? {} : { of: { applicationId, provider } }
  activity?.failed(grantId, { operation: 'changes', error: noted, ...of })
}
