import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { api } from '../../api.ts'
import { Badge, Status } from '../../components/badge.tsx'
import { Bulk } from '../../components/bulk.tsx'
import { Button } from '../../components/button.tsx'
import { ExportButton } from '../../components/export.tsx'
import { ChoiceFilter, Filters, TextFilter } from '../../components/filters.tsx'
import { ListTable } from '../../components/list.tsx'
import { Card, Page } from '../../components/page.tsx'
import { Empty } from '../../components/states.tsx'
import type { Column } from '../../components/table.tsx'
import { Time } from '../../components/time.tsx'
import { type Destination, placeOf, transportNames, transports, useDestinations } from '../../destinations.ts'
import { plural } from '../../format.ts'
import { useListAddress, useOpened } from '../../list/address.ts'
import { useSelection } from '../../list/selection.ts'
import { pageOfRows } from '../../list/view.ts'
import { refresh, useData } from '../../queries.ts'
import { DeliverAllNow, Waiting } from './backlog.tsx'
import { EditDestination } from './edit-destination.tsx'
import { destinationActions, exportColumns, filterNames, fitsIn, sortKeys, states, targetOf } from './list-parts.tsx'
import { TryOut } from './try-out.tsx'

function FailureRate({ application, id }: { application: string; id: string }) {
  const health = useData(['webhooks', application, id, 'health', 24], (signal) =>
    api(application).webhooks.health({ id, query: { hours: 24 }, signal }),
  )
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

const columnsFor = (application: string): readonly Column<Destination>[] => [
  {
    title: 'Destination',
    sort: 'place',
    cell: (row) => (
      <span className="main-cell wrap">
        <Link href={`/a/${application}/webhooks/${row.id}`}>{placeOf(row)}</Link>
        <span className="tags">
          <Badge plain>{transportNames[row.transport]}</Badge>
          {row.description && <span className="quiet">{row.description}</span>}
        </span>
      </span>
    ),
  },
  { title: 'State', sort: 'status', cell: ({ status }) => <Status of={status} /> },
  { title: 'Not delivered', cell: ({ id }) => <Waiting application={application} id={id} /> },
  { title: 'Failed, 24 hours', cell: ({ id }) => <FailureRate application={application} id={id} /> },
  { title: 'Triggers', sort: 'triggers', kind: 'end', cell: ({ trigger_types }) => trigger_types.length },
  { title: 'Created', sort: 'created_at', kind: 'tight', cell: ({ created_at }) => <Time at={created_at} /> },
]

function DestinationFilters({ destinations }: { destinations: readonly Destination[] }) {
  const triggers = [...new Set(destinations.flatMap(({ trigger_types }) => trigger_types))].sort()
  return (
    <>
      <TextFilter label="Search" name="search" placeholder="Address, description or ID" />
      <ChoiceFilter label="Transport" name="transport" options={transports} />
      <ChoiceFilter label="State" name="status" options={states} />
      <ChoiceFilter label="Trigger" name="trigger" options={triggers.map((each) => [each, each] as const)} />
    </>
  )
}

function NoDestinations({ isFiltered, create }: { isFiltered: boolean; create: ReactNode }) {
  if (isFiltered) return <Empty title="No matching destinations">Remove a filter to see more.</Empty>
  return (
    <Empty title="No destinations yet" actions={create}>
      Add the URL of your receiver, or a topic, subject or exchange of your broker. It is verified first.
    </Empty>
  )
}

export function Destinations({ application }: { application: string }) {
  const [creating, setCreating] = useOpened()
  const query = useDestinations(application, { refetchInterval: 15_000 })
  const destinations = query.data ?? []
  const address = useListAddress({ by: 'status', order: 'asc' })
  const view = pageOfRows(query.data, address, {
    keys: sortKeys,
    fits: fitsIn(address),
    error: query.error,
    retry: () => void query.refetch(),
  })
  const scope = JSON.stringify([application, ...filterNames.map(address.read)])
  const selection = useSelection<Destination>(({ id }) => id, scope)
  const create = (
    <Button kind="primary" changes onClick={() => setCreating(true)}>
      New destination
    </Button>
  )
  const words = { one: 'destination' }
  return (
    <Page
      title="Destinations"
      lead="Webhooks and channels receive notifications about changes. Failed deliveries are retried."
      actions={
        <>
          <DeliverAllNow application={application} destinations={destinations} />
          {create}
        </>
      }
    >
      {destinations.length > 1 && (
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
          <DestinationFilters destinations={destinations} />
        </Filters>
      )}
      <Card>
        <ListTable
          label="Destinations"
          {...{ view, address, selection, ...words }}
          columns={columnsFor(application)}
          id={({ id }) => id}
          nameOf={placeOf}
          none={<NoDestinations isFiltered={query.data?.length !== 0} create={create} />}
          bulk={
            <Bulk
              {...{ selection, targetOf, ...words }}
              actions={destinationActions(application, destinations)}
              total={view.total}
              everything={async () => view.found.map(targetOf)}
              onChanged={() => refresh('webhooks', application)}
            />
          }
        />
      </Card>
      <TryOut
        application={application}
        urls={destinations.flatMap((each) => (each.transport === 'webhook' ? [each.webhook_url] : []))}
      />
      {creating && <EditDestination application={application} onClose={() => setCreating(false)} />}
    </Page>
  )
}
