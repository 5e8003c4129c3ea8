/** Form fields for the time and recurrence of an event. */
import { SelectField, TextField } from '../../components/form.tsx'
import type { Repetition } from './recurrence.ts'
import type { Clock } from './when.ts'
import { addDays, dateOf, daysBetween, secondsOf, timeOf, wallOf } from './zones.ts'

/** When the start changes, the end moves with it and the duration stays. */
function withStart(clock: Clock, startDate: string, startTime: string): Clock {
  if (startDate === '' || startTime === '') return { ...clock, startDate, startTime }
  if (clock.allDay) {
    const days = daysBetween(clock.startDate, startDate)
    return { ...clock, startDate, endDate: Number.isNaN(days) ? startDate : addDays(clock.endDate, days) }
  }
  const length =
    secondsOf(`${clock.endDate}T${clock.endTime}`, 'UTC') - secondsOf(`${clock.startDate}T${clock.startTime}`, 'UTC')
  const end = wallOf(secondsOf(`${startDate}T${startTime}`, 'UTC') + Math.max(0, length), 'UTC')
  return { ...clock, startDate, startTime, endDate: dateOf(end), endTime: timeOf(end) }
}

function safely(clock: Clock, startDate: string, startTime: string): Clock {
  try {
    return withStart(clock, startDate, startTime)
  } catch {
    return { ...clock, startDate, startTime }
  }
}

export function WhenFields({ clock, zone, onChange }: { clock: Clock; zone: string; onChange(clock: Clock): void }) {
  const { allDay, startDate, startTime, endDate, endTime } = clock
  return (
    <fieldset className="stack">
      <legend className="hidden">When</legend>
      <label className="check">
        <input
          type="checkbox"
          checked={allDay}
          onChange={() => onChange({ ...clock, allDay: !allDay, endDate: endDate < startDate ? startDate : endDate })}
        />
        <span>All day</span>
      </label>
      <div className="cal-when">
        <TextField
          label="Starts"
          name="start_date"
          type="date"
          value={startDate}
          onChange={(text) => onChange(safely(clock, text, startTime))}
        />
        {!allDay && (
          <TextField
            label="Start time"
            name="start_time"
            type="time"
            value={startTime}
            onChange={(text) => onChange(safely(clock, startDate, text))}
          />
        )}
        <TextField
          label="Ends"
          name="end_date"
          type="date"
          min={startDate}
          value={endDate}
          onChange={(endDate) => onChange({ ...clock, endDate })}
        />
        {!allDay && (
          <TextField
            label="End time"
            name="end_time"
            type="time"
            value={endTime}
            onChange={(endTime) => onChange({ ...clock, endTime })}
          />
        )}
      </div>
      <span className="quiet small">{allDay ? 'The last day is included.' : `Times are in ${zone}.`}</span>
    </fieldset>
  )
}

const choices = [
  ['never', 'Does not repeat'],
  ['daily', 'Every day'],
  ['weekdays', 'Every weekday (Monday to Friday)'],
  ['weekly', 'Every week'],
  ['monthly', 'Every month'],
  ['yearly', 'Every year'],
  ['rule', 'Custom rule (RRULE)'],
] as const
const ends = [
  ['never', 'Never'],
  ['on', 'On a date'],
  ['after', 'After a number of events'],
] as const

const oneOf = <T extends string>(options: readonly (readonly [T, string])[], value: string): T | undefined =>
  options.find(([key]) => key === value)?.[0]

export function RepetitionFields({
  repetition,
  onChange,
}: {
  repetition: Repetition
  onChange(repetition: Repetition): void
}) {
  const { repeat, until, times, rule } = repetition
  const set = (change: Partial<Repetition>): void => onChange({ ...repetition, ...change })
  return (
    <fieldset className="stack">
      <legend className="hidden">Repetition</legend>
      <div className="form-grid">
        <SelectField
          label="Repeats"
          name="repeat"
          options={choices}
          value={repeat}
          onChange={(value) => set({ repeat: oneOf(choices, value) ?? 'never' })}
        />
        {repeat !== 'never' && repeat !== 'rule' && (
          <SelectField
            label="Until"
            name="repeat_ends"
            options={ends}
            value={repetition.ends}
            onChange={(value) => set({ ends: oneOf(ends, value) ?? 'never' })}
          />
        )}
      </div>
      {repeat === 'rule' && (
        <TextField
          label="Rule"
          name="recurrence"
          value={rule}
          placeholder="FREQ=MONTHLY;BYDAY=2TU;COUNT=12"
          hint="An RFC 5545 rule without the RRULE: prefix."
          onChange={(rule) => set({ rule })}
        />
      )}
      {repeat !== 'never' && repeat !== 'rule' && repetition.ends === 'on' && (
        <TextField
          label="Last day"
          name="repeat_until"
          type="date"
          value={until}
          onChange={(until) => set({ until })}
        />
      )}
      {repeat !== 'never' && repeat !== 'rule' && repetition.ends === 'after' && (
        <TextField
          label="Number of events"
          name="repeat_times"
          type="number"
          min={1}
          max={1000}
          value={times}
          onChange={(text) => set({ times: Number(text) })}
        />
      )}
    </fieldset>
  )
}
