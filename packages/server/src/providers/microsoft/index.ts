/**
 * Accounts at Microsoft, personal ones and those of organizations: mail, calendars and contacts by Graph. An application is
 * used in a user's name, or lets itself into the mailboxes of an organization whose administrator gave consent.
 */
import { functionOnFirstUse, onFirstUse } from '../first-use.ts'
import { defineProvider } from '../provider.ts'
import { limits } from './limits.ts'
import { oauth } from './oauth.ts'
import { receive } from './push.ts'
import { scopeNames, scopes } from './scopes.ts'
import { open, type Session } from './session.ts'
import { changes } from './watch.ts'

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
const authenticate = functionOnFirstUse(async () => (await import('./authenticate.ts')).authenticate)
const check = functionOnFirstUse(async () => (await import('./check.ts')).check)
const aliases = functionOnFirstUse(async () => (await import('./mail/aliases.ts')).aliases)
const draftSource = functionOnFirstUse(async () => (await import('./mail/drafts.ts')).draftSource)
const sendThroughGraph = functionOnFirstUse(async () => (await import('./mail/sending.ts')).sendThroughGraph)

export const microsoft = defineProvider<Session>()({
  kind: 'microsoft',
  authenticate,
  oauth,
  scopes,
  scopeNames,
  limits,
  check,
  open,
  aliases,
  messages: { ...messages, send: sendThroughGraph },
  sent,
  drafts,
  draftSource,
  threads,
  folders,
  attachments,
  contacts,
  contactGroups,
  changes,
  receive,
  calendars,
  roomResources,
  events,
  availability,
})
