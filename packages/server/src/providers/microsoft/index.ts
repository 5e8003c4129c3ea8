/**
 * Accounts at Microsoft, personal ones and those of organizations: mail, calendars and contacts by Graph. An application is
 * used in a user's name, or lets itself into the mailboxes of an organization whose administrator gave consent.
 */
import { defineProvider } from '../provider.ts'
import { authenticate } from './authenticate.ts'
import { calendars } from './calendar/calendars.ts'
import { events } from './calendar/events.ts'
import { availability } from './calendar/free-busy.ts'
import { check } from './check.ts'
import { contactGroups } from './contacts/contact-groups.ts'
import { contacts } from './contacts/contacts.ts'
import { roomResources } from './directory/rooms.ts'
import { limits } from './limits.ts'
import { aliases } from './mail/aliases.ts'
import { attachments } from './mail/attachments.ts'
import { draftSource, drafts } from './mail/drafts.ts'
import { folders } from './mail/folders.ts'
import { messages } from './mail/messages.ts'
import { sendThroughGraph, sent } from './mail/sending.ts'
import { threads } from './mail/threads.ts'
import { oauth } from './oauth.ts'
import { receive } from './push.ts'
import { scopes } from './scopes.ts'
import { open, type Session } from './session.ts'
import { changes } from './watch.ts'

export const microsoft = defineProvider<Session>()({
  kind: 'microsoft',
  authenticate,
  oauth,
  scopes,
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
