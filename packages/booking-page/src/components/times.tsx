/** The free times of a day, by morning, afternoon and evening. */
import { useEffect, useRef } from 'preact/hooks'
import { usePage } from '../page.ts'
import { keyOf, type Slot } from '../slots.ts'
import type { Day } from '../time/days.ts'

const parts = ['morning', 'afternoon', 'evening'] as const

/** The part of the day by hour: afternoon from 12, evening from 17. */
export const partOfDay = (hour: number): (typeof parts)[number] =>
  hour < 12 ? 'morning' : hour < 17 ? 'afternoon' : 'evening'

const Seats = ({ slot: { capacity } }: { slot: Slot }) => {
  const { t, formats } = usePage()
  if (capacity === undefined) return null
  return <small>{capacity === 1 ? t('one_seat_left') : t('seats_left', { count: formats.number(capacity) })}</small>
}

interface TimesProps {
  day: Day
  slots: readonly Slot[]
  /** Whether the first time takes the focus, after the day was chosen with the keyboard. */
  takesFocus: boolean
  choose(slot: Slot): void
}

export function Times({ day, slots, takesFocus, choose }: TimesProps) {
  const { t, formats } = usePage()
  const place = useRef<HTMLElement>(null)
  useEffect(() => {
    if (takesFocus) place.current?.querySelector<HTMLElement>('button.time')?.focus()
  }, [day, takesFocus])
  return (
    <section class="times" ref={place} aria-labelledby="times-day">
      <h2 id="times-day" aria-label={formats.longDay(day)}>
        {formats.shortDay(day)}
      </h2>
      {parts.map((part) => {
        const listed = slots.filter(({ start_time }) => partOfDay(formats.hourOf(start_time)) === part)
        if (listed.length === 0) return null
        return (
          <div class="part" key={part} role="group" aria-labelledby={`part-${part}`}>
            <h3 id={`part-${part}`}>{t(part)}</h3>
            <ul>
              {listed.map((slot) => (
                <li key={keyOf(slot)}>
                  <button type="button" class="time" onClick={() => choose(slot)}>
                    <span>{formats.time(slot.start_time)}</span>
                    <Seats slot={slot} />
                  </button>
                </li>
              ))}
            </ul>
          </div>
        )
      })}
    </section>
  )
}
