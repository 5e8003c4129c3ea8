/** Mailboxes with calendars (CalDAV), contacts (CardDAV) or both. */
import type { Grant, ProviderKind } from '@waypost/contract'
import { calDavLimits } from '../dav/caldav/limits.ts'
import { type CalDavTraits, calDavTraits } from '../dav/caldav/traits.ts'
import { watchedCalendars } from '../dav/caldav/watch.ts'
import { cardDavLimits } from '../dav/carddav/limits.ts'
import { cardDavTraits } from '../dav/carddav/traits.ts'
import { watchedContacts } from '../dav/carddav/watch.ts'
import { itipOf, schedulingMail } from '../dav/itip/index.ts'
import { contactTable, fullCalendarTable } from '../dav/tables.ts'
import type { CredentialForm } from '../form.ts'
import type { SessionIo } from '../io.ts'
import { defineProvider, type Provider } from '../provider.ts'
import { mailAndParts } from '../shared/mail-and-parts.ts'
import { cachedBook } from './account-table.ts'
import { partWithOwnLogin, withOwnLogin } from './dav-login.ts'
import type { MailAndDavSession } from './dav-session.ts'
import { davUrlOf } from './dav-settings.ts'
import { limits, mailLimits } from './limits.ts'
import type { mailOfImap } from './mail.ts'
import { changes } from './watch/watch.ts'

/** If the calendar server does not schedule, invitations are sent from the account's own mailbox. */
const traits = { ...calDavTraits, mail: schedulingMail } satisfies CalDavTraits<MailAndDavSession>
const full = fullCalendarTable<MailAndDavSession>(traits)
const calendars = {
  itip: withOwnLogin(itipOf<MailAndDavSession>(traits)),
  calendars: withOwnLogin(full.calendars),
  events: withOwnLogin(full.events),
  availability: withOwnLogin({ ...full.availability }),
}
const book = contactTable(cardDavTraits)
const contacts = { contacts: withOwnLogin(book.contacts), contactGroups: withOwnLogin(book.contactGroups) }

const calendarPart = partWithOwnLogin(watchedCalendars<MailAndDavSession>(traits))
const contactPart = partWithOwnLogin(watchedContacts<MailAndDavSession>(cardDavTraits))

/** Properties shared by all kinds of accounts on IMAP servers. */
type AccountTable = typeof mailOfImap & {
  kind: ProviderKind
  authenticate: Provider['authenticate']
  form: CredentialForm
  open(grant: Grant, io: SessionIo): MailAndDavSession
}

const define = defineProvider<MailAndDavSession>()

/** The adapters of a kind for accounts with calendars, contacts or both. */
export const davVariants = (account: AccountTable) => ({
  withCalendars: define({
    ...account,
    ...calendars,
    ...cachedBook,
    limits: { ...limits, ...calDavLimits },
    changes: mailAndParts(changes, [calendarPart]),
  }),
  withContacts: define({
    ...account,
    ...contacts,
    limits: { ...mailLimits, ...cardDavLimits },
    changes: mailAndParts(changes, [contactPart]),
  }),
  withBoth: define({
    ...account,
    ...calendars,
    ...contacts,
    limits: { ...mailLimits, ...calDavLimits, ...cardDavLimits },
    changes: mailAndParts(changes, [calendarPart, contactPart]),
  }),
})

/** The adapter for the settings of an account; undefined if it only has mail. */
export function variantFor(
  { withCalendars, withContacts, withBoth }: ReturnType<typeof davVariants>,
  settings: Record<string, unknown>,
): Provider<MailAndDavSession> | undefined {
  const hasCalendars = davUrlOf(settings, 'caldav') !== undefined
  if (davUrlOf(settings, 'carddav') === undefined) return hasCalendars ? withCalendars : undefined
  return hasCalendars ? withBoth : withContacts
}
