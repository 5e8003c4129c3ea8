/** The API keys that a person created. They stay valid when the person is blocked or removed. */
import type { ApiKey, Person } from '@waypost/sdk'
import { Link } from 'wouter'
import { api } from '../../api.ts'
import { ConfirmButton } from '../../components/dialog.tsx'
import { Card } from '../../components/page.tsx'
import { Empty, Loaded } from '../../components/states.tsx'
import { Table } from '../../components/table.tsx'
import { Time } from '../../components/time.tsx'
import { showToast } from '../../components/toast.tsx'
import { plural } from '../../format.ts'
import { refresh, useApplicationNames, useData } from '../../queries.ts'

export const useCreatedKeys = (id: string) =>
  useData(['people', id, 'api-keys'], (signal) => api().people.keys({ person_id: id, signal }))

/** A check box for dialogs that revokes the person's keys. Renders nothing if there are none. */
export function RevokeKeysField({
  id,
  revoke,
  onChange,
}: {
  id: string
  revoke: boolean
  onChange(revoke: boolean): void
}) {
  const keys = useCreatedKeys(id)
  const names = useApplicationNames([...new Set(keys.data?.map((key) => key.application_id))])
  if (keys.data?.length === 0) return null
  return (
    <Loaded query={keys} lines={2}>
      {(created) => (
        <div className="stack">
          <p>
            {plural(created.length, 'API key')} that this person created {created.length === 1 ? 'is' : 'are'} still
            valid:
          </p>
          <ul className="created-keys" aria-label="API keys that this person created">
            {created.map((key) => (
              <li key={key.id} className="wrap">
                {key.name} <code className="quiet">{key.hint}</code>{' '}
                <span className="quiet">{names.data?.get(key.application_id)}</span>
              </li>
            ))}
          </ul>
          <label className="check">
            <input type="checkbox" checked={revoke} onChange={(event) => onChange(event.target.checked)} />
            <span>
              Revoke {created.length === 1 ? 'this key' : 'these keys'}
              <span className="hint">Services that use them are refused immediately. This cannot be undone.</span>
            </span>
          </label>
        </div>
      )}
    </Loaded>
  )
}

function KeyTable({ keys }: { keys: readonly ApiKey[] }) {
  const names = useApplicationNames([...new Set(keys.map((key) => key.application_id))])
  return (
    <Table
      label="API keys that this person created"
      rows={keys}
      id={({ id }) => id}
      columns={[
        {
          title: 'Name',
          cell: ({ name, hint }) => (
            <span className="main-cell wrap">
              {name}
              <code className="quiet">{hint}</code>
            </span>
          ),
        },
        {
          title: 'Application',
          cell: ({ application_id: id }) => <Link href={`/a/${id}/api-keys`}>{names.data?.get(id) ?? id}</Link>,
        },
        { title: 'Last used', kind: 'tight', cell: ({ last_used_at }) => <Time at={last_used_at} /> },
        { title: 'Created', kind: 'tight', cell: ({ created_at }) => <Time at={created_at} /> },
      ]}
    />
  )
}

/** The keys on the page of a person. */
export function CreatedKeysCard({ person: { id, name } }: { person: Person }) {
  const keys = useCreatedKeys(id)
  return (
    <Card
      title="API keys"
      lead="Valid keys that this person created. They stay valid when the person is blocked or removed."
      actions={
        (keys.data?.length ?? 0) > 0 && (
          <ConfirmButton
            label="Revoke all"
            title={`Revoke the API keys that ${name} created?`}
            confirm="Revoke keys"
            onConfirm={async () => {
              const { data } = await api().people.revokeKeys({ person_id: id })
              await Promise.all([refresh('people', id), refresh('api-keys')])
              showToast(`${plural(data.api_keys.length, 'key')} revoked`)
            }}
          >
            <p>Services that use them are refused immediately on every node. This cannot be undone.</p>
          </ConfirmButton>
        )
      }
    >
      <Loaded query={keys} lines={2}>
        {(created) => (created.length === 0 ? <Empty title="No valid keys" /> : <KeyTable keys={created} />)}
      </Loaded>
    </Card>
  )
}
