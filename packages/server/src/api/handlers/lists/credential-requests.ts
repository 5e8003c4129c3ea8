/** The request log of a restricted API key or an agent. */
import type { CredentialRequest, Query, Waypost } from '@waypost/contract'
import type { JsonValue } from '@waypost/platform/json/guard'
import type { Database } from '@waypost/store/engine/database'
import { listCredentialRequests } from '@waypost/store/tables/applications/credential-requests'
import { type CredentialLog, credentialRequestOf } from '../../../telemetry/credential-log.ts'
import type { ListPage } from '../../http/answer.ts'
import { pageOf, placeOf } from './keyset-page.ts'

/** A page of the requests of one credential, newest first. What this node has in memory is written before. */
export async function requestsOf(
  { database, credentialLog }: { database: Database; credentialLog: CredentialLog },
  of: { applicationId: string; credentialId: string },
  { query, position }: { query: Query<Waypost['apiKeys']['requests']>; position: JsonValue | undefined },
): Promise<ListPage<CredentialRequest>> {
  await credentialLog.flush()
  const { limit, outcome, status, grant_id: grantId } = query
  const page = { after: placeOf(position), limit }
  const found = await listCredentialRequests(database, { ...of, outcome, status, grantId }, page)
  return pageOf(found, found.rows.map(credentialRequestOf))
}
