/** Canceling a booking, with a reason. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { Policy } from '../components/policy.tsx'
import { Details, Outcome } from '../outcome/outcome.tsx'
import { usePage } from '../page.ts'
import { obstacle, timeOf } from './booked-time.ts'
import { Problem, refusalText } from './problem.tsx'
import { useDecision } from './use-decision.ts'

interface ReasonProps {
  label: string
  value: string
  takesFocus?: boolean
  change(value: string): void
}

export const Reason = ({ label, value, takesFocus = false, change }: ReasonProps) => {
  const { t } = usePage()
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    if (takesFocus) field.current?.focus()
  }, [takesFocus])
  return (
    <div class="field">
      <label for="input-reason">
        {label} <small>({t('optional')})</small>
      </label>
      <textarea
        ref={field}
        id="input-reason"
        rows={3}
        maxLength={2048}
        value={value}
        onInput={(event) => change(event.currentTarget.value)}
      />
    </div>
  )
}

export const BookingDetails = ({ fields }: { fields?: readonly (readonly [string, string])[] }) => {
  const { settings } = usePage()
  const { booking } = settings
  if (!booking) return null
  const { start_time: start, end_time: end } = timeOf(booking)
  const people = [booking.event_organizer, booking.guest, ...booking.additional_guests]
  const location = booking.event_data.location
  return <Details title={settings.name} {...{ start, end, location, people, fields }} />
}

export function CancelView() {
  const page = usePage()
  const { data, settings, client, t } = page
  const [reason, setReason] = useState('')
  const [isDone, setDone] = useState(false)
  const { isSending, refusal, run } = useDecision()
  const { booking } = data
  const problem = obstacle(page, 'cancel')
  if (isDone) {
    return (
      <div class="card single">
        <Outcome title={t('cancelled_title')} text={data.sendsMail ? t('cancelled_text') : undefined} tone="ended">
          {settings.slug && (
            <a class="quiet-button" href={`${data.prefix}/book/${settings.app_client_id}/${settings.slug}`}>
              {t('book_another')}
            </a>
          )}
        </Outcome>
      </div>
    )
  }
  if (problem !== undefined || !booking) {
    return (
      <div class="card single">
        <Outcome title={t('cancel_title')} text={problem} tone="ended" />
      </div>
    )
  }
  const send = async (): Promise<void> => setDone(await run(() => client.cancel(booking.id, reason.trim())))
  return (
    <div class="card single">
      <h1>{t('cancel_title')}</h1>
      <p class="lead">{t('cancel_question')}</p>
      <BookingDetails />
      <Policy />
      {refusal && <Problem text={refusalText(refusal, t)} />}
      <Reason label={t('reason')} value={reason} change={setReason} />
      <button type="button" class="main-button danger" aria-disabled={isSending} onClick={() => void send()}>
        {isSending ? t('canceling') : t('cancel_confirm')}
      </button>
    </div>
  )
}
