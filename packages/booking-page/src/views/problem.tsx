/** A refused request, and the way on. */
import { useEffect, useRef } from 'preact/hooks'
import type { Refusal } from '../api.ts'
import { Icon } from '../components/icon.tsx'
import { type Page, usePage } from '../page.ts'
import { keyOf, type Slot } from '../slots.ts'

/** What the visitor reads about a refused request. */
export function refusalText({ kind, message }: Refusal, t: Page['t']): string {
  if (kind === 'offline') return t('offline')
  if (kind === 'too_many') return t('too_many')
  if (kind === 'session') return t('session_ended')
  if (kind === 'fields') return t('form_wrong')
  if (kind === 'taken') return t('taken')
  return message === '' ? t('failed') : `${t('failed')} (${message})`
}

export function Problem({ text }: { text: string }) {
  return (
    <div class="alert" role="alert">
      <Icon name="alert" />
      <p>{text}</p>
    </div>
  )
}

interface TakenProps {
  /** Undefined while they are loaded. */
  others: readonly Slot[] | undefined
  choose(slot: Slot): void
  showAll(): void
}

/** Somebody was faster: the nearest times that are still free. */
function Taken({ others, choose, showAll }: TakenProps) {
  const { t, formats } = usePage()
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => place.current?.focus(), [])
  return (
    <div class="alert taken" role="alert" tabIndex={-1} ref={place}>
      <Icon name="alert" />
      <div>
        <p>
          <strong>{t('taken')}</strong>{' '}
          {others === undefined ? t('loading') : t(others.length > 0 ? 'taken_choose' : 'taken_none')}
        </p>
        <ul>
          {others?.map((slot) => (
            <li key={keyOf(slot)}>
              <button type="button" class="chip" onClick={() => choose(slot)}>
                {formats.shortDay(formats.dayOf(slot.start_time))}, {formats.time(slot.start_time)}
              </button>
            </li>
          ))}
        </ul>
        <button type="button" class="link-button" onClick={showAll}>
          {t('all_times')}
        </button>
      </div>
    </div>
  )
}

interface RefusedProps {
  refusal: Refusal | undefined
  others: readonly Slot[] | undefined
  clear(): void
  change(slot: Slot | undefined): void
}

/** What became of a refused request: other times if the slot is taken, otherwise the reason. */
export function Refused({ refusal, others, clear, change }: RefusedProps) {
  const { t } = usePage()
  if (refusal === undefined) return null
  if (refusal.kind !== 'taken') return <Problem text={refusalText(refusal, t)} />
  const choose = (other: Slot): void => {
    clear()
    change(other)
  }
  return <Taken others={others} choose={choose} showAll={() => change(undefined)} />
}
