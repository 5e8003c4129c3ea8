/** The client that a connector, or one of its credentials, is at its provider. */

import { ApiError } from '../lib/api-error.ts'
import type { Secrets } from '../lib/crypto/secrets.ts'
import type { ProviderClient } from '../providers/identity.ts'
import type { Queries } from '../store/engine/database.ts'
import type { ConnectorRow } from '../store/tables/applications/connectors.ts'
import { getCredential } from '../store/tables/applications/credentials.ts'

/** Opens the client of a connector; with a credential, that one's. */
export async function clientOf(
  queries: Queries,
  secrets: Secrets,
  connector: ConnectorRow,
  credentialId: string | null,
): Promise<ProviderClient> {
  const settings: Record<string, unknown> = JSON.parse(connector.settings)
  const { application_id: application, sealed_settings: sealed } = connector
  const at = { table: 'connectors', column: 'sealed_settings', application, row: connector.id }
  const own = { ...settings, ...(sealed === null ? {} : JSON.parse(secrets.open(sealed, at))) }
  if (credentialId === null) return { type: 'connector', data: own, settings }
  const row = await getCredential(queries, { applicationId: application, connectorId: connector.id, id: credentialId })
  if (!row)
    throw new ApiError('grant_invalid', 'the credential of the connector that the account was used with is gone')
  const type = row.credential_type as ProviderClient['type']
  const data = JSON.parse(
    secrets.open(row.sealed_data, { table: 'credentials', column: 'sealed_data', application, row: row.id }),
  )
  // A consent of an administrator is one to the connector's client, unless it names another.
  return { type, data: type === 'adminconsent' ? { ...own, ...data } : data, settings }
}
