/** Accounts at Google: mail by the Gmail API, calendars by the Calendar API, contacts by the People API. */
import { functionOnFirstUse, onFirstUse } from '../first-use.ts'
import { defineProvider } from '../provider.ts'
import { limits } from './limits.ts'
import { oauth } from './oauth.ts'
import { receive } from './push.ts'
import { scopeNames, scopes } from './scopes.ts'
import { open, type Session } from './session.ts'
import { changes } from './watch.ts'

const messages = onFirstUse(
  async () => (await import('./gmail/messages.ts')).messages,
  ['list', 'get', 'clean', 'update', 'delete', 'send'],
)
const sent = onFirstUse(async () => (await import('./gmail/sending.ts')).sent, ['find', 'file'])
const drafts = onFirstUse(
  async () => (await import('./gmail/drafts.ts')).drafts,
  ['list', 'get', 'create', 'update', 'delete'],
)
const threads = onFirstUse(
  async () => (await import('./gmail/threads.ts')).threads,
  ['list', 'get', 'update', 'delete'],
)
const folders = onFirstUse(
  async () => (await import('./gmail/folders.ts')).folders,
  ['list', 'get', 'create', 'update', 'delete'],
)
const attachments = onFirstUse(async () => (await import('./gmail/attachments.ts')).attachments, ['get', 'download'])
const contacts = onFirstUse(
  async () => (await import('./people/contacts.ts')).contacts,
  ['list', 'get', 'create', 'update', 'delete'],
)
const contactGroups = onFirstUse(
  async () => (await import('./people/contact-groups.ts')).contactGroups,
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
const aliases = functionOnFirstUse(async () => (await import('./gmail/aliases.ts')).aliases)
const draftSource = functionOnFirstUse(async () => (await import('./gmail/drafts.ts')).draftSource)

export const google = defineProvider<Session>()({
  kind: 'google',
  authenticate,
  oauth,
  scopes,
  scopeNames,
  limits,
  check,
  open,
  aliases,
  messages,
  sent,
  drafts,
  draftSource,
  threads,
  folders,
  attachments,
  changes,
  receive,
  calendars,
  roomResources,
  events,
  availability,
  contactGroups,
  contacts,
})
