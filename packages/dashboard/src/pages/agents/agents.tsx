/** The assistants that people connected to the MCP endpoint. */
import type { Agent, ApiKey } from '@waypost/sdk'
import { Link } from 'wouter'
import { api } from '../../api.ts'
import { Status } from '../../components/badge.tsx'
import { Card, Page } from '../../components/page.tsx'
import { Empty, Loaded } from '../../components/states.tsx'
import { type Column, PagedTable, Table } from '../../components/table.tsx'
import { Time } from '../../components/time.tsx'
import { visibleText } from '../../foreign-text.ts'
import { plural } from '../../format.ts'
import { useApplication, useData, usePages } from '../../queries.ts'
import { AgentState, agentsKey, Disconnect } from './agent-parts.tsx'
import { Endpoint } from './endpoint.tsx'
import { RightsSummary } from './rights-view.tsx'
import '../../styles/agents.css'

const columnsFor = (application: string): readonly Column<Agent>[] => [
  {
    title: 'Agent',
    cell: ({ id, name, connected_by }) => (
      <span className="main-cell wrap">
        <Link href={`/a/${application}/agents/${id}`}>{visibleText(name)}</Link>
        <span className="quiet">Connected by {visibleText(connected_by)}</span>
      </span>
    ),
  },
  {
    title: 'Rights',
    cell: ({ rights, grant_ids }) => <RightsSummary rights={rights} grants={plural(grant_ids.length, 'grant')} />,
  },
  { title: 'State', kind: 'tight', cell: ({ status }) => <AgentState of={status} /> },
  { title: 'Last used', kind: 'tight', cell: ({ last_used_at }) => <Time at={last_used_at} /> },
]

function List({ application }: { application: string }) {
  const query = usePages(
    agentsKey(application, 'list'),
    (page_token, signal) =>
      api(application).agents.list({ query: { limit: 50, ...(page_token ? { page_token } : {}) }, signal }),
    { refetchInterval: 30_000 },
  )
  return (
    <Card title="Connected agents">
      <PagedTable
        label="Connected agents"
        query={query}
        one="agent"
        columns={columnsFor(application)}
        id={({ id }) => id}
        actions={(agent) => agent.status === 'active' && <Disconnect small {...{ application, agent }} />}
        none={
          <Empty title="No agents yet">
            An assistant appears here once somebody has connected it to the address of the MCP endpoint.
          </Empty>
        }
      />
    </Card>
  )
}

const keyColumnsFor = (application: string): readonly Column<ApiKey>[] => [
  {
    title: 'Key',
    cell: ({ id, name, hint }) => (
      <span className="main-cell wrap">
        <Link href={`/a/${application}/api-keys/${id}`}>{visibleText(name)}</Link>
        <code className="quiet">{hint}</code>
      </span>
    ),
  },
  { title: 'Rights', cell: ({ rights }) => <RightsSummary rights={rights} /> },
  { title: 'State', kind: 'tight', cell: ({ status }) => <Status of={status} /> },
  { title: 'Last used', kind: 'tight', cell: ({ last_used_at }) => <Time at={last_used_at} /> },
]

/** Keys with limited rights that include the MCP endpoint: assistants use them without being connected. */
function AssistantKeys({ application }: { application: string }) {
  const query = useData(['api-keys', application], (signal) =>
    api().apiKeys.list({ application_id: application, signal }),
  )
  const used = query.data?.filter(({ rights, status }) => rights?.operations.includes('mcp') && status !== 'revoked')
  if (!used?.length) return null
  return (
    <Card title="API keys for assistants" lead="Keys with limited rights that include the MCP endpoint.">
      <Table label="API keys for assistants" rows={used} id={({ id }) => id} columns={keyColumnsFor(application)} />
    </Card>
  )
}

export function Agents({ application }: { application: string }) {
  const query = useApplication(application)
  return (
    <Page
      title="Agents"
      lead={
        <>
          AI assistants with limited rights. What they send, delete or invite waits under{' '}
          <Link href={`/a/${application}/approvals`}>Approvals</Link>.
        </>
      }
    >
      <Loaded query={query}>{(data) => <Endpoint application={data} />}</Loaded>
      <List application={application} />
      <AssistantKeys application={application} />
    </Page>
  )
}
