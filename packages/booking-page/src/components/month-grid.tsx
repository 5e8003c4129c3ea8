/**
 * The month as a grid of days, operated as in the date grid of the ARIA Authoring Practices: arrows move by day and
 * week, Home and End within the week, Page Up and Page Down by month. One day at a time takes part in the Tab order.
 */
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import { usePage } from '../page.ts'
import type { Slot } from '../slots.ts'
import { addDays, addMonths, type Day, dayInMonth, type Month, monthOf, weekdayOf, weeksOf } from '../time/days.ts'
import { firstWeekdayOf, weekdaysOf } from '../time/formats.ts'
import { Icon } from './icon.tsx'

export interface MonthGridProps {
  month: Month
  first: Month
  last: Month
  today: Day
  /** The day in the Tab order. */
  focused: Day
  chosen: Day | undefined
  byDay: ReadonlyMap<Day, readonly Slot[]>
  isLoading: boolean
  /** Shows a month; with a day, that day gets the focus. */
  show(month: Month, focus?: Day): void
  focus(day: Day): void
  choose(day: Day, byKeyboard: boolean): void
}

/** The day that a key leads to, or undefined for other keys. */
export function dayAfterKey(key: string, day: Day, firstWeekday: number): Day | undefined {
  const inWeek = (weekdayOf(day) - firstWeekday + 7) % 7
  const steps: Record<string, number> = {
    ArrowLeft: -1,
    ArrowRight: 1,
    ArrowUp: -7,
    ArrowDown: 7,
    Home: -inWeek,
    End: 6 - inWeek,
  }
  const step = steps[key]
  if (step !== undefined) return addDays(day, step)
  if (key === 'PageUp') return dayInMonth(day, addMonths(monthOf(day), -1))
  if (key === 'PageDown') return dayInMonth(day, addMonths(monthOf(day), 1))
  return undefined
}

const MonthHead = ({ month, first, last, show }: MonthGridProps) => {
  const { t, formats } = usePage()
  return (
    <div class="month-head">
      <h2 id="month" aria-live="polite">
        {formats.month(month)}
      </h2>
      <button
        type="button"
        class="round"
        aria-label={t('previous_month')}
        disabled={month <= first}
        onClick={() => show(addMonths(month, -1))}
      >
        <Icon name="left" />
      </button>
      <button
        type="button"
        class="round"
        aria-label={t('next_month')}
        disabled={month >= last}
        onClick={() => show(addMonths(month, 1))}
      >
        <Icon name="right" />
      </button>
    </div>
  )
}

const DayCell = ({ day, grid }: { day: Day; grid: MonthGridProps }) => {
  const { t, formats } = usePage()
  const { focused, chosen, today, isLoading, byDay, choose } = grid
  const count = byDay.get(day)?.length ?? 0
  const name = formats.longDay(day)
  const label =
    count > 1
      ? t('day_times', { day: name, count })
      : count === 1
        ? t('day_one_time', { day: name })
        : t(isLoading ? 'day_unknown' : 'day_full', { day: name })
  return (
    <button
      type="button"
      class={`day${count > 0 ? ' free' : ''}${day === today ? ' today' : ''}`}
      data-day={day}
      tabIndex={day === focused ? 0 : -1}
      aria-label={label}
      aria-disabled={count === 0}
      aria-pressed={day === chosen}
      aria-current={day === today ? 'date' : undefined}
      onClick={(event) => count > 0 && choose(day, event.detail === 0)}
    >
      {formats.number(Number(day.slice(8)))}
    </button>
  )
}

export function MonthGrid(props: MonthGridProps) {
  const { month, first, last, focused, isLoading, show, focus } = props
  const { tag } = usePage()
  const start = useMemo(() => firstWeekdayOf(tag), [tag])
  const weekdays = useMemo(() => weekdaysOf(tag, start), [tag, start])
  const table = useRef<HTMLTableElement>(null)
  const moved = useRef(false)
  // Keys can come faster than the page is drawn, so the next one starts from the day of the last one.
  const at = useRef(focused)
  at.current = focused
  useLayoutEffect(() => {
    if (!moved.current) return
    moved.current = false
    table.current?.querySelector<HTMLElement>(`[data-day="${focused}"]`)?.focus()
  })
  const onKeyDown = (event: KeyboardEvent): void => {
    const isRtl = document.documentElement.dir === 'rtl'
    const mirrored: Record<string, string> = isRtl ? { ArrowLeft: 'ArrowRight', ArrowRight: 'ArrowLeft' } : {}
    const next = dayAfterKey(mirrored[event.key] ?? event.key, at.current, start)
    if (next === undefined || event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    if (monthOf(next) < first || monthOf(next) > last) return
    moved.current = true
    at.current = next
    if (monthOf(next) === month) focus(next)
    else show(monthOf(next), next)
  }
  return (
    <section class="month">
      <MonthHead {...props} />
      <table ref={table} role="grid" aria-labelledby="month" aria-busy={isLoading} onKeyDown={onKeyDown}>
        <thead>
          <tr>
            {weekdays.map(({ short, long }) => (
              <th key={long} scope="col" abbr={long}>
                {short}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeksOf(month, start).map((week, row) => (
            <tr key={`${month} ${row}`}>
              {week.map((day, column) => (
                <td key={day ?? column} role="gridcell">
                  {day && <DayCell day={day} grid={props} />}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
