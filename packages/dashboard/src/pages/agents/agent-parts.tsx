/** Parts of the list and the page of agents. */
import type { Agent } from '@waypost/sdk'
import { api } from '../../api.ts'
import { Badge } from '../../components/badge.tsx'
import { ConfirmButton } from '../../components/dialog.tsx'
import { refresh } from '../../queries.ts'

export const agentsKey = (application: string, ...rest: unknown[]): unknown[] => ['agents', application, ...rest]

export const AgentState = ({ of }: { of: Agent['status'] }) => (
  <Badge tone={of === 'active' ? 'good' : 'neutral'}>{of === 'active' ? 'connected' : 'disconnected'}</Badge>
)

export function Disconnect({ application, agent, small }: { application: string; agent: Agent; small?: boolean }) {
  return (
    <ConfirmButton
      {...(small ? { small } : {})}
      label="Disconnect"
      title={`Disconnect ${agent.name}?`}
      confirm="Disconnect agent"
      onConfirm={() => api(application).agents.delete({ agent_id: agent.id })}
      reload={() => refresh(...agentsKey(application))}
      done={`${agent.name} was disconnected`}
    >
      <p>
        Its tokens stop working immediately on every node. What it did stays done. To use it again, somebody connects it
        again.
      </p>
    </ConfirmButton>
  )
}
