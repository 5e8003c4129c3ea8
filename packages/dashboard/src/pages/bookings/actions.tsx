/** Changes of a booking: confirm, decline, cancel. Moving is in `move.tsx`. */
import type { Booking } from '@waypost/sdk'
import { useState } from 'react'
import { api } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { ActionButton } from '../../components/dialog.tsx'
import { AreaField } from '../../components/form.tsx'
import { FormDialog } from '../../components/form-dialog.tsx'
import { showToast } from '../../components/toast.tsx'
import { now } from '../../format.ts'
import { refresh } from '../../queries.ts'
import { bookingsKey } from './booking-list.ts'
import { Move } from './move.tsx'

/** Lists and free times are read again after a change. */
export const refreshBookings = (application: string): Promise<void> => refresh(...bookingsKey(application))

interface ReasonProps {
  title: string
  consequence: string
  submit: string
  done: string
  onSubmit(reason: string | undefined): Promise<unknown>
  onDone(): void
  onClose(): void
}

/** Asks why a booking is declined or canceled. The guest gets the reason. */
function Reason({ title, consequence, submit, done, onSubmit, onDone, onClose }: ReasonProps) {
  return (
    <FormDialog
      title={title}
      onClose={onClose}
      submit={submit}
      cancel="Keep it"
      kind="danger-solid"
      onSubmit={(values) => onSubmit(values.text('cancellation_reason'))}
      onDone={onDone}
      done={done}
    >
      <p>{consequence}</p>{' '}
      <AreaField
        optional
        label="Reason"
        name="cancellation_reason"
        rows={3}
        placeholder="The guest reads it in the mail"
      />
    </FormDialog>
  )
}

export function BookingActions({
  application,
  booking,
  onChanged,
}: {
  application: string
  booking: Booking
  onChanged(): void
}) {
  const [open, setOpen] = useState<'decline' | 'cancel' | 'move'>()
  const { booking_id, status, guest } = booking
  const changed = (): void => {
    void refreshBookings(application)
    onChanged()
  }
  const close = (): void => setOpen(undefined)
  const decide = (status: 'confirmed' | 'cancelled', cancellation_reason?: string) =>
    api(application).bookings.confirm({ booking_id, body: { status, cancellation_reason } })
  if (status === 'cancelled' || booking.end_time < now()) return null
  return (
    <>
      {status === 'pending' ? (
        <>
          <ActionButton
            changes
            kind="primary"
            label="Confirm"
            onAct={async () => {
              await decide('confirmed')
              showToast('Booking confirmed')
              changed()
            }}
          />
          <Button changes kind="danger" onClick={() => setOpen('decline')}>
            Decline
          </Button>
        </>
      ) : (
        <>
          <Button changes onClick={() => setOpen('move')}>
            Move
          </Button>
          <Button changes kind="danger" onClick={() => setOpen('cancel')}>
            Cancel booking
          </Button>
        </>
      )}
      {open === 'decline' && (
        <Reason
          title="Decline this booking?"
          consequence={`The time becomes free again, and ${guest.name} is told.`}
          submit="Decline"
          done="Booking declined"
          onSubmit={(reason) => decide('cancelled', reason)}
          onDone={changed}
          onClose={close}
        />
      )}
      {open === 'cancel' && (
        <Reason
          title="Cancel this booking?"
          consequence={`The event is removed from the calendar, the time becomes free again, and ${guest.name} is told.`}
          submit="Cancel booking"
          done="Booking canceled"
          onSubmit={(cancellation_reason) =>
            api(application).bookings.cancel({ booking_id, body: { cancellation_reason } })
          }
          onDone={changed}
          onClose={close}
        />
      )}
      {open === 'move' && <Move {...{ application, booking }} onDone={changed} onClose={close} />}
    </>
  )
}
