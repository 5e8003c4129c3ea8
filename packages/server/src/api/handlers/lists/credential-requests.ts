/** The request log of a restricted API key or an agent. */
import type { CredentialRequest, Query, Waypost } from '@waypost/contract'
import type { JsonValue } from '@waypost/platform/json/guard'
import { listCredentialRequests } from '@waypost/store/tables/applications/credential-requests'
import { credentialRequestOf } from '../../../applications/credential-requests.ts'
import type { Services } from '../../../services/services.ts'
import type { ListPage } from '../../http/answer.ts'
import { pageOf, placeOf } from './keyset-page.ts'

/** A page of the requests of one credential, newest first. What this node has in memory is written before. */
export async function requestsOf(
  { database, credentialLog }: Pick<Services, 'database' | 'credentialLog'>,
  of: { applicationId: string; credentialId: string },
  { query, position }: { query: Query<Waypost['apiKeys']['requests']>; position: JsonValue | undefined },
): Promise<ListPage<CredentialRequest>> {
  await credentialLog.flush()
  const { limit, outcome, status, grant_id: grantId } = query
  const page = { after: placeOf(position), limit }
  const found = await listCredentialRequests(database, { ...of, outcome, status, grantId }, page)
  return pageOf(found, found.rows.map(credentialRequestOf))
}
