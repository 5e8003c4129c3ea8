/** The request fields that CalDAV servers do not support, and those that iCloud does not support in addition. */
import { defineLimits, ignored, invalid, noPreconditions, roomFields, unsupported } from '../../limits.ts'

const place = unsupported('CalDAV has no place of a calendar')
const foreground = unsupported('CalDAV has one colour of a calendar: hex_color')
const deletion = {
  notify_participants: ignored('the CalDAV server decides whether it notifies the guests of the events', {
    values: [false],
  }),
} as const
const eventFields = {
  visibility: invalid('must be public or private', { values: ['default'] }),
  ...roomFields(ignored('an invitation holds the address and the name of a room alone')),
  color_id: ignored('events at a CalDAV server have no colours of this kind'),
} as const
const eventTypes = { 'event_type[]': invalid('events are of the type default alone', { except: ['default'] }) } as const

/** For accounts on any CalDAV server. */
export const calDavLimits = defineLimits({
  'calendars.create': { body: { location: place } },
  'calendars.update': { body: { location: place, hex_foreground_color: foreground } },
  'calendars.delete': { query: deletion },
  'events.list': { query: eventTypes },
  'events.create': { headers: noPreconditions, body: eventFields },
  'events.update': { headers: noPreconditions, body: eventFields },
})

const nameOnly = unsupported('of a calendar at iCloud the name can be written')
const iCloudCalendar = { description: nameOnly, location: nameOnly, timezone: nameOnly } as const
const filter = unsupported('lists at iCloud have no such filter')
const silent = { notify_participants: ignored('iCloud always notifies the guests', { values: [false] }) } as const
const iCloudEvent = {
  ...eventFields,
  visibility: unsupported('events at iCloud are as visible as their calendar'),
  hide_participants: unsupported('guests at iCloud see each other'),
  'reminders.overrides[].reminder_method': invalid('must be display or sound at iCloud', { values: ['email'] }),
} as const

/** For iCloud accounts. */
export const iCloudCalendarLimits = defineLimits({
  'calendars.create': { body: iCloudCalendar },
  'calendars.update': { body: { ...iCloudCalendar, hex_color: nameOnly, hex_foreground_color: nameOnly } },
  'calendars.delete': { query: deletion },
  'events.list': {
    query: {
      ...eventTypes,
      busy: unsupported('lists at iCloud have no such filter', { values: [true, false] }),
      ical_uid: filter,
      master_event_id: filter,
      updated_after: filter,
      updated_before: filter,
    },
  },
  'events.create': { headers: noPreconditions, query: silent, body: iCloudEvent },
  'events.update': { headers: noPreconditions, query: silent, body: iCloudEvent },
  'events.delete': { query: silent },
})
