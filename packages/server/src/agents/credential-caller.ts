/** The caller that a credential stands for now, without its key or token: for actions that a person approved later. */
import { ApprovalKind, KeyOperation, type KeyRights } from '@waypost/contract'
import type { Clock } from '@waypost/platform/clock'
import type { Queries } from '@waypost/store/engine/database'
import { getAgent } from '@waypost/store/tables/agents/agents'
import { getApiKey } from '@waypost/store/tables/applications/api-keys'
import { getApplication } from '@waypost/store/tables/applications/applications'
import { readRights } from '../applications/key-rights.ts'
import { type Caller, ownerOf } from '../grants/caller.ts'
import { isConnected, rightsOfAgent } from './agents.ts'

const allRights: KeyRights = {
  operations: [...KeyOperation.options],
  approval: [...ApprovalKind.options],
  elicitation: true,
}

export interface CredentialName {
  applicationId: string
  type: 'api_key' | 'agent'
  id: string
}

/** The application itself, with all rights. Undefined if it is gone or blocked. */
export async function callerOfApplication(queries: Queries, applicationId: string): Promise<Caller | undefined> {
  const row = await getApplication(queries, applicationId)
  return row && row.blocked !== 1 ? ownerOf({ ...row, application_id: row.id }) : undefined
}

/** The credential with the rights that it has now. Undefined if it was revoked, has expired or was disconnected. */
export async function callerOfCredential(
  { queries, clock }: { queries: Queries; clock: Clock },
  { applicationId, type, id }: CredentialName,
): Promise<Caller | undefined> {
  const owner = await callerOfApplication(queries, applicationId)
  if (!owner) return undefined
  const now = clock.now()
  if (type === 'agent') {
    const agent = await getAgent(queries, { applicationId, id })
    if (!agent || !isConnected(agent, now)) return undefined
    const { name, grantIds } = agent
    return { ...owner, credential: { type, id, name, rights: rightsOfAgent(agent), grantIds } }
  }
  const key = await getApiKey(queries, applicationId, id)
  const isDead = !key || key.revoked_at !== null || (key.expires_at !== null && key.expires_at <= now)
  if (isDead) return undefined
  // A key without limited rights can ask for actions at the MCP endpoint.
  const rights = key.rights === null ? allRights : readRights(key.rights)
  return { ...owner, keyId: id, credential: { type, id, name: key.name, rights } }
}
