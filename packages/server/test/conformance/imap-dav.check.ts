/** Mailboxes with calendars or contacts on Radicale, which does not schedule. */

import { sharedRadicale } from '@waypost/testing/peers/radicale'
import { afterAll } from 'vitest'
import { type OpenDav, openImapAndDav } from './dav-subject.ts'
import { describeProvider } from './describe-provider.ts'
import { davCalendar, davContacts, davLimits, testAvailability } from './imap-dav-subject.ts'

let opened: Promise<OpenDav> | undefined
const open = (): Promise<OpenDav> => {
  opened ??= openImapAndDav(sharedRadicale)
  return opened
}
afterAll(async () => (await opened)?.[Symbol.asyncDispose]())

// Radicale names no calendar for invitations, and has no free/busy of others.
const calendar = davCalendar('Radicale', open, ['primary', 'free-busy'])
await describeProvider(() => ({
  adapter: 'imap + CalDAV',
  calendar,
  // Only a guest can answer; the calendar suites have guests.
  limits: { without: ['events.rsvp'], open: davLimits(open, 'caldav') },
}))
testAvailability(calendar)

await describeProvider(() => ({
  adapter: 'imap + CardDAV',
  contacts: davContacts('Radicale', open),
  limits: { open: davLimits(open, 'carddav') },
}))
