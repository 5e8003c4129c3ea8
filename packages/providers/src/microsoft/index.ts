/**
 * Microsoft accounts, personal and organizational: mail, calendars and contacts by Graph. An application acts for a signed-in
 * user, or for any mailbox of an organization whose administrator gave consent.
 */
import { lazyParts } from '../lazy-parts.ts'
import { defineProvider } from '../provider.ts'
import { conferences } from './calendar/online-meetings.ts'
import { limits } from './limits.ts'
import { oauth } from './oauth.ts'
import { receive } from './push.ts'
import { scopeNames, scopes } from './scopes.ts'
import { open, type Session } from './session.ts'
import { changes } from './watch.ts'

const parts = lazyParts<Session>()({
  authenticate: async () => (await import('./authenticate.ts')).authenticate,
  check: async () => (await import('./check.ts')).check,
  aliases: async () => (await import('./mail/aliases.ts')).aliases,
  messages: async () => ({
    ...(await import('./mail/messages.ts')).messages,
    send: (await import('./mail/sending.ts')).sendThroughGraph,
  }),
  sent: async () => (await import('./mail/sending.ts')).sent,
  drafts: async () => (await import('./mail/drafts.ts')).drafts,
  draftSource: async () => (await import('./mail/drafts.ts')).draftSource,
  threads: async () => (await import('./mail/threads.ts')).threads,
  folders: async () => (await import('./mail/folders.ts')).folders,
  attachments: async () => (await import('./mail/attachments.ts')).attachments,
  contacts: async () => (await import('./contacts/contacts.ts')).contacts,
  contactGroups: async () => (await import('./contacts/contact-groups.ts')).contactGroups,
  calendars: async () => (await import('./calendar/calendars.ts')).calendars,
  events: async () => (await import('./calendar/events.ts')).events,
  availability: async () => (await import('./calendar/free-busy.ts')).availability,
  roomResources: async () => (await import('./directory/rooms.ts')).roomResources,
})

export const microsoft = defineProvider<Session>()({
  kind: 'microsoft',
  oauth,
  conferences,
  scopes,
  scopeNames,
  limits,
  open,
  changes,
  receive,
  ...parts,
})
