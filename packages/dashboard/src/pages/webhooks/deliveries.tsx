/** Waiting and permanently failed notifications of a destination, and their replay. */
import type { Trigger } from '@waypost/sdk'
import { useState } from 'react'
import { api } from '../../api.ts'
import { Status } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { ActionButton, ConfirmButton } from '../../components/dialog.tsx'
import { Card } from '../../components/page.tsx'
import { Empty } from '../../components/states.tsx'
import { PagedTable } from '../../components/table.tsx'
import { Time } from '../../components/time.tsx'
import { now } from '../../format.ts'
import { usePages } from '../../queries.ts'
import { atMost, DeliverNow, useBacklog } from './backlog.tsx'
import { ReplayDialog, replay } from './replay.tsx'

function Actions({ application, id, triggers }: DeliveriesProps) {
  const [replaying, setReplaying] = useState(false)
  const { data } = useBacklog(application, id)
  const failed = data?.failed ?? 0
  return (
    <>
      <DeliverNow {...{ application, id }} />
      {failed > 0 && (
        <ConfirmButton
          small
          danger={false}
          label={`Replay all failed (${atMost(failed)})`}
          title="Replay all failed notifications?"
          confirm="Replay"
          onConfirm={() => replay(application, id, { failed: true })}
        >
          <p>
            All permanently failed notifications ({atMost(failed)}) are sent again. IDs stay the same, so receivers can
            detect duplicates.
          </p>
        </ConfirmButton>
      )}
      <Button small changes onClick={() => setReplaying(true)}>
        Replay…
      </Button>
      {replaying && <ReplayDialog {...{ application, id, triggers }} onClose={() => setReplaying(false)} />}
    </>
  )
}

interface DeliveriesProps {
  application: string
  id: string
  triggers: readonly Trigger[]
}

export function Deliveries({ application, id, triggers }: DeliveriesProps) {
  const deliveries = usePages(
    ['webhooks', application, id, 'deliveries'],
    (page_token, signal) => api(application).deliveries.list({ id, query: { limit: 20, page_token }, signal }),
    { refetchInterval: 5_000 },
  )
  return (
    <Card
      title="Not delivered"
      lead="Notifications waiting for a retry or permanently failed."
      actions={<Actions {...{ application, id, triggers }} />}
    >
      <PagedTable
        label="Not delivered"
        query={deliveries}
        lines={3}
        id={({ notification_id }) => notification_id}
        columns={[
          {
            title: 'Notification',
            cell: ({ type, notification_id }) => (
              <span className="main-cell">
                <code>{type}</code>
                <code className="quiet small wrap">{notification_id}</code>
              </span>
            ),
          },
          { title: 'State', cell: ({ state }) => <Status of={state} /> },
          { title: 'Attempts', kind: 'end', cell: ({ attempts }) => attempts },
          {
            title: 'Next attempt',
            cell: ({ next_attempt_at: at }) => (at !== null && at <= now() ? 'due' : <Time at={at} none="none" />),
          },
        ]}
        actions={({ notification_id }) => (
          <ActionButton small changes label="Replay" onAct={() => replay(application, id, { notification_id })} />
        )}
        one="notification"
        none={<Empty title="No waiting or failed notifications" />}
      />
    </Card>
  )
}
