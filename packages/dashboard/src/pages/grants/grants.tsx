import type { AdminGrant } from '@waypost/sdk'
import { useState } from 'react'
import { Link, useSearchParams } from 'wouter'
import { api } from '../../api.ts'
import { Status } from '../../components/badge.tsx'
import { Button, LinkButton } from '../../components/button.tsx'
import { SelectField, TextField } from '../../components/form.tsx'
import { Card, Page } from '../../components/page.tsx'
import { Empty, Loaded } from '../../components/states.tsx'
import { type Column, MoreRows, Table } from '../../components/table.tsx'
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

/** The filters stand in the address, so that they outlive a look at a grant and can be sent to others. */
function useFilters() {
  const [params, setParams] = useSearchParams()
  const set = (name: string, value: string): void =>
    setParams(
      (before) => {
        const after = new URLSearchParams(before)
        if (value === '') after.delete(name)
        else after.set(name, value)
        return after
      },
      { replace: true },
    )
  const read = (name: string): string => params.get(name) ?? ''
  return { search: read('search'), status: read('status'), provider: read('provider'), set }
}

export function Grants({ application }: { application: string }) {
  const [creating, setCreating] = useState(false)
  const { search, status, provider, set } = useFilters()
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
      <search className="filters">
        <TextField
          wide
          required={false}
          label="Search"
          name="search"
          type="search"
          placeholder="Address, name or id"
          value={search}
          onChange={(event) => set('search', event.currentTarget.value)}
        />
        <SelectField
          label="State"
          name="status"
          value={status}
          onChange={(value) => set('status', value)}
          options={[['', 'All'], ...statuses.map((each) => [each, each] as const)]}
        />
        <SelectField
          label="Provider"
          name="provider"
          value={provider}
          onChange={(value) => set('provider', value)}
          options={[['', 'All'], ...kinds.map((kind) => [kind, providerTitle(kind)] as const)]}
        />
      </search>
      <Card>
        <Loaded query={grants} lines={8}>
          {(rows) =>
            rows.length === 0 ? (
              none
            ) : (
              <>
                <Table label="Grants" rows={rows} columns={columnsFor(application)} id={({ id }) => id} />
                <MoreRows shown={rows.length} one="grant" more={grants} />
              </>
            )
          }
        </Loaded>
      </Card>
      {creating && <NewGrant application={application} onClose={() => setCreating(false)} />}
    </Page>
  )
}
