/** The effects of events, group events and booking pages. Pure. */
import type { Event, EventChange, EventDraft, WhenInput } from '@waypost/contract'
import { emailKey } from '@waypost/platform/email-key'
import { type Detail, detail, type EffectRecipient, type Effects, previewOf, recipientsOf } from './effects.ts'

/** Date and time in a zone, with the day of the week. */
function timeIn(seconds: number, zone: string | null | undefined): string {
  const timeZone = zone || 'UTC'
  const text = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  }).format(seconds * 1000)
  return `${text} (${timeZone})`
}

/** The time of an event in words. */
export function whenText(when: WhenInput): string {
  const { time, timezone, start_time, end_time, start_timezone, end_timezone, date, start_date, end_date } = when
  if (typeof time === 'number') return timeIn(time, timezone)
  if (typeof start_time === 'number' && typeof end_time === 'number') {
    return `${timeIn(start_time, start_timezone)} to ${timeIn(end_time, end_timezone ?? start_timezone)}`
  }
  return date ? `${date}, the whole day` : `${start_date ?? ''} to ${end_date ?? ''}, whole days`
}

type Invited = { [K in 'participants' | 'resources']?: Parameters<typeof recipientsOf>[1] }

/** The guests of an event, and its rooms. */
const guestsOf = ({ participants, resources }: Invited): EffectRecipient[] => [
  ...recipientsOf('participant', participants),
  ...recipientsOf('resource', resources),
]

/** Everybody once, without the account itself. */
function others(recipients: readonly EffectRecipient[], own: string): EffectRecipient[] {
  const seen = new Set([emailKey(own)])
  return recipients.filter(({ email }) => {
    const key = emailKey(email)
    if (seen.has(key)) return false
    seen.add(key)
    return true
  })
}

type Described = Partial<Pick<EventDraft, 'location' | 'recurrence' | 'conferencing'>> & {
  when?: WhenInput | undefined
}

const detailsOf = ({ when, location, recurrence, conferencing }: Described): Detail[] => [
  ...detail('When', when && whenText(when)),
  ...detail('Place', location),
  ...detail('Repeats', recurrence?.join('\n')),
  ...detail('Conference', conferencing && Object.keys(conferencing).length > 0 ? JSON.stringify(conferencing) : ''),
]

interface EventAction {
  /** The address of the account. */
  own: string
  notifies: boolean
  calendarId: string | undefined
}

const commonOf = ({ notifies, calendarId }: EventAction): Detail[] => [
  ...detail('Calendar', calendarId),
  ...(notifies ? [] : detail('Mail', 'No mail is sent, but the event is in the calendars of the guests')),
]

export function newEventEffects(body: EventDraft, text: string, action: EventAction): Effects {
  const recipients = others(guestsOf(body), action.own)
  return {
    kinds: recipients.length > 0 ? ['invite'] : [],
    recipients,
    preview: previewOf({
      recipients,
      subject: body.title ?? '',
      text,
      details: [
        ...detail('Action', 'Create an event and invite the participants'),
        ...detailsOf(body),
        ...commonOf(action),
      ],
    }),
  }
}

/** What a change of an event depends on: the event without the answers of its guests. */
export const eventBasis = (event: Event): unknown => ({
  title: event.title,
  description: event.description,
  location: event.location,
  when: event.when,
  recurrence: event.recurrence,
  conferencing: event.conferencing,
  status: event.status,
  participants: event.participants.map(({ email }) => email),
  resources: event.resources.map(({ email }) => email),
})

/** The lines of a change: each field that changes, with its new value. */
const changesOf = (body: EventChange): Detail[] => [
  ...(body.title === undefined ? [] : detail('New title', body.title ?? '(none)')),
  ...detail('New time', body.when && whenText(body.when)),
  ...(body.location === undefined ? [] : detail('New place', body.location ?? '(none)')),
  ...(body.recurrence === undefined ? [] : detail('New repetition', body.recurrence?.join('\n') || '(none)')),
  ...(body.conferencing === undefined ? [] : detail('New conference', JSON.stringify(body.conferencing))),
  ...(body.description === undefined
    ? []
    : detail('New description', body.description === null ? '(none)' : 'See the text')),
]

export function eventChangeEffects(
  { event, body }: { event: Event; body: EventChange },
  text: string,
  action: EventAction,
): Effects {
  const before = guestsOf(event)
  const after = guestsOf(body)
  const recipients = others([...after, ...before], action.own)
  const has = (list: readonly EffectRecipient[], email: string): boolean =>
    list.some((each) => emailKey(each.email) === emailKey(email))
  const removed = body.participants
    ? before.filter((each) => each.role === 'participant' && !has(after, each.email))
    : []
  const added = after.filter((each) => !has(before, each.email))
  return {
    kinds: recipients.length > 0 ? ['invite'] : [],
    recipients,
    basis: eventBasis(event),
    preview: previewOf({
      recipients,
      subject: event.title ?? '',
      text,
      details: [
        ...detail('Action', 'Change an event and notify the participants'),
        ...detailsOf({ when: event.when, location: event.location }),
        ...changesOf(body),
        ...detail('Newly invited', added.map(({ email }) => email).join(', ')),
        ...detail('No longer invited', removed.map(({ email }) => email).join(', ')),
        ...commonOf(action),
      ],
    }),
  }
}

export function eventDeletionEffects(event: Event, action: EventAction): Effects {
  const recipients = others(guestsOf(event), action.own)
  return {
    kinds: recipients.length > 0 ? ['invite', 'delete'] : ['delete'],
    recipients,
    basis: eventBasis(event),
    preview: previewOf({
      recipients,
      subject: event.title ?? '',
      details: [
        ...detail('Action', event.recurrence ? 'Delete a whole series of events' : 'Delete an event'),
        ...detailsOf({ ...event, recurrence: event.recurrence ?? null }),
        ...detail('Organizer', event.organizer?.email),
        ...commonOf(action),
      ],
    }),
  }
}

/** An answer tells the organizer something, like a message: that somebody reads here, and what was decided. */
export function answerEffects(
  { event, status, comment }: { event: Event; status: string; comment: string | null | undefined },
  own: string,
): Effects {
  const { organizer } = event
  const recipients = others(organizer ? [{ role: 'organizer', email: organizer.email }] : [], own)
  const isForOthers = recipients.length > 0 || !organizer
  return {
    kinds: isForOthers ? ['send', 'invite'] : [],
    recipients,
    hasUnknownRecipients: !organizer,
    preview: previewOf({
      recipients,
      subject: event.title ?? '',
      text: comment ?? '',
      details: [...detail('Action', `Answer an invitation with ${status}`), ...detailsOf({ when: event.when })],
    }),
  }
}
