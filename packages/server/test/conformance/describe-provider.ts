/**
 * The conformance suite of providers. Every provider passes it, and its test file has one statement:
 *
 *     await describeProvider(() => ({ adapter: 'google', mail, calendar, rooms, contacts }))
 *
 * The description names the adapter and says how to open an account for each part of it: `mail` (`mail-subject.ts`),
 * `calendar` (`subject.ts`), `rooms` (`rooms.ts`) and `contacts` (`contacts-subject.ts`). The operations table of the
 * adapter says which cases apply. A resource that the table lacks is skipped, so that a provider with folders only can
 * pass (`skeleton/folders.test.ts`). A resource that the table has and the description does not open fails with what to
 * write. `lacks` of a part names the features of its resources that the provider does not have.
 *
 * A further server of a protocol names in `mail.differs` what differs from the server that has all cases. Only the
 * suites that touch a difference run then, and all of them in `npm run check:full`.
 */

import type { Provider } from '@waypost/providers/provider'
import { hasOperation } from '@waypost/providers/registry'
import { isFull } from '@waypost/testing/level'
import { test } from 'vitest'
import { accountOf } from './accounts.ts'
import { describeApprovedDrafts } from './approved-drafts.ts'
import { describeAttachments } from './attachments.ts'
import { describeCalendars } from './calendars.ts'
import { adapters, hasResource, mustShow, type Part, parts, partsOf, type Resource, resourcesOf } from './claims.ts'
import { describeContacts } from './contacts.ts'
import type { ContactSubject } from './contacts-subject.ts'
import { describeDrafts } from './drafts.ts'
import { describeEvents } from './events.ts'
import { describeFolders } from './folders.ts'
import { describeLimits, type LimitsSubject } from './limits.ts'
import { describeLookAlikes } from './look-alikes.ts'
import { folderIds, type MailDifference, type MailSubject } from './mail-subject.ts'
import { describeMessageChanges } from './message-changes.ts'
import { describeMessageCleaning } from './message-cleaning.ts'
import { describeMessageFields } from './message-fields.ts'
import { describeMessageFilters } from './message-filters.ts'
import { describeMessageMetadata } from './message-metadata.ts'
import { describeMessagePages } from './message-pages.ts'
import { describeMessages } from './messages.ts'
import { describeRooms, type RoomSubject } from './rooms.ts'
import { describeSending } from './sending.ts'
import { sharedCalendar, sharedMail } from './shared-subject.ts'
import type { Subject } from './subject.ts'
import { describeThreadChanges } from './thread-changes.ts'
import { describeThreads } from './threads.ts'
import { describeUploads } from './uploads.ts'

/** How the tests open accounts of a provider. */
export interface ProviderDescription {
  /** The name of an adapter in the registry (`namedAdapters`), or an adapter that is not registered. */
  adapter: string | Provider
  mail?: MailSubject
  /** Several, if accounts of the adapter use different servers. */
  calendar?: Subject | readonly Subject[]
  rooms?: RoomSubject
  contacts?: ContactSubject | readonly ContactSubject[]
  /** For the requests with unsupported fields. By default they use an account of the first part. */
  limits?: Partial<Omit<LimitsSubject, 'name' | 'adapter'>>
  /** The parts that this file tests, if another file tests the rest of the adapter. */
  only?: readonly Part[]
}

interface MailSuite {
  describe(subject: MailSubject): void
  /** Without these resources no case of the suite can run. */
  needs: readonly Resource[]
  /** What may differ between servers, and affects this suite. */
  touches?: readonly MailDifference[]
}

const mailSuites: readonly MailSuite[] = [
  { describe: describeFolders, needs: ['folders'], touches: ['folder names'] },
  {
    describe: describeMessages,
    needs: ['messages', 'folders'],
    touches: ['sign-in', 'noticing changes', 'connections'],
  },
  { describe: describeMessageFields, needs: ['messages'] },
  { describe: describeMessageFilters, needs: ['messages', 'folders'], touches: ['searching'] },
  { describe: describeMessagePages, needs: ['messages', 'folders'], touches: ['noticing changes'] },
  { describe: describeMessageChanges, needs: ['messages', 'folders'], touches: ['folder names', 'moving'] },
  { describe: describeThreads, needs: ['threads', 'messages', 'folders'], touches: ['searching'] },
  { describe: describeThreadChanges, needs: ['threads', 'messages', 'folders'], touches: ['moving'] },
  { describe: describeAttachments, needs: ['attachments', 'messages'] },
  {
    describe: describeDrafts,
    needs: ['drafts', 'threads', 'messages', 'folders', 'attachments'],
    touches: ['folder names', 'moving'],
  },
  { describe: describeApprovedDrafts, needs: ['drafts', 'messages'] },
  { describe: describeUploads, needs: ['drafts', 'messages', 'folders', 'attachments'] },
  { describe: describeMessageMetadata, needs: ['messages', 'folders'] },
  { describe: describeMessageCleaning, needs: ['messages'] },
  { describe: describeSending, needs: ['messages', 'threads', 'drafts', 'folders'] },
]
/** For providers that identify messages by their bytes. */
const lookAlikes: MailSuite = {
  describe: describeLookAlikes,
  needs: ['messages', 'threads', 'folders'],
  touches: ['moving', 'searching'],
}

/** What to write for a part, and an example. */
const advice: Readonly<Record<Part, string>> = {
  mail: '`mail`, a MailSubject of mail-subject.ts: accounts with an empty mailbox, incoming mail, and another client of the mailbox. google-subject.ts is an example',
  calendar:
    '`calendar`, a Subject of subject.ts: an account with an empty calendar. google-calendar-subject.ts is an example',
  rooms:
    '`rooms`, a RoomSubject of rooms.ts: an account whose directory takes rooms. google-calendar-subject.ts is an example',
  contacts:
    '`contacts`, a ContactSubject of contacts-subject.ts: an account without contacts. google-contacts-subject.ts is an example',
}

/** Describes and tests a provider, at the top of a test file. */
export async function describeProvider(
  factory: () => ProviderDescription | Promise<ProviderDescription>,
): Promise<void> {
  const given = await factory()
  const adapter = adapterOf(given.adapter)
  const name = typeof given.adapter === 'string' ? given.adapter : adapter.kind
  const open: ProviderDescription = { ...given, ...(given.mail ? { mail: sharedMail(given.mail) } : {}) }
  const has = (resource: Resource): boolean => hasResource(adapter, resource)

  for (const part of given.only ?? parts) {
    const missing = resourcesOf[part].filter((resource) => !has(resource))
    if (missing.length > 0) test.skip(`the operations table of ${name} has no ${missing.join(', ')}`, () => undefined)
    if (open[part] !== undefined || !partsOf(adapter).includes(part)) continue
    test(`the ${part} of ${name} is tested`, () => {
      throw new Error(`The operations table of ${name} has ${resourcesOf[part].filter(has).join(', ')}, \
and its description in this file opens no account for them. Add ${advice[part]}.`)
    })
  }
  if (open.mail) describeMail(open.mail, has)
  for (const calendar of listOf(open.calendar)) describeCalendar(calendar, adapter)
  if (open.rooms && has('roomResources')) describeRooms(open.rooms)
  for (const contacts of listOf(open.contacts)) {
    const lacks = [...(contacts.lacks ?? []), ...(has('contactGroups') ? [] : (['groups', 'group-writing'] as const))]
    if (has('contacts')) describeContacts({ ...contacts, lacks })
  }
  if (given.only === undefined && mustShow(adapter, 'limits')) describeLimits(limitsOf(open, name, adapter))
}

function adapterOf(adapter: string | Provider): Provider {
  if (typeof adapter !== 'string') return adapter
  const [, found] = adapters.find(([each]) => each === adapter) ?? []
  if (found) return found
  throw new Error(`There is no adapter ${adapter}. These exist: ${adapters.map(([each]) => each).join(', ')}`)
}

const listOf = <T>(value: T | readonly T[] | undefined): readonly T[] =>
  value === undefined ? [] : Array.isArray(value) ? value : [value as T]

function describeMail(subject: MailSubject, has: (resource: Resource) => boolean): void {
  const { differs, identity } = subject
  const lacks = [...(subject.lacks ?? []), ...(has('messages') ? [] : (['messages'] as const))]
  for (const suite of [...mailSuites, ...(identity === 'bytes' ? [lookAlikes] : [])]) {
    const isMeant = isFull || !differs || differs.some((difference) => suite.touches?.includes(difference))
    if (isMeant && suite.needs.every(has)) suite.describe({ ...subject, lacks })
  }
}

function describeCalendar(subject: Subject, adapter: Provider): void {
  const lacks = [
    ...(subject.lacks ?? []),
    ...(hasOperation(adapter, 'calendars', 'freeBusy') ? [] : (['free-busy'] as const)),
  ]
  const shared = sharedCalendar({ ...subject, lacks })
  if (hasResource(adapter, 'calendars')) describeCalendars(shared)
  if (hasResource(adapter, 'events')) describeEvents(shared)
}

/** Requests with unsupported fields, by an account of the first part that the description opens. */
function limitsOf(
  { mail, calendar, contacts, limits }: ProviderDescription,
  name: string,
  adapter: Provider,
): LimitsSubject {
  const [firstCalendar] = listOf(calendar)
  const [firstContacts] = listOf(contacts)
  return {
    async open() {
      if (mail) return limitsOfMail(mail)
      const opened = await (firstCalendar ?? firstContacts)?.open()
      if (!opened) throw new Error(`Nothing in the description of ${name} opens an account: add \`limits\``)
      const calendarId = 'calendarId' in opened && typeof opened.calendarId === 'string' ? opened.calendarId : undefined
      return {
        account: accountOf(opened.call, opened),
        call: opened.call,
        ...(calendarId === undefined ? {} : { calendarId }),
        [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
      }
    },
    ...limits,
    name,
    adapter,
  }
}

async function limitsOfMail(mail: MailSubject): ReturnType<LimitsSubject['open']> {
  const open = await mail.open()
  const account = await open.newAccount()
  const { invite } = open
  return {
    account,
    call: open.call,
    inbox: (await folderIds(account)).inbox,
    arrive: () => account.deliver({ subject: 'Hello' }),
    ...(invite ? { invite: () => invite(account) } : {}),
    [Symbol.asyncDispose]: () => open[Symbol.asyncDispose](),
  }
}
