/** The weekly editor of open hours: every day is closed or has one or more spans. */
import { Button } from '../../../components/button.tsx'
import { Icon } from '../../../components/icons.tsx'
import {
  blocksOf,
  type Common,
  commonOf,
  copied,
  dayNames,
  type HoursBlock,
  minutesOf,
  nextSpan,
  problemOf,
  type Span,
  sayHours,
  timesFor,
  usualWeek,
  type Week,
  weekOf,
  weekOrder,
  withDay,
} from '../hours.ts'

/** The last quarter of an hour in which hours may start. */
const lastStart = 23 * 60 + 45

function TimeChoice({
  label,
  value,
  bounds,
  onChange,
}: {
  label: string
  value: string
  bounds: { first?: number; last?: number }
  onChange(value: string): void
}) {
  return (
    <select
      className="input"
      aria-label={label}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    >
      {timesFor(value, bounds).map((time) => (
        <option key={time}>{time}</option>
      ))}
    </select>
  )
}

function SpanFields({
  day,
  number,
  span,
  onChange,
  onRemove,
}: {
  day: string
  number: number
  span: Span
  onChange(span: Span): void
  onRemove(): void
}) {
  const which = number === 1 ? day : `${day}, hours ${number}`
  return (
    <div className="span">
      <TimeChoice
        label={`${which}: from`}
        value={span.start}
        bounds={{ last: lastStart }}
        onChange={(start) => onChange({ ...span, start })}
      />
      <span aria-hidden="true">–</span>
      <TimeChoice
        label={`${which}: to`}
        value={span.end}
        bounds={{ first: Math.min(minutesOf(span.start) + 15, 1440) }}
        onChange={(end) => onChange({ ...span, end })}
      />
      <Button small kind="plain" changes aria-label={`Remove ${which}`} onClick={onRemove}>
        <Icon name="cross" />
      </Button>
    </div>
  )
}

function DayRow({ day, week, onChange }: { day: number; week: Week; onChange(week: Week): void }) {
  const name = dayNames[day] ?? ''
  const spans = week[day] ?? []
  const set = (next: readonly Span[]): void => onChange(withDay(week, day, next))
  const problem = problemOf(spans)
  return (
    <li className="week-day">
      <label className="check">
        <input
          type="checkbox"
          checked={spans.length > 0}
          onChange={(event) => set(event.currentTarget.checked ? [nextSpan([])] : [])}
        />
        <span>{name}</span>
      </label>
      <div className="spans">
        {spans.length === 0 && <span className="quiet">Closed</span>}
        {spans.map((span, index) => (
          <SpanFields
            key={index}
            day={name}
            number={index + 1}
            span={span}
            onChange={(changed) => set(spans.map((each, at) => (at === index ? changed : each)))}
            onRemove={() => set(spans.filter((_, at) => at !== index))}
          />
        ))}
        {problem && (
          <span className="problem" role="alert">
            {problem}
          </span>
        )}
      </div>
      {spans.length > 0 && (
        <div className="actions">
          <Button
            small
            kind="plain"
            changes
            aria-label={`Add hours on ${name}`}
            title="Add hours"
            onClick={() => set([...spans, nextSpan(spans)])}
          >
            <Icon name="plus" />
          </Button>
          <Button
            small
            kind="plain"
            changes
            aria-label={`Copy the hours of ${name} to all open days`}
            title="Copy to all open days"
            onClick={() => onChange(copied(week, day))}
          >
            <Icon name="copy" />
          </Button>
        </div>
      )}
    </li>
  )
}

/** Edits a list of blocks as a week. Blocks with different time zones or closed days are only shown. */
export function WeekFields({
  legend,
  blocks,
  onChange,
}: {
  legend: string
  blocks: readonly HoursBlock[]
  onChange(blocks: HoursBlock[]): void
}) {
  const common: Common | undefined = commonOf(blocks)
  if (!common) {
    return (
      <div className="note warn">
        <strong>These hours have different time zones or closed days, so they cannot be edited here.</strong>
        <span>{sayHours(blocks)}</span>
        <div className="actions">
          <Button small changes onClick={() => onChange(blocksOf(usualWeek, { timezone: undefined, exdates: [] }))}>
            Replace with 9 to 5
          </Button>
        </div>
      </div>
    )
  }
  const week = weekOf(blocks)
  return (
    <fieldset className="field">
      <legend>{legend}</legend>
      <ul className="week">
        {weekOrder.map((day) => (
          <DayRow key={day} day={day} week={week} onChange={(next) => onChange(blocksOf(next, common))} />
        ))}
      </ul>
    </fieldset>
  )
}
