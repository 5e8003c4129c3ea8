import { CheckField, SelectField, TextField } from '../../../components/form.tsx'
import { setAvailability, setRules, setScheduler } from '../changes.ts'
import { MinutesField } from '../fields/minutes-field.tsx'
import { sayMinutes } from '../minutes.ts'
import { Section, type SectionProps } from './section.tsx'

const buffers = [0, 5, 10, 15, 20, 30, 45, 60, 90, 120]
const intervals = [5, 10, 15, 20, 30, 45, 60, 90, 120]
const roundings = [5, 10, 15, 20, 30, 60]

/** Usual numbers of minutes and the current one. */
const choices = (usual: readonly number[], current: number): (readonly [string, string])[] =>
  [...new Set([...usual, current])].sort((a, b) => a - b).map((each) => [String(each), sayMinutes(each)])

function TimingFields({ draft, edit }: SectionProps) {
  const { availability } = draft
  const rules = availability.availability_rules
  const before = rules?.buffer?.before ?? 0
  const after = rules?.buffer?.after ?? 0
  const interval = availability.interval_minutes
  const rounding = availability.round_to ?? 15
  return (
    <>
      <SelectField
        label="Free time before a meeting"
        name="availability.availability_rules.buffer.before"
        value={String(before)}
        options={choices(buffers, before)}
        onChange={(minutes) => edit(setRules({ buffer: { before: Number(minutes), after } }))}
      />
      <SelectField
        label="Free time after a meeting"
        name="availability.availability_rules.buffer.after"
        value={String(after)}
        options={choices(buffers, after)}
        onChange={(minutes) => edit(setRules({ buffer: { before, after: Number(minutes) } }))}
      />
      <SelectField
        label="A start every"
        name="availability.interval_minutes"
        value={interval ? String(interval) : ''}
        options={[['', 'As long as the meeting'], ...choices(intervals, interval ?? 30)]}
        onChange={(minutes) => edit(setAvailability({ interval_minutes: minutes ? Number(minutes) : undefined }))}
      />
      <SelectField
        label="Starts are rounded to"
        name="availability.round_to"
        value={String(rounding)}
        options={choices(roundings, rounding)}
        onChange={(minutes) => edit(setAvailability({ round_to: Number(minutes) }))}
      />
    </>
  )
}

export function LimitsSection(props: SectionProps) {
  const { draft, edit } = props
  const { scheduler } = draft
  const isGroup = draft.type === 'group'
  return (
    <Section title="Limits" lead="Notice, horizon and buffers">
      <div className="form-grid">
        <MinutesField
          label="Minimum notice"
          name="scheduler.min_booking_notice"
          max={1_051_200}
          value={scheduler.min_booking_notice ?? 60}
          onChange={(min_booking_notice) => edit(setScheduler({ min_booking_notice }))}
        />
        <TextField
          label="Days ahead"
          name="scheduler.available_days_in_future"
          type="number"
          min={1}
          max={730}
          value={scheduler.available_days_in_future ?? 30}
          onChange={(text) => edit(setScheduler({ available_days_in_future: Number(text) }))}
        />
        {!isGroup && <TimingFields {...props} />}
      </div>
      {!isGroup && (
        <CheckField
          label="Tentative events block their time"
          name="availability.availability_rules.tentative_as_busy"
          checked={draft.availability.availability_rules?.tentative_as_busy ?? true}
          onChange={(tentative_as_busy) => edit(setRules({ tentative_as_busy }))}
        />
      )}
    </Section>
  )
}
