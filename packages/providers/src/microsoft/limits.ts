/** Fields and filters that Microsoft does not support. */
import type { ContactMaxima } from '../contacts/contact.ts'
import { defineLimits, ignored, invalid, noPreconditions, unsupported } from '../limits.ts'

const contactFields = {
  'emails[].type': ignored('Outlook does not keep what an address is for'),
  'im_addresses[].type': ignored('Outlook does not keep what an address is for'),
  'phone_numbers[].type': invalid('must be work, home or mobile at Microsoft', { except: ['work', 'home', 'mobile'] }),
  'web_pages[].type': ignored('the one page of a contact is for work', { except: ['work'] }),
} as const

/**
 * The maximum number of values of each list of a contact: two business, two home and one mobile number; one address
 * per type.
 */
export const contactMaxima: ContactMaxima = {
  emails: 3,
  im_addresses: 3,
  phone_numbers: 5,
  physical_addresses: 3,
  web_pages: 1,
  groups: 1,
}

const queryImap = { query_imap: ignored('Microsoft is always queried') }
const colour = ignored('folders have no colours at Microsoft')
const folderFields = { text_color: colour, background_color: colour }

const nameOnly = unsupported('Graph writes the name of a calendar alone')
const calendarFields = { description: nameOnly, location: nameOnly, timezone: nameOnly }
const mails = { notify_participants: ignored('Exchange always notifies the guests', { values: [false] }) }
const guest = ignored('Exchange keeps the address and the name of a guest alone')
const room = ignored('Exchange knows what a room is like by its address')
const eventFields = {
  visibility: invalid('must be public or private at Microsoft', { values: ['default'] }),
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
  color_id: ignored('events at Microsoft have categories in place of colours'),
} as const

export const limits = defineLimits({
  'messages.list': { query: queryImap },
  'messages.get': { query: queryImap },
  'messages.update': { query: queryImap },
  'drafts.list': { query: queryImap },
  'drafts.get': { query: queryImap },
  'folders.create': { body: folderFields },
  'folders.update': { body: folderFields },
  'calendars.create': { body: calendarFields },
  'calendars.update': {
    body: { ...calendarFields, hex_color: nameOnly, hex_foreground_color: nameOnly },
  },
  'calendars.delete': { query: mails },
  'events.list': {
    query: { 'event_type[]': invalid('events at Microsoft are of the type default alone', { except: ['default'] }) },
  },
  'events.create': { headers: noPreconditions, query: mails, body: eventFields },
  'events.update': { headers: noPreconditions, query: mails, body: eventFields },
  'events.delete': { query: mails },
  'contacts.create': { body: contactFields },
  'contacts.update': { body: contactFields },
})
