/**
 * Revokes an account's tokens at its provider after its grant is deleted, in an outbox job because providers can be
 * slow. A provider revokes everything that the person granted to the OAuth client, and applications may share a
 * client. So tokens are revoked only with the last grant of the person and the client. The job checks this when it
 * runs: of two concurrent deletions the second finds no other grant, and an account that reconnects in the meantime
 * is found.
 */

import type { Secrets } from '@waypost/platform/crypto/secrets'
import { newId } from '@waypost/platform/ids'
import type { Io } from '@waypost/providers/io'
import { findProvider, type Providers } from '@waypost/providers/registry'
import type { Queries } from '@waypost/store/engine/database'
import { getConnector } from '@waypost/store/tables/applications/connectors'
import { type GrantRecord, grantsOfPerson } from '@waypost/store/tables/grants/grants'
import { readProviderTokens } from '@waypost/store/tables/grants/provider-tokens'
import { addToOutbox } from '@waypost/store/tables/notifications/outbox'
import { clientOf } from '../applications/credentials.ts'
import { latestCredentials } from './provider-tokens.ts'

interface Payload {
  id: string
  application: string
  provider: string
  sealed: string
  /** The account and the client. Absent in jobs of earlier versions. */
  emailKey?: string
  clientId?: string
}

const contextOf = (application: string, row: string) => ({ table: 'outbox', column: 'payload', application, row })

/** Writes the revocation job, in the transaction that deletes the grant. */
export async function revokeLater(
  tx: Queries,
  record: GrantRecord,
  { secrets, now }: { secrets: Secrets; now: number },
): Promise<void> {
  const { applicationId, grant } = record
  if (!(await readProviderTokens(tx, { applicationId, grantId: grant.id }))) return
  const id = newId()
  const credentials = JSON.stringify(await latestCredentials(tx, secrets, record))
  const payload: Payload = {
    id,
    application: applicationId,
    provider: grant.provider,
    emailKey: record.emailKey,
    ...(await clientIdOf(tx, secrets, record)),
    sealed: secrets.seal(credentials, contextOf(applicationId, id)),
  }
  const job = { id, applicationId, grantId: grant.id, kind: 'provider.revoke', dueAt: now, now }
  await addToOutbox(tx, { ...job, payload: JSON.stringify(payload) })
}

/** The OAuth client of a grant. Undefined if its connector or credential was deleted. */
async function clientIdOf(queries: Queries, secrets: Secrets, record: GrantRecord): Promise<{ clientId?: string }> {
  const { applicationId, grant } = record
  const connector = await getConnector(queries, applicationId, grant.provider)
  if (!connector) return {}
  const client = await clientOf(queries, secrets, connector, grant.credential_id).catch(() => undefined)
  const id = client?.data.client_id
  return typeof id === 'string' ? { clientId: id } : {}
}

/** Whether another grant of the same person still uses the client. A grant with an unknown client may. */
async function isNeeded(
  queries: Queries,
  secrets: Secrets,
  { emailKey, clientId, provider }: Payload,
): Promise<boolean> {
  if (emailKey === undefined) return false
  for (const record of await grantsOfPerson(queries, { emailKey, provider })) {
    const other = await clientIdOf(queries, secrets, record)
    if (clientId === undefined || other.clientId === undefined || other.clientId === clientId) return true
  }
  return false
}

/** Runs a revocation job. Does nothing if the provider's tokens are not revocable or still needed. */
export async function revokeAtProvider(
  text: string,
  tools: { queries: Queries; providers: Providers; secrets: Secrets; ioFor(kind: string): Io },
): Promise<void> {
  const payload: Payload = JSON.parse(text)
  const { id, application, provider: kind, sealed } = payload
  const provider = findProvider(tools.providers, kind)
  if (!provider?.oauth?.revoke) return
  if (await isNeeded(tools.queries, tools.secrets, payload)) return
  const credentials = JSON.parse(tools.secrets.open(sealed, contextOf(application, id)))
  await provider.oauth.revoke(credentials, tools.ioFor(kind))
}
