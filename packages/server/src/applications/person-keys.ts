/** The API keys that a person created. They stay valid when the person is removed, unless somebody revokes them. */
import type { PersonKeys } from '@waypost/contract'
import { ApiError } from '@waypost/platform/api-error'
import type { Queries } from '@waypost/store/engine/database'
import { hasCreatedKeys, listKeysOfCreator, revokeApiKey } from '@waypost/store/tables/applications/api-keys'
import { getPerson } from '@waypost/store/tables/applications/people'
import { apiKeyOf } from './api-keys.ts'
import { type AuditFacts, keepAudit } from './audit.ts'

/** The person who revokes keys, for the audit. */
export type Revoker = Pick<AuditFacts, 'actor' | 'address' | 'person'>

/** Throws if there is no such person and never was one who created a key. */
export async function needKeyCreator(queries: Queries, personId: string): Promise<void> {
  if ((await getPerson(queries, personId)) || (await hasCreatedKeys(queries, personId))) return
  throw new ApiError('not_found', 'no person with this id, and no API key created by one')
}

/** The valid keys of a person, in a transaction. If a revoker is given, they are revoked. */
export async function keysOfPerson(
  tx: Queries,
  personId: string,
  { revoker, now }: { revoker?: Revoker | undefined; now: number },
): Promise<PersonKeys> {
  const rows = await listKeysOfCreator(tx, personId, now)
  if (!revoker) return { api_keys: rows.map((row) => apiKeyOf(row, now)), api_keys_revoked: false }
  for (const { id, application_id: applicationId } of rows) {
    await revokeApiKey(tx, applicationId, id, now)
    const { actor, address, person } = revoker
    await keepAudit(tx, {
      actor,
      address,
      person,
      action: 'apiKeys.delete',
      applicationId,
      target: id,
      status: 200,
      now,
    })
  }
  const revoked = rows.map((row) => apiKeyOf({ ...row, revoked_at: now, updated_at: now }, now))
  return { api_keys: revoked, api_keys_revoked: true }
}
