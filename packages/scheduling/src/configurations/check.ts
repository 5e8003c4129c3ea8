/**
 * The rules of a configuration that involve several fields. Those of single fields are in the contract; whether grants exist
 * is checked where the store is. Every problem is named by its field. Pure.
 */
import type { ConfigurationDraft, ConfigurationParticipant } from '@waypost/contract'
import { emailKey } from '@waypost/platform/email-key'
import { isUuid } from '@waypost/platform/ids'
import {
  checkConferencing,
  checkHours,
  checkReminders,
  checkSpecificTimes,
  checkTexts,
  type Problems,
} from './check-parts.ts'
import { bookingCalendarOf, isRequested, roundRobinHosts } from './participants.ts'

/** The whole configuration as JSON. */
const maxBytes = 262_144

/** Answers have empty members where nothing is set, and come back like that. */
const isSet = (value: object | null | undefined): boolean => Object.values(value ?? {}).some(Boolean)

/** The problems of a draft, by field. Empty if there are none. */
export function checkConfiguration(draft: ConfigurationDraft): Problems {
  const own = draft.type === 'group' ? checkGroup(draft) : checkMeeting(draft)
  const problems = { ...own, ...checkSlug(draft), ...checkTexts(draft) }
  if (JSON.stringify(draft).length > maxBytes) problems.body ??= `must not be larger than ${maxBytes} bytes as JSON`
  return problems
}

function checkSlug({ slug }: ConfigurationDraft): Problems {
  if (!slug) return {}
  if (slug === '.' || slug === '..') return { slug: 'must contain a letter or digit' }
  return isUuid(slug) ? { slug: 'must not have the form of an id' } : {}
}

function checkGroup(draft: ConfigurationDraft): Problems {
  const problems: Problems = {}
  if (!draft.name) problems.name = 'is required if type is group'
  if (!draft.group_booking) problems.group_booking = 'is required if type is group'
  for (const field of ['participants', 'availability', 'event_booking'] as const) {
    if (isSet(draft[field])) problems[field] = 'is not allowed if type is group: group events have their own times'
  }
  const reminders = draft.group_booking?.reminders
  for (const [i, { recipient }] of (reminders ?? []).entries()) {
    if (recipient === 'all') problems[`group_booking.reminders.${i}.recipient`] = 'must be host or guest'
  }
  return {
    ...problems,
    ...checkReminders('group_booking.reminders', reminders),
    ...checkConferencing('group_booking.conferencing', draft.group_booking?.conferencing),
  }
}

function checkMeeting(draft: ConfigurationDraft): Problems {
  const { participants, availability, event_booking: event } = draft
  const problems: Problems = {}
  if (isSet(draft.group_booking)) problems.group_booking = 'is allowed only if type is group'
  if (!isSet(participants)) problems.participants = 'is required unless type is group'
  if (!availability?.duration_minutes) problems['availability.duration_minutes'] = 'is required unless type is group'
  if (!event?.title) problems['event_booking.title'] = 'is required unless type is group'
  return {
    ...problems,
    ...checkPeople(draft),
    ...checkRules(draft),
    ...checkReminders('event_booking.reminders', event?.reminders),
    ...checkConferencing('event_booking.conferencing', event?.conferencing),
  }
}

function checkPeople({ participants, availability }: ConfigurationDraft): Problems {
  const people = participants ?? []
  if (people.length === 0) return {}
  const problems: Problems = {}
  const seen = new Set<string>()
  for (const [i, participant] of people.entries()) {
    const key = emailKey(participant.email)
    if (seen.has(key)) problems[`participants.${i}.email`] = 'is listed twice'
    seen.add(key)
    Object.assign(problems, checkTimesOf(`participants.${i}`, participant))
  }
  const method = availability?.availability_rules?.availability_method ?? 'collective'
  return { ...problems, ...checkRoles(people, method) }
}

const checkTimesOf = (at: string, participant: ConfigurationParticipant): Problems => ({
  ...checkHours(`${at}.availability.open_hours`, participant.availability?.open_hours),
  ...checkSpecificTimes(`${at}.specific_time_availability`, participant.specific_time_availability),
})

function checkRoles(people: readonly ConfigurationParticipant[], method: string): Problems {
  if (!people.some(isRequested)) {
    return { participants: 'at least one participant needs availability.calendar_ids, such as ["primary"]' }
  }
  if (!people.some((each) => bookingCalendarOf(each) !== undefined)) {
    return { participants: 'at least one participant needs booking.calendar_id, such as "primary"' }
  }
  const organizers = people.flatMap((each, i) => (each.is_organizer ? [i] : []))
  if (method !== 'collective') {
    const [first] = organizers
    if (first !== undefined) {
      return { [`participants.${first}.is_organizer`]: `must not be true with ${method}: each host has a turn` }
    }
    if (roundRobinHosts(people).length > 0) return {}
    return { participants: 'with round robin, at least one needs availability.calendar_ids and booking.calendar_id' }
  }
  if (organizers.length === 1 || people.length === 1) return {}
  const problem =
    organizers.length === 0
      ? 'one participant must have is_organizer: true, or choose a round robin in availability_method'
      : 'only one participant can have is_organizer: true'
  return { participants: problem }
}

function checkRules({ availability, event_booking: event }: ConfigurationDraft): Problems {
  const rules = availability?.availability_rules
  const at = 'availability.availability_rules'
  const dates = rules?.default_specific_time_availability ?? []
  const problems: Problems = {
    ...checkHours(`${at}.default_open_hours`, rules?.default_open_hours),
    ...checkSpecificTimes(`${at}.default_specific_time_availability`, dates),
  }
  for (const [i, { timezone }] of dates.entries()) {
    if (!timezone) problems[`${at}.default_specific_time_availability.${i}.timezone`] = 'is required'
  }
  if (dates.length > 0 && !event?.timezone) {
    problems['event_booking.timezone'] = 'is required with default_specific_time_availability'
  }
  return problems
}
