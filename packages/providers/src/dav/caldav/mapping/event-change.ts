/** Maps a client's event change to a change of its object. Pure. */
import type { EventChange, EventDraft, Participant, When } from '@waypost/contract'
import type { FieldChange } from '@waypost/formats/icalendar/calendar-object-changes'
import { invalidField } from '@waypost/platform/api-error'
import { conferencingOf } from '../../../calendar/event-change.ts'
import { checkAddresses, checkReminders, needWhen, participantsOf } from '../../../calendar/event-input.ts'
import type { CalDavTraits } from '../traits.ts'

export interface ChangeContext {
  /** The account's own address. */
  owner: string
  /** The current guests. */
  guests: readonly Participant[]
  /** The server sends the invitations, and each guest sees the others. */
  isScheduled: boolean
  traits: Pick<CalDavTraits, 'title' | 'maxReminders'>
}

/** The changed fields. Fields that the client did not send stay. */
export function toFieldChange(change: EventChange, context: ChangeContext): FieldChange {
  checkReminders(change.reminders)
  checkLimits(change, context)
  const { owner, guests } = context
  checkAddresses(change, guests)
  return withoutUndefined({
    title: change.title,
    description: change.description,
    location: change.location,
    when: change.when === undefined ? undefined : needWhen(change.when),
    busy: change.busy === undefined ? undefined : (change.busy ?? true),
    visibility: change.visibility,
    hide_participants: change.hide_participants === undefined ? undefined : (change.hide_participants ?? false),
    participants:
      change.participants === undefined ? undefined : participantsOf(change.participants ?? [], owner, guests),
    resources: change.resources === undefined ? undefined : (change.resources ?? []),
    capacity: change.capacity,
    reminders: change.reminders,
    conferencing: change.conferencing === undefined ? undefined : (conferencingOf(change.conferencing ?? {}) ?? null),
    recurrence: change.recurrence,
  })
}

export const toNewEvent = (draft: EventDraft, context: ChangeContext): FieldChange & { when: When } => ({
  ...toFieldChange(draft, context),
  when: needWhen(draft.when),
})

function checkLimits(
  { reminders, hide_participants: hides }: EventChange,
  { isScheduled, traits }: ChangeContext,
): void {
  const { maxReminders, title } = traits
  if (maxReminders !== undefined && (reminders?.overrides?.length ?? 0) > maxReminders) {
    throw invalidField('reminders.overrides', `must have at most ${maxReminders} at ${title}`)
  }
  if (hides && isScheduled) {
    throw invalidField('hide_participants', 'the calendar server invites the guests, and shows them to each other')
  }
}

const withoutUndefined = <T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>
  }
