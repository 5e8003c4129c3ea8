/** Fields and filters that Exchange does not support. */
import { calendarFieldLimits } from '../calendar/exchange/limits.ts'
import type { ContactMaxima } from '../contacts/contact.ts'
import { contactFieldLimits, outlookMaxima } from '../contacts/outlook.ts'
import { defineLimits, ignored, noPreconditions, unsupported } from '../limits.ts'
import { mailLimits } from '../mail/exchange/limits.ts'

/** What a request may have at Exchange 2010, files in base64 included. Later versions accept 64 MB. */
export const maxRequestBytes = 35_000_000

/** Two business, two home, one mobile and one other number. */
export const contactMaxima: ContactMaxima = { ...outlookMaxima, phone_numbers: 6 }

const { calendar, changedCalendar, event, eventTypes } = calendarFieldLimits(
  'Exchange',
  'Exchange keeps the name of a calendar alone',
)
const events = {
  headers: noPreconditions,
  body: { ...event, hide_participants: unsupported('guests of an event at Exchange see each other') },
}

export const limits = defineLimits({
  ...mailLimits('Exchange'),
  'calendars.create': { body: calendar },
  'calendars.update': { body: changedCalendar },
  'calendars.delete': {
    query: {
      notify_participants: ignored('Exchange notifies nobody when a whole calendar is deleted', { values: [true] }),
    },
  },
  'events.list': {
    query: {
      ...eventTypes,
      show_cancelled: ignored('events that were cancelled are not listed at Exchange', { values: [true] }),
    },
  },
  'events.create': events,
  'events.update': events,
  'contacts.list': {
    query: { 'source[]': unsupported('Exchange does not report whom the user writes to', { values: ['inbox'] }) },
  },
  'contacts.create': { body: contactFieldLimits },
  'contacts.update': { body: contactFieldLimits },
})
