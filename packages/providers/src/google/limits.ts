/** Fields and filters that Google does not support. */
import { defineLimits, ignored, invalid, noPreconditions, roomFields, unsupported } from '../limits.ts'

const sharedFrom = { shared_from: unsupported('Gmail shares no mailboxes: use a grant of that account') }
const sharing = { ...sharedFrom, shared_folder_id: unsupported('Gmail shares no folders: name a label with `in`') }
const queryImap = { query_imap: ignored('Google is always queried') }
const hidden = { include_hidden_folders: unsupported('all labels are shown') }
const flat = unsupported('all labels are in one list: look at their names')
const labelFields = { parent_id: unsupported('labels lie in others by their names: write parent/child') }

const tentative = { tentative_as_busy: ignored('Google does not tell tentative events apart', { values: [false] }) }
const eventTypes = ['default', 'outOfOffice', 'focusTime', 'workingLocation', 'fromGmail', 'birthday'] as const
const colours = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '10', '11'] as const

const eventFields = {
  'participants[].phone_number': ignored('Google keeps no telephone numbers of guests'),
  ...roomFields(ignored('Google knows what a room is like by its address')),
  'reminders.overrides[].reminder_method': invalid('must be popup or email at Google', {
    values: ['display', 'sound'],
  }),
  color_id: invalid('must be one of 1 to 11', { except: colours }),
} as const

const colour = ignored('Google has no way back to its own colour', { values: [null, ''] })

export const limits = defineLimits({
  'messages.list': { query: { ...sharing, ...queryImap } },
  'messages.clean': { query: sharedFrom },
  'messages.get': { query: { ...sharedFrom, ...queryImap } },
  'messages.update': { query: { ...sharedFrom, ...queryImap } },
  'messages.delete': { query: sharedFrom },
  'drafts.list': { query: queryImap },
  'drafts.get': { query: queryImap },
  'threads.list': { query: sharing },
  'threads.get': { query: sharing },
  'threads.update': { query: sharing },
  'threads.delete': { query: sharing },
  'folders.list': { query: { ...sharedFrom, ...hidden, parent_id: flat, single_level: flat } },
  'folders.get': { query: { ...sharedFrom, ...hidden } },
  'folders.create': { query: sharedFrom, body: labelFields },
  'folders.update': { query: sharedFrom, body: labelFields },
  'folders.delete': { query: sharedFrom },
  'calendars.update': { body: { hex_color: colour, hex_foreground_color: colour } },
  'calendars.delete': {
    query: {
      notify_participants: invalid('Google decides who is notified of a deleted calendar', { values: [false] }),
    },
  },
  'calendars.freeBusy': { body: tentative },
  'events.list': {
    query: {
      ...tentative,
      'event_type[]': invalid(`must be one of ${eventTypes.join(', ')}`, { except: eventTypes }),
    },
  },
  'events.get': { query: tentative },
  'events.create': { headers: noPreconditions, query: tentative, body: eventFields },
  'events.update': { headers: noPreconditions, query: tentative, body: eventFields },
  'contacts.list': { query: { recurse: ignored('groups of contacts lie in no others at Google') } },
})

/** https://developers.google.com/workspace/gmail/api/reference/rest/v1/users.messages/send: the maximum file size. */
export const maxMessageBytes = 36_700_160
