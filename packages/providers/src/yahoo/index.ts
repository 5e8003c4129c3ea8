/**
 * Yahoo accounts: sign-in by OAuth or app password, mail by IMAP and SMTP. OAuth tokens only give access to mail;
 * then Waypost stores the contacts. App passwords also give access to calendars and contacts by DAV, if the account
 * has them.
 */
import { cachedBook, mailOfImap } from '../imap/account-table.ts'
import { limits } from '../imap/limits.ts'
import type { Session } from '../imap/session.ts'
import { davVariants, variantFor } from '../imap/variants.ts'
import { defineProvider } from '../provider.ts'
import { authenticate } from './authenticate.ts'
import { check } from './check.ts'
import { form } from './form.ts'
import { oauth } from './oauth.ts'
import { scopeNames, scopes } from './scopes.ts'
import { isByPassword, open, openWithDav } from './session.ts'
import { changes } from './watch.ts'

const withoutCalendars =
  'this grant has no calendars: Yahoo allows access to them only with an app password, so authenticate it again with one'
const remedies = { calendars: withoutCalendars, events: withoutCalendars }
const account = { kind: 'yahoo', authenticate, form, remedies, ...mailOfImap } as const
const mailAlone = { ...account, ...cachedBook, limits, open, changes } as const

/** With an app password there are no scopes, and there may be calendars and contacts. */
const withPassword = defineProvider<Session>()(mailAlone)
const beside = davVariants({ ...account, open: openWithDav })

const withToken = defineProvider<Session>()({ ...mailAlone, oauth, scopes, scopeNames, check })

export const yahoo = defineProvider<Session>()({
  ...withToken,
  variants: { 'yahoo + CalDAV': beside.withCalendars, 'yahoo + CardDAV': beside.withContacts },
  adapterFor: (grant) => (isByPassword(grant) ? (variantFor(beside, grant.settings) ?? withPassword) : withToken),
})
