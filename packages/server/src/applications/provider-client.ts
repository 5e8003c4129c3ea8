/** The OAuth client of a connector or of one of its credentials. */

import { ApiError } from '@waypost/platform/api-error'
import type { Secrets } from '@waypost/platform/crypto/secrets'
import type { ProviderClient } from '@waypost/providers/identity'
import type { Queries } from '@waypost/store/engine/database'
import type { ConnectorRow } from '@waypost/store/tables/applications/connectors'
import { getCredential } from '@waypost/store/tables/applications/credentials'

/** The decrypted client of a connector, or of the given credential. */
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
  if (!row) throw new ApiError('grant_invalid', "the connector's credential for this account was deleted")
  const type = row.credential_type as ProviderClient['type']
  const data = JSON.parse(
    secrets.open(row.sealed_data, { table: 'credentials', column: 'sealed_data', application, row: row.id }),
  )
  // An administrator consents to the connector's client, unless the credential names another.
  return { type, data: type === 'adminconsent' ? { ...own, ...data } : data, settings }
}
