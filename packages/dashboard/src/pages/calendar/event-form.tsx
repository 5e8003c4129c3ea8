/** The form of a new or changed event. */
import type { Calendar, Event, EventDraft } from '@waypost/sdk'
import { useState } from 'react'
import { Dialog } from '../../components/dialog.tsx'
import { AreaField, CheckField, Form, SelectField, TextField, type Values } from '../../components/form.tsx'
import { showToast } from '../../components/toast.tsx'
import { changeEvent, createEvent, type WrittenEvent } from './changes.ts'
import { type Account, refreshEvents } from './data.ts'
import { bodyOf, type Filled, repetitionOfEvent } from './event-draft.ts'
import { guestLines } from './guests.ts'
import type { Repetition } from './recurrence.ts'
import { NotifyChoice } from './scope.tsx'
import type { Scope } from './series.ts'
import { type Clock, clockOf } from './when.ts'
import { RepetitionFields, WhenFields } from './when-fields.tsx'

const reminders: readonly (readonly [string, string])[] = [
  ['usual', 'Calendar default'],
  ['none', 'None'],
  ['0', 'When it starts'],
  ['5', '5 minutes before'],
  ['10', '10 minutes before'],
  ['30', '30 minutes before'],
  ['60', 'An hour before'],
  ['1440', 'A day before'],
]
const conferences: Record<string, string> = { google: 'Google Meet', microsoft: 'Microsoft Teams' }
const noRepetition: Repetition = { repeat: 'never', ends: 'never', until: '', times: 10, rule: '' }

/** The form creates an event, or changes one within a scope. */
export type Editing =
  | { kind: 'new'; clock: Clock; calendar: string }
  | { kind: 'change'; event: Event; shown: Event; scope: Scope }

function filledOf(values: Values, clock: Clock, repetition: Repetition): Filled {
  return {
    title: values.text('title'),
    location: values.text('location'),
    description: values.text('description'),
    guests: values.lines('participants'),
    busy: values.checked('busy'),
    reminder: values.text('reminder') ?? 'same',
    conference: values.text('conference'),
    clock,
    repetition,
  }
}

const news = (done: string, { ignored }: WrittenEvent): string =>
  ignored.length === 0 ? done : `${done}. The provider ignored: ${ignored.join(', ')}`

function WhereFields({ editing, calendars }: { editing: Editing; calendars: readonly Calendar[] }) {
  const writable = calendars.filter(({ read_only }) => !read_only)
  if (editing.kind === 'change') return null
  return (
    <SelectField
      label="Calendar"
      name="calendar"
      defaultValue={editing.calendar}
      options={writable.map(({ id, name }) => [id, name || id])}
    />
  )
}

function MoreFields({ provider, shown }: { provider: string; shown: Event | undefined }) {
  const conference = conferences[provider]
  const options = shown ? [['same', 'Unchanged'] as const, ...reminders] : reminders
  return (
    <>
      <AreaField
        optional
        label="Guests"
        name="participants"
        rows={3}
        defaultValue={guestLines(shown?.participants ?? [])}
        placeholder="Ann <ann@example.com>"
        hint="One per line."
      />
      <TextField optional label="Location" name="location" maxLength={255} defaultValue={shown?.location ?? ''} />
      <AreaField optional label="Description" name="description" rows={3} defaultValue={shown?.description ?? ''} />
      {provider !== 'virtual-calendar' && (
        <SelectField label="Reminder" name="reminder" options={options} defaultValue={shown ? 'same' : 'usual'} />
      )}
      {conference && !shown && (
        <SelectField
          label="Conference"
          name="conference"
          defaultValue=""
          options={[
            ['', 'None'],
            [conference, conference],
          ]}
        />
      )}
      <CheckField
        label="Busy"
        name="busy"
        checked={shown?.busy ?? true}
        hint="Shows this time as busy in free/busy and availability."
      />
    </>
  )
}

export function EventForm({
  account,
  calendars,
  editing,
  zone,
  onDone,
  onClose,
}: {
  account: Account
  calendars: readonly Calendar[]
  editing: Editing
  zone: string
  onDone(event: Event): void
  onClose(): void
}) {
  const shown = editing.kind === 'change' ? editing.shown : undefined
  const [clock, setClock] = useState(
    shown ? clockOf(shown.when, zone) : editing.kind === 'new' ? editing.clock : undefined,
  )
  const [repetition, setRepetition] = useState(shown ? repetitionOfEvent(shown, zone) : noRepetition)
  if (!clock) return null
  const isOccurrence = editing.kind === 'change' && editing.scope === 'one' && Boolean(editing.event.master_event_id)
  const save = async (values: Values): Promise<WrittenEvent> => {
    const body = bodyOf(filledOf(values, clock, repetition), zone, shown)
    const notify = values.checked('notify')
    if (editing.kind === 'new') return createEvent(account, values.exact('calendar'), body as EventDraft, notify)
    return changeEvent(account, editing.event, editing.scope, { body, notify, zone })
  }
  return (
    <Dialog title={shown ? 'Edit event' : 'New event'} onClose={onClose}>
      <Form
        submit={shown ? 'Save' : 'Create event'}
        onCancel={onClose}
        onSubmit={save}
        onDone={(written) => {
          showToast(news(shown ? 'Event updated' : 'Event created', written))
          void refreshEvents(account)
          onDone(written.event)
        }}
      >
        <TextField optional label="Title" name="title" maxLength={1024} defaultValue={shown?.title ?? ''} />
        <WhenFields clock={clock} zone={zone} onChange={setClock} />
        {!isOccurrence && <RepetitionFields repetition={repetition} onChange={setRepetition} />}
        <WhereFields editing={editing} calendars={calendars} />
        <MoreFields provider={account.grant.provider} shown={shown} />
        <NotifyChoice />
      </Form>
    </Dialog>
  )
}
