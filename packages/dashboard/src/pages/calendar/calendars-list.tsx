/** The calendars of the account with their colors and check boxes to show or hide them. */
import type { Calendar } from '@waypost/sdk'
import { Icon } from '../../components/icons.tsx'
import { ErrorNote } from '../../components/states.tsx'
import { colorOf } from './colors.ts'
import type { CalendarState } from './data.ts'

export function CalendarsList({
  calendars,
  hidden,
  states,
  onHidden,
}: {
  calendars: readonly Calendar[]
  hidden: readonly string[]
  states: Readonly<Record<string, CalendarState | undefined>>
  onHidden(hidden: string[]): void
}) {
  return (
    <fieldset>
      <legend>Calendars</legend>
      <ul className="cal-list">
        {calendars.map((calendar, index) => {
          const isOff = hidden.includes(calendar.id)
          const { isPending = false, error = null, more = false } = states[calendar.id] ?? {}
          return (
            <li key={calendar.id}>
              <label className="check">
                <input
                  type="checkbox"
                  checked={!isOff}
                  style={{ accentColor: colorOf(calendar, index) }}
                  onChange={() =>
                    onHidden(isOff ? hidden.filter((id) => id !== calendar.id) : [...hidden, calendar.id])
                  }
                />
                <span className="cal-name wrap">
                  <span className="cal-dot" style={{ background: colorOf(calendar, index) }} />
                  {calendar.name || 'Unnamed'}
                  {calendar.read_only && (
                    <>
                      <Icon name="lock" />
                      <span className="hidden"> (read-only)</span>
                    </>
                  )}
                </span>
              </label>
              {!isOff && isPending && <span className="quiet small">Loading…</span>}
              {!isOff && error && <ErrorNote error={error} />}
              {more && <span className="quiet small">Showing the first 2,000 events in this range.</span>}
            </li>
          )
        })}
      </ul>
    </fieldset>
  )
}
