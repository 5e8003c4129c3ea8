/** Ending an account's tokens at its provider, once its grant is deleted: by a job of the outbox, because providers take their time. */
import { newId } from '../lib/ids.ts'
import type { Secrets } from '../lib/secrets.ts'
import type { Io } from '../providers/provider.ts'
import type { Providers } from '../providers/registry.ts'
import type { Queries } from '../store/database.ts'
import type { GrantRecord } from '../store/grants.ts'
import { addToOutbox } from '../store/outbox.ts'
import { readProviderTokens } from '../store/provider-tokens.ts'
import { latestCredentials } from './provider-tokens.ts'

interface Payload {
  id: string
  application: string
  provider: string
  sealed: string
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
    sealed: secrets.seal(credentials, contextOf(applicationId, id)),
  }
  const job = { id, applicationId, grantId: grant.id, kind: 'provider.revoke', dueAt: now, now }
  await addToOutbox(tx, { ...job, payload: JSON.stringify(payload) })
}

/** Does what `revokeLater` wrote down; nothing where the provider's tokens are left to end by themselves. */
export async function revokeAtProvider(
  text: string,
  tools: { providers: Providers; secrets: Secrets; ioFor(kind: string): Io },
): Promise<void> {
  const { id, application, provider: kind, sealed }: Payload = JSON.parse(text)
  const provider = Object.hasOwn(tools.providers, kind) ? tools.providers[kind] : undefined
  if (!provider?.oauth?.revoke) return
  const credentials = JSON.parse(tools.secrets.open(sealed, contextOf(application, id)))
  await provider.oauth.revoke(credentials, tools.ioFor(kind))
}
