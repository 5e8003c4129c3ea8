/**
 * Exchange servers that organizations run themselves, and others that speak its web services (EWS): SOAP under one address,
 * with a password by Basic or NTLM, for mail, calendars and contacts alike. A service account may work on mailboxes that it
 * impersonates.
 */
import { functionOnFirstUse, onFirstUse } from '../first-use.ts'
import { defineProvider } from '../provider.ts'
import { form } from './form.ts'
import { limits } from './limits.ts'
import { lastingId } from './mail/mapping/names.ts'
import { scopes } from './scopes.ts'
import { open, type Session } from './session.ts'

const messages = onFirstUse(
  async () => (await import('./mail/messages.ts')).messages,
  ['list', 'get', 'clean', 'update', 'delete'],
)
const sent = onFirstUse(async () => (await import('./mail/sending.ts')).sent, ['find', 'file'])
const drafts = onFirstUse(
  async () => (await import('./mail/drafts.ts')).drafts,
  ['list', 'get', 'create', 'update', 'delete'],
)
const threads = onFirstUse(async () => (await import('./mail/threads.ts')).threads, ['list', 'get', 'update', 'delete'])
const folders = onFirstUse(
  async () => (await import('./mail/folders.ts')).folders,
  ['list', 'get', 'create', 'update', 'delete'],
)
const attachments = onFirstUse(async () => (await import('./mail/attachments.ts')).attachments, ['get', 'download'])
const contacts = onFirstUse(
  async () => (await import('./contacts/contacts.ts')).contacts,
  ['list', 'get', 'create', 'update', 'delete'],
)
const contactGroups = onFirstUse(
  async () => (await import('./contacts/contact-groups.ts')).contactGroups,
  ['list', 'get', 'create', 'update', 'delete'],
)
const calendars = onFirstUse(
  async () => (await import('./calendar/calendars.ts')).calendars,
  ['list', 'get', 'create', 'update', 'delete', 'freeBusy'],
)
const events = onFirstUse(
  async () => (await import('./calendar/events.ts')).events,
  ['list', 'import', 'get', 'create', 'update', 'delete', 'rsvp'],
)
const availability = onFirstUse(
  async () => (await import('./calendar/free-busy.ts')).availability,
  ['busy', 'lastBooked'],
)
const roomResources = onFirstUse(async () => (await import('./directory/rooms.ts')).roomResources, ['list'])
const changes = onFirstUse(async () => (await import('./watch.ts')).changes, ['since', 'wait'])
const authenticate = functionOnFirstUse(async () => (await import('./authenticate.ts')).authenticate)
const check = functionOnFirstUse(async () => (await import('./check.ts')).check)
const aliases = functionOnFirstUse(async () => (await import('./mail/aliases.ts')).aliases)
const draftSource = functionOnFirstUse(async () => (await import('./mail/drafts.ts')).draftSource)
const sendThroughExchange = functionOnFirstUse(async () => (await import('./mail/sending.ts')).sendThroughExchange)

export const ews = defineProvider<Session>()({
  kind: 'ews',
  authenticate,
  form,
  scopes,
  limits,
  check,
  open,
  aliases,
  messages: { ...messages, send: sendThroughExchange },
  sent,
  lastingName: lastingId,
  drafts,
  draftSource,
  threads,
  folders,
  attachments,
  contacts,
  contactGroups,
  changes,
  calendars,
  events,
  availability,
  roomResources,
})
