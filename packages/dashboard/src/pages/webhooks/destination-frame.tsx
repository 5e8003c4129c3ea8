/** The frame around the pages of one destination: name, status, actions and tabs. */
import { type ReactNode, useState } from 'react'
import { useLocation } from 'wouter'
import { api } from '../../api.ts'
import { Badge, Status } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { ActionButton, ConfirmButton } from '../../components/dialog.tsx'
import { Card, Page, Tabs } from '../../components/page.tsx'
import { ErrorNote, Loaded } from '../../components/states.tsx'
import { showToast } from '../../components/toast.tsx'
import { refresh } from '../../queries.ts'
import '../../styles/webhooks.css'
import {
  type Destination,
  deleteDestination,
  isChannel,
  placeOf,
  setStatus,
  transportNames,
  useDestinations,
} from '../../destinations.ts'
import { EditDestination } from './edit-destination.tsx'
import { Secret } from './secret.tsx'

function Actions({ application, destination }: { application: string; destination: Destination }) {
  const [, navigate] = useLocation()
  const [editing, setEditing] = useState(false)
  const [secret, setSecret] = useState<string>()
  const { id, status } = destination
  const set = (value: 'active' | 'pause') => async () => {
    await setStatus(application, destination, value)
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
      {!isChannel(destination) && (
        <ConfirmButton
          danger={false}
          label="Rotate secret"
          title="Rotate the secret?"
          confirm="Rotate"
          onConfirm={async () => setSecret((await api(application).webhooks.rotateSecret({ id })).data.webhook_secret)}
        >
          <p>Both secrets sign for 24 hours, so you have time to update your receiver.</p>
        </ConfirmButton>
      )}
      <ConfirmButton
        label="Delete"
        title="Delete this destination?"
        onConfirm={async () => {
          await deleteDestination(application, destination)
          showToast('Destination deleted')
          navigate(`/a/${application}/webhooks`)
          await refresh('webhooks', application)
        }}
      >
        <p>Waiting notifications are not sent, and its delivery log is deleted.</p>
      </ConfirmButton>
      {editing && <EditDestination {...{ application, destination }} onClose={() => setEditing(false)} />}
      {secret !== undefined && <Secret title="The new secret" secret={secret} onClose={() => setSecret(undefined)} />}
    </>
  )
}

const trouble: Partial<Record<Destination['status'], string>> = {
  failing: 'Most deliveries fail. The service retries them and stops if this continues.',
  failed: 'The service stopped sending after too many failures. Activate it, then replay failed notifications.',
  pause:
    'Nothing is sent while it is paused. Waiting notifications stay. New changes are not queued, but you can replay them.',
}

/** Test events and signatures exist only for webhooks. */
const tabs = {
  deliveries: { path: '', text: 'Deliveries' },
  test: { path: '/test', text: 'Test event' },
  signatures: { path: '/signatures', text: 'Signatures' },
} as const

export function DestinationFrame({
  application,
  id,
  current,
  children,
}: {
  application: string
  id: string
  current: keyof typeof tabs
  children(destination: Destination): ReactNode
}) {
  const query = useDestinations(application, { refetchInterval: 15_000 })
  const back = { to: `/a/${application}/webhooks`, label: 'Destinations' }
  const destination = query.data?.find((each) => each.id === id)
  if (!destination) {
    return (
      <Page title="Destination" back={back}>
        <Card>
          <Loaded query={query}>
            {() => (
              <div className="card-body">
                <ErrorNote error={new Error('No destination has this ID. It may have been deleted.')} />
              </div>
            )}
          </Loaded>
        </Card>
      </Page>
    )
  }
  return (
    <Page
      title={destination.description || placeOf(destination)}
      back={back}
      lead={
        <span className="tags">
          <Badge plain>{transportNames[destination.transport]}</Badge>
          <Status of={destination.status} />
        </span>
      }
      actions={<Actions application={application} destination={destination} />}
    >
      {!isChannel(destination) && (
        <Tabs
          label="Parts of the destination"
          tabs={Object.entries(tabs).map(([name, { path, text }]) => ({
            to: `/a/${application}/webhooks/${id}${path}`,
            text,
            current: name === current,
          }))}
        />
      )}
      {trouble[destination.status] && (
        <div className="note warn">
          <strong>{trouble[destination.status]}</strong>
        </div>
      )}
      {children(destination)}
    </Page>
  )
}
