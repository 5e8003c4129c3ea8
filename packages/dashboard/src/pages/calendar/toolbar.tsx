/** Navigation in time and the choice of the view. */
import { useId } from 'react'
import { Button } from '../../components/button.tsx'
import { Icon } from '../../components/icons.tsx'
import { type CalendarPlace, type View, views } from './address.ts'
import { addDays, localZone } from './zones.ts'

const words: Record<View, string> = { month: 'Month', week: 'Week', day: 'Day', list: 'List' }

/** The same position in the next or previous month, week or day. */
export function stepped({ view, date }: CalendarPlace, steps: number): string {
  if (view === 'day') return addDays(date, steps)
  if (view === 'week') return addDays(date, 7 * steps)
  const [year = 0, month = 1] = date.split('-').map(Number)
  return new Date(Date.UTC(year, month - 1 + steps, 1)).toISOString().slice(0, 10)
}

const zones = Intl.supportedValuesOf('timeZone')

export function ZoneChooser({ zone, onChange }: { zone: string; onChange(zone: string): void }) {
  const id = useId()
  const known = new Set([localZone(), 'UTC', ...zones, zone])
  return (
    <div className="field">
      <label htmlFor={id}>Time zone</label>
      <select id={id} className="input" value={zone} onChange={(event) => onChange(event.currentTarget.value)}>
        {[...known].map((name) => (
          <option key={name} value={name}>
            {name === localZone() ? `${name} (yours)` : name}
          </option>
        ))}
      </select>
    </div>
  )
}

export function Toolbar({
  place,
  title,
  today,
  setPlace,
  onCreate,
}: {
  place: CalendarPlace
  title: string
  today: string
  setPlace(change: Partial<CalendarPlace>): void
  /** Undefined if the account cannot write. */
  onCreate: (() => void) | undefined
}) {
  const unit = place.view === 'list' ? 'month' : place.view
  return (
    <div className="cal-bar">
      <div className="actions">
        <Button aria-label={`Previous ${unit}`} onClick={() => setPlace({ date: stepped(place, -1) })}>
          <Icon name="back" />
        </Button>
        <Button onClick={() => setPlace({ date: today })}>Today</Button>
        <Button aria-label={`Next ${unit}`} onClick={() => setPlace({ date: stepped(place, 1) })}>
          <Icon name="forward" />
        </Button>
      </div>
      <h2 aria-live="polite">{title}</h2>
      <fieldset className="cal-views">
        <legend className="hidden">View</legend>
        {views.map((view) => (
          <Button
            key={view}
            small
            kind="plain"
            aria-pressed={place.view === view}
            onClick={() => setPlace({ view, date: place.date })}
          >
            {words[view]}
          </Button>
        ))}
      </fieldset>
      {onCreate && (
        <Button kind="primary" onClick={onCreate}>
          <Icon name="plus" />
          New event
        </Button>
      )}
    </div>
  )
}
