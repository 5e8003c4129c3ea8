/** What the owner of an account can do about the agents that use it. */
import { ApiError } from '@waypost/platform/api-error'
import type { Queries } from '@waypost/store/engine/database'
import { disconnect, needAgent, rightsOfAgent, updateAgent } from './agents.ts'

/** Takes accounts away from an agent. An agent that loses its last account is disconnected. */
export async function leaveAccounts(
  tx: Queries,
  at: { applicationId: string; id: string },
  grantIds: readonly string[],
  now: number,
): Promise<void> {
  const agent = await needAgent(tx, at)
  const left = agent.grantIds.filter((id) => !grantIds.includes(id))
  if (left.length === agent.grantIds.length) throw new ApiError('not_found', 'the agent does not use this account')
  if (left.length === 0) {
    await disconnect(tx, at, now)
    return
  }
  await updateAgent(tx, at, { rights: { ...rightsOfAgent(agent), grants: { ids: left } } }, now)
}
