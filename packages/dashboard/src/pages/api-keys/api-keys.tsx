import type { ApiKey } from '@waypost/sdk'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { api } from '../../api.ts'
import { Status } from '../../components/badge.tsx'
import { Bulk, type BulkAction } from '../../components/bulk.tsx'
import { Button } from '../../components/button.tsx'
import { ExportButton } from '../../components/export.tsx'
import { ChoiceFilter, Filters, TextFilter } from '../../components/filters.tsx'
import { ListTable } from '../../components/list.tsx'
import { Card, Page } from '../../components/page.tsx'
import { Empty } from '../../components/states.tsx'
import type { Column } from '../../components/table.tsx'
import { Time } from '../../components/time.tsx'
import { useListAddress, useOpened } from '../../list/address.ts'
import { type ExportColumn, isoTime } from '../../list/export-format.ts'
import { useSelection } from '../../list/selection.ts'
import { pageOfRows } from '../../list/view.ts'
import { refresh, useData } from '../../queries.ts'
import { RightsSummary } from '../agents/rights-view.tsx'
import { Revoke, sayCreator } from './key-parts.tsx'
import { NewKey } from './new-key.tsx'
import '../../styles/agents.css'

const columnsFor = (application: string): readonly Column<ApiKey>[] => [
  {
    title: 'Name',
    sort: 'name',
    cell: (key) => (
      <span className="main-cell wrap">
        <Link href={`/a/${application}/api-keys/${key.id}`}>{key.name}</Link>
        <code className="quiet">{key.hint}</code>
      </span>
    ),
  },
  { title: 'Rights', cell: ({ rights }) => <RightsSummary rights={rights} /> },
  { title: 'State', sort: 'status', cell: ({ status }) => <Status of={status} /> },
  { title: 'Last used', sort: 'last_used_at', cell: ({ last_used_at }) => <Time at={last_used_at} /> },
  { title: 'Expires', sort: 'expires_at', cell: ({ expires_at }) => <Time at={expires_at} /> },
  {
    title: 'Created',
    sort: 'created_at',
    cell: ({ created_at, created_by }) => (
      <span className="main-cell wrap">
        <Time at={created_at} />
        <span className="quiet">{sayCreator(created_by)}</span>
      </span>
    ),
  },
]
const keys: Record<string, (key: ApiKey) => string | number> = {
  created_at: ({ created_at }) => created_at,
  name: ({ name }) => name.toLowerCase(),
  status: ({ status }) => status,
  last_used_at: ({ last_used_at }) => last_used_at ?? 0,
  expires_at: ({ expires_at }) => expires_at ?? Number.POSITIVE_INFINITY,
}
const exportColumns: readonly ExportColumn<ApiKey>[] = [
  ['id', ({ id }) => id],
  ['name', ({ name }) => name],
  ['hint', ({ hint }) => hint],
  ['rights', ({ rights }) => (rights ? rights.operations.join(' ') : 'all')],
  ['status', ({ status }) => status],
  ['last_used_at', ({ last_used_at }) => isoTime(last_used_at)],
  ['expires_at', ({ expires_at }) => isoTime(expires_at)],
  ['created_at', ({ created_at }) => isoTime(created_at)],
  ['created_by', ({ created_by }) => created_by.name ?? created_by.type],
  ['created_by_person_id', ({ created_by }) => created_by.person_id ?? ''],
]
const filterNames = ['search', 'rights', 'status'] as const
const targetOf = ({ id, name }: ApiKey) => ({ id, name })

const revoking = (application: string): readonly BulkAction[] => [
  {
    label: 'Revoke',
    done: 'revoked',
    danger: true,
    isFinal: true,
    act: (id) => api().apiKeys.delete({ application_id: application, id }),
    children: <p>Requests with these keys are refused immediately on every node. This cannot be undone.</p>,
  },
]

function KeyFilters({ tools }: { tools: ReactNode }) {
  return (
    <Filters names={filterNames} tools={tools}>
      <TextFilter label="Search" name="search" placeholder="Name, prefix, ID or creator" />
      <ChoiceFilter
        label="Rights"
        name="rights"
        options={[
          ['all', 'All rights'],
          ['limited', 'Limited rights'],
        ]}
      />
      <ChoiceFilter
        label="State"
        name="status"
        options={['active', 'expired', 'revoked'].map((each) => [each, each] as const)}
      />
    </Filters>
  )
}

export function ApiKeys({ application }: { application: string }) {
  const [creating, setCreating] = useOpened()
  const query = useData(['api-keys', application], (signal) =>
    api().apiKeys.list({ application_id: application, signal }),
  )
  const address = useListAddress({ by: 'created_at', order: 'asc' })
  const [search, limited, status] = filterNames.map((name) => address.read(name).toLowerCase()) as [
    ...[string, string, string],
  ]
  const fits = ({ name, hint, id, rights, status: is, created_by: by }: ApiKey): boolean =>
    [name, hint, id, by.name ?? ''].some((text) => text.toLowerCase().includes(search)) &&
    (limited === '' || (rights !== null) === (limited === 'limited')) &&
    (status === '' || is === status)
  const view = pageOfRows(query.data, address, {
    keys,
    fits,
    error: query.error,
    retry: () => void query.refetch(),
  })
  const selection = useSelection<ApiKey>(({ id }) => id, JSON.stringify([application, search, limited, status]))
  const create = (
    <Button kind="primary" changes onClick={() => setCreating(true)}>
      New API key
    </Button>
  )
  const words = { one: 'key' }
  return (
    <Page title="API keys" lead="Your services use these keys to call the API for this application." actions={create}>
      {(query.data?.length ?? 0) > 1 && (
        <KeyFilters
          tools={
            <ExportButton
              name="api-keys"
              {...words}
              columns={exportColumns}
              read={async () => ({ data: [...view.found], nextCursor: undefined })}
              total={view.total}
            />
          }
        />
      )}
      <Card>
        <ListTable
          label="API keys"
          {...{ view, address, selection, ...words }}
          columns={columnsFor(application)}
          id={({ id }) => id}
          nameOf={({ name }) => name}
          actions={(key) => key.status === 'active' && <Revoke apiKey={key} />}
          none={
            query.data?.length === 0 ? (
              <Empty title="No API keys" actions={create}>
                Create a key so that your services can call the API for this application.
              </Empty>
            ) : (
              <Empty title="No matching keys">Remove a filter to see more.</Empty>
            )
          }
          bulk={
            <Bulk
              {...{ selection, targetOf, ...words }}
              total={view.total}
              everything={async () => view.found.map(targetOf)}
              onChanged={() => refresh('api-keys', application)}
              actions={revoking(application)}
            />
          }
        />
      </Card>
      {creating && <NewKey application={application} onClose={() => setCreating(false)} />}
    </Page>
  )
}
