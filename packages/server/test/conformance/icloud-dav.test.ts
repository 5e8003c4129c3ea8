/** Calendars, events and contacts of iCloud accounts, with the suites of every provider. */
import { afterAll } from 'vitest'
import { accountOf, expectStatus } from './accounts.ts'
import { describeCalendars } from './calendars.ts'
import { describeContacts } from './contacts.ts'
import { type OpenDav, openICloud } from './dav-subject.ts'
import { describeEvents } from './events.ts'
import { describeLimits } from './limits.ts'
import { sharedCalendar } from './shared-subject.ts'
import type { OpenSubject } from './subject.ts'

let opened: Promise<OpenDav> | undefined
afterAll(async () => (await opened)?.[Symbol.asyncDispose]())

/** One iCloud for all suites, and an account for each. */
async function newAccount() {
  opened ??= openICloud()
  const { call, newAccount: make } = await opened
  return { call, ...(await make()), [Symbol.asyncDispose]: async () => undefined }
}

async function open(): Promise<OpenSubject> {
  const account = await newAccount()
  const { call, grantId } = account
  const made = await call('POST', `/v3/grants/${grantId}/calendars`, { body: { name: 'Conformance' } })
  return { ...account, calendarId: expectStatus(made, 200).body.data.id }
}

const subject = sharedCalendar({
  name: 'iCloud accounts',
  // As the contract describes this kind.
  lacks: [
    'calendar-fields',
    'calendar-colours',
    'primary',
    'free-busy',
    'visibility',
    'busy',
    'ical-uid-filter',
    'master-filter',
    'updated-filter',
    'series-to-single',
  ],
  open,
})
describeCalendars(subject)
describeEvents(subject)

describeContacts({
  name: 'iCloud accounts',
  lacks: ['inbox'],
  open: async () => ({ ...(await newAccount()), knowFromMail: async () => undefined }),
})

describeLimits({
  name: 'icloud',
  async open() {
    const { calendarId, ...account } = await open()
    const { mail } = await (opened ?? openICloud())
    return {
      calendarId,
      account: accountOf(account.call, account),
      call: account.call,
      arrive: () => mail.deliver(account.email, 'Subject: Hello\n\nText'),
      [Symbol.asyncDispose]: async () => undefined,
    }
  },
})
