/** Accounts at Google: mail by the Gmail API, calendars by the Calendar API, contacts by the People API. */
import { defineProvider } from '../provider.ts'
import { aliases } from './aliases.ts'
import { attachments } from './attachments.ts'
import { authenticate } from './authenticate.ts'
import { calendars } from './calendars.ts'
import { check } from './check.ts'
import { contactGroups } from './contact-groups.ts'
import { contacts } from './contacts.ts'
import { draftSource, drafts } from './drafts.ts'
import { events } from './events.ts'
import { folders } from './folders.ts'
import { availability } from './free-busy.ts'
import { messages } from './messages.ts'
import { oauth } from './oauth.ts'
import { receive } from './push.ts'
import { scopes } from './scopes.ts'
import { sent } from './sending.ts'
import { open, type Session } from './session.ts'
import { threads } from './threads.ts'
import { changes } from './watch.ts'

export const google = defineProvider<Session>()({
  kind: 'google',
  authenticate,
  oauth,
  scopes,
  check,
  open,
  aliases,
  messages,
  sent,
  drafts,
  draftSource,
  schedulesDrafts: true,
  threads,
  folders,
  attachments,
  changes,
  receive,
  calendars,
  events,
  availability,
  contactGroups,
  contacts,
})
