/** Maps a client's event to the fields of Exchange. Pure. */
import type { EventChange, EventDraft, ParticipantInput, Resource } from '@waypost/contract'
import { invalidField } from '@waypost/platform/api-error'
import { checkAddresses, checkConferencing, checkReminders, needWhen, participantsOf, startOf } from '../event-input.ts'
import { bodyOf, joinBlockOf, joinText } from './description.ts'
import { isRoom, participantOf, shownDescription } from './event.ts'
import type { ExchangeAttendee, ExchangeEvent, ExchangeFields } from './event-model.ts'
import { type OwnFields, ownFieldsOf, ownProperty } from './own-property.ts'
import { type WrittenSeries, writtenSeries } from './recurrence-pattern.ts'
import { storedZones, toTimes } from './when.ts'

/** The fields to send, and the occurrences to delete afterwards (keys of formats/recurrence/series.ts). */
export interface WrittenFields {
  fields: ExchangeFields
  series?: WrittenSeries | undefined
}

const isSame = (a: string | undefined, b: string): boolean => a?.toLowerCase() === b.trim().toLowerCase()

/** Guests and rooms. The type of an existing guest (required or optional) stays; Exchange keeps the answers. */
export function attendeesOf(
  input: { participants?: readonly ParticipantInput[] | null; resources?: readonly Resource[] | null },
  owner: string,
  before: readonly ExchangeAttendee[] = [],
): ExchangeAttendee[] {
  checkAddresses(
    input,
    before.map(({ emailAddress }) => ({ email: emailAddress?.address })),
  )
  const people = before.filter((one) => !isRoom(one))
  const typeOf = (email: string): string =>
    people.find(({ emailAddress }) => isSame(emailAddress?.address, email))?.type ?? 'required'
  const guests =
    input.participants === undefined
      ? people.map(
          ({ type, emailAddress }): ExchangeAttendee => ({
            ...(type ? { type } : {}),
            ...(emailAddress ? { emailAddress } : {}),
          }),
        )
      : participantsOf(input.participants ?? [], owner, people.map(participantOf)).map(
          ({ email = '', name }): ExchangeAttendee => ({
            type: typeOf(email),
            emailAddress: { address: email, ...(name === null ? {} : { name }) },
          }),
        )
  const rooms =
    input.resources === undefined
      ? before
          .filter(isRoom)
          .map(
            ({ emailAddress }): ExchangeAttendee => ({ type: 'resource', ...(emailAddress ? { emailAddress } : {}) }),
          )
      : (input.resources ?? []).map(
          ({ email, name }): ExchangeAttendee => ({
            type: 'resource',
            emailAddress: { address: email.trim(), ...(name ? { name } : {}) },
          }),
        )
  return [...guests, ...rooms]
}

/** The fields that are equal in a new event and in a change. */
function plainFields(input: EventChange): ExchangeFields {
  const fields: ExchangeFields = {}
  if (input.title !== undefined) fields.subject = input.title ?? ''
  if (input.location !== undefined) fields.location = { displayName: input.location ?? '' }
  if (input.busy !== undefined) fields.showAs = input.busy === false ? 'free' : 'busy'
  if (input.visibility !== undefined) fields.sensitivity = input.visibility === 'private' ? 'private' : 'normal'
  if (input.hide_participants !== undefined) fields.hideAttendees = input.hide_participants === true
  if (input.reminders !== undefined) Object.assign(fields, remindersOf(input.reminders))
  return fields
}

/** Outlook's default is 15 minutes before. */
function remindersOf(reminders: EventChange['reminders']): ExchangeFields {
  checkReminders(reminders)
  const overrides = reminders?.overrides ?? []
  if (!reminders || (reminders.use_default !== false && overrides.length === 0)) {
    return { isReminderOn: true, reminderMinutesBeforeStart: 15 }
  }
  if (overrides.length > 1) throw invalidField('reminders.overrides', 'must have at most one in Exchange')
  const [only] = overrides
  return only === undefined
    ? { isReminderOn: false }
    : { isReminderOn: true, reminderMinutesBeforeStart: only.reminder_minutes }
}

const teams = /^(Microsoft Teams|Teams for Business)$/

/** Whether to create a conference, and the described one to store; undefined leaves it unchanged. */
function conferenceOf(
  conferencing: EventChange['conferencing'],
): { makes: boolean; retained: OwnFields['conferencing'] } | undefined {
  if (conferencing === undefined) return undefined
  const given = conferencing ?? {}
  checkConferencing(given)
  if (given.autocreate === undefined) return { makes: false, retained: given.provider === undefined ? null : given }
  if (!teams.test(given.provider ?? '')) {
    throw invalidField('conferencing.autocreate', 'makes conferences of Microsoft Teams only; send details instead')
  }
  return { makes: true, retained: null }
}

/** The text that says how to join. */
function joinTexts(conferencing: OwnFields['conferencing']): string[] {
  const { provider, details } = conferencing ?? {}
  return provider && details?.url ? [joinText({ provider, url: details.url })] : []
}

/** The body of an event, with how to join it. */
function bodyFor(change: EventChange, conferencing: OwnFields['conferencing'], before: ExchangeEvent | undefined) {
  const isEnded = change.conferencing !== undefined
  const block = before && joinBlockOf(before)
  const whole = change.description === undefined ? (before ? shownDescription(before) : null) : change.description
  const url = before?.onlineMeeting?.joinUrl
  const text = isEnded && block !== undefined ? (whole?.replace(block, '') ?? null) : whole
  const keeps = !isEnded && block !== undefined && !(url !== undefined && text?.includes(url))
  return bodyOf(text, [...joinTexts(conferencing), ...(keeps ? [block] : [])])
}

/** The zones to store with a change. If the new time of a series names no zone, its zone stays. */
function changedZones({ when: given }: EventChange, before: ExchangeEvent | undefined): Pick<OwnFields, 'zones'> {
  if (given === undefined) return {}
  const when = needWhen(given)
  const isUnnamed =
    (when.object === 'time' && when.timezone === null) || (when.object === 'timespan' && when.start_timezone === null)
  return isUnnamed && before?.recurrence ? {} : { zones: storedZones(when) ?? null }
}

/** The description, conference, capacity and zones. The last three share one property. */
function textFields(change: EventChange, before: ExchangeEvent | undefined): ExchangeFields {
  const conference = conferenceOf(change.conferencing)
  const own = before ? ownFieldsOf(before) : {}
  const conferencing = conference ? conference.retained : own.conferencing
  const fields: ExchangeFields = {}
  const property = ownProperty(own, {
    ...(change.capacity === undefined ? {} : { capacity: change.capacity }),
    ...(conference ? { conferencing: conference.retained ?? null } : {}),
    ...changedZones(change, before),
  })
  if (property) fields.singleValueExtendedProperties = [property]
  if (conference?.makes) Object.assign(fields, { isOnlineMeeting: true, onlineMeetingProvider: 'teamsForBusiness' })
  const changesBody = change.description !== undefined || (conference !== undefined && !conference.makes)
  if (changesBody) fields.body = bodyFor(change, conferencing, before)
  return fields
}

export function fromDraft(draft: EventDraft, owner: string): WrittenFields {
  const when = needWhen(draft.when)
  const lines = draft.recurrence ?? []
  const attendees = attendeesOf({ participants: draft.participants ?? [], resources: draft.resources ?? [] }, owner)
  const series = lines.length > 0 ? writtenSeries(lines, startOf(when)) : undefined
  const { reminders, conferencing, capacity, ...given } = draft
  const fields = {
    ...plainFields({ ...given, ...(reminders ? { reminders } : {}) }),
    ...textFields(
      { ...given, ...(conferencing ? { conferencing } : {}), ...(capacity ? { capacity } : {}) },
      undefined,
    ),
    ...toTimes(when),
    ...(attendees.length > 0 ? { attendees } : {}),
    ...(series ? { recurrence: series.recurrence } : {}),
  }
  return { fields, series }
}

/** The fields of a change except the times of an event. */
export function changedFields(change: EventChange, owner: string, before: ExchangeEvent): ExchangeFields {
  const fields = { ...plainFields(change), ...textFields(change, before) }
  if (change.participants === undefined && change.resources === undefined) return fields
  return { ...fields, attendees: attendeesOf(change, owner, before.attendees) }
}
