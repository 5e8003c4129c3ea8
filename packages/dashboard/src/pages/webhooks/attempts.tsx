/** The log of attempts of a destination: what was sent, and what came back. */
import { useQuery } from '@tanstack/react-query'
import type { DeliveryAttempt } from '@waypost/sdk'
import { useState } from 'react'
import { api } from '../../api.ts'
import { Status } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { Code, json } from '../../components/copy.tsx'
import { ActionButton, Dialog } from '../../components/dialog.tsx'
import { SelectField } from '../../components/form.tsx'
import { Card, Facts } from '../../components/page.tsx'
import { Empty, Loaded } from '../../components/states.tsx'
import { PagedTable } from '../../components/table.tsx'
import { Time } from '../../components/time.tsx'
import { count } from '../../format.ts'
import { usePages } from '../../queries.ts'
import { replay } from './deliveries.tsx'

const outcomes = ['delivered', 'failed'] as const
const answerOf = ({ status, error }: DeliveryAttempt): string =>
  status === null ? (error ?? 'no answer') : `HTTP ${status}`

function RequestBody({ application, id }: { application: string; id: string }) {
  const query = useQuery({
    queryKey: ['notification', application, id],
    queryFn: async ({ signal }) => (await api(application).notifications.get({ id, signal })).data,
  })
  return (
    <Loaded query={query} lines={4}>
      {({ deliveries: _, ...notification }) => <Code label="What was sent" text={json(notification)} />}
    </Loaded>
  )
}

function Attempt({
  application,
  id,
  attempt,
  onClose,
}: {
  application: string
  id: string
  attempt: DeliveryAttempt
  onClose(): void
}) {
  const { notification_id } = attempt
  return (
    <Dialog wide title={attempt.type ?? 'Attempt'} onClose={onClose}>
      <Facts
        rows={[
          ['Outcome', <Status key="outcome" of={attempt.outcome} />],
          ['When', <Time key="at" at={attempt.at} />],
          ['Attempt', attempt.webhook_delivery_attempt],
          ['Took', `${count(attempt.latency_ms)} ms`],
          ['Answer', answerOf(attempt)],
        ]}
      />
      <div className="stack">
        <h3>What the listener answered</h3>
        {attempt.answer ? <Code label="The answer" text={attempt.answer} /> : <p className="quiet">Nothing.</p>}
      </div>
      <div className="stack">
        <h3>What was sent</h3>
        {notification_id ? (
          <RequestBody application={application} id={notification_id} />
        ) : (
          <p className="quiet">The notification is no longer kept.</p>
        )}
      </div>
      {notification_id && (
        <div className="dialog-foot">
          <ActionButton
            label="Deliver it again"
            onAct={async () => {
              await replay(application, id, { notification_id })
              onClose()
            }}
          />
        </div>
      )}
    </Dialog>
  )
}

export function Attempts({ application, id }: { application: string; id: string }) {
  const [outcome, setOutcome] = useState('')
  const [open, setOpen] = useState<DeliveryAttempt>()
  const attempts = usePages(
    ['webhooks', application, id, 'attempts', outcome],
    (page_token, signal) =>
      api(application).deliveries.attempts({
        id,
        query: { limit: 25, page_token, outcome: outcomes.find((each) => each === outcome) },
        signal,
      }),
    { refetchInterval: 5_000 },
  )
  return (
    <Card
      title="Delivery log"
      lead="Every attempt, the newest first."
      actions={
        <SelectField
          label="Outcome"
          name="outcome"
          value={outcome}
          onChange={setOutcome}
          options={[['', 'All'], ...outcomes.map((each) => [each, each] as const)]}
        />
      }
    >
      <PagedTable
        label="Delivery log"
        query={attempts}
        id={(row) => `${row.notification_id} ${row.webhook_delivery_attempt} ${row.at}`}
        columns={[
          { title: 'Outcome', kind: 'tight', cell: (row) => <Status of={row.outcome} /> },
          { title: 'Trigger', cell: ({ type }) => <code>{type ?? '–'}</code> },
          { title: 'Answer', cell: (row) => <span className="wrap">{answerOf(row)}</span> },
          { title: 'Attempt', kind: 'end', cell: (row) => row.webhook_delivery_attempt },
          { title: 'Took', kind: 'end', cell: ({ latency_ms }) => `${count(latency_ms)} ms` },
          { title: 'When', kind: 'tight', cell: ({ at }) => <Time at={at} /> },
        ]}
        actions={(row) => (
          <Button small onClick={() => setOpen(row)}>
            Show
          </Button>
        )}
        one="attempt"
        none={
          <Empty title="No attempts yet">What is told to this destination shows here, with what it answered.</Empty>
        }
      />
      {open && <Attempt {...{ application, id }} attempt={open} onClose={() => setOpen(undefined)} />}
    </Card>
  )
}
