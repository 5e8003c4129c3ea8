/**
 * Exchange servers that organizations run themselves, by their web services (EWS). Mail, calendars and contacts are SOAP
 * calls to one URL. Users sign in with a password by Basic or NTLM. A service account can impersonate other mailboxes.
 */
import { lazyParts } from '../lazy-parts.ts'
import { defineProvider } from '../provider.ts'
import { form } from './form.ts'
import { limits, maxRequestBytes } from './limits.ts'
import { lastingId } from './mail/mapping/names.ts'
import { scopes } from './scopes.ts'
import { open, type Session } from './session.ts'

const parts = lazyParts<Session>()({
  authenticate: async () => (await import('./authenticate.ts')).authenticate,
  check: async () => (await import('./check.ts')).check,
  aliases: async () => (await import('./mail/aliases.ts')).aliases,
  messages: async () => ({
    ...(await import('./mail/messages.ts')).messages,
    send: (await import('./mail/sending.ts')).sendThroughExchange,
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
  changes: async () => (await import('./watch.ts')).changes,
})

export const ews = defineProvider<Session>()({
  kind: 'ews',
  form,
  scopes,
  limits,
  maxMessageBytes: maxRequestBytes,
  groupEventLimits: {
    capacity: 'Exchange stores no capacity of its own: set default_capacity in group_booking of the configuration',
  },
  open,
  lastingName: lastingId,
  ...parts,
})
