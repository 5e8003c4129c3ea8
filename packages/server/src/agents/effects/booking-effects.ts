/** The effects of booking pages, group events and bookings. Pure. */
import type { Booking, BookingDraft, Configuration, Event } from '@waypost/contract'
import { emailKey } from '@waypost/platform/email-key'
import { fieldOf } from '@waypost/platform/json/values'
import {
  type Detail,
  detail,
  type EffectRecipient,
  type Effects,
  previewOf,
  recipientsOf,
  type ShownAction,
} from './effects.ts'
import { whenText } from './event-effects.ts'

const withoutOwn = (recipients: readonly EffectRecipient[], own: string | undefined): EffectRecipient[] =>
  recipients.filter(({ email }) => own === undefined || emailKey(email) !== emailKey(own))

const invitation = (of: ShownAction): Effects => ({
  kinds: ['invite'],
  recipients: of.recipients ?? [],
  preview: previewOf(of),
})

const spanOf = (start: number, end: number, zone: string | null | undefined): string =>
  whenText({ start_time: start, end_time: end, start_timezone: zone, end_timezone: zone })

/** What everybody gets who books a time: nobody can know these recipients, and nobody is asked about them. */
const forStrangers = { kinds: ['send', 'invite'], hasUnknownRecipients: true } as const

/** A booking page, new or changed: strangers can open it, and its texts are mailed to them. */
export function bookingPageEffects(
  page: Readonly<Record<string, unknown>>,
  { own, changed }: { own: string; changed: Configuration | undefined },
): Effects {
  const participants = Array.isArray(page.participants) ? page.participants : []
  const name = typeof page.name === 'string' ? page.name : (changed?.name ?? '')
  const needsSession = (page.requires_session_auth ?? changed?.requires_session_auth) === true
  const effects = invitation({
    subject: name,
    text: JSON.stringify(page, undefined, 2),
    recipients: withoutOwn(recipientsOf('participant', participants), own),
    details: [
      ...detail('Action', changed ? 'Change a booking page' : 'Create a booking page'),
      ...detail('Booking page', changed && `${changed.name} (${changed.id})`),
      ...detail('Who can book', needsSession ? 'guests with a session' : 'everybody who has the link'),
    ],
  })
  return { ...effects, ...forStrangers }
}

/** A session for a private page. Its holder can book for any guest. */
export function bookingSessionEffects(page: Configuration, minutes: number): Effects {
  const effects = invitation({
    subject: page.name ?? '',
    details: [
      ...detail('Action', `Open a private booking page for ${minutes} minutes`),
      ...detail('Booking page', page.name ?? page.id),
      ...detail('Who can book', 'everybody who has the session, for any guest'),
    ],
  })
  return { ...effects, ...forStrangers }
}

/** The event as it is now. The list of guests is left out, because it may change before the decision. */
const groupEventDetails = ({ id, title, when, location, recurrence }: Event): Detail[] => [
  ...detail('Event', `${title ?? ''} (${id})`),
  ...detail('When', whenText(when)),
  ...detail('Place', location),
  ...detail('Repeats', recurrence?.join('\n')),
]

/** A group event: its guests are notified, also those that booked a seat before. */
export function groupEventEffects(
  operation: string,
  { body, title, own, event }: { body: unknown; title: string; own: string | undefined; event: Event | undefined },
): Effects {
  const items: unknown[] = Array.isArray(body) ? body : [body]
  const people = items.flatMap((item: unknown): { email?: string; name?: string }[] => {
    const named = fieldOf(item, 'participants')
    return Array.isArray(named) ? named : []
  })
  const effects = invitation({
    subject: title,
    text: body === undefined ? undefined : JSON.stringify(body, undefined, 2),
    recipients: withoutOwn(recipientsOf('participant', people), own),
    details: [
      ...detail('Action', `${operation} of a group event`),
      ...(event ? groupEventDetails(event) : []),
      ...detail('Guests', 'Everybody who has booked a seat is notified'),
    ],
  })
  return { ...effects, ...forStrangers, ...(operation === 'delete' ? { kinds: ['invite', 'delete'] } : {}) }
}

export function newBookingEffects(
  body: BookingDraft,
  configuration: Configuration | undefined,
  own: string | undefined,
): Effects {
  const { guest, additional_guests, start_time, end_time, timezone } = body
  const hosts = recipientsOf('participant', configuration?.participants)
  const recipients = [
    ...recipientsOf('guest', [guest]),
    ...recipientsOf('guest', additional_guests),
    ...withoutOwn(hosts, own),
  ]
  const fields = Object.entries(body.additional_fields ?? {}).flatMap(([key, value]) =>
    detail(key, String(value ?? '')),
  )
  return {
    ...invitation({
      subject: configuration?.event_booking.title ?? '',
      recipients,
      details: [
        ...detail('Action', 'Book a time, and notify the guests'),
        ...detail('Booking page', configuration?.name ?? configuration?.id),
        ...detail('When', spanOf(start_time, end_time, timezone)),
        ...fields,
      ],
    }),
    basis: configuration,
  }
}

export interface BookingChange {
  operation: string
  /** The new time, in Unix seconds. */
  to?: { start: number; end: number } | undefined
  decision?: string | undefined
  reason?: string | null | undefined
}

export function bookingChangeEffects(booking: Booking, { operation, to, decision, reason }: BookingChange): Effects {
  const { guest, additional_guests, timezone } = booking
  return {
    ...invitation({
      subject: booking.title,
      recipients: [...recipientsOf('guest', [guest]), ...recipientsOf('guest', additional_guests)],
      details: [
        ...detail('Action', `${operation} a booking, and notify its guests`),
        ...detail('Decision', decision),
        ...detail('When', spanOf(booking.start_time, booking.end_time, timezone)),
        ...detail('New time', to && spanOf(to.start, to.end, timezone)),
        ...detail('Reason', reason),
      ],
    }),
    basis: {
      guest,
      additional_guests,
      start: booking.start_time,
      end: booking.end_time,
      status: booking.status,
    },
  }
}
