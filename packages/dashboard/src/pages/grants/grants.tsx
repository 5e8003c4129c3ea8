import type { AdminGrant } from '@waypost/sdk'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { api } from '../../api.ts'
import { Status } from '../../components/badge.tsx'
import { Bulk } from '../../components/bulk.tsx'
import { Button, LinkButton } from '../../components/button.tsx'
import { ExportButton, pagesOf } from '../../components/export.tsx'
import { ChoiceFilter, CopyLink, DayFilter, Filters, TextFilter } from '../../components/filters.tsx'
import { ListTable } from '../../components/list.tsx'
import { Card, Page } from '../../components/page.tsx'
import { Empty } from '../../components/states.tsx'
import type { Column } from '../../components/table.tsx'
import { Time } from '../../components/time.tsx'
import { useListAddress, useOpened } from '../../list/address.ts'
import { useSelection } from '../../list/selection.ts'
import { useServiceList } from '../../list/view.ts'
import { refresh, useConnectors, useData } from '../../queries.ts'
import { useWorkspaces } from '../../workspaces.ts'
import { kinds, providerTitle } from '../connectors/kinds.ts'
import { grantActions } from './bulk-actions.tsx'
import { exportColumns, filterNames, filtersOf, readGrants, statuses } from './grant-list.ts'
import { NewGrant } from './new-grant.tsx'

const columnsFor = (application: string): readonly Column<AdminGrant>[] => [
  {
    title: 'Account',
    sort: 'email',
    cell: (grant) => (
      <span className="main-cell wrap">
        <Link href={`/a/${application}/grants/${grant.id}`}>{grant.email}</Link>
        {grant.name && <span className="quiet">{grant.name}</span>}
      </span>
    ),
  },
  {
    title: 'State',
    sort: 'grant_status',
    cell: ({ grant_status, blocked }) => (
      <span className="tags">
        <Status of={grant_status} />
        {blocked && <Status of="blocked" />}
      </span>
    ),
  },
  { title: 'Provider', cell: ({ provider }) => providerTitle(provider) },
  { title: 'Last used', sort: 'last_used_at', kind: 'tight', cell: ({ last_used_at }) => <Time at={last_used_at} /> },
  { title: 'Created', sort: 'created_at', kind: 'tight', cell: ({ created_at }) => <Time at={created_at} /> },
]

/** Number of grants that match the filters. It is requested separately, so that the list does not wait for it. */
const useTotal = (application: string, filters: ReturnType<typeof filtersOf>) =>
  useData(['grants', application, 'count', filters], (signal) =>
    api().adminGrants.count({ application_id: application, query: filters, signal }),
  ).data

function GrantFilters({ application, tools }: { application: string; tools: ReactNode }) {
  const workspaces = useWorkspaces(application).data ?? []
  return (
    <Filters
      names={filterNames}
      tools={tools}
      more={
        <>
          <ChoiceFilter
            label="Workspace"
            name="workspace"
            options={workspaces.map(({ workspace_id, name }) => [workspace_id, name] as const)}
          />
          <ChoiceFilter
            label="Blocked"
            name="blocked"
            options={[
              ['yes', 'Blocked'],
              ['no', 'Not blocked'],
            ]}
          />
          <DayFilter label="Created from" name="from" />
          <DayFilter label="Created to" name="to" />
          <DayFilter label="Used from" name="used_from" />
          <DayFilter label="Last used to" name="used_to" />
        </>
      }
    >
      <TextFilter label="Search" name="search" placeholder="Address, name or ID" />
      <ChoiceFilter label="State" name="status" options={statuses.map((each) => [each, each] as const)} />
      <ChoiceFilter
        label="Provider"
        name="provider"
        options={kinds.map((kind) => [kind, providerTitle(kind)] as const)}
      />
    </Filters>
  )
}

const targetOf = ({ id, email }: AdminGrant) => ({ id, name: email })

export function Grants({ application }: { application: string }) {
  const [creating, setCreating] = useOpened()
  const address = useListAddress({ by: 'created_at', order: 'desc' })
  const filters = filtersOf(address)
  const scope = JSON.stringify([application, filters])
  const total = useTotal(application, filters)
  const read = readGrants(application, address)
  const view = useServiceList(['grants', application, filters], address, read, { total })
  const selection = useSelection<AdminGrant>(({ id }) => id, scope)
  const create = (
    <Button kind="primary" changes onClick={() => setCreating(true)}>
      Connect an account
    </Button>
  )
  const words = { one: 'grant' }
  return (
    <Page title="Grants" lead="Accounts that people connected to this application." actions={create}>
      <GrantFilters
        application={application}
        tools={
          <>
            <CopyLink />
            <ExportButton name="grants" {...words} columns={exportColumns} {...{ read, total }} />
          </>
        }
      />
      <Card>
        <ListTable
          label="Grants"
          {...{ view, address, selection, ...words }}
          columns={columnsFor(application)}
          id={({ id }) => id}
          nameOf={({ email }) => email}
          none={<None application={application} isFiltered={address.isFiltered(filterNames)} create={create} />}
          bulk={
            <Bulk
              {...{ selection, total, targetOf, ...words }}
              actions={grantActions(application)}
              everything={async (signal, onFound) => {
                const targets: ReturnType<typeof targetOf>[] = []
                for await (const page of pagesOf(read, signal)) {
                  targets.push(...page.map(targetOf))
                  onFound(targets.length)
                }
                return targets
              }}
              onChanged={() => Promise.all([refresh('grants', application), refresh('applications')])}
            />
          }
        />
      </Card>
      {creating && <NewGrant application={application} onClose={() => setCreating(false)} />}
    </Page>
  )
}

function None({ application, isFiltered, create }: { application: string; isFiltered: boolean; create: ReactNode }) {
  const connectors = useConnectors(application)
  if (isFiltered) {
    return <Empty title="No matching grants">Search for part of the address, name or ID, or remove a filter.</Empty>
  }
  return connectors.data?.length === 0 ? (
    <Empty
      title="No grants yet"
      actions={
        <LinkButton changes kind="primary" to={`/a/${application}/connectors`}>
          Set up a connector
        </LinkButton>
      }
    >
      A grant is one connected account. Set up a connector for its provider first.
    </Empty>
  ) : (
    <Empty title="No grants yet" actions={create}>
      A grant is one connected account. Connect one of your own to try everything.
    </Empty>
  )
}
