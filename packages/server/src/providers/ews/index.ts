/**
 * Exchange servers that organizations run themselves, and others that speak its web services (EWS): SOAP under one address,
 * with a password by Basic or NTLM, for mail, calendars and contacts alike. A service account may work on mailboxes that it
 * impersonates.
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
import { form } from './form.ts'
import { limits } from './limits.ts'
import { aliases } from './mail/aliases.ts'
import { attachments } from './mail/attachments.ts'
import { draftSource, drafts } from './mail/drafts.ts'
import { folders } from './mail/folders.ts'
import { lastingId } from './mail/mapping/names.ts'
import { messages } from './mail/messages.ts'
import { sendThroughExchange, sent } from './mail/sending.ts'
import { threads } from './mail/threads.ts'
import { scopes } from './scopes.ts'
import { open, type Session } from './session.ts'
import { changes } from './watch.ts'

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
