/** Checks the rights that an administrator gives to a key or an agent against the store. */
import type { KeyRights } from '@waypost/contract'
import { invalidFields } from '@waypost/platform/api-error'
import { isRange } from '@waypost/platform/networks'
import type { Queries } from '@waypost/store/engine/database'
import { findGrant } from '@waypost/store/tables/grants/grants'

/** Throws an error that names every field of the rights that the schema cannot check. */
export async function needValidRights(queries: Queries, applicationId: string, rights: KeyRights): Promise<void> {
  const problems: Record<string, string> = {}
  for (const [index, network] of (rights.networks ?? []).entries()) {
    if (!isRange(network)) {
      problems[`rights.networks.${index}`] = 'must be an address or a range, such as 203.0.113.7 or 10.0.0.0/8'
    }
  }
  const ids = rights.grants && 'ids' in rights.grants ? rights.grants.ids : []
  for (const [index, id] of ids.entries()) {
    const found = await findGrant(queries, applicationId, { by: 'id', value: id })
    if (!found) problems[`rights.grants.ids.${index}`] = 'is no grant of this application'
  }
  if (Object.keys(problems).length > 0) throw invalidFields(problems)
}
