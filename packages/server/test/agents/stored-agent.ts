/** An agent with tokens, written to the store without OAuth requests. */
import { KeyRights } from '@waypost/contract'
import { newId } from '@waypost/platform/ids'
import { insertAgent } from '@waypost/store/tables/agents/agents'
import { storedRights } from '../../src/agents/agents.ts'
import { type IssuedTokens, issueTokens, refreshTokenMs } from '../../src/agents/oauth/tokens.ts'
import type { TestService } from '../harness.ts'

export interface StoredAgent extends IssuedTokens {
  id: string
}

export async function storeAgent(
  { services }: Pick<TestService, 'services'>,
  { applicationId, grantIds, rights, resource, name = 'Assistant' }: StoredAgentFacts,
): Promise<StoredAgent> {
  const { config } = services
  const { database, clock } = services.storage
  const now = clock.now()
  const given = KeyRights.parse({ operations: ['mail.read'], ...rights, grants: { ids: grantIds } })
  const id = newId()
  const row = {
    ...{ id, application_id: applicationId, client_id: 'client', name, client_uri: null },
    ...{ connected_by: 'user@one.test', connector: 'owner' as const, consent: JSON.stringify(given) },
    ...{ rights: storedRights(given), created_at: now, updated_at: now, expires_at: now + refreshTokenMs },
    ...{ last_used_at: null, disconnected_at: null, grantIds },
  }
  const of = { application_id: applicationId, agent_id: id, family: newId(), now }
  const issued = await database.transaction(async (tx) => {
    await insertAgent(tx, row)
    return issueTokens(tx, { ...of, resource: resource ?? `${config.baseUrl}/mcp` })
  })
  return { id, ...issued }
}

interface StoredAgentFacts {
  applicationId: string
  grantIds: readonly string[]
  /** Default: the right to read mail. */
  rights?: Partial<KeyRights>
  name?: string
  /** Default: the endpoint without an application. */
  resource?: string
}
