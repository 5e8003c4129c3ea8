import { useQuery } from '@tanstack/react-query'
import type { Webhook } from '@waypost/sdk'
import { useState } from 'react'
import { Link } from 'wouter'
import { api } from '../../api.ts'
import { Status } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { Card, Page } from '../../components/page.tsx'
import { Empty, Loaded } from '../../components/states.tsx'
import { Table } from '../../components/table.tsx'
import { Time } from '../../components/time.tsx'
import { plural } from '../../format.ts'
import { EditWebhook } from './edit-webhook.tsx'
import { TryOut } from './try-out.tsx'

function FailureRate({ application, webhook }: { application: string; webhook: Webhook }) {
  const health = useQuery({
    queryKey: ['webhooks', application, webhook.id, 'health', 24],
    queryFn: async ({ signal }) =>
      (await api(application).webhooks.health({ id: webhook.id, query: { hours: 24 }, signal })).data,
  })
  if (!health.data) return <span className="quiet">{health.error ? '–' : '…'}</span>
  const failed = health.data.reduce((sum, each) => sum + each.failed, 0)
  const all = health.data.reduce((sum, each) => sum + each.delivered, failed)
  if (all === 0) return <span className="quiet">no attempts</span>
  return (
    <span className="number">
      {Math.round((100 * failed) / all)} % <span className="quiet">of {plural(all, 'attempt')}</span>
    </span>
  )
}

export function Webhooks({ application }: { application: string }) {
  const [creating, setCreating] = useState(false)
  const query = useQuery({
    queryKey: ['webhooks', application],
    queryFn: async ({ signal }) => (await api(application).webhooks.list({ signal })).data,
    refetchInterval: 15_000,
  })
  const create = (
    <Button kind="primary" onClick={() => setCreating(true)}>
      New destination
    </Button>
  )
  return (
    <Page
      title="Webhooks"
      lead="Destinations that changes are told to, signed, in order, and again until they arrive."
      actions={create}
    >
      <Card>
        <Loaded query={query}>
          {(rows) =>
            rows.length === 0 ? (
              <Empty title="No destinations yet" actions={create}>
                Give the address of a listener of yours. It must answer a challenge first; the example in examples/
                shows how.
              </Empty>
            ) : (
              <Table
                label="Webhook destinations"
                rows={rows}
                id={({ id }) => id}
                columns={[
                  {
                    title: 'Destination',
                    cell: (row) => (
                      <span className="main-cell wrap">
                        <Link href={`/a/${application}/webhooks/${row.id}`}>{row.webhook_url}</Link>
                        {row.description && <span className="quiet">{row.description}</span>}
                      </span>
                    ),
                  },
                  { title: 'State', cell: ({ status }) => <Status of={status} /> },
                  { title: 'Failed, 24 hours', cell: (row) => <FailureRate application={application} webhook={row} /> },
                  { title: 'Triggers', kind: 'end', cell: ({ trigger_types }) => trigger_types.length },
                  { title: 'Created', kind: 'tight', cell: ({ created_at }) => <Time at={created_at} /> },
                ]}
              />
            )
          }
        </Loaded>
      </Card>
      <TryOut application={application} urls={(query.data ?? []).map(({ webhook_url }) => webhook_url)} />
      {creating && <EditWebhook application={application} onClose={() => setCreating(false)} />}
    </Page>
  )
}
