/** Why a grant is invalid, from its history. */
import type { Grant } from '@waypost/contract'
import { seconds } from '@waypost/platform/clock'
import type { DataSeals } from '@waypost/platform/crypto/data-seals'
import type { Queries } from '@waypost/store/engine/database'
import { lastExpiryOf } from '@waypost/store/tables/grants/grant-events'

interface Reading {
  queries: Queries
  seals: DataSeals
  applicationId: string
}

/** The grant; if it is invalid, with `invalid_reason`. */
export async function withReason({ queries, seals, applicationId }: Reading, grant: Grant): Promise<Grant> {
  if (grant.grant_status !== 'invalid') return grant
  const event = await lastExpiryOf(queries, { applicationId, grantId: grant.id }, seals)
  if (!event) return grant
  const { at, reason, message, request_id } = event
  return { ...grant, invalid_reason: { at: seconds(at), reason, message, request_id } }
}

/** Whether a stored document may be of an invalid grant. A text is searched because most grants are valid. */
export const maybeInvalid = (document: string): boolean => document.includes('"grant_status":"invalid"')
