/** Finds the agent that an access token of the MCP endpoint belongs to. The plain API never accepts these tokens. */

import { findAgentToken } from '@waypost/store/tables/agents/agent-tokens'
import { getAgent } from '@waypost/store/tables/agents/agents'
import { getApplication } from '@waypost/store/tables/applications/applications'
import { isConnected, rightsOfAgent } from '../../agents/agents.ts'
import { hashAgentToken, isAgentToken } from '../../agents/oauth/tokens.ts'
import { type Caller, ownerOf } from '../../grants/caller.ts'
import { type Authentication, refuseBlocked, unauthorized } from './authenticate.ts'

/**
 * The caller that a token stands for. `resource` is the URL of the endpoint: a token for another one is refused. Token,
 * agent and rights are read at every request, so that a disconnected agent stops at once on each node.
 */
export async function findAgentHolder(
  { queries, clock, keyUse }: Pick<Authentication, 'queries' | 'clock' | 'keyUse'>,
  token: string,
  resource: string,
): Promise<Caller> {
  const now = clock.now()
  const row = isAgentToken(token) ? await findAgentToken(queries, hashAgentToken(token)) : undefined
  if (row?.kind !== 'access' || row.revoked_at !== null || row.expires_at <= now) {
    throw unauthorized('the access token is unknown, expired or revoked')
  }
  if (row.resource !== resource) throw unauthorized('the access token was issued for another endpoint')
  const at = { applicationId: row.application_id, id: row.agent_id }
  const [agent, application] = await Promise.all([getAgent(queries, at), getApplication(queries, at.applicationId)])
  if (!agent || !application || !isConnected(agent, now)) throw unauthorized('the agent is disconnected')
  refuseBlocked(application)
  keyUse.noteAgent(at, now)
  return {
    ...ownerOf({ ...application, application_id: application.id }),
    credential: {
      type: 'agent',
      id: agent.id,
      name: agent.name,
      rights: rightsOfAgent(agent),
      grantIds: agent.grantIds,
    },
  }
}
