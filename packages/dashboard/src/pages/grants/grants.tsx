import type { AdminGrant } from '@waypost/sdk'
import { useState } from 'react'
import { Link } from 'wouter'
import { api } from '../../api.ts'
import { Status } from '../../components/badge.tsx'
import { Button, LinkButton } from '../../components/button.tsx'
import { ChoiceFilter, Filters, TextFilter, useFilters } from '../../components/filters.tsx'
import { Card, Page } from '../../components/page.tsx'
import { Empty } from '../../components/states.tsx'
import { type Column, PagedTable } from '../../components/table.tsx'
import { Time } from '../../components/time.tsx'
import { useConnectors, usePages } from '../../queries.ts'
import { kinds, providerTitle } from '../connectors/kinds.ts'
import { NewGrant } from './new-grant.tsx'

const statuses = ['valid', 'invalid'] as const

const columnsFor = (application: string): readonly Column<AdminGrant>[] => [
  {
    title: 'Account',
    cell: (grant) => (
      <span className="main-cell wrap">
        <Link href={`/a/${application}/grants/${grant.id}`}>{grant.email}</Link>
        {grant.name && <span className="quiet">{grant.name}</span>}
      </span>
    ),
  },
  {
    title: 'State',
    cell: ({ grant_status, blocked }) => (
      <span className="tags">
        <Status of={grant_status} />
        {blocked && <Status of="blocked" />}
      </span>
    ),
  },
  { title: 'Provider', cell: ({ provider }) => providerTitle(provider) },
  { title: 'Last used', kind: 'tight', cell: ({ last_used_at }) => <Time at={last_used_at} /> },
  { title: 'Created', kind: 'tight', cell: ({ created_at }) => <Time at={created_at} /> },
]

export function Grants({ application }: { application: string }) {
  const [creating, setCreating] = useState(false)
  const filters = useFilters()
  const search = filters.read('search')
  const status = filters.read('status')
  const provider = filters.read('provider')
  const connectors = useConnectors(application)
  const grants = usePages(['grants', application, search, status, provider], (page_token, signal) =>
    api().adminGrants.list({
      application_id: application,
      query: {
        limit: 50,
        page_token,
        search: search || undefined,
        grant_status: statuses.find((each) => each === status),
        provider: provider || undefined,
      },
      signal,
    }),
  )
  const filtered = search !== '' || status !== '' || provider !== ''
  const create = (
    <Button kind="primary" onClick={() => setCreating(true)}>
      Connect an account
    </Button>
  )
  const none = filtered ? (
    <Empty title="No grant fits">Search for a part of the address, the name or the id, or take a filter away.</Empty>
  ) : connectors.data?.length === 0 ? (
    <Empty
      title="No grants yet"
      actions={
        <LinkButton kind="primary" to={`/a/${application}/connectors`}>
          Set up a connector
        </LinkButton>
      }
    >
      A grant is one account that somebody gave access to. Its provider needs a connector first.
    </Empty>
  ) : (
    <Empty title="No grants yet" actions={create}>
      A grant is one account that somebody gave access to. Connect one of your own to try everything out.
    </Empty>
  )
  return (
    <Page title="Grants" lead="Accounts that people gave this application access to." actions={create}>
      <Filters>
        <TextFilter label="Search" name="search" placeholder="Address, name or id" />
        <ChoiceFilter label="State" name="status" options={statuses.map((each) => [each, each] as const)} />
        <ChoiceFilter
          label="Provider"
          name="provider"
          options={kinds.map((kind) => [kind, providerTitle(kind)] as const)}
        />
      </Filters>
      <Card>
        <PagedTable
          label="Grants"
          query={grants}
          lines={8}
          columns={columnsFor(application)}
          id={({ id }) => id}
          one="grant"
          none={none}
        />
      </Card>
      {creating && <NewGrant application={application} onClose={() => setCreating(false)} />}
    </Page>
  )
}
