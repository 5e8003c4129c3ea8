/**
 * Accounts at Yahoo: sign-in by OAuth, or an app password; mail by its IMAP and SMTP servers. Its tokens open mail alone: with
 * them, contacts are kept by the service. App passwords open calendars and contacts too, by DAV, where the account has them.
 */
import { keptBook } from '../imap/account-table.ts'
import { mailOfImap } from '../imap/mail.ts'
import type { Session } from '../imap/session.ts'
import { davVariants, variantFor } from '../imap/variants.ts'
import { defineProvider } from '../provider.ts'
import { authenticate } from './authenticate.ts'
import { check } from './check.ts'
import { form } from './form.ts'
import { limits } from './limits.ts'
import { oauth } from './oauth.ts'
import { scopeNames, scopes } from './scopes.ts'
import { isByPassword, open, openWithDav } from './session.ts'
import { changes } from './watch.ts'

const withoutCalendars =
  'this grant has no calendars: Yahoo opens them to app passwords alone, so authenticate it again with one'
const remedies = { calendars: withoutCalendars, events: withoutCalendars }
const account = { kind: 'yahoo', authenticate, form, remedies, ...mailOfImap } as const
const mailAlone = { ...account, ...keptBook, limits, open, changes } as const

/** With an app password: nothing is a matter of scopes, and there may be calendars and contacts. */
const withPassword = defineProvider<Session>()(mailAlone)
const beside = davVariants({ ...account, open: openWithDav })

const withToken = defineProvider<Session>()({ ...mailAlone, oauth, scopes, scopeNames, check })

export const yahoo = defineProvider<Session>()({
  ...withToken,
  variants: { 'yahoo + CalDAV': beside.withCalendars, 'yahoo + CardDAV': beside.withContacts },
  adapterFor: (grant) => (isByPassword(grant) ? (variantFor(beside, grant.settings) ?? withPassword) : withToken),
})
