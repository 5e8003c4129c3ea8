/**
 * Mailboxes at any IMAP server, live. IMAP knows no contacts: those that an application adds are kept by the service, and so
 * are those that the mail names. An account that has calendars or contacts at a server of DAV has these beside.
 */
import { defineProvider } from '../provider.ts'
import { account, keptBook } from './account-table.ts'
import { open as openWithDav } from './dav-session.ts'
import { limits } from './limits.ts'
import { open, type Session } from './session.ts'
import { davVariants, variantFor } from './variants.ts'
import { changes } from './watch/watch.ts'

const mailAlone = defineProvider<Session>()({ ...account, ...keptBook, limits, open, changes })

const beside = davVariants({ ...account, open: openWithDav })

export const imap = defineProvider<Session>()({
  ...mailAlone,
  variants: { 'imap + CalDAV': beside.withCalendars, 'imap + CardDAV': beside.withContacts },
  adapterFor: ({ settings }) => variantFor(beside, settings) ?? mailAlone,
})
