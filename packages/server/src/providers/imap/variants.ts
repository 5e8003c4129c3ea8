/** Mailboxes with calendars (CalDAV), contacts (CardDAV) or both beside them. */
import { calDavLimits } from '../dav/caldav/limits.ts'
import { type CalDavTraits, calDavTraits } from '../dav/caldav/traits.ts'
import { watchedCalendars } from '../dav/caldav/watch.ts'
import { cardDavLimits } from '../dav/carddav/limits.ts'
import { cardDavTraits } from '../dav/carddav/traits.ts'
import { itipOf, schedulingMail } from '../dav/itip/index.ts'
import { contactTable, fullCalendarTable } from '../dav/tables.ts'
import { defineProvider } from '../provider.ts'
import { mailAndParts } from '../shared/mail-and-parts.ts'
import { account, keptBook } from './account-table.ts'
import { partWithOwnLogin, withOwnLogin } from './dav-login.ts'
import { type MailAndDavSession, open } from './dav-session.ts'
import { limits, mailLimits } from './limits.ts'
import { changes } from './watch/watch.ts'

/** Where the server does not schedule, the account's own mail does. */
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

const define = defineProvider<MailAndDavSession>()
const common = { ...account, open }

export const withCalendars = define({
  ...common,
  ...calendars,
  ...keptBook,
  limits: { ...limits, ...calDavLimits },
  changes: mailAndParts(changes, [calendarPart]),
})

export const withContacts = define({
  ...common,
  ...contacts,
  limits: { ...mailLimits, ...cardDavLimits },
  changes,
})

export const withBoth = define({
  ...common,
  ...calendars,
  ...contacts,
  limits: { ...mailLimits, ...calDavLimits, ...cardDavLimits },
  changes: mailAndParts(changes, [calendarPart]),
})
