/**
 * Mailboxes at any IMAP server, live. IMAP knows no contacts: those that an application adds are kept by the service, and so
 * are those that the mail names. An account that has calendars or contacts at a server of DAV has these beside.
 */
import { defineProvider } from '../provider.ts'
import { account, keptBook } from './account-table.ts'
import { davUrlOf } from './dav-settings.ts'
import { limits } from './limits.ts'
import { open, type Session } from './session.ts'
import { withBoth, withCalendars, withContacts } from './variants.ts'
import { changes } from './watch/watch.ts'

const mailAlone = defineProvider<Session>()({ ...account, ...keptBook, limits, open, changes })

export const imap = defineProvider<Session>()({
  ...mailAlone,
  variants: { 'imap + CalDAV': withCalendars, 'imap + CardDAV': withContacts },
  adapterFor({ settings }) {
    const hasCalendars = davUrlOf(settings, 'caldav') !== undefined
    if (davUrlOf(settings, 'carddav') === undefined) return hasCalendars ? withCalendars : mailAlone
    return hasCalendars ? withBoth : withContacts
  },
})
