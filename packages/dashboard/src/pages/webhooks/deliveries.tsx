/** What waits for a destination, or failed for good; and sending it again. */
import { useQuery } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { Status } from '../../components/badge.tsx'
import { ActionButton, ConfirmButton } from '../../components/dialog.tsx'
import { Card } from '../../components/page.tsx'
import { Empty } from '../../components/states.tsx'
import { PagedTable } from '../../components/table.tsx'
import { Time } from '../../components/time.tsx'
import { tell } from '../../components/toast.tsx'
import { plural } from '../../format.ts'
import { refresh, usePages } from '../../queries.ts'

export async function replay(
  application: string,
  id: string,
  body: { notification_id: string } | { failed: true },
): Promise<void> {
  const { data } = await api(application).deliveries.replay({ id, body })
  await refresh('webhooks', application, id)
  tell(`${plural(data.replayed, 'notification')} will be delivered again`)
}

const maxCounted = 200

/** Sends what waits for its next try at once, and says how much that is. */
function DeliverNow({ application, id }: { application: string; id: string }) {
  const waiting = useQuery({
    queryKey: ['webhooks', application, id, 'waiting'],
    queryFn: async ({ signal }) => {
      const query = { limit: maxCounted, state: 'waiting' } as const
      const { data, nextCursor } = await api(application).deliveries.list({ id, query, signal })
      const now = Date.now() / 1000
      return {
        count: data.filter(({ next_attempt_at: at }) => at !== null && at > now).length,
        more: nextCursor !== undefined,
      }
    },
    refetchInterval: 5_000,
  })
  const { count = 0, more = false } = waiting.data ?? {}
  if (count === 0 && !more) return null
  return (
    <ActionButton
      small
      kind="primary"
      label={`Deliver what waits now (${more ? `${maxCounted} and more` : count})`}
      busyLabel="Making it due…"
      onAct={async () => {
        const { data } = await api(application).deliveries.deliverNow({ id })
        await refresh('webhooks', application, id)
        tell(`${plural(data.due, 'notification')} will be delivered now${data.more ? '; more wait: press again' : ''}`)
      }}
    />
  )
}

export function Deliveries({ application, id }: { application: string; id: string }) {
  const deliveries = usePages(
    ['webhooks', application, id, 'deliveries'],
    (page_token, signal) => api(application).deliveries.list({ id, query: { limit: 20, page_token }, signal }),
    { refetchInterval: 5_000 },
  )
  return (
    <Card
      title="Not delivered"
      lead="What waits for another try, and what failed for good."
      actions={
        <>
          <DeliverNow {...{ application, id }} />
          <ConfirmButton
            small
            danger={false}
            label="Replay all failed"
            title="Deliver all that failed again?"
            confirm="Replay"
            onConfirm={() => replay(application, id, { failed: true })}
          >
            <p>
              Everything that failed for good is sent once more. Ids stay the same, so that a listener knows what it
              has.
            </p>
          </ConfirmButton>
        </>
      }
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
          { title: 'Next attempt', cell: ({ next_attempt_at }) => <Time at={next_attempt_at} none="none" /> },
        ]}
        actions={({ notification_id }) => (
          <ActionButton small label="Replay" onAct={() => replay(application, id, { notification_id })} />
        )}
        one="notification"
        none={<Empty title="Nothing waits, nothing failed" />}
      />
    </Card>
  )
}
