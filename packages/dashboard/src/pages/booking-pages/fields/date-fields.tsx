/** Days whose hours differ from the week: other hours, or closed. */
import { Button } from '../../../components/button.tsx'
import { Icon } from '../../../components/icons.tsx'
import { addDays } from '../../calendar/zones.ts'
import { timesFor } from '../hours.ts'

/** Hours of one day. `00:00` to `00:00` closes it. */
export interface SpecificDate {
  date: string
  start: string
  end: string
  timezone?: string | null | undefined
}

const isClosed = ({ start, end }: SpecificDate): boolean => /^0?0:00$/.test(start) && /^0?0:00$/.test(end)
const two = (time: string): string => time.padStart(5, '0')

/** The day after the last one in the list, or tomorrow. */
const nextDate = (dates: readonly SpecificDate[]): string => {
  const today = new Date().toISOString().slice(0, 10)
  const last = dates
    .map(({ date }) => date)
    .sort()
    .at(-1)
  return addDays(last !== undefined && last > today ? last : today, 1)
}

function DateRow({
  entry,
  onChange,
  onRemove,
}: {
  entry: SpecificDate
  onChange(entry: SpecificDate): void
  onRemove(): void
}) {
  const closed = isClosed(entry)
  const time = (label: string, value: string, set: (value: string) => SpecificDate) => (
    <select
      className="input"
      aria-label={`${entry.date}: ${label}`}
      value={two(value)}
      onChange={(event) => onChange(set(event.currentTarget.value))}
    >
      {timesFor(two(value)).map((each) => (
        <option key={each}>{each}</option>
      ))}
    </select>
  )
  return (
    <li className="dated">
      <input
        type="date"
        className="input"
        aria-label="Date"
        required
        value={entry.date}
        onChange={(event) => onChange({ ...entry, date: event.currentTarget.value })}
      />
      <select
        className="input"
        aria-label={`${entry.date}: open or closed`}
        value={closed ? 'closed' : 'open'}
        onChange={(event) =>
          onChange({
            ...entry,
            ...(event.currentTarget.value === 'closed'
              ? { start: '00:00', end: '00:00' }
              : { start: '09:00', end: '17:00' }),
          })
        }
      >
        <option value="open">Open</option>
        <option value="closed">Closed</option>
      </select>
      {!closed && (
        <>
          {time('from', entry.start, (start) => ({ ...entry, start }))}
          <span aria-hidden="true">–</span>
          {time('to', entry.end, (end) => ({ ...entry, end }))}
        </>
      )}
      <Button small kind="plain" changes aria-label={`Remove ${entry.date}`} onClick={onRemove}>
        <Icon name="cross" />
      </Button>
    </li>
  )
}

export function DateFields({
  dates,
  zone,
  onChange,
}: {
  dates: readonly SpecificDate[]
  /** The time zone of new entries. */
  zone: string
  onChange(dates: SpecificDate[]): void
}) {
  const add = (hours: { start: string; end: string }): void =>
    onChange([...dates, { date: nextDate(dates), ...hours, timezone: zone }])
  return (
    <fieldset className="field">
      <legend>Single days</legend>
      <span className="hint">These days have their own hours, or are closed, such as holidays.</span>
      {dates.length > 0 && (
        <ul className="dates">
          {dates.map((entry, index) => (
            <DateRow
              key={index}
              entry={entry}
              onChange={(changed) => onChange(dates.map((each, at) => (at === index ? changed : each)))}
              onRemove={() => onChange(dates.filter((_, at) => at !== index))}
            />
          ))}
        </ul>
      )}
      <div className="actions">
        <Button small changes onClick={() => add({ start: '00:00', end: '00:00' })}>
          Close a day
        </Button>
        <Button small changes onClick={() => add({ start: '09:00', end: '17:00' })}>
          Open a day
        </Button>
      </div>
    </fieldset>
  )
}
