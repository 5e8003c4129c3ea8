import { useQuery } from '@tanstack/react-query'
import type { ApiKey, NewApiKey } from '@waypost/sdk'
import { useState } from 'react'
import { api } from '../api.ts'
import { Status } from '../components/badge.tsx'
import { Bulk, type BulkAction } from '../components/bulk.tsx'
import { Button } from '../components/button.tsx'
import { ConfirmButton, Dialog } from '../components/dialog.tsx'
import { ExportButton } from '../components/export.tsx'
import { ChoiceFilter, Filters, TextFilter } from '../components/filters.tsx'
import { Form, TextField } from '../components/form.tsx'
import { ListTable } from '../components/list.tsx'
import { Card, Page } from '../components/page.tsx'
import { ShownOnce } from '../components/shown-once.tsx'
import { Empty } from '../components/states.tsx'
import type { Column } from '../components/table.tsx'
import { Time } from '../components/time.tsx'
import { showToast } from '../components/toast.tsx'
import { useListAddress, useOpened } from '../list/address.ts'
import { type ExportColumn, isoTime } from '../list/export-format.ts'
import { useSelection } from '../list/selection.ts'
import { pageOfRows } from '../list/view.ts'
import { refresh } from '../queries.ts'

function NewKey({ application, onClose }: { application: string; onClose(): void }) {
  const [made, setMade] = useState<NewApiKey>()
  if (made) {
    return (
      <ShownOnce title="Your new API key" secret={made.api_key} label="Copy the API key" onClose={onClose}>
        Copy it now. It is shown only once.
      </ShownOnce>
    )
  }
  return (
    <Dialog title="New API key" onClose={onClose}>
      <Form
        submit="Create key"
        onCancel={onClose}
        onSubmit={async (values) => {
          const body = { name: values.text('name') ?? '', expires_in: values.number('expires_in') }
          const { data } = await api().apiKeys.create({ application_id: application, body })
          await refresh('api-keys', application)
          return data
        }}
        onDone={setMade}
      >
        <TextField label="Name" name="name" hint="What the key is for, such as the service that uses it." autoFocus />
        <TextField
          label="Expires after"
          name="expires_in"
          type="number"
          min={1}
          max={36_500}
          optional
          hint="In days. Leave empty for a key that never expires."
        />
      </Form>
    </Dialog>
  )
}

function Revoke({ apiKey }: { apiKey: ApiKey }) {
  return (
    <ConfirmButton
      small
      label="Revoke"
      title={`Revoke ${apiKey.name}?`}
      confirm="Revoke key"
      onConfirm={async () => {
        await api().apiKeys.delete({ application_id: apiKey.application_id, id: apiKey.id })
        await refresh('api-keys')
        showToast(`${apiKey.name} was revoked`)
      }}
    >
      <p>
        Requests with <code>{apiKey.hint}…</code> are refused immediately on every node. This cannot be undone.
      </p>
    </ConfirmButton>
  )
}

const creators: Record<ApiKey['created_by']['type'], string> = {
  person: 'by a person',
  installation: 'with the installation’s password or a one-time link',
  command: 'with a command on the server',
  start: 'at the first start or from settings',
  unknown: 'creator not recorded',
}

/** Describes who created a key. */
export const sayCreator = ({ type, name }: ApiKey['created_by']): string =>
  name === null ? creators[type] : `by ${name}`

const columns: readonly Column<ApiKey>[] = [
  {
    title: 'Name',
    sort: 'name',
    cell: (key) => (
      <span className="main-cell wrap">
        {key.name}
        <code className="quiet">{key.hint}…</code>
      </span>
    ),
  },
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
  ['status', ({ status }) => status],
  ['last_used_at', ({ last_used_at }) => isoTime(last_used_at)],
  ['expires_at', ({ expires_at }) => isoTime(expires_at)],
  ['created_at', ({ created_at }) => isoTime(created_at)],
  ['created_by', ({ created_by }) => created_by.name ?? created_by.type],
  ['created_by_person_id', ({ created_by }) => created_by.person_id ?? ''],
]
const filterNames = ['search', 'status'] as const
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

export function ApiKeys({ application }: { application: string }) {
  const [creating, setCreating] = useOpened()
  const query = useQuery({
    queryKey: ['api-keys', application],
    queryFn: async ({ signal }) => (await api().apiKeys.list({ application_id: application, signal })).data,
  })
  const address = useListAddress({ by: 'created_at', order: 'asc' })
  const [search, status] = filterNames.map((name) => address.read(name).toLowerCase()) as [string, string]
  const fits = ({ name, hint, id, status: is, created_by: by }: ApiKey): boolean =>
    [name, hint, id, by.name ?? ''].some((text) => text.toLowerCase().includes(search)) &&
    (status === '' || is === status)
  const view = pageOfRows(query.data, address, {
    keys,
    fits,
    error: query.error,
    retry: () => void query.refetch(),
  })
  const selection = useSelection<ApiKey>(({ id }) => id, JSON.stringify([application, search, status]))
  const create = (
    <Button kind="primary" changes onClick={() => setCreating(true)}>
      New API key
    </Button>
  )
  const words = { one: 'key' }
  return (
    <Page title="API keys" lead="Your services use these keys to call the API for this application." actions={create}>
      {(query.data?.length ?? 0) > 1 && (
        <Filters
          names={filterNames}
          tools={
            <ExportButton
              name="api-keys"
              {...words}
              columns={exportColumns}
              read={async () => ({ data: [...view.found], nextCursor: undefined })}
              total={view.total}
            />
          }
        >
          <TextFilter label="Search" name="search" placeholder="Name, prefix, ID or creator" />
          <ChoiceFilter
            label="State"
            name="status"
            options={['active', 'expired', 'revoked'].map((each) => [each, each] as const)}
          />
        </Filters>
      )}
      <Card>
        <ListTable
          label="API keys"
          {...{ view, address, selection, columns, ...words }}
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
