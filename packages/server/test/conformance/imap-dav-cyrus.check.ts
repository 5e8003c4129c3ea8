/** Mailboxes with calendars and contacts on Cyrus, which schedules, and converts cards on request. */

import { sharedCyrus } from '@waypost/testing/peers/cyrus'
import { afterAll } from 'vitest'
import { type OpenDav, openImapAndDav } from './dav-subject.ts'
import { describeProvider } from './describe-provider.ts'
import { davCalendar, davContacts, testAvailability } from './imap-dav-subject.ts'

let opened: Promise<OpenDav> | undefined
const open = (): Promise<OpenDav> => {
  opened ??= openImapAndDav(sharedCyrus)
  return opened
}
afterAll(async () => (await opened)?.[Symbol.asyncDispose]())

const calendar = davCalendar('Cyrus', open, [])
await describeProvider(() => ({ adapter: 'imap + CalDAV', only: ['calendar'], calendar }))
testAvailability(calendar)
await describeProvider(() => ({
  adapter: 'imap + CardDAV',
  only: ['contacts'],
  contacts: davContacts('Cyrus', open),
}))
