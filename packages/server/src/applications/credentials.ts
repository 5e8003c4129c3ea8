/**
 * Connector credentials: further OAuth clients, service accounts, administrator consents. Their data is sealed. And the
 * OAuth client that a connector or one of its credentials is.
 */

import { createHmac } from 'node:crypto'
import {
  type Credential,
  type CredentialChange,
  type CredentialDraft,
  type CredentialType,
  credentialData,
} from '@waypost/contract'
import { ApiError } from '@waypost/platform/api-error'
import { seconds } from '@waypost/platform/clock'
import type { Secrets } from '@waypost/platform/crypto/secrets'
import { newId } from '@waypost/platform/ids'
import { canonicalJson } from '@waypost/platform/json/values'
import type { ProviderClient } from '@waypost/providers/identity'
import type { Queries } from '@waypost/store/engine/database'
import type { ConnectorRow } from '@waypost/store/tables/applications/connectors'
import {
  type CredentialRow,
  findCredential,
  getCredential,
  insertCredential,
  updateCredential,
} from '@waypost/store/tables/applications/credentials'
import { parsed, secretSettingsOf } from './connectors.ts'

export const credentialOf = (row: CredentialRow): Credential => ({
  id: row.id,
  name: row.name,
  credential_type: row.credential_type as CredentialType,
  created_at: seconds(row.created_at),
  updated_at: seconds(row.updated_at),
})

const parseData = (type: CredentialType, data: Record<string, unknown>): Record<string, unknown> =>
  parsed(credentialData[type], 'credential_data', data)

/**
 * Equal data has an equal fingerprint, keyed by the connector's id so that it reveals nothing outside the connector.
 */
const fingerprintOf = (connectorId: string, type: string, data: Record<string, unknown>): string =>
  createHmac('sha256', connectorId)
    .update(`${type}:${canonicalJson(data)}`)
    .digest('hex')

const taken = (name: string): ApiError =>
  new ApiError('conflict', `name: the connector already has a credential "${name}"`)

interface Tools {
  secrets: Secrets
  now: number
}

const contextOf = (row: { application_id: string; id: string }) => ({
  table: 'credentials',
  column: 'sealed_data',
  application: row.application_id,
  row: row.id,
})

/** Adds a credential. An identical existing one is returned instead. */
export async function createCredential(
  tx: Queries,
  connector: ConnectorRow,
  draft: CredentialDraft,
  tools: Tools,
): Promise<Credential> {
  const data = parseData(draft.credential_type, draft.credential_data)
  const fingerprint = fingerprintOf(connector.id, draft.credential_type, data)
  const key = { id: newId(), application_id: connector.application_id }
  const row: CredentialRow = {
    ...key,
    connector_id: connector.id,
    name: draft.name,
    credential_type: draft.credential_type,
    sealed_data: tools.secrets.seal(JSON.stringify(data), contextOf(key)),
    fingerprint,
    created_at: tools.now,
    updated_at: tools.now,
  }
  if (await insertCredential(tx, row)) return credentialOf(row)
  const existing = await findCredential(tx, {
    applicationId: connector.application_id,
    connectorId: connector.id,
    name: draft.name,
  })
  if (existing?.fingerprint === fingerprint) return credentialOf(existing)
  throw taken(draft.name)
}

const findOf = (queries: Queries, connector: ConnectorRow, id: string): Promise<CredentialRow | undefined> =>
  getCredential(queries, { applicationId: connector.application_id, connectorId: connector.id, id })

export async function needCredential(queries: Queries, connector: ConnectorRow, id: string): Promise<CredentialRow> {
  const row = await findOf(queries, connector, id)
  if (!row) throw new ApiError('not_found', 'no credential with this id')
  return row
}

export async function changeCredential(
  tx: Queries,
  row: CredentialRow,
  change: CredentialChange,
  tools: Tools,
): Promise<Credential> {
  const changed: CredentialRow = { ...row, name: change.name ?? row.name, updated_at: tools.now }
  if (change.credential_data) {
    const data = parseData(row.credential_type as CredentialType, change.credential_data)
    changed.sealed_data = tools.secrets.seal(JSON.stringify(data), contextOf(row))
    changed.fingerprint = fingerprintOf(row.connector_id, row.credential_type, data)
  }
  const holder = await findCredential(tx, {
    applicationId: row.application_id,
    connectorId: row.connector_id,
    name: changed.name,
  })
  if (holder && holder.id !== row.id) throw taken(changed.name)
  await updateCredential(tx, changed)
  return credentialOf(changed)
}

/** The decrypted client of a connector, or of the given credential. */
export async function clientOf(
  queries: Queries,
  secrets: Secrets,
  connector: ConnectorRow,
  credentialId: string | null,
): Promise<ProviderClient> {
  const settings: Record<string, unknown> = JSON.parse(connector.settings)
  const own = { ...settings, ...secretSettingsOf(connector, secrets) }
  if (credentialId === null) return { type: 'connector', data: own, settings }
  const row = await findOf(queries, connector, credentialId)
  if (!row) throw new ApiError('grant_invalid', "the connector's credential for this account was deleted")
  const type = row.credential_type as ProviderClient['type']
  const data = JSON.parse(secrets.open(row.sealed_data, contextOf(row)))
  // An administrator consents to the connector's client, unless the credential names another.
  return { type, data: type === 'adminconsent' ? { ...own, ...data } : data, settings }
}
