/** Fields and filters that Exchange does not support. */
import { defineLimits } from '../limits.ts'
import { calendarLimits } from './calendar/limits.ts'
import { contactFieldLimits, contactListLimits } from './contacts/limits.ts'
import { mailLimits } from './mail/limits.ts'

export const limits = defineLimits({
  ...mailLimits,
  ...calendarLimits,
  'contacts.list': { query: contactListLimits },
  'contacts.create': { body: contactFieldLimits },
  'contacts.update': { body: contactFieldLimits },
})
