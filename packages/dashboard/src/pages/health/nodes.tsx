/** The nodes of the service, their roles, and which ones stopped reporting. */
import type { ServiceHealth } from '@waypost/sdk'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { Card } from '../../components/page.tsx'
import { Empty } from '../../components/states.tsx'
import { Table } from '../../components/table.tsx'
import { Time } from '../../components/time.tsx'
import { count, plural } from '../../format.ts'

export type Node = ServiceHealth['nodes'][number]

/** Host name and enough of the id to tell nodes on the same host apart. */
export const nodeName = ({ host, id }: Pick<Node, 'host' | 'id'>): string =>
  host ? `${host} (${id.slice(-6)})` : id.slice(0, 13)

const work: Record<Node['roles'][number], string> = {
  api: 'API requests',
  worker: 'background jobs',
  deliverer: 'deliveries and sending',
  watcher: 'account watching',
}

/** A problem with the set of nodes; undefined if there is none. */
function complaint(nodes: readonly Node[]): string | undefined {
  const alive = nodes.filter(({ stale }) => !stale)
  const isThere = (role: Node['roles'][number]) =>
    alive.some(({ roles }) => roles.includes(role) || roles.includes('worker'))
  if (!isThere('deliverer'))
    return 'No worker is running. Nothing is delivered or sent on schedule. Start a node with the role worker.'
  if (!isThere('watcher'))
    return 'No watcher is running. Account changes are not detected. Start a node with the role watcher or worker.'
  const versions = new Set(alive.map(({ version }) => version))
  return versions.size > 1 ? `The nodes run ${plural(versions.size, 'version')}. Finish the upgrade.` : undefined
}

export function Nodes({
  nodes,
  chosen,
  onChoose,
}: {
  nodes: readonly Node[]
  chosen: string
  onChoose(id: string): void
}) {
  const problem = complaint(nodes)
  return (
    <Card title="Nodes" lead="Processes that share the database.">
      {problem && (
        <div className="card-body">
          <div className="note warn">{problem}</div>
        </div>
      )}
      {nodes.length === 0 ? (
        <Empty title="No nodes have reported yet">Nodes report every few seconds.</Empty>
      ) : (
        <Table
          label="Nodes"
          rows={nodes}
          id={({ id }) => id}
          columns={[
            {
              title: 'Node',
              cell: (node) => (
                <span className="main-cell wrap">
                  <span>{nodeName(node)}</span>
                  <span className="quiet small">{node.version ? `version ${node.version}` : 'version unknown'}</span>
                </span>
              ),
            },
            {
              title: 'State',
              cell: ({ stale }) =>
                stale ? (
                  <span className="main-cell">
                    <Badge tone="bad">silent</Badge>
                    <span className="quiet small">considered offline; other nodes took over</span>
                  </span>
                ) : (
                  <Badge tone="good">up</Badge>
                ),
            },
            { title: 'Roles', cell: ({ roles }) => roles.map((role) => work[role]).join(', ') },
            { title: 'Watched grants', kind: 'end', cell: ({ watched_grants }) => count(watched_grants) },
            { title: 'Last seen', kind: 'tight', cell: ({ seen_at }) => <Time at={seen_at} /> },
            { title: 'Started', kind: 'tight', cell: ({ started_at }) => <Time at={started_at} /> },
          ]}
          actions={({ id, ...node }) => (
            <Button
              small
              aria-pressed={chosen === id}
              aria-label={`Charts of ${nodeName({ id, ...node })} alone`}
              onClick={() => onChoose(chosen === id ? '' : id)}
            >
              Charts
            </Button>
          )}
        />
      )}
    </Card>
  )
}
