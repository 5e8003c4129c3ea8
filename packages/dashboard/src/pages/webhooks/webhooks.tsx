import { useQuery } from '@tanstack/react-query'
import type { Webhook } from '@waypost/sdk'
import { Link } from 'wouter'
import { api } from '../../api.ts'
import { Status } from '../../components/badge.tsx'
import { Bulk } from '../../components/bulk.tsx'
import { Button } from '../../components/button.tsx'
import { ExportButton } from '../../components/export.tsx'
import { ChoiceFilter, Filters, TextFilter } from '../../components/filters.tsx'
import { ListTable } from '../../components/list.tsx'
import { Card, Page } from '../../components/page.tsx'
import { Empty } from '../../components/states.tsx'
import type { Column } from '../../components/table.tsx'
import { Time } from '../../components/time.tsx'
import { plural } from '../../format.ts'
import { useListAddress, useOpened } from '../../list/address.ts'
import { useSelection } from '../../list/selection.ts'
import { pageOfRows } from '../../list/view.ts'
import { refresh } from '../../queries.ts'
import { DeliverAllNow, Waiting } from './backlog.tsx'
import { EditWebhook } from './edit-webhook.tsx'
import { TryOut } from './try-out.tsx'
import { exportColumns, filterNames, fitsIn, sortKeys, states, targetOf, webhookActions } from './webhook-list.tsx'

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

const columnsFor = (application: string): readonly Column<Webhook>[] => [
  {
    title: 'Destination',
    sort: 'webhook_url',
    cell: (row) => (
      <span className="main-cell wrap">
        <Link href={`/a/${application}/webhooks/${row.id}`}>{row.webhook_url}</Link>
        {row.description && <span className="quiet">{row.description}</span>}
      </span>
    ),
  },
  { title: 'State', sort: 'status', cell: ({ status }) => <Status of={status} /> },
  { title: 'Not delivered', cell: ({ id }) => <Waiting application={application} id={id} /> },
  { title: 'Failed, 24 hours', cell: (row) => <FailureRate application={application} webhook={row} /> },
  { title: 'Triggers', sort: 'triggers', kind: 'end', cell: ({ trigger_types }) => trigger_types.length },
  { title: 'Created', sort: 'created_at', kind: 'tight', cell: ({ created_at }) => <Time at={created_at} /> },
]

function WebhookFilters({ webhooks }: { webhooks: readonly Webhook[] }) {
  const triggers = [...new Set(webhooks.flatMap(({ trigger_types }) => trigger_types))].sort()
  return (
    <>
      <TextFilter label="Search" name="search" placeholder="Address, description or ID" />
      <ChoiceFilter label="State" name="status" options={states} />
      <ChoiceFilter label="Trigger" name="trigger" options={triggers.map((each) => [each, each] as const)} />
    </>
  )
}

const useWebhooks = (application: string) =>
  useQuery({
    queryKey: ['webhooks', application],
    queryFn: async ({ signal }) => (await api(application).webhooks.list({ signal })).data,
    refetchInterval: 15_000,
  })

export function Webhooks({ application }: { application: string }) {
  const [creating, setCreating] = useOpened()
  const query = useWebhooks(application)
  const address = useListAddress({ by: 'status', order: 'asc' })
  const view = pageOfRows(query.data, address, {
    keys: sortKeys,
    fits: fitsIn(address),
    error: query.error,
    retry: () => void query.refetch(),
  })
  const scope = JSON.stringify([application, ...filterNames.map(address.read)])
  const selection = useSelection<Webhook>(({ id }) => id, scope)
  const create = (
    <Button kind="primary" changes onClick={() => setCreating(true)}>
      New destination
    </Button>
  )
  const words = { one: 'destination' }
  return (
    <Page
      title="Webhooks"
      lead="Destinations receive signed notifications about changes. Failed deliveries are retried."
      actions={
        <>
          <DeliverAllNow application={application} webhooks={query.data ?? []} />
          {create}
        </>
      }
    >
      {(query.data?.length ?? 0) > 1 && (
        <Filters
          names={filterNames}
          tools={
            <ExportButton
              name="destinations"
              {...words}
              columns={exportColumns}
              read={async () => ({ data: [...view.found], nextCursor: undefined })}
              total={view.total}
            />
          }
        >
          <WebhookFilters webhooks={query.data ?? []} />
        </Filters>
      )}
      <Card>
        <ListTable
          label="Webhook destinations"
          {...{ view, address, selection, ...words }}
          columns={columnsFor(application)}
          id={({ id }) => id}
          nameOf={({ webhook_url }) => webhook_url}
          none={
            query.data?.length === 0 ? (
              <Empty title="No destinations yet" actions={create}>
                Add the URL of your receiver. It must answer a challenge first. See the example in examples/.
              </Empty>
            ) : (
              <Empty title="No matching destinations">Remove a filter to see more.</Empty>
            )
          }
          bulk={
            <Bulk
              {...{ selection, targetOf, ...words }}
              actions={webhookActions(application)}
              total={view.total}
              everything={async () => view.found.map(targetOf)}
              onChanged={() => refresh('webhooks', application)}
            />
          }
        />
      </Card>
      <TryOut application={application} urls={(query.data ?? []).map(({ webhook_url }) => webhook_url)} />
      {creating && <EditWebhook application={application} onClose={() => setCreating(false)} />}
    </Page>
  )
}
