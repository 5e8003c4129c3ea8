/** Service accounts: programs that administer the service with signed requests. Only owners see this page. */
import type { ServiceAccount } from '@waypost/sdk'
import { api } from '../../api.ts'
import { Status } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { ActionButton, ConfirmButton } from '../../components/dialog.tsx'
import { Card, Page } from '../../components/page.tsx'
import { Empty, Loaded } from '../../components/states.tsx'
import { Table } from '../../components/table.tsx'
import { Time } from '../../components/time.tsx'
import { showToast } from '../../components/toast.tsx'
import { useOpened } from '../../list/address.ts'
import { refresh, useData } from '../../queries.ts'
import { useRights } from '../../rights.ts'
import { ReachedNames } from '../account/profile.tsx'
import { NewServiceAccount } from './new-service-account.tsx'

function Actions({ account }: { account: ServiceAccount }) {
  const { id: service_account_id, name, status } = account
  const block = (blocked: boolean) => async () => {
    await api().serviceAccounts.update({ service_account_id, body: { blocked } })
    await refresh('service-accounts')
    showToast(blocked ? 'Service account blocked' : 'Service account unblocked')
  }
  return (
    <span className="actions">
      {status === 'active' && <ActionButton small label="Block" onAct={block(true)} />}
      {status === 'blocked' && <ActionButton small label="Unblock" onAct={block(false)} />}
      <ConfirmButton
        small
        label="Remove"
        title={`Remove ${name}?`}
        onConfirm={() => api().serviceAccounts.delete({ service_account_id })}
        reload={() => refresh('service-accounts')}
        done="Service account removed"
      >
        <p>Its signatures are refused at once. API keys that it created stay valid.</p>
      </ConfirmButton>
    </span>
  )
}

function List() {
  const [creating, setCreating] = useOpened()
  const query = useData(['service-accounts'], (signal) => api().serviceAccounts.list({ signal }))
  const create = (
    <Button kind="primary" onClick={() => setCreating(true)}>
      New service account
    </Button>
  )
  return (
    <Page
      title="Service accounts"
      lead="Programs that administer the service. They sign each request with a key that the service does not have."
      actions={create}
    >
      <Card>
        <Loaded query={query}>
          {(accounts) =>
            accounts.length === 0 ? (
              <Empty title="No service accounts yet" actions={create}>
                A service account creates API keys and applications for your own tools, without a password.
              </Empty>
            ) : (
              <Table
                label="Service accounts"
                rows={accounts}
                id={({ id }) => id}
                columns={[
                  {
                    title: 'Name',
                    cell: ({ id, name }) => (
                      <span className="main-cell wrap">
                        <strong>{name}</strong>
                        <code className="quiet small">{id}</code>
                      </span>
                    ),
                  },
                  { title: 'State', kind: 'tight', cell: ({ status }) => <Status of={status} /> },
                  {
                    title: 'Permissions',
                    cell: ({ permissions }) => (
                      <ul className="tags">
                        {permissions.map((each) => (
                          <li key={each} className="tag">
                            {each}
                          </li>
                        ))}
                      </ul>
                    ),
                  },
                  { title: 'Applications', cell: ({ applications }) => <ReachedNames applications={applications} /> },
                  { title: 'Last used', kind: 'tight', cell: ({ last_used_at }) => <Time at={last_used_at} /> },
                  {
                    title: 'Expires',
                    kind: 'tight',
                    cell: ({ expires_at }) => <Time at={expires_at} none="never" />,
                  },
                ]}
                actions={(account) => <Actions account={account} />}
              />
            )
          }
        </Loaded>
      </Card>
      {creating && <NewServiceAccount onClose={() => setCreating(false)} />}
    </Page>
  )
}

export function ServiceAccounts() {
  if (useRights().people) return <List />
  return (
    <Page title="Service accounts">
      <Card>
        <Empty title="Owners only">Only owners can see and manage service accounts. Ask an owner.</Empty>
      </Card>
    </Page>
  )
}
