/** Fields and filters that Exchange calendars do not support. */
import { defineLimits, ignored, invalid, noPreconditions, unsupported } from '../../limits.ts'

const nameOnly = unsupported('Exchange keeps the name of a calendar alone')
const calendarFields = { description: nameOnly, location: nameOnly, timezone: nameOnly } as const
const guest = ignored('Exchange keeps the address and the name of a guest alone')
const room = ignored('Exchange knows what a room is like by its address')
const eventFields = {
  visibility: invalid('must be public or private at Exchange', { values: ['default'] }),
  hide_participants: unsupported('guests of an event at Exchange see each other'),
  'participants[].comment': guest,
  'participants[].phone_number': guest,
  'resources[].capacity': room,
  'resources[].building': room,
  'resources[].floor_name': room,
  'resources[].floor_section': room,
  'resources[].floor_number': room,
  'reminders.overrides[].reminder_method': ignored('Outlook shows its reminders itself', {
    except: ['display', 'popup'],
  }),
  color_id: ignored('events at Exchange have categories in place of colours'),
} as const

export const calendarLimits = defineLimits({
  'calendars.create': { body: calendarFields },
  'calendars.update': { body: { ...calendarFields, hex_color: nameOnly, hex_foreground_color: nameOnly } },
  'calendars.delete': {
    query: {
      notify_participants: ignored('Exchange notifies nobody when a whole calendar is deleted', { values: [true] }),
    },
  },
  'events.list': {
    query: {
      'event_type[]': invalid('events at Exchange are of the type default alone', { except: ['default'] }),
      show_cancelled: ignored('events that were cancelled are not listed at Exchange', { values: [true] }),
    },
  },
  'events.create': { headers: noPreconditions, body: eventFields },
  'events.update': { headers: noPreconditions, body: eventFields },
})
