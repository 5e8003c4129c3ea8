/** A part of an account whose changes the provider refuses to report, on the timeline of the grant. */
import type { ActivityBook } from '../grants/activity.ts'
import { ApiError } from '../lib/api-error.ts'
import type { RefusedPart } from '../providers/provider.ts'
import type { Watch } from './change-reader.ts'

const namesOfParts: Readonly<Record<string, string>> = { mail: 'mail', calendar: 'calendars', contacts: 'contacts' }

/** Notes the first refusal in a row: the further ones say the same. */
export function notePart(
  activity: Pick<ActivityBook, 'failed'> | undefined,
  { grantId, applicationId, provider }: Pick<Watch, 'grantId' | 'applicationId' | 'provider'>,
  { part, error, failures }: RefusedPart,
): void {
  if (failures > 1) return
  const message = `changes of ${namesOfParts[part] ?? part} cannot be read, and are tried again: ${error.message}`
  // Nobody requested an object by its id: that something is not there is a refusal of the provider here.
  const code = error.code === 'insufficient_scopes' ? error.code : 'provider_refused'
  const noted = new ApiError(code, message, { ...error.details, cause: error })
  const of = provider === undefined ? {} : { of: { applicationId, provider } }
  activity?.failed(grantId, { operation: 'changes', error: noted, ...of })
}
