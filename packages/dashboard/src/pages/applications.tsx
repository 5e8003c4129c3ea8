import type { ApplicationSummary } from '@waypost/sdk'
import { Link, useLocation } from 'wouter'
import { api } from '../api.ts'
import { Status } from '../components/badge.tsx'
import { Bulk, type BulkAction } from '../components/bulk.tsx'
import { Button } from '../components/button.tsx'
import { CopyText } from '../components/copy.tsx'
import { Dialog } from '../components/dialog.tsx'
import { ExportButton } from '../components/export.tsx'
import { ChoiceFilter, CopyLink, Filters, TextFilter } from '../components/filters.tsx'
import { Form, SelectField, TextField } from '../components/form.tsx'
import { ListTable } from '../components/list.tsx'
import { Card, Page } from '../components/page.tsx'
import { Empty } from '../components/states.tsx'
import type { Column } from '../components/table.tsx'
import { Time } from '../components/time.tsx'
import { showToast } from '../components/toast.tsx'
import { count } from '../format.ts'
import { useListAddress, useOpened, yesOrNo } from '../list/address.ts'
import { type ExportColumn, isoTime } from '../list/export-format.ts'
import { useSelection } from '../list/selection.ts'
import { type ReadPage, useServiceList } from '../list/view.ts'
import { refresh } from '../queries.ts'
import { useRights } from '../rights.ts'

const columns: readonly Column<ApplicationSummary>[] = [
  {
    title: 'Name',
    sort: 'name',
    cell: ({ application_id, branding }) => (
      <span className="main-cell wrap">
        <Link href={`/a/${application_id}`}>{branding.name}</Link>
        <CopyText inline text={application_id} label="Copy application ID" />
      </span>
    ),
  },
  {
    title: 'Environment',
    cell: ({ environment, blocked }) => (
      <span className="tags">
        <Status of={environment} />
        {blocked && <Status of="blocked" />}
      </span>
    ),
  },
  {
    title: 'Grants',
    kind: 'end',
    cell: ({ grant_count, grant_limit }) => (
      <span className="number">
        {count(grant_count)}
        {grant_limit !== null && <span className="quiet"> of {count(grant_limit)}</span>}
      </span>
    ),
  },
  { title: 'Created', sort: 'created_at', kind: 'tight', cell: ({ created_at }) => <Time at={created_at} /> },
]

function NewApplication({ onClose }: { onClose(): void }) {
  const [, navigate] = useLocation()
  return (
    <Dialog title="New application" onClose={onClose}>
      <Form
        submit="Create application"
        onCancel={onClose}
        onSubmit={async (values) => {
          const environment = values.text('environment') as 'production' | 'staging' | 'development'
          const body = { name: values.text('name') ?? '', environment }
          return (await api().adminApplications.create({ body })).data
        }}
        reload={() => refresh('applications')}
        onDone={({ application_id, branding }) => {
          showToast(`${branding.name} was created`)
          navigate(`/a/${application_id}`)
        }}
      >
        <TextField
          label="Name"
          name="name"
          hint="People see this name when they connect an account."
          maxLength={256}
          autoFocus
        />
        <SelectField
          label="Environment"
          name="environment"
          options={[
            ['production', 'Production'],
            ['staging', 'Staging'],
            ['development', 'Development'],
          ]}
        />
      </Form>
    </Dialog>
  )
}

const filterNames = ['search', 'environment', 'blocked'] as const
const environments = ['production', 'staging', 'development', 'sandbox'] as const

const exportColumns: readonly ExportColumn<ApplicationSummary>[] = [
  ['application_id', ({ application_id }) => application_id],
  ['name', ({ branding }) => branding.name],
  ['environment', ({ environment }) => environment],
  ['blocked', ({ blocked }) => blocked],
  ['grant_count', ({ grant_count }) => grant_count],
  ['grant_limit', ({ grant_limit }) => grant_limit],
  ['created_at', ({ created_at }) => isoTime(created_at)],
]

const block = (blocked: boolean) => (id: string) =>
  api().adminApplications.update({ application_id: id, body: { blocked } })
const actions: readonly BulkAction[] = [
  {
    label: 'Block',
    done: 'blocked',
    danger: true,
    act: block(true),
    children: <p>Every request with their API keys or tokens is refused until you unblock them. Nothing is deleted.</p>,
  },
  {
    label: 'Unblock',
    done: 'unblocked',
    act: block(false),
    children: <p>Their API keys and access tokens work again, and their grants are watched again.</p>,
  },
]
const targetOf = ({ application_id, branding }: ApplicationSummary) => ({ id: application_id, name: branding.name })

export function Applications() {
  const [creating, setCreating] = useOpened()
  const address = useListAddress({ by: 'created_at', order: 'asc' })

  const filters = {
    search: address.read('search') || undefined,
    environment: environments.find((each) => each === address.read('environment')),
    blocked: yesOrNo(address.read('blocked')),
  }
  const { by, order } = address.sort
  const read: ReadPage<ApplicationSummary> = (page, signal) =>
    api().adminApplications.list({
      query: { ...filters, ...page, order, sort: by === 'name' ? 'name' : 'created_at' },
      signal,
    })
  const view = useServiceList(['applications', 'list', filters], address, read)
  const selection = useSelection<ApplicationSummary>(({ application_id }) => application_id, JSON.stringify(filters))
  const { service } = useRights()
  const create = service && (
    <Button kind="primary" changes onClick={() => setCreating(true)}>
      New application
    </Button>
  )
  const words = { one: 'application' }
  const isFiltered = address.isFiltered(filterNames)
  return (
    <Page
      title="Applications"
      lead="Each application has its own API keys, connectors, grants and webhook destinations."
      actions={create}
    >
      <Filters
        names={filterNames}
        tools={
          <>
            <CopyLink />
            <ExportButton name="applications" {...words} columns={exportColumns} read={read} />
          </>
        }
      >
        <TextFilter label="Search" name="search" placeholder="Name or ID" />
        <ChoiceFilter label="Environment" name="environment" options={environments.map((each) => [each, each])} />
        <ChoiceFilter
          label="Blocked"
          name="blocked"
          options={[
            ['yes', 'Blocked'],
            ['no', 'Not blocked'],
          ]}
        />
      </Filters>
      <Card>
        <ListTable
          label="Applications"
          {...{ view, address, columns, selection, ...words }}
          id={({ application_id }) => application_id}
          nameOf={({ branding }) => branding.name}
          none={
            isFiltered ? (
              <Empty title="No matching applications">Search for part of the name or ID, or remove a filter.</Empty>
            ) : (
              <Empty title="No applications yet" actions={create}>
                Create one to get an API key and connect accounts.
              </Empty>
            )
          }
          bulk={
            <Bulk
              {...{ selection, targetOf, actions, ...words }}
              total={undefined}
              everything={async () => []}
              onChanged={() => refresh('applications')}
            />
          }
        />
      </Card>
      {creating && <NewApplication onClose={() => setCreating(false)} />}
    </Page>
  )
}
