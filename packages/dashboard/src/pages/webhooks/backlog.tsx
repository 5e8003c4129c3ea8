/** The backlog of a destination, and the button that delivers it now. */
import { useQueries, useQuery } from '@tanstack/react-query'
import type { Backlog } from '@waypost/sdk'
import { api } from '../../api.ts'
import { ActionButton } from '../../components/dialog.tsx'
import { showToast } from '../../components/toast.tsx'
import type { Destination } from '../../destinations.ts'
import { count, plural } from '../../format.ts'
import { refresh } from '../../queries.ts'

const max = 10_000
export const atMost = (value: number): string => (value >= max ? `${count(max)}+` : count(value))

const backlogOf = (application: string, id: string) => ({
  queryKey: ['webhooks', application, id, 'backlog'],
  queryFn: async ({ signal }: { signal: AbortSignal }): Promise<Backlog> =>
    (await api(application).deliveries.backlog({ id, signal })).data,
  refetchInterval: 5_000,
})

export const useBacklog = (application: string, id: string) => useQuery(backlogOf(application, id))

const again = (more: boolean): string => (more ? '. More are waiting: press again' : '')

export function DeliverNow({ application, id }: { application: string; id: string }) {
  const { data } = useBacklog(application, id)
  if (!data || data.later === 0) return null
  return (
    <ActionButton
      small
      changes
      kind="primary"
      label={`Deliver waiting now (${atMost(data.later)})`}
      busyLabel="Scheduling…"
      onAct={async () => {
        const made = (await api(application).deliveries.deliverNow({ id })).data
        await refresh('webhooks', application, id)
        showToast(`${plural(made.due, 'notification')} will be delivered now${again(made.more)}`)
      }}
    />
  )
}

/** The same for all destinations of the application. */
export function DeliverAllNow({
  application,
  destinations,
}: {
  application: string
  destinations: readonly Destination[]
}) {
  const served = destinations.filter(({ status }) => status === 'active' || status === 'failing')
  const later = useQueries({
    queries: served.map(({ id }) => backlogOf(application, id)),
    combine: (results) => results.reduce((sum, { data }) => sum + (data?.later ?? 0), 0),
  })
  if (later === 0) return null
  return (
    <ActionButton
      changes
      label={`Deliver waiting now (${atMost(later)})`}
      busyLabel="Scheduling…"
      onAct={async () => {
        const made = (await api(application).deliveries.deliverAllNow()).data
        await refresh('webhooks', application)
        const where = plural(made.destinations, 'destination')
        showToast(`${plural(made.due, 'notification')} to ${where} will be delivered now${again(made.more)}`)
      }}
    />
  )
}

/** A row of the destination list: waiting and failed notifications. */
export function Waiting({ application, id }: { application: string; id: string }) {
  const { data, error } = useBacklog(application, id)
  if (!data) return <span className="quiet">{error ? '–' : '…'}</span>
  const waiting = data.due + data.later
  if (waiting + data.failed === 0) return <span className="quiet">nothing</span>
  return (
    <span className="number">
      {atMost(waiting)} <span className="quiet">waiting</span>
      {data.failed > 0 && (
        <>
          , {atMost(data.failed)} <span className="quiet">failed</span>
        </>
      )}
    </span>
  )
}
