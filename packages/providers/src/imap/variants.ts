/** Mailboxes with calendars (CalDAV), contacts (CardDAV) or both. */
import type { Grant, ProviderKind } from '@waypost/contract'
import { ApiError } from '@waypost/platform/api-error'
import { calDavLimits } from '../dav/caldav/limits.ts'
import { type CalDavTraits, calDavTraits } from '../dav/caldav/traits.ts'
import { watchedCalendars } from '../dav/caldav/watch.ts'
import { cardDavLimits, cardDavTraits } from '../dav/carddav/traits.ts'
import { watchedContacts } from '../dav/carddav/watch.ts'
import { schedulingMail } from '../dav/itip/mail.ts'
import { itipOf } from '../dav/itip/receive.ts'
import { contactTable, fullCalendarTable } from '../dav/tables.ts'
import type { CredentialForm } from '../form.ts'
import type { SessionIo } from '../io.ts'
import { defineProvider, type Provider } from '../provider.ts'
import { mailAndParts } from '../shared/mail-and-parts.ts'
import type { WatchedPart } from '../shared/watched-parts.ts'
import { cachedBook, type mailOfImap } from './account-table.ts'
import type { MailAndDavSession } from './dav-session.ts'
import { davUrlOf } from './dav-settings.ts'
import { limits, mailLimits } from './limits.ts'
import { changes } from './watch/watch.ts'

/**
 * Only the mail server decides whether the grant of a mailbox is valid. A DAV server may have its own password. If it
 * refuses the login, only that operation fails.
 */
const asRefusal = (error: unknown): unknown =>
  error instanceof ApiError && error.code === 'grant_invalid'
    ? new ApiError(
        'provider_refused',
        'the calendar and contacts server no longer accepts the user name and password: authenticate the grant again',
        { cause: error },
      )
    : error

// biome-ignore lint/suspicious/noExplicitAny: functions of every shape pass through unchanged
type AnyFunction = (...args: any[]) => Promise<unknown>

const guarded =
  (operation: AnyFunction): AnyFunction =>
  (...args) =>
    operation(...args).catch((error: unknown) => {
      throw asRefusal(error)
    })

/** The same operations, but a refused login does not invalidate the grant. */
const withOwnLogin = <Ops extends object>(operations: Ops): Ops =>
  Object.fromEntries(
    Object.entries<AnyFunction>(operations as Record<string, AnyFunction>).map(([name, operation]) => [
      name,
      guarded(operation),
    ]),
  ) as Ops

const partWithOwnLogin = <State>(
  part: WatchedPart<MailAndDavSession, State>,
): WatchedPart<MailAndDavSession, State> => ({
  ...part,
  since: (session, state, options) =>
    part.since(session, state, options).catch((error: unknown) => {
      throw asRefusal(error)
    }),
})

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
