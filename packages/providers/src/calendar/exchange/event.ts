/** Maps an event of Exchange to an event of the API. Pure. */
import type { Conferencing, Event, Grant, Participant, ParticipantStatus, Reminders, Resource } from '@waypost/contract'
import { conferenceProviderIn, joinAddressIn } from '@waypost/formats/icalendar/conference-lines'
import { descriptionOf, joinText } from './description.ts'
import type { ExchangeAttendee, ExchangeEvent, ExchangePerson } from './event-model.ts'
import { ownFieldsOf } from './own-property.ts'
import { recurrenceLines } from './recurrence-lines.ts'
import { instantOf, whenOf } from './when.ts'

/** The context that an event itself does not contain. */
export interface EventPlace {
  grant: Pick<Grant, 'id' | 'email'>
  calendar: { id: string; canEdit?: boolean }
  /** Whether tentative events count as busy; default true. */
  tentativeAsBusy?: boolean | undefined
}

const answers: Record<string, ParticipantStatus> = {
  accepted: 'yes',
  organizer: 'yes',
  declined: 'no',
  tentativelyAccepted: 'maybe',
}
const statusOf = (response: string | undefined): ParticipantStatus => answers[response ?? ''] ?? 'noreply'

const isSame = (a: string | undefined, b: string): boolean => a?.toLowerCase() === b.trim().toLowerCase()

const personOf = (person: ExchangePerson | undefined): Event['organizer'] => {
  const { name, address } = person?.emailAddress ?? {}
  return address === undefined ? null : { name: name || null, email: address }
}

export const isRoom = ({ type }: ExchangeAttendee): boolean => type === 'resource'

/** A guest; Exchange may have only a name. */
export const participantOf = ({ emailAddress: { name, address } = {}, status }: ExchangeAttendee): Participant => ({
  ...(address === undefined ? {} : { email: address }),
  name: name && name !== address ? name : null,
  comment: null,
  phone_number: null,
  status: statusOf(status?.response),
})

/** A room without an address is only a name and cannot be booked, so it is omitted. */
const resourceOf = ({ emailAddress: { name, address } = {} }: ExchangeAttendee): Resource[] =>
  address ? [{ email: address, name: name && name !== address ? name : null }] : []

/** The guests. The account's own answer is in a separate field of its copy of the event. */
function participantsOf({ attendees = [], isOrganizer, responseStatus }: ExchangeEvent, email: string): Participant[] {
  const people = attendees.filter((guest) => !isRoom(guest)).map(participantOf)
  if (isOrganizer) return people
  return people.map((guest) =>
    isSame(guest.email, email) ? { ...guest, status: statusOf(responseStatus?.response) } : guest,
  )
}

const remindersOf = ({ isReminderOn, reminderMinutesBeforeStart: minutes = 15 }: ExchangeEvent): Reminders => ({
  use_default: false,
  overrides: isReminderOn ? [{ reminder_minutes: minutes, reminder_method: 'display' }] : [],
})

/** Whether it blocks time: busy and out of office do, working elsewhere does not, as in Exchange's own schedules. */
export const isBusy = (showAs: string | undefined, tentativeAsBusy = true): boolean =>
  showAs === 'busy' || showAs === 'oof' || (showAs === 'tentative' && tentativeAsBusy)

function eventStatus({ isCancelled, showAs, responseStatus }: ExchangeEvent): Event['status'] {
  if (isCancelled) return 'cancelled'
  return showAs === 'tentative' || responseStatus?.response === 'tentativelyAccepted' ? 'maybe' : 'confirmed'
}

/** Exchange writes the day of an occurrence into the UID that it shares with its series ([MS-OXOCAL] 2.2.1.27). */
export const seriesUid = (uid: string): string =>
  uid.replace(/^(040000008200E00074C5B7101A82E008)[\dA-F]{8}/i, '$100000000')

/** The series fields of an event: its own rule, or its master. */
function seriesOf(event: ExchangeEvent): Partial<Event> {
  const { recurrence, seriesMasterId, originalStart, cancelledOccurrences } = event
  const original = instantOf(originalStart)
  return {
    ...(recurrence ? { recurrence: recurrenceLines(recurrence, whenOf(event), cancelledOccurrences) } : {}),
    ...(seriesMasterId === undefined ? {} : { master_event_id: seriesMasterId }),
    ...(seriesMasterId === undefined || original === null ? {} : { original_start_time: original }),
  }
}

/** The description without the text that we appended. */
export function shownDescription(event: ExchangeEvent): string | null {
  const whole = descriptionOf(event)
  const { provider, details } = ownFieldsOf(event).conferencing ?? {}
  if (!whole || !provider || !details?.url) return whole
  const added = joinText({ provider, url: details.url })
  return (
    whole
      .replace(added, '')
      .trimEnd()
      .replace(/<br\s*\/?>$/i, '')
      .trim() || null
  )
}

/** Optional fields that only some events have. */
function extrasOf(event: ExchangeEvent): Partial<Event> {
  const conferencing = conferencingOf(event)
  const { capacity } = ownFieldsOf(event)
  return {
    ...(conferencing ? { conferencing } : {}),
    ...(capacity ? { capacity } : {}),
    ...(event.webLink === undefined ? {} : { html_link: event.webLink }),
    ...(event.sequence === undefined ? {} : { sequence: event.sequence }),
  }
}

export function fromEvent(event: ExchangeEvent, { grant, calendar, tentativeAsBusy }: EventPlace): Event {
  const uid = event.iCalUId
  return {
    id: event.id,
    object: 'event',
    grant_id: grant.id,
    calendar_id: calendar.id,
    title: event.subject || null,
    description: shownDescription(event),
    location: event.location?.displayName || null,
    when: whenOf(event),
    busy: isBusy(event.showAs ?? 'busy', tentativeAsBusy),
    status: eventStatus(event),
    visibility: (event.sensitivity ?? 'normal') === 'normal' ? 'public' : 'private',
    hide_participants: event.hideAttendees === true,
    participants: participantsOf(event, grant.email),
    resources: (event.attendees ?? []).filter(isRoom).flatMap(resourceOf),
    organizer: personOf(event.organizer),
    ...seriesOf(event),
    ical_uid: uid === undefined ? null : event.seriesMasterId === undefined ? uid : seriesUid(uid),
    reminders: remindersOf(event),
    ...extrasOf(event),
    read_only: calendar.canEdit === false,
    metadata: {},
    created_at: instantOf(event.createdDateTime),
    updated_at: instantOf(event.lastModifiedDateTime),
  }
}

const providers: Readonly<Record<string, string>> = {
  teamsForBusiness: 'Microsoft Teams',
  skypeForBusiness: 'Skype for Business',
  skypeForConsumer: 'Skype for Consumer',
}

function onlineMeetingOf({ onlineMeeting, onlineMeetingProvider = '', onlineMeetingUrl }: ExchangeEvent) {
  const url = onlineMeeting?.joinUrl ?? onlineMeetingUrl
  if (!url) return undefined
  const { conferenceId, tollNumber, tollFreeNumbers = [], phones = [] } = onlineMeeting ?? {}
  const numbers = [tollNumber, ...tollFreeNumbers, ...phones.map(({ number }) => number)].filter((one) => !!one)
  const phone = [...new Set(numbers)].filter((one) => one !== undefined)
  return {
    provider: providers[onlineMeetingProvider] ?? conferenceProviderIn(url) ?? 'unknown',
    details: {
      url,
      ...(conferenceId ? { meeting_code: conferenceId } : {}),
      ...(phone.length > 0 ? { phone } : {}),
    },
  }
}

export function conferencingOf(event: ExchangeEvent): Conferencing | undefined {
  return (
    onlineMeetingOf(event) ??
    ownFieldsOf(event).conferencing ??
    joinAddressIn(event.location?.displayName, descriptionOf(event) ?? undefined)
  )
}
