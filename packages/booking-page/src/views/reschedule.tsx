/** Moving a booking: a new time, then one question. */
import type { Booking } from '@waypost/contract'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Icon } from '../components/icon.tsx'
import { Summary } from '../components/summary.tsx'
import { When } from '../components/when.tsx'
import { Booked, Outcome } from '../outcome/outcome.tsx'
import { usePage } from '../page.ts'
import type { Slot } from '../slots.ts'
import { obstacle, timeOf } from './booked-time.ts'
import { Picker } from './picker.tsx'
import { Refused } from './problem.tsx'
import { move, useSending } from './use-booking.ts'
import { useChosenSlot } from './use-chosen-slot.ts'

interface QuestionProps {
  slot: Slot
  change(slot: Slot | undefined): void
  moved(booking: Booking): void
}

function Question({ slot, change, moved }: QuestionProps) {
  const page = usePage()
  const { t } = page
  const { isSending, refusal, others, run, clear } = useSending()
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const send = async (): Promise<void> => {
    const booking = await run(slot, (each) => move(page, each))
    if (booking) moved({ ...booking, booking_ref: booking.booking_ref ?? page.data.booking?.ref })
  }
  return (
    <section class="form-step">
      <button type="button" class="quiet-button back" onClick={() => change(undefined)}>
        <Icon name="left" />
        <span>{t('change_time')}</span>
      </button>
      <h2 ref={heading} tabIndex={-1}>
        {t('reschedule_question')}
      </h2>
      <Refused refusal={refusal} others={others} clear={clear} change={change} />
      <p class="lead">
        <When start={slot.start_time} end={slot.end_time} />
      </p>
      <button type="button" class="main-button" aria-disabled={isSending} onClick={() => !isSending && void send()}>
        {isSending ? t('moving') : t('reschedule_confirm')}
      </button>
    </section>
  )
}

export function RescheduleView() {
  const page = usePage()
  const { settings, t } = page
  const [slot, setSlot] = useChosenSlot()
  const [moved, setMoved] = useState<Booking>()
  const reason = obstacle(page, 'reschedule')
  if (moved || reason !== undefined || !settings.booking) {
    return (
      <div class="card single">
        {moved ? (
          <Booked booking={moved} isMoved={true} />
        ) : (
          <Outcome title={t('reschedule_title')} text={reason} tone="ended" />
        )}
      </div>
    )
  }
  return (
    <div class="card">
      <Summary slot={slot} former={timeOf(settings.booking)} task={t('reschedule_title')} />
      {slot ? <Question slot={slot} change={setSlot} moved={setMoved} /> : <Picker choose={setSlot} />}
    </div>
  )
}
