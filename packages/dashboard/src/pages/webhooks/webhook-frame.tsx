/** The frame around the pages of one destination: name, status, actions and tabs. */
import { useQuery } from '@tanstack/react-query'
import type { Webhook } from '@waypost/sdk'
import { type ReactNode, useState } from 'react'
import { useLocation } from 'wouter'
import { api } from '../../api.ts'
import { Status } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { ActionButton, ConfirmButton } from '../../components/dialog.tsx'
import { Card, Page, Tabs } from '../../components/page.tsx'
import { Loaded } from '../../components/states.tsx'
import { showToast } from '../../components/toast.tsx'
import { refresh } from '../../queries.ts'
import '../../styles/webhooks.css'
import { EditWebhook } from './edit-webhook.tsx'
import { Secret } from './secret.tsx'

function Actions({ application, webhook }: { application: string; webhook: Webhook }) {
  const [, navigate] = useLocation()
  const [editing, setEditing] = useState(false)
  const [secret, setSecret] = useState<string>()
  const { id, status } = webhook
  const set = (value: 'active' | 'pause') => async () => {
    await api(application).webhooks.update({ id, body: { status: value } })
    await refresh('webhooks', application)
    showToast(value === 'active' ? 'Destination activated' : 'Destination paused')
  }
  return (
    <>
      {status === 'pause' || status === 'failed' ? (
        <ActionButton changes kind="primary" label="Activate" busyLabel="Verifying…" onAct={set('active')} />
      ) : (
        <ActionButton changes label="Pause" onAct={set('pause')} />
      )}
      <Button changes onClick={() => setEditing(true)}>
        Change
      </Button>
      <ConfirmButton
        danger={false}
        label="Rotate secret"
        title="Rotate the secret?"
        confirm="Rotate"
        onConfirm={async () => setSecret((await api(application).webhooks.rotateSecret({ id })).data.webhook_secret)}
      >
        <p>Both secrets sign for 24 hours, so you have time to update your receiver.</p>
      </ConfirmButton>
      <ConfirmButton
        label="Delete"
        title="Delete this destination?"
        confirm="Delete"
        onConfirm={async () => {
          await api(application).webhooks.delete({ id })
          await refresh('webhooks', application)
          showToast('Destination deleted')
          navigate(`/a/${application}/webhooks`)
        }}
      >
        <p>Waiting notifications are not sent, and its delivery log is deleted.</p>
      </ConfirmButton>
      {editing && <EditWebhook {...{ application, webhook }} onClose={() => setEditing(false)} />}
      {secret !== undefined && <Secret title="The new secret" secret={secret} onClose={() => setSecret(undefined)} />}
    </>
  )
}

const trouble: Partial<Record<Webhook['status'], string>> = {
  failing: 'Most deliveries fail. The service retries them and stops if this continues.',
  failed: 'The service stopped sending after too many failures. Activate it, then replay failed notifications.',
  pause:
    'Nothing is sent while it is paused. Waiting notifications stay. New changes are not queued, but you can replay them.',
}

const tabs = {
  deliveries: { path: '', text: 'Deliveries' },
  test: { path: '/test', text: 'Test event' },
  signatures: { path: '/signatures', text: 'Signatures' },
} as const

export function WebhookFrame({
  application,
  id,
  current,
  children,
}: {
  application: string
  id: string
  current: keyof typeof tabs
  children(webhook: Webhook): ReactNode
}) {
  const query = useQuery({
    queryKey: ['webhooks', application, id],
    queryFn: async ({ signal }) => (await api(application).webhooks.get({ id, signal })).data,
    refetchInterval: 15_000,
  })
  const back = { to: `/a/${application}/webhooks`, label: 'Webhooks' }
  const webhook = query.data
  if (!webhook) {
    return (
      <Page title="Destination" back={back}>
        <Card>
          <Loaded query={query}>{() => null}</Loaded>
        </Card>
      </Page>
    )
  }
  return (
    <Page
      title={webhook.description || webhook.webhook_url}
      back={back}
      lead={
        <span className="tags">
          <Status of={webhook.status} />
        </span>
      }
      actions={<Actions application={application} webhook={webhook} />}
    >
      <Tabs
        label="Parts of the destination"
        tabs={Object.entries(tabs).map(([name, { path, text }]) => ({
          to: `/a/${application}/webhooks/${id}${path}`,
          text,
          current: name === current,
        }))}
      />
      {trouble[webhook.status] && (
        <div className="note warn">
          <strong>{trouble[webhook.status]}</strong>
        </div>
      )}
      {children(webhook)}
    </Page>
  )
}
