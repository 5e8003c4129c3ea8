/** The organizer's decision about a request. */
import { useState } from 'preact/hooks'
import { Outcome } from '../outcome/outcome.tsx'
import { usePage } from '../page.ts'
import { timeOf } from './booked-time.ts'
import { BookingDetails, Reason } from './cancel.tsx'
import { Problem, refusalText } from './problem.tsx'
import { useDecision } from './use-decision.ts'

type Answer = 'confirmed' | 'cancelled'

const Decided = ({ answer }: { answer: Answer }) => {
  const { data, settings, t } = usePage()
  const name = settings.booking?.guest.name ?? ''
  const isConfirmed = answer === 'confirmed'
  return (
    <Outcome
      title={t(isConfirmed ? 'confirmed_title' : 'declined_title')}
      text={data.sendsMail ? t('confirmed_text', { name }) : undefined}
      tone={isConfirmed ? 'good' : 'ended'}
    >
      <BookingDetails />
    </Outcome>
  )
}

/** Why nothing is left to decide; undefined if something is. */
function useSettled(): string | undefined {
  const { data, settings, t } = usePage()
  if (!data.booking || !settings.booking || data.booking.status === 'cancelled') return t('already_cancelled')
  if (data.booking.status === 'booked') return t('already_confirmed')
  return timeOf(settings.booking).end_time * 1000 <= Date.now() ? t('already_past') : undefined
}

export function ConfirmView() {
  const { data, settings, client, t } = usePage()
  const [isDeclining, setDeclining] = useState(false)
  const [reason, setReason] = useState('')
  const [answer, setAnswer] = useState<Answer>()
  const { isSending, refusal, run } = useDecision()
  const settled = useSettled()
  const { booking } = data
  if (answer || settled !== undefined || !booking || !settings.booking) {
    const tone = data.booking?.status === 'booked' ? 'good' : 'ended'
    return (
      <div class="card single">
        {answer ? <Decided answer={answer} /> : <Outcome title={settings.name} text={settled} tone={tone} />}
      </div>
    )
  }
  const send = async (status: Answer): Promise<void> => {
    const why = status === 'cancelled' ? { cancellation_reason: reason.trim() } : {}
    const isDone = await run(() => client.decide(booking.id, { salt: booking.salt, status, ...why }))
    if (isDone) setAnswer(status)
  }
  const { additional_fields: labels } = settings.scheduler
  const fields = Object.entries(settings.booking.additional_fields).map(
    ([key, value]) => [labels?.[key]?.label ?? key, value] as const,
  )
  return (
    <div class="card single">
      <h1>{t('confirm_title')}</h1>
      <p class="lead">{t('confirm_text', { name: settings.booking.guest.name })}</p>
      <BookingDetails fields={fields} />
      {refusal && <Problem text={refusalText(refusal, t)} />}
      {isDeclining && <Reason label={t('decline_reason')} value={reason} takesFocus change={setReason} />}
      <div class="buttons">
        {isDeclining ? (
          <>
            <button type="button" class="main-button danger" onClick={() => void send('cancelled')}>
              {t('decline_confirm')}
            </button>
            <button type="button" class="second-button" onClick={() => setDeclining(false)}>
              {t('back')}
            </button>
          </>
        ) : (
          <>
            <button type="button" class="main-button" aria-disabled={isSending} onClick={() => void send('confirmed')}>
              {isSending ? t('confirming') : t('confirm')}
            </button>
            <button type="button" class="second-button" onClick={() => setDeclining(true)}>
              {t('decline')}
            </button>
          </>
        )}
      </div>
    </div>
  )
}
