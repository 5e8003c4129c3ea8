/** The grants that a restricted credential may use. Others look like grants that do not exist. */

import { ApiError } from '@waypost/platform/api-error'
import type { Queries } from '@waypost/store/engine/database'
import { findGrant, type Locator } from '@waypost/store/tables/grants/grants'
import { type Credential, isLimited, mayUseGrant } from '../applications/key-rights.ts'

/** An application, and the restricted credential that calls for it. */
export interface ReachingCaller {
  id: string
  credential?: Credential | undefined
}

/** Whether a caller may use a grant. Reads nothing for callers without limits. */
export async function isInReach(
  queries: Queries,
  { id, credential }: ReachingCaller,
  locator: Locator,
): Promise<boolean> {
  if (!credential || !isLimited(credential)) return true
  const record = await findGrant(queries, id, locator)
  return record !== undefined && mayUseGrant(credential, record.grant)
}

/** Throws if a caller may not use a grant, before anything is said about its state. */
export async function needInReach(queries: Queries, caller: ReachingCaller, locator: Locator): Promise<void> {
  if (!(await isInReach(queries, caller, locator))) throw new ApiError('grant_not_found')
}
