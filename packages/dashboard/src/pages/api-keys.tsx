import { useQuery } from '@tanstack/react-query'
import type { ApiKey, NewApiKey } from '@waypost/sdk'
import { useState } from 'react'
import { api } from '../api.ts'
import { Status } from '../components/badge.tsx'
import { Button } from '../components/button.tsx'
import { ConfirmButton, Dialog } from '../components/dialog.tsx'
import { Form, TextField } from '../components/form.tsx'
import { Card, Page } from '../components/page.tsx'
import { ShownOnce } from '../components/shown-once.tsx'
import { Empty, Loaded } from '../components/states.tsx'
import { Table } from '../components/table.tsx'
import { Time } from '../components/time.tsx'
import { tell } from '../components/toast.tsx'
import { refresh } from '../queries.ts'

function NewKey({ application, onClose }: { application: string; onClose(): void }) {
  const [made, setMade] = useState<NewApiKey>()
  if (made) {
    return (
      <ShownOnce title="Your new API key" secret={made.api_key} label="Copy the API key" onClose={onClose}>
        Copy it now: it is shown this once, and only its beginning is kept in sight.
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
        <TextField label="Name" name="name" hint="What it is for, such as the service that holds it." autoFocus />
        <TextField
          label="Expires after"
          name="expires_in"
          type="number"
          min={1}
          max={36_500}
          optional
          hint="In days. It never expires when this is empty."
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
        tell(`${apiKey.name} was revoked`)
      }}
    >
      <p>
        Requests with <code>{apiKey.hint}…</code> are refused from now on, on every node. This cannot be undone.
      </p>
    </ConfirmButton>
  )
}

export function ApiKeys({ application }: { application: string }) {
  const [creating, setCreating] = useState(false)
  const keys = useQuery({
    queryKey: ['api-keys', application],
    queryFn: async ({ signal }) => (await api().apiKeys.list({ application_id: application, signal })).data,
  })
  const create = (
    <Button kind="primary" onClick={() => setCreating(true)}>
      New API key
    </Button>
  )
  return (
    <Page title="API keys" lead="Your own services call the API with a key of the application." actions={create}>
      <Card>
        <Loaded query={keys}>
          {(rows) =>
            rows.length === 0 ? (
              <Empty title="No API keys" actions={create}>
                Nothing can call the API for this application until there is one.
              </Empty>
            ) : (
              <Table
                label="API keys"
                rows={rows}
                id={({ id }) => id}
                columns={[
                  {
                    title: 'Name',
                    cell: (key) => (
                      <span className="main-cell wrap">
                        {key.name}
                        <code className="quiet">{key.hint}…</code>
                      </span>
                    ),
                  },
                  { title: 'State', cell: ({ status }) => <Status of={status} /> },
                  { title: 'Last used', cell: ({ last_used_at }) => <Time at={last_used_at} /> },
                  { title: 'Expires', cell: ({ expires_at }) => <Time at={expires_at} /> },
                  { title: 'Created', cell: ({ created_at }) => <Time at={created_at} /> },
                ]}
                actions={(key) => key.status === 'active' && <Revoke apiKey={key} />}
              />
            )
          }
        </Loaded>
      </Card>
      {creating && <NewKey application={application} onClose={() => setCreating(false)} />}
    </Page>
  )
}
