/**
 * Ending an account's tokens at its provider, once its grant is deleted: by a job of the outbox, because providers take their
 * time. A provider ends everything that the person allowed the OAuth client, and applications may share one: so it is done
 * with the last grant of the person and the client. Who is the last is asked when the job runs: of two that are deleted at
 * once the second finds nobody, and somebody who connects again meanwhile is found.
 */
import { clientOf } from '../applications/provider-client.ts'
import type { Secrets } from '../lib/crypto/secrets.ts'
import { newId } from '../lib/ids.ts'
import type { Io } from '../providers/io.ts'
import { findProvider, type Providers } from '../providers/registry.ts'
import type { Queries } from '../store/engine/database.ts'
import { getConnector } from '../store/tables/applications/connectors.ts'
import { type GrantRecord, grantsOfPerson } from '../store/tables/grants/grants.ts'
import { readProviderTokens } from '../store/tables/grants/provider-tokens.ts'
import { addToOutbox } from '../store/tables/notifications/outbox.ts'
import { latestCredentials } from './provider-tokens.ts'

interface Payload {
  id: string
  application: string
  provider: string
  sealed: string
  /** Whose account it was, and by which client; absent in what was written before both were known. */
  emailKey?: string
  clientId?: string
}

const contextOf = (application: string, row: string) => ({ table: 'outbox', column: 'payload', application, row })

/** Writes down that the tokens of an account are to be revoked, in the transaction that deletes its grant. */
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

/** The client that a grant is used with; none where its connector, or the credential, is gone. */
async function clientIdOf(queries: Queries, secrets: Secrets, record: GrantRecord): Promise<{ clientId?: string }> {
  const { applicationId, grant } = record
  const connector = await getConnector(queries, applicationId, grant.provider)
  if (!connector) return {}
  const client = await clientOf(queries, secrets, connector, grant.credential_id).catch(() => undefined)
  const id = client?.data.client_id
  return typeof id === 'string' ? { clientId: id } : {}
}

/** Whether a grant of the same person still needs what the client was allowed; one whose client is unknown may. */
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

/** Does what `revokeLater` wrote down; nothing where the provider's tokens are left to end by themselves, or are needed. */
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
