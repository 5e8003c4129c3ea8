import type { Connector, Credential, CredentialType, ProviderKind } from '@waypost/sdk'
import { useState } from 'react'
import { api } from '../../api.ts'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { ConfirmButton } from '../../components/dialog.tsx'
import { AreaField, FieldError, SelectField, TextField } from '../../components/form.tsx'
import { FormDialog } from '../../components/form-dialog.tsx'
import { Card } from '../../components/page.tsx'
import { Empty, Loaded } from '../../components/states.tsx'
import { Table } from '../../components/table.tsx'
import { Time } from '../../components/time.tsx'
import { refresh, useData } from '../../queries.ts'

const types: readonly (readonly [CredentialType, string])[] = [
  ['connector', 'Another OAuth client'],
  ['serviceaccount', 'Service account'],
  ['adminconsent', 'Administrator consent'],
]
const titleOf = (type: CredentialType): string => types.find(([each]) => each === type)?.[1] ?? type

const notAnObject = 'Enter one JSON object, as in the file from the provider.'

/** Parses a form field as a JSON object; throws if it is none. */
function objectIn(text: string): Record<string, unknown> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new FieldError('credential_data', notAnObject)
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new FieldError('credential_data', notAnObject)
  }
  return { ...value }
}

function NewCredential({ application, kind, onClose }: { application: string; kind: ProviderKind; onClose(): void }) {
  return (
    <FormDialog
      title="New credential"
      onClose={onClose}
      submit="Add credential"
      onSubmit={async (values) => {
        const body = {
          name: values.text('name') ?? '',
          credential_type: (values.text('credential_type') ?? 'connector') as CredentialType,
          credential_data: objectIn(values.exact('credential_data')),
        }
        await api(application).credentials.create({ provider: kind, body })
      }}
      reload={() => refresh('credentials', application, kind)}
      done="Credential added"
    >
      <TextField label="Name" name="name" hint="Only you see this name." autoFocus />
      <SelectField label="Type" name="credential_type" options={types} />
      <AreaField
        label="Data"
        name="credential_data"
        mono
        rows={6}
        hint='JSON: {"client_id":…, "client_secret":…}, or the key file of a service account. Stored encrypted and never shown again.'
      />
    </FormDialog>
  )
}

function Remove({
  application,
  kind,
  credential,
}: {
  application: string
  kind: ProviderKind
  credential: Credential
}) {
  return (
    <ConfirmButton
      small
      label="Delete"
      title={`Delete ${credential.name}?`}
      confirm="Delete credential"
      onConfirm={() => api(application).credentials.delete({ provider: kind, id: credential.id })}
      reload={() => refresh('credentials', application, kind)}
      done={`${credential.name} was deleted`}
    >
      <p>Grants that use it stop working immediately.</p>
    </ConfirmButton>
  )
}

/** Additional OAuth clients and service accounts of a connector. */
export function Credentials({
  application,
  kind,
  connector,
}: {
  application: string
  kind: ProviderKind
  connector: Connector
}) {
  const [adding, setAdding] = useState(false)
  const credentials = useData(['credentials', application, kind], (signal) =>
    api(application).credentials.list({ provider: kind, query: { limit: 200 }, signal }),
  )
  const add = (
    <Button changes onClick={() => setAdding(true)}>
      Add credential
    </Button>
  )
  return (
    <Card title="Credentials" lead="More OAuth clients and service accounts for grants that name them." actions={add}>
      <Loaded query={credentials}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty title="No credentials">Accounts connect through the client above.</Empty>
          ) : (
            <Table
              label="Credentials"
              rows={rows}
              id={({ id }) => id}
              columns={[
                {
                  title: 'Name',
                  cell: ({ id, name }) => (
                    <span className="main-cell wrap">
                      {name}
                      <code className="quiet">{id}</code>
                    </span>
                  ),
                },
                { title: 'Type', cell: ({ credential_type }) => titleOf(credential_type) },
                {
                  title: 'Use',
                  cell: ({ id }) => id === connector.active_credential_id && <Badge tone="good">active</Badge>,
                },
                { title: 'Added', cell: ({ created_at }) => <Time at={created_at} /> },
              ]}
              actions={(credential) => <Remove {...{ application, kind, credential }} />}
            />
          )
        }
      </Loaded>
      {adding && <NewCredential {...{ application, kind }} onClose={() => setAdding(false)} />}
    </Card>
  )
}
