/** Fields and filters that Microsoft does not support. */
import { calendarFieldLimits } from '../calendar/exchange/limits.ts'
import type { ContactMaxima } from '../contacts/contact.ts'
import { contactFieldLimits, outlookMaxima } from '../contacts/outlook.ts'
import { defineLimits, ignored, invalid, noPreconditions } from '../limits.ts'
import { mailLimits } from '../mail/exchange/limits.ts'

const contactFields = {
  ...contactFieldLimits,
  'phone_numbers[].type': invalid('must be work, home or mobile at Microsoft', { except: ['work', 'home', 'mobile'] }),
} as const

/** Two business, two home and one mobile number. */
export const contactMaxima: ContactMaxima = { ...outlookMaxima, phone_numbers: 5 }

const { calendar, changedCalendar, event, eventTypes } = calendarFieldLimits(
  'Microsoft',
  'Graph writes the name of a calendar alone',
)
const mails = { notify_participants: ignored('Exchange always notifies the guests', { values: [false] }) }
const events = { headers: noPreconditions, query: mails, body: event }

export const limits = defineLimits({
  ...mailLimits('Microsoft'),
  'calendars.create': { body: calendar },
  'calendars.update': { body: changedCalendar },
  'calendars.delete': { query: mails },
  'events.list': { query: eventTypes },
  'events.create': events,
  'events.update': events,
  'events.delete': { query: mails },
  'contacts.create': { body: contactFields },
  'contacts.update': { body: contactFields },
})
