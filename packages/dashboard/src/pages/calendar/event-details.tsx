/** One event: its details, the response to it, editing and deletion. */
import { useQuery } from '@tanstack/react-query'
import type { Calendar, Event } from '@waypost/sdk'
import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Code, json } from '../../components/copy.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { ErrorNote, Skeleton } from '../../components/states.tsx'
import { showToast } from '../../components/toast.tsx'
import { Answer } from './answer.tsx'
import { deleteEvent, readMaster } from './changes.ts'
import { type Account, eventQuery, refreshEvents } from './data.ts'
import { EventFacts } from './event-facts.tsx'
import { type Editing, EventForm } from './event-form.tsx'
import { fixedBecause, invitationOf } from './rights.ts'
import { isOfSeries, ScopeDialog } from './scope.tsx'
import { titleOf } from './shown-events.ts'

export interface EventDetailsProps {
  account: Account
  calendars: readonly Calendar[]
  /** The event from the list, shown until the full event is loaded. */
  listed: Event | undefined
  open: { id: string; calendar: string }
  zone: string
  onClose(): void
}

/** The open dialog: details, choice of the scope, editing or deletion. */
type Step = 'view' | 'choose' | 'delete' | Editing

export function EventDetails({ account, calendars, listed, open, zone, onClose }: EventDetailsProps) {
  const [step, setStep] = useState<Step>('view')
  const query = useQuery({ ...eventQuery(account, open), enabled: listed === undefined })
  const event = listed ?? query.data
  if (!event) {
    return (
      <Dialog title="Event" onClose={onClose}>
        {query.error ? <ErrorNote error={query.error} onRetry={() => void query.refetch()} /> : <Skeleton />}
      </Dialog>
    )
  }
  const back = (): void => setStep('view')
  if (step === 'choose') {
    return (
      <ScopeDialog
        title="Edit series"
        event={event}
        submit="Continue"
        canNotify={false}
        onClose={back}
        onDone={() => undefined}
        onChoose={async ({ scope }) => {
          const master = scope === 'one' ? event : await readMaster(account, event)
          const shown = scope === 'following' ? { ...master, when: event.when } : master
          setStep({ kind: 'change', event, shown, scope })
        }}
      />
    )
  }
  if (step === 'delete') {
    return (
      <ScopeDialog
        danger
        title={`Delete ${titleOf(event)}?`}
        event={event}
        submit="Delete"
        onClose={back}
        onDone={() => {
          showToast('Event deleted')
          void refreshEvents(account)
          onClose()
        }}
        onChoose={({ scope, notify }) => deleteEvent(account, event, scope, notify)}
      >
        <p>The provider deletes it too.</p>
      </ScopeDialog>
    )
  }
  if (step !== 'view') {
    return <EventForm {...{ account, calendars, zone }} editing={step} onClose={back} onDone={onClose} />
  }
  const change = (): void =>
    setStep(isOfSeries(event) ? 'choose' : { kind: 'change', event, shown: event, scope: 'one' })
  return (
    <EventView {...{ account, calendars, event, zone, onClose }} onChange={change} onDelete={() => setStep('delete')} />
  )
}

function EventView({
  account,
  calendars,
  event,
  zone,
  onClose,
  onChange,
  onDelete,
}: Omit<EventDetailsProps, 'listed' | 'open'> & { event: Event; onChange(): void; onDelete(): void }) {
  const calendar = calendars.find(({ id }) => id === event.calendar_id)
  const fixed = fixedBecause(event, account.grant, calendar)
  const invitation = invitationOf(event, account.grant, calendar)
  const canDelete = fixed === undefined || (invitation !== undefined && !calendar?.read_only)
  return (
    <Dialog title={titleOf(event)} onClose={onClose}>
      <EventFacts event={event} calendar={calendar} zone={zone} />
      {fixed && <p className="note small">{fixed}</p>}
      {invitation && !calendar?.read_only && <Answer account={account} event={event} own={invitation} />}
      <details className="disclosure">
        <summary>Full API response</summary>
        <Code label="The event as JSON" text={json(event)} />
      </details>
      {canDelete && (
        <div className="dialog-foot">
          <Button kind="danger" onClick={onDelete}>
            Delete
          </Button>
          {fixed === undefined && (
            <Button kind="primary" onClick={onChange}>
              Change
            </Button>
          )}
        </div>
      )}
    </Dialog>
  )
}
