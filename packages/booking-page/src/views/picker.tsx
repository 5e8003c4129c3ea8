/** The choice of a day and a time. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { Icon } from '../components/icon.tsx'
import { MonthGrid } from '../components/month-grid.tsx'
import { Times } from '../components/times.tsx'
import { HourChoice, ZoneChoice } from '../components/zone-choice.tsx'
import { usePage } from '../page.ts'
import type { Slot } from '../slots.ts'
import type { Day } from '../time/days.ts'
import { type ShownSlots, useShownSlots } from './use-slots.ts'

/** What stands over the month if it has no free times. */
const Notice = ({ shown }: { shown: ShownSlots }) => {
  const { t, formats } = usePage()
  const { state, byDay, month, last, isNothingFree, jump, retry } = shown
  if (state === 'failed') {
    return (
      <div class="notice" role="alert">
        <p>{t('load_failed')}</p>
        <button type="button" class="small-button" onClick={retry}>
          {t('retry')}
        </button>
      </div>
    )
  }
  if (state === 'loading' || byDay.size > 0) return null
  return (
    <div class="notice" role="status">
      <p>{isNothingFree ? t('nothing_free') : t('month_empty', { month: formats.month(month) })}</p>
      {!isNothingFree && month <= last && (
        <button type="button" class="small-button" onClick={() => void jump()}>
          {t('next_free_day')}
        </button>
      )}
    </div>
  )
}

const Waiting = () => (
  <section class="times waiting" aria-hidden="true">
    {[0, 1, 2, 3, 4, 5].map((row) => (
      <span key={row} class="ghost" />
    ))}
  </section>
)

/** On a narrow screen the times are below the month, so a chosen day brings them into view. */
const isNarrow = (): boolean => matchMedia('(max-width: 47.99rem)').matches

export function Picker({ choose }: { choose(slot: Slot): void }) {
  const { t } = usePage()
  const shown = useShownSlots()
  const { chosen, byDay, state } = shown
  const [keyboardDay, setKeyboardDay] = useState<Day>()
  const [tappedDay, setTappedDay] = useState<Day>()
  const side = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (tappedDay && isNarrow()) side.current?.scrollIntoView({ block: 'start' })
  }, [tappedDay])
  const slots = chosen === undefined ? [] : (byDay.get(chosen) ?? [])
  return (
    <div class="picker">
      <div class="calendar">
        <MonthGrid
          {...shown}
          isLoading={state === 'loading'}
          choose={(day, byKeyboard) => {
            setKeyboardDay(byKeyboard ? day : undefined)
            if (!byKeyboard) setTappedDay(day)
            shown.choose(day)
          }}
        />
        <Notice shown={shown} />
        <div class="options">
          <ZoneChoice />
          <HourChoice />
        </div>
      </div>
      <div class="side" ref={side}>
        {chosen && slots.length > 0 ? (
          <Times day={chosen} slots={slots} takesFocus={keyboardDay === chosen} choose={choose} />
        ) : state === 'loading' ? (
          <Waiting />
        ) : (
          byDay.size > 0 && (
            <p class="hint">
              <Icon name="calendar" />
              {t('choose_day')}
            </p>
          )
        )}
      </div>
    </div>
  )
}
