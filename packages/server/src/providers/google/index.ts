/** Accounts at Google: mail by the Gmail API, calendars by the Calendar API, contacts by the People API. */
import { defineProvider } from '../provider.ts'
import { authenticate } from './authenticate.ts'
import { calendars } from './calendar/calendars.ts'
import { events } from './calendar/events.ts'
import { availability } from './calendar/free-busy.ts'
import { check } from './check.ts'
import { roomResources } from './directory/rooms.ts'
import { aliases } from './gmail/aliases.ts'
import { attachments } from './gmail/attachments.ts'
import { draftSource, drafts } from './gmail/drafts.ts'
import { folders } from './gmail/folders.ts'
import { messages } from './gmail/messages.ts'
import { sent } from './gmail/sending.ts'
import { threads } from './gmail/threads.ts'
import { limits } from './limits.ts'
import { oauth } from './oauth.ts'
import { contactGroups } from './people/contact-groups.ts'
import { contacts } from './people/contacts.ts'
import { receive } from './push.ts'
import { scopes } from './scopes.ts'
import { open, type Session } from './session.ts'
import { changes } from './watch.ts'

export const google = defineProvider<Session>()({
  kind: 'google',
  authenticate,
  oauth,
  scopes,
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
