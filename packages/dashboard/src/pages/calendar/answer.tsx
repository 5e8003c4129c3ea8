/** The response to an invitation. */
import { useMutation } from '@tanstack/react-query'
import type { Event, Participant, Rsvp } from '@waypost/sdk'
import { useId, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { ErrorNote } from '../../components/states.tsx'
import { showToast } from '../../components/toast.tsx'
import { answerInvitation } from './changes.ts'
import { type Account, refreshEvents } from './data.ts'
import { isOfSeries } from './scope.tsx'

const words = [
  ['yes', 'Yes'],
  ['maybe', 'Maybe'],
  ['no', 'No'],
] as const

export function Answer({ account, event, own }: { account: Account; event: Event; own: Participant }) {
  const id = useId()
  const [comment, setComment] = useState('')
  const [forAll, setForAll] = useState(false)
  const sending = useMutation({
    mutationFn: (status: Rsvp['status']) =>
      answerInvitation(account, event, { status, ...(comment ? { comment } : {}) }, forAll ? 'all' : 'one'),
    onSuccess: (said) => {
      showToast(said)
      void refreshEvents(account)
    },
  })
  return (
    <fieldset className="stack">
      <legend>Will {account.grant.email} come?</legend>
      <div className="field">
        <label htmlFor={id}>
          Note to the organizer<span className="optional"> (optional)</span>
        </label>
        <input
          id={id}
          className="input"
          maxLength={1024}
          value={comment}
          onChange={(change) => setComment(change.currentTarget.value)}
        />
      </div>
      {isOfSeries(event) && (
        <label className="check">
          <input type="checkbox" checked={forAll} onChange={() => setForAll(!forAll)} />
          <span>For all events in the series</span>
        </label>
      )}
      <div className="actions">
        {words.map(([status, text]) => (
          <Button
            key={status}
            aria-pressed={own.status === status}
            kind={own.status === status ? 'primary' : 'normal'}
            busy={sending.isPending}
            onClick={() => sending.mutate(status)}
          >
            {text}
          </Button>
        ))}
      </div>
      {sending.error && <ErrorNote error={sending.error} />}
    </fieldset>
  )
}
