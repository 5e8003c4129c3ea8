/** The request fields that virtual calendars do not support. */
import { defineLimits, ignored, invalid } from '../limits.ts'

const tentative = { tentative_as_busy: ignored('events are as busy as they say', { values: [false] }) } as const

const eventFields = {
  reminders: ignored('nobody is reminded by a virtual calendar'),
  color_id: ignored('events of a virtual calendar have no colours'),
  visibility: invalid('must be public or private on a virtual calendar', { values: ['default'] }),
} as const

export const limits = defineLimits({
  'events.list': {
    query: {
      ...tentative,
      show_cancelled: ignored('what is deleted from a virtual calendar is gone'),
      'event_type[]': ignored('every event of a virtual calendar is of the type default', { except: ['default'] }),
    },
  },
  'events.get': { query: tentative },
  'events.create': { query: tentative, body: eventFields },
  'events.update': { query: tentative, body: eventFields },
})
