/** Booking: a time, then the form, then the confirmation. */
import type { Booking } from '@waypost/contract'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Icon } from '../components/icon.tsx'
import { Summary } from '../components/summary.tsx'
import { announceBooking } from '../embed/parent.ts'
import { BookingForm } from '../form/booking-form.tsx'
import { type Entries, firstEntries } from '../form/entries.ts'
import { redirectLink } from '../outcome/links.ts'
import { Booked } from '../outcome/outcome.tsx'
import { usePage } from '../page.ts'
import type { Slot } from '../slots.ts'
import { Picker } from './picker.tsx'
import { Problem, Refused } from './problem.tsx'
import { book, useSending } from './use-booking.ts'
import { useChosenSlot } from './use-chosen-slot.ts'

interface FormStepProps {
  slot: Slot
  entries: Entries
  setEntries(entries: Entries): void
  change(slot: Slot | undefined): void
  booked(booking: Booking): void
}

function FormStep({ slot, entries, setEntries, change, booked }: FormStepProps) {
  const page = usePage()
  const { t, data } = page
  const { isSending, refusal, others, refused, run, clear } = useSending()
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const send = async (): Promise<void> => {
    if (data.isPreview) return page.announce(t('preview'))
    const booking = await run(slot, (each) => book(page, each, entries))
    if (booking) booked(booking)
  }
  return (
    <section class="form-step">
      <button type="button" class="quiet-button back" onClick={() => change(undefined)}>
        <Icon name="left" />
        <span>{t('change_time')}</span>
      </button>
      <h2 ref={heading} tabIndex={-1}>
        {t('form_title')}
      </h2>
      {data.isPreview && <Problem text={t('preview')} />}
      <Refused refusal={refusal} others={others} clear={clear} change={change} />
      <BookingForm {...{ entries, refused, isSending }} change={setEntries} send={() => void send()} />
    </section>
  )
}

export function BookView() {
  const { data, settings } = usePage()
  const [slot, setSlot] = useChosenSlot()
  const [entries, setEntries] = useState(() =>
    firstEntries(settings.scheduler.additional_fields, new URLSearchParams(location.search)),
  )
  const [booking, setBooking] = useState<Booking>()
  const next = booking && redirectLink({ settings }, booking, data.language)
  useEffect(() => {
    if (!booking) return
    announceBooking(booking)
    // A frame may not always lead its parent away; the confirmation then has a link.
    if (next) window.open(next, '_top')
  }, [booking, next])
  if (booking) {
    return (
      <div class="card single">
        <Booked booking={booking} isMoved={false} next={next} again={() => window.location.reload()} />
      </div>
    )
  }
  return (
    <div class="card">
      <Summary slot={slot} />
      {slot ? (
        <FormStep {...{ slot, entries, setEntries }} change={setSlot} booked={setBooking} />
      ) : (
        <Picker choose={setSlot} />
      )}
    </div>
  )
}
