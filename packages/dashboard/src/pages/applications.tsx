import type { ApplicationSummary } from '@waypost/sdk'
import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import { api } from '../api.ts'
import { Status } from '../components/badge.tsx'
import { Button } from '../components/button.tsx'
import { CopyText } from '../components/copy.tsx'
import { Dialog } from '../components/dialog.tsx'
import { Form, SelectField, TextField } from '../components/form.tsx'
import { Card, Page } from '../components/page.tsx'
import { Empty, Loaded } from '../components/states.tsx'
import { type Column, Table } from '../components/table.tsx'
import { Time } from '../components/time.tsx'
import { tell } from '../components/toast.tsx'
import { count } from '../format.ts'
import { refresh, useApplications } from '../queries.ts'

const columns: readonly Column<ApplicationSummary>[] = [
  {
    title: 'Name',
    cell: ({ application_id, branding }) => (
      <span className="main-cell wrap">
        <Link href={`/a/${application_id}`}>{branding.name}</Link>
        <CopyText inline text={application_id} label="Copy the application id" />
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
  { title: 'Created', kind: 'tight', cell: ({ created_at }) => <Time at={created_at} /> },
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
          const { data } = await api().adminApplications.create({
            body: { name: values.text('name') ?? '', environment },
          })
          await refresh('applications')
          return data
        }}
        onDone={({ application_id, branding }) => {
          tell(`${branding.name} was created`)
          navigate(`/a/${application_id}`)
        }}
      >
        <TextField
          label="Name"
          name="name"
          hint="People see it when they connect an account."
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

export function Applications() {
  const applications = useApplications()
  const [creating, setCreating] = useState(false)
  const create = (
    <Button kind="primary" onClick={() => setCreating(true)}>
      New application
    </Button>
  )
  return (
    <Page
      title="Applications"
      lead="Each has its own keys, connectors, grants and webhook destinations, and sees nothing of the others."
      actions={create}
    >
      <Card>
        <Loaded query={applications}>
          {(rows) =>
            rows.length === 0 ? (
              <Empty title="No applications yet" actions={create}>
                Create one to get an API key and connect accounts.
              </Empty>
            ) : (
              <Table label="Applications" rows={rows} columns={columns} id={({ application_id }) => application_id} />
            )
          }
        </Loaded>
      </Card>
      {creating && <NewApplication onClose={() => setCreating(false)} />}
    </Page>
  )
}
