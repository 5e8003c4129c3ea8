/** Google accounts: mail by the Gmail API, calendars by the Calendar API, contacts by the People API. */
import { lazyParts } from '../lazy-parts.ts'
import { defineProvider } from '../provider.ts'
import { limits, maxMessageBytes } from './limits.ts'
import { conferences } from './meet.ts'
import { oauth } from './oauth.ts'
import { receive } from './push.ts'
import { scopeNames, scopes } from './scopes.ts'
import { open, type Session } from './session.ts'
import { changes } from './watch.ts'

const parts = lazyParts<Session>()({
  authenticate: async () => (await import('./authenticate.ts')).authenticate,
  check: async () => (await import('./check.ts')).check,
  aliases: async () => (await import('./gmail/sending.ts')).aliases,
  messages: async () => (await import('./gmail/messages.ts')).messages,
  sent: async () => (await import('./gmail/sending.ts')).sent,
  drafts: async () => (await import('./gmail/drafts.ts')).drafts,
  draftSource: async () => (await import('./gmail/drafts.ts')).draftSource,
  threads: async () => (await import('./gmail/threads.ts')).threads,
  folders: async () => (await import('./gmail/folders.ts')).folders,
  attachments: async () => (await import('./gmail/attachments.ts')).attachments,
  contacts: async () => (await import('./people/contacts.ts')).contacts,
  contactGroups: async () => (await import('./people/contact-groups.ts')).contactGroups,
  calendars: async () => (await import('./calendar/calendars.ts')).calendars,
  events: async () => (await import('./calendar/events.ts')).events,
  availability: async () => (await import('./calendar/free-busy.ts')).availability,
  roomResources: async () => (await import('./directory/rooms.ts')).roomResources,
})

export const google = defineProvider<Session>()({
  kind: 'google',
  oauth,
  conferences,
  scopes,
  scopeNames,
  limits,
  maxMessageBytes,
  open,
  changes,
  receive,
  ...parts,
})
