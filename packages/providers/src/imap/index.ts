/**
 * Mailboxes on any IMAP server, read live. IMAP has no contacts: Waypost stores those that an application adds, and
 * those it collects from the mail. An account with calendars or contacts on a DAV server uses these instead.
 */
import { defineProvider } from '../provider.ts'
import { account, cachedBook } from './account-table.ts'
import { open as openWithDav } from './dav-session.ts'
import { limits } from './limits.ts'
import { open, type Session } from './session.ts'
import { davVariants, variantFor } from './variants.ts'
import { changes } from './watch/watch.ts'

const mailAlone = defineProvider<Session>()({ ...account, ...cachedBook, limits, open, changes })

const beside = davVariants({ ...account, open: openWithDav })

export const imap = defineProvider<Session>()({
  ...mailAlone,
  variants: { 'imap + CalDAV': beside.withCalendars, 'imap + CardDAV': beside.withContacts },
  adapterFor: ({ settings }) => variantFor(beside, settings) ?? mailAlone,
})
