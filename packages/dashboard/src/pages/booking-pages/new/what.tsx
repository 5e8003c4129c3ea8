/** Step 2: what is booked, where, and when. */
import { SelectField, TextField } from '../../../components/form.tsx'
import { PlaceFields } from '../fields/place-fields.tsx'
import { WeekFields } from '../fields/week-fields.tsx'
import { ZoneField } from '../fields/zone-field.tsx'
import { GroupEventFields } from '../group/group-event-fields.tsx'
import { durationOptions } from '../minutes.ts'
import { conferenceOf, usualTitle } from '../new-page.ts'
import type { StepProps } from './who.tsx'

export function What({ answers, change }: StepProps) {
  const isGroup = answers.kind === 'group'
  return (
    <>
      <TextField
        label="Title"
        name="title"
        maxLength={256}
        autoFocus
        placeholder={usualTitle(answers)}
        hint="The name of the page and of the events in the calendar."
        value={answers.title}
        onChange={(title) => change((now) => ({ ...now, title }))}
      />
      <div className="form-grid">
        {!isGroup && (
          <SelectField
            label="Duration"
            name="availability.duration_minutes"
            value={String(answers.duration)}
            options={durationOptions(answers.duration)}
            onChange={(minutes) => change((now) => ({ ...now, duration: Number(minutes) }))}
          />
        )}
        <PlaceFields
          place={answers.place}
          where={answers.where}
          conference={conferenceOf(answers.hosts)}
          onChange={(next) => change((now) => ({ ...now, ...next }))}
        />
      </div>
      {isGroup ? (
        <fieldset className="field">
          <legend>First event</legend>
          <span className="hint">Guests join it until it is full. You can add more events later.</span>
          <GroupEventFields
            values={answers.event}
            onChange={(next) => change((now) => ({ ...now, event: { ...now.event, ...next } }))}
          />
        </fieldset>
      ) : (
        <WeekFields legend="Hours" blocks={answers.hours} onChange={(hours) => change((now) => ({ ...now, hours }))} />
      )}
      <ZoneField
        name="event_booking.timezone"
        hint={`${isGroup ? 'The start is' : 'The hours are'} in this time zone. Guests see times in their own.`}
        value={answers.zone}
        onChange={(zone) => change((now) => ({ ...now, zone }))}
      />
    </>
  )
}
