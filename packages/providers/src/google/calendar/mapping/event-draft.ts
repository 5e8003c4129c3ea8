/** Maps event changes of the API to Google's fields. Pure. */
import type { EventChange, EventDraft, Participant, ParticipantInput, Resource, When } from '@waypost/contract'
import { normaliseRecurrence } from '@waypost/formats/recurrence/rule'
import { Steps } from '@waypost/formats/recurrence/steps'
import { invalidField } from '@waypost/platform/api-error'
import {
  checkAddresses,
  checkConferencing,
  checkReminders,
  needWhen,
  participantsOf,
  startOf,
} from '../../../calendar/event-input.ts'
import type { GoogleAttendee, GoogleEvent } from '../calendar-api.ts'
import { toConference } from './conference.ts'
import { capacityProperty, participantOf } from './event.ts'
import { fromTimes, overTimes, toTimes } from './when.ts'

/** The fields of an event as they are sent; null removes a field. */
export type GoogleFields = Record<string, unknown>

const maxDescription = 8192
const responses: Record<Participant['status'], string> = {
  yes: 'accepted',
  no: 'declined',
  maybe: 'tentative',
  noreply: 'needsAction',
}

const isSame = (a: string | undefined, b: string): boolean => a?.toLowerCase() === b.trim().toLowerCase()

/** Guests and rooms. A guest that stays keeps the answer and whether the guest is optional. */
export function attendeesOf(
  input: { participants?: readonly ParticipantInput[] | null; resources?: readonly Resource[] | null },
  owner: string,
  before: readonly GoogleAttendee[] = [],
): GoogleAttendee[] {
  checkAddresses(input, before)
  const people = before.filter(({ resource }) => !resource)
  const guests =
    input.participants === undefined
      ? people
      : participantsOf(input.participants ?? [], owner, people.map(participantOf)).map(
          ({ email = '', name, comment, status }): GoogleAttendee => ({
            ...people.find((one) => isSame(one.email, email)),
            email,
            ...(name === null ? {} : { displayName: name }),
            ...(comment === null ? {} : { comment }),
            responseStatus: responses[status],
          }),
        )
  const rooms =
    input.resources === undefined
      ? before.filter(({ resource }) => resource)
      : (input.resources ?? []).map(
          ({ email, name }): GoogleAttendee => ({
            ...before.find((one) => isSame(one.email, email)),
            email: email.trim(),
            ...(name ? { displayName: name } : {}),
            resource: true,
          }),
        )
  return [...guests, ...rooms]
}

/**
 * The lines of a new series. Google would add a start that the rule does not produce as one more occurrence, so it is
 * refused.
 */
export function recurrenceOf(lines: readonly string[], when: When): string[] {
  const options = { allowRdate: true, startOutsideRule: 'refuse', steps: new Steps() } as const
  const result = normaliseRecurrence(lines, startOf(when), options)
  if (!result.ok) throw invalidField('recurrence', result.problem)
  return [...result.value.lines]
}

/** The fields that a new event and a change have in common. */
function plainFields(input: EventChange): GoogleFields {
  checkReminders(input.reminders)
  const fields: GoogleFields = {}
  if ((input.description?.length ?? 0) > maxDescription) {
    throw invalidField('description', `must have at most ${maxDescription} characters at Google`)
  }
  if (input.title !== undefined) fields.summary = input.title
  if (input.description !== undefined) fields.description = input.description
  if (input.location !== undefined) fields.location = input.location
  if (input.busy !== undefined) fields.transparency = input.busy === false ? 'transparent' : 'opaque'
  if (input.visibility !== undefined) fields.visibility = input.visibility ?? 'default'
  if (input.hide_participants !== undefined) fields.guestsCanSeeOtherGuests = input.hide_participants !== true
  if (input.color_id !== undefined) fields.colorId = input.color_id
  if (input.reminders !== undefined) fields.reminders = remindersOf(input.reminders)
  if (input.capacity !== undefined) {
    const capacity = input.capacity === null ? null : `${input.capacity}`
    fields.extendedProperties = { private: { [capacityProperty]: capacity } }
  }
  return fields
}

function remindersOf(reminders: EventChange['reminders']): GoogleEvent['reminders'] {
  if (!reminders || (reminders.use_default !== false && (reminders.overrides?.length ?? 0) === 0)) {
    return { useDefault: true, overrides: [] }
  }
  const overrides = (reminders.overrides ?? []).map(({ reminder_minutes: minutes, reminder_method: method }) => ({
    method: method ?? 'popup',
    minutes,
  }))
  if (overrides.length > 5) throw invalidField('reminders.overrides', 'must have at most 5 at Google')
  return { useDefault: false, overrides }
}

/** A conference: none, a described one, or one that Google creates. */
function conferenceOf(conferencing: EventChange['conferencing'], requestId: string): unknown {
  const given = conferencing ?? {}
  checkConferencing(given)
  if (given.provider === undefined) return null
  if (given.autocreate === undefined) return toConference(given)
  if (given.provider !== 'Google Meet') {
    throw invalidField('conferencing.autocreate', 'makes conferences of Google Meet only; send details instead')
  }
  return { createRequest: { requestId, conferenceSolutionKey: { type: 'hangoutsMeet' } } }
}

const withoutNulls = (fields: GoogleFields): GoogleFields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined))

/** A new event. `requestId` names a conference that Google is to create. */
export function fromDraft(draft: EventDraft, { owner, requestId }: { owner: string; requestId: string }): GoogleFields {
  const when = needWhen(draft.when)
  const lines = draft.recurrence ?? []
  const attendees = attendeesOf({ participants: draft.participants ?? [], resources: draft.resources ?? [] }, owner)
  return withoutNulls({
    ...plainFields(draft),
    ...(draft.capacity === null ? { extendedProperties: null } : {}),
    ...toTimes(when, lines.length > 0 ? 'UTC' : null),
    ...(attendees.length > 0 ? { attendees } : {}),
    ...(lines.length > 0 ? { recurrence: recurrenceOf(lines, when) } : {}),
    ...(draft.conferencing ? { conferenceData: conferenceOf(draft.conferencing, requestId) } : {}),
  })
}

/** Whether a change depends on the current event. */
export const needsBefore = ({ participants, resources, recurrence, when }: EventChange): boolean =>
  participants !== undefined || resources !== undefined || when !== undefined || (recurrence?.length ?? 0) > 0

/** The zone of a time without one. A series needs a zone and keeps its own; null if none is needed. */
export function zoneOfChange({ recurrence }: EventChange, before: GoogleEvent | undefined): string | null {
  if ((before?.recurrence?.length ?? 0) > 0) return before?.start?.timeZone ?? 'UTC'
  return (recurrence?.length ?? 0) > 0 ? 'UTC' : null
}

/** A change of an event; `before` is the current event, if it is needed. */
export function fromChange(
  change: EventChange,
  { owner, requestId, before }: { owner: string; requestId: string; before: GoogleEvent | undefined },
): GoogleFields {
  const when = change.when === undefined ? undefined : needWhen(change.when)
  const fields = plainFields(change)
  const lines = change.recurrence ?? []
  if (when) Object.assign(fields, overTimes(toTimes(when, zoneOfChange(change, before))))
  if (change.participants !== undefined || change.resources !== undefined) {
    fields.attendees = attendeesOf(change, owner, before?.attendees)
  }
  if (change.conferencing !== undefined) fields.conferenceData = conferenceOf(change.conferencing, requestId)
  if (change.recurrence === undefined) return fields
  if (lines.length === 0) return { ...fields, recurrence: null }
  if (before?.recurringEventId !== undefined) {
    throw invalidField('recurrence', 'one occurrence cannot repeat: change the series instead')
  }
  // The lines of an existing series depend on its exceptions (series-move.ts).
  if ((before?.recurrence?.length ?? 0) > 0) return fields
  const start = when ?? fromTimes(before?.start ?? { date: '1970-01-01' }, before?.end)
  return { ...fields, recurrence: recurrenceOf(lines, start) }
}
