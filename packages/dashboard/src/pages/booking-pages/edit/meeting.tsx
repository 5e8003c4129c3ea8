import type { Configuration } from '@waypost/sdk'
import { AreaField, CheckField, SelectField, TextField } from '../../../components/form.tsx'
import { setAvailability, setEvent, setGroup } from '../changes.ts'
import { durationOptions } from '../minutes.ts'
import { ModeChoice } from '../new/link.tsx'
import { Section, type SectionProps, textOr } from './section.tsx'

type Conferencing = NonNullable<Configuration['event_booking']['conferencing']>

const automatic = ['Google Meet', 'Microsoft Teams'] as const

/** The online meeting as a choice: none, one that the calendar creates, or a link. */
const choiceOf = (conferencing: Conferencing | null | undefined): string =>
  conferencing?.autocreate ? (conferencing.provider ?? '') : conferencing?.details ? 'link' : ''

function conferencingOf(choice: string): Conferencing | null {
  if (choice === '') return null
  return choice === 'link' ? { provider: 'Online meeting', details: { url: '' } } : { provider: choice, autocreate: {} }
}

function ConferenceFields({
  conferencing,
  at,
  onChange,
}: {
  conferencing: Conferencing | null | undefined
  /** The object of the configuration that contains it. */
  at: string
  onChange(conferencing: Conferencing | null): void
}) {
  const choice = choiceOf(conferencing)
  const known = new Set<string>([...automatic, ...(choice && choice !== 'link' ? [choice] : [])])
  return (
    <>
      <SelectField
        label="Online meeting"
        name={`${at}.conferencing`}
        value={choice}
        hint="Google Meet needs a Google calendar, Microsoft Teams a Microsoft one."
        options={[['', 'None'], ...[...known].map((each) => [each, each] as const), ['link', 'Your own meeting link']]}
        onChange={(next) => onChange(conferencingOf(next))}
      />
      {choice === 'link' && (
        <TextField
          label="Meeting link"
          name={`${at}.conferencing.details.url`}
          type="url"
          placeholder="https://"
          maxLength={2048}
          value={conferencing?.details?.url ?? ''}
          onChange={(url) => onChange({ ...conferencing, details: { ...conferencing?.details, url } })}
        />
      )}
    </>
  )
}

function GroupFields({ draft, edit }: SectionProps) {
  const group = draft.group_booking
  return (
    <div className="form-grid">
      <TextField
        label="Seats"
        name="group_booking.default_capacity"
        type="number"
        min={1}
        max={500}
        hint="For events that do not say otherwise."
        value={group?.default_capacity ?? 10}
        onChange={(text) => edit(setGroup({ default_capacity: Number(text) }))}
      />
      <ConferenceFields
        at="group_booking"
        conferencing={group?.conferencing}
        onChange={(conferencing) => edit(setGroup({ conferencing }))}
      />
    </div>
  )
}

function EventFields({ draft, edit }: SectionProps) {
  const event = draft.event_booking
  const duration = draft.availability.duration_minutes ?? 30
  return (
    <>
      <TextField
        label="Title of the event"
        name="event_booking.title"
        maxLength={1024}
        hint="In the calendar. ${invitee} is the name of the guest."
        value={event.title ?? ''}
        onChange={(title) => edit(setEvent({ title }))}
      />
      <AreaField
        optional
        label="Description of the event"
        name="event_booking.description"
        rows={3}
        value={event.description ?? ''}
        onChange={(text) => edit(setEvent({ description: textOr(text) }))}
      />
      <div className="form-grid">
        <SelectField
          label="Duration"
          name="availability.duration_minutes"
          value={String(duration)}
          options={durationOptions(duration)}
          onChange={(minutes) => edit(setAvailability({ duration_minutes: Number(minutes) }))}
        />
        <TextField
          optional
          label="Location"
          name="event_booking.location"
          maxLength={1024}
          placeholder="A place or phone number"
          value={event.location ?? ''}
          onChange={(location) => edit(setEvent({ location: textOr(location) }))}
        />
        <ConferenceFields
          at="event_booking"
          conferencing={event.conferencing}
          onChange={(conferencing) => edit(setEvent({ conferencing }))}
        />
      </div>
      <ModeChoice
        needsConfirmation={(event.booking_type ?? 'booking') !== 'booking'}
        onChange={(needed) => edit(setEvent({ booking_type: needed ? 'organizer-confirmation' : 'booking' }))}
      />
      <CheckField
        label="Hide participants from each other"
        name="event_booking.hide_participants"
        checked={event.hide_participants ?? false}
        onChange={(hide_participants) => edit(setEvent({ hide_participants }))}
      />
    </>
  )
}

export function MeetingSection(props: SectionProps) {
  const { draft, edit } = props
  return (
    <Section open title="Meeting" lead="Name, duration, place and confirmation">
      <TextField
        label="Name of the page"
        name="name"
        maxLength={256}
        value={draft.name}
        onChange={(name) => edit((now) => ({ ...now, name }))}
      />
      {draft.type === 'group' ? <GroupFields {...props} /> : <EventFields {...props} />}
    </Section>
  )
}
