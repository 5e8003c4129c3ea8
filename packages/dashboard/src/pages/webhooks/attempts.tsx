/** The live log of delivery attempts, with filters and details. */
import type { DeliveryAttempt } from '@waypost/sdk'
import { useState } from 'react'
import { Link } from 'wouter'
import { Status } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { ChoiceFilter, Filters, TextFilter } from '../../components/filters.tsx'
import { Card } from '../../components/page.tsx'
import { Empty, ErrorNote, Loaded } from '../../components/states.tsx'
import { Table } from '../../components/table.tsx'
import { Time } from '../../components/time.tsx'
import type { Destination, Transport } from '../../destinations.ts'
import { count, plural } from '../../format.ts'
import { useFilters } from '../../list/address.ts'
import { AttemptDialog, responseOf } from './attempt-detail.tsx'
import { type AttemptsQuery, keyOf, useTail } from './tail.ts'

const outcomes = ['delivered', 'failed'] as const
/** The attempt named in the URL, so that it can be shared. */
function namedIn(text: string): { notification: string; attempt: number } | undefined {
  const [, notification, attempt] = /^(.+)\.(\d+)$/.exec(text) ?? []
  return notification && attempt ? { notification, attempt: Number(attempt) } : undefined
}

function filterOf(read: (name: string) => string): AttemptsQuery {
  const trigger = read('trigger')
  const grant = read('grant').trim()
  const outcome = outcomes.find((each) => each === read('outcome'))
  return {
    ...(outcome ? { outcome } : {}),
    ...(trigger ? { trigger_types: [trigger] } : {}),
    ...(grant ? { grant_id: grant } : {}),
  }
}

function LiveSwitch({ isLive, onChange }: { isLive: boolean; onChange(isLive: boolean): void }) {
  return (
    <Button small aria-pressed={isLive} onClick={() => onChange(!isLive)}>
      <span className={`live-mark ${isLive ? 'on' : ''}`} aria-hidden="true" />
      {isLive ? 'Live · Pause' : 'Paused · Resume'}
    </Button>
  )
}

export function Attempts({ application, destination }: { application: string; destination: Destination }) {
  const { id, transport, trigger_types: triggers } = destination
  const { read, set } = useFilters()
  const [isLive, setLive] = useState(true)
  const { older, rows, isFresh, error } = useTail(application, id, { isLive, filter: filterOf(read) })
  const open = namedIn(read('attempt'))
  const isFiltered = ['outcome', 'trigger', 'grant'].some((name) => read(name) !== '')
  return (
    <Card
      title="Delivery log"
      lead="All attempts, newest first."
      actions={<LiveSwitch isLive={isLive} onChange={setLive} />}
    >
      <div className="card-filters">
        <Filters>
          <ChoiceFilter label="Outcome" name="outcome" options={outcomes.map((each) => [each, each] as const)} />
          <ChoiceFilter label="Trigger" name="trigger" options={triggers.map((each) => [each, each] as const)} />
          <TextFilter label="Grant" name="grant" placeholder="Grant ID" />
        </Filters>
      </div>
      {error && <ErrorNote error={error} />}
      <Loaded query={older}>
        {() =>
          !rows || rows.length === 0 ? (
            isFiltered ? (
              <Empty title="No matching attempts">
                {older.hasNextPage ? 'Not among the newest. Load more to continue.' : 'No stored attempt matches.'}
              </Empty>
            ) : (
              <Empty title="No attempts yet">Deliveries to this destination appear here, with the responses.</Empty>
            )
          ) : (
            <LogTable {...{ application, transport, rows, isFresh }} onOpen={(row) => set({ attempt: nameOf(row) })} />
          )
        }
      </Loaded>
      {(older.hasNextPage || (rows?.length ?? 0) > 0) && (
        <div className="foot">
          <span role="status">
            {plural(rows?.length ?? 0, 'attempt')}
            {older.hasNextPage ? ' shown' : ''}
          </span>
          {older.hasNextPage && (
            <Button small busy={older.isFetchingNextPage} onClick={() => void older.fetchNextPage()}>
              Show more
            </Button>
          )}
        </div>
      )}
      {open && <AttemptDialog {...{ application, destination, ...open }} onClose={() => set({ attempt: '' })} />}
    </Card>
  )
}

const nameOf = (row: DeliveryAttempt): string => `${row.notification_id}.${row.webhook_delivery_attempt}`

function LogTable({
  application,
  transport,
  rows,
  isFresh,
  onOpen,
}: {
  application: string
  transport: Transport
  rows: readonly DeliveryAttempt[]
  isFresh(row: DeliveryAttempt): boolean
  onOpen(row: DeliveryAttempt): void
}) {
  return (
    <Table
      label="Delivery log"
      rows={rows}
      id={keyOf}
      columns={[
        {
          title: 'Outcome',
          kind: 'tight',
          cell: (row) => (
            <span className={isFresh(row) ? 'fresh' : undefined}>
              <Status of={row.outcome} />
            </span>
          ),
        },
        { title: 'Trigger', cell: ({ type }) => <code>{type ?? '–'}</code> },
        { title: 'Response', cell: (row) => <span className="wrap">{responseOf(row, transport)}</span> },
        {
          title: 'Grant',
          cell: ({ grant_id }) =>
            grant_id ? (
              <Link href={`/a/${application}/grants/${encodeURIComponent(grant_id)}`} className="small">
                <code>{grant_id.slice(0, 8)}…</code>
              </Link>
            ) : (
              <span className="quiet">–</span>
            ),
        },
        { title: 'Attempt', kind: 'end', cell: (row) => row.webhook_delivery_attempt },
        { title: 'Duration', kind: 'end', cell: ({ latency_ms }) => `${count(latency_ms)} ms` },
        { title: 'When', kind: 'tight', cell: ({ at }) => <Time at={at} /> },
      ]}
      actions={(row) =>
        row.notification_id !== null && (
          <Button small onClick={() => onOpen(row)}>
            Show
          </Button>
        )
      }
    />
  )
}
