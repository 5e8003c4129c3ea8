/** Webhook destinations of an application: problems first, with what to do. */
import type { ApplicationOverview } from '@waypost/sdk'
import { Link } from 'wouter'
import { Badge, Status } from '../../components/badge.tsx'
import { LinkButton } from '../../components/button.tsx'
import { Card } from '../../components/page.tsx'
import { Empty } from '../../components/states.tsx'
import { Table } from '../../components/table.tsx'
import { Time } from '../../components/time.tsx'
import { transportNames } from '../../destinations.ts'
import { capped } from '../../format.ts'

type Destination = ApplicationOverview['destinations'][number]

const remedies: Record<Destination['status'], string> = {
  active: '',
  pause: 'Activate it to resume. You can replay missed notifications.',
  failing: 'Check the responses in its log. Retries stop after 72 hours.',
  failed: 'Fix the receiver or broker, activate the destination, then replay failed notifications.',
}

/** What to do about a destination; empty if it works. */
const remedyOf = ({ status, failed }: Destination): string =>
  remedies[status] || (failed > 0 ? 'Some notifications failed. Replay them.' : '')

export function Destinations({
  application,
  destinations,
}: {
  application: string
  destinations: readonly Destination[]
}) {
  return (
    <Card title="Destinations">
      {destinations.length === 0 ? (
        <Empty
          title="No destinations yet"
          actions={
            <LinkButton small changes to={`/a/${application}/webhooks`}>
              Add destination
            </LinkButton>
          }
        >
          Destinations receive notifications when messages and events change.
        </Empty>
      ) : (
        <Table
          label="Destinations"
          rows={destinations}
          id={({ id }) => id}
          columns={[
            {
              title: 'Destination',
              cell: (row) => (
                <span className="main-cell wrap">
                  <Link href={`/a/${application}/webhooks/${row.id}`}>{row.description || row.webhook_url}</Link>
                  {row.description && <span className="quiet">{row.webhook_url}</span>}
                  {row.transport !== 'webhook' && <Badge plain>{transportNames[row.transport]}</Badge>}
                  {remedyOf(row) && <span className="small">{remedyOf(row)}</span>}
                </span>
              ),
            },
            {
              title: 'State',
              kind: 'tight',
              cell: ({ status, status_updated_at }) => (
                <span className="main-cell">
                  <Status of={status} />
                  <span className="quiet small">
                    <Time at={status_updated_at} />
                  </span>
                </span>
              ),
            },
            { title: 'Waiting', kind: 'end tight', cell: ({ waiting }) => capped(waiting) },
            { title: 'Failed', kind: 'end tight', cell: ({ failed }) => capped(failed) },
            {
              title: 'Due since',
              kind: 'tight',
              cell: ({ due_since, waiting }) => <Time at={due_since} none={waiting > 0 ? 'retry later' : '–'} />,
            },
          ]}
        />
      )}
    </Card>
  )
}
