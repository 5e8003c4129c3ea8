/** Finds the grant that a command names. */

import { ApiError } from '@waypost/platform/api-error'
import type { Queries } from '@waypost/store/engine/database'
import { findGrant, type GrantRecord } from '@waypost/store/tables/grants/grants'
import { parseLocator } from '../grants/locator.ts'
import { UsageError } from './program/command.ts'

/** The grant of an application by its id, its address, or `external:<external id>`. */
export async function findNamedGrant(queries: Queries, applicationId: string, word: string): Promise<GrantRecord> {
  const locator = parseLocator(word)
  if (!locator || locator.by === 'me') throw new UsageError('GRANT must be an id, an address, or external:<id>')
  const record = await findGrant(queries, applicationId, locator)
  if (!record) throw new ApiError('grant_not_found', 'no such grant in this application')
  return record
}
