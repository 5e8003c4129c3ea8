import { useQuery } from '@tanstack/react-query'
import type { Webhook } from '@waypost/sdk'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { api } from '../../api.ts'
import { Status } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { BarChart } from '../../components/chart.tsx'
import { CopyText } from '../../components/copy.tsx'
import { ActionButton, ConfirmButton } from '../../components/dialog.tsx'
import { SelectField } from '../../components/form.tsx'
import { Card, Facts, Page } from '../../components/page.tsx'
import { Loaded } from '../../components/states.tsx'
import { Time } from '../../components/time.tsx'
import { tell } from '../../components/toast.tsx'
import { clockTime, dayTime } from '../../format.ts'
import { refresh } from '../../queries.ts'
import { Attempts } from './attempts.tsx'
import { Deliveries } from './deliveries.tsx'
import { EditWebhook } from './edit-webhook.tsx'
import { Secret } from './secret.tsx'

function HealthCard({ application, id }: { application: string; id: string }) {
  const [hours, setHours] = useState('24')
  const query = useQuery({
    queryKey: ['webhooks', application, id, 'health', Number(hours)],
    queryFn: async ({ signal }) =>
      (await api(application).webhooks.health({ id, query: { hours: Number(hours) }, signal })).data,
    refetchInterval: 30_000,
    placeholderData: (before) => before,
  })
  const label = Number(hours) > 24 ? dayTime : clockTime
  return (
    <Card
      title="Attempts over time"
      actions={
        <SelectField
          label="Range"
          name="hours"
          value={hours}
          onChange={setHours}
          options={[
            ['6', '6 hours'],
            ['24', '24 hours'],
            ['168', '7 days'],
            ['720', '30 days'],
          ]}
        />
      }
    >
      <Loaded query={query}>
        {(figures) => (
          <div className="card-body">
            <BarChart
              title={Number(hours) > 6 ? 'By the hour' : 'By the quarter of an hour'}
              labels={figures.map(({ at }) => label(at))}
              series={[
                { name: 'Delivered', colour: 3, values: figures.map(({ delivered }) => delivered) },
                { name: 'Failed', colour: 2, values: figures.map(({ failed }) => failed) },
              ]}
            />
          </div>
        )}
      </Loaded>
    </Card>
  )
}

function Actions({ application, webhook }: { application: string; webhook: Webhook }) {
  const [, navigate] = useLocation()
  const [editing, setEditing] = useState(false)
  const [secret, setSecret] = useState<string>()
  const { id, status } = webhook
  const set = (value: 'active' | 'pause') => async () => {
    await api(application).webhooks.update({ id, body: { status: value } })
    await refresh('webhooks', application)
    tell(value === 'active' ? 'The destination is active' : 'The destination is paused')
  }
  return (
    <>
      {status === 'pause' || status === 'failed' ? (
        <ActionButton kind="primary" label="Activate" busyLabel="Asking the listener…" onAct={set('active')} />
      ) : (
        <ActionButton label="Pause" onAct={set('pause')} />
      )}
      <Button onClick={() => setEditing(true)}>Change</Button>
      <ConfirmButton
        danger={false}
        label="Rotate secret"
        title="Give this destination a new secret?"
        confirm="Rotate"
        onConfirm={async () => setSecret((await api(application).webhooks.rotateSecret({ id })).data.webhook_secret)}
      >
        <p>The old secret signs beside the new one for 24 hours, so that your listener can be changed in peace.</p>
      </ConfirmButton>
      <ConfirmButton
        label="Delete"
        title="Delete this destination?"
        confirm="Delete"
        onConfirm={async () => {
          await api(application).webhooks.delete({ id })
          await refresh('webhooks', application)
          tell('The destination was deleted')
          navigate(`/a/${application}/webhooks`)
        }}
      >
        <p>What waits for it is not sent any more, and the log of its deliveries goes with it.</p>
      </ConfirmButton>
      {editing && <EditWebhook {...{ application, webhook }} onClose={() => setEditing(false)} />}
      {secret !== undefined && <Secret title="The new secret" secret={secret} onClose={() => setSecret(undefined)} />}
    </>
  )
}

const trouble: Partial<Record<Webhook['status'], string>> = {
  failing: 'Most deliveries fail. They are tried again, and the destination is given up when this goes on.',
  failed: 'It was given up after failing too long. What changes is kept: activate it, then replay what failed.',
  pause: 'Nothing is sent while it is paused; what changes meanwhile waits.',
}

export function WebhookPage({ application, id }: { application: string; id: string }) {
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
      {trouble[webhook.status] && (
        <div className="note warn">
          <strong>{trouble[webhook.status]}</strong>
        </div>
      )}
      <Card>
        <div className="card-body stack">
          <Facts
            rows={[
              ['Address', <CopyText key="url" inline text={webhook.webhook_url} label="Copy the address" />],
              ['In this state since', <Time key="since" at={webhook.status_updated_at} />],
              ['Written to on failure', webhook.notification_email_addresses.join(', ') || 'nobody'],
              ['Bodies', webhook.compressed_delivery ? 'compressed (gzip)' : 'as they are'],
            ]}
          />
          <ul className="tags">
            {webhook.trigger_types.map((name) => (
              <li key={name} className="tag">
                {name}
              </li>
            ))}
          </ul>
        </div>
      </Card>
      <HealthCard application={application} id={id} />
      <Deliveries application={application} id={id} />
      <Attempts application={application} id={id} />
    </Page>
  )
}
