/**
 * iCloud: mail by IMAP and SMTP, calendars by CalDAV and contacts by CardDAV, with one app-specific password. Apple
 * offers neither OAuth nor push. IMAP knows an account by the part of its address before the @, the other servers by
 * the whole address.
 */
import { iCloudTraits } from '../dav/caldav/traits.ts'
import { watchedCalendars } from '../dav/caldav/watch.ts'
import { iCloudCardTraits } from '../dav/carddav/traits.ts'
import { watchedContacts } from '../dav/carddav/watch.ts'
import { calendarTable, contactTable } from '../dav/tables.ts'
import { mailOfImap } from '../imap/account-table.ts'
import type { MailAndDavSession } from '../imap/dav-session.ts'
import { changes } from '../imap/watch/watch.ts'
import { defineProvider } from '../provider.ts'
import { mailAndParts } from '../shared/mail-and-parts.ts'
import { authenticate } from './authenticate.ts'
import { form } from './form.ts'
import { limits } from './limits.ts'
import { messages } from './messages.ts'
import { open } from './session.ts'

export const icloud = defineProvider<MailAndDavSession>()({
  kind: 'icloud',
  authenticate,
  form,
  limits,
  groupEventLimits: { recurrence: 'iCloud has no series of group events: create one event for each date' },
  open,
  ...mailOfImap,
  messages,
  ...calendarTable<MailAndDavSession>(iCloudTraits),
  ...contactTable(iCloudCardTraits),
  changes: mailAndParts<MailAndDavSession>(changes, [
    watchedCalendars(iCloudTraits),
    watchedContacts(iCloudCardTraits),
  ]),
})
