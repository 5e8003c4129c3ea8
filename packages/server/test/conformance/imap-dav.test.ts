/** Mailboxes with contacts on a DAV server, with the suite of every provider, and their unsupported fields. */
import { afterAll, expect, vi } from 'vitest'
import { sharedRadicale } from '../peers/radicale.ts'
import { accountOf, expectStatus } from './accounts.ts'
import { describeContacts } from './contacts.ts'
import { type OpenDav, openImapAndDav } from './dav-subject.ts'
import { describeLimits, type LimitsSubject } from './limits.ts'
import { sourceOf } from './mail-subject.ts'

let opened: Promise<OpenDav> | undefined
afterAll(async () => (await opened)?.[Symbol.asyncDispose]())

const openWith =
  (addresses: 'caldav' | 'carddav'): LimitsSubject['open'] =>
  async () => {
    opened ??= openImapAndDav(sharedRadicale)
    const { call, newAccount, mail } = await opened
    const { grantId, email } = await newAccount({ [addresses === 'caldav' ? 'carddav_url' : 'caldav_url']: 'none' })
    const account = accountOf(call, { grantId, email })
    const calendars = addresses === 'caldav' ? expectStatus(await account.get('/calendars'), 200).body.data : []
    return {
      account,
      call,
      ...(calendars.length > 0 ? { calendarId: calendars[0].id } : {}),
      arrive: () => mail.deliver(email, 'Subject: Hello\n\nText'),
      [Symbol.asyncDispose]: async () => undefined,
    }
  }

// Only a guest can answer; the calendar suites have guests.
describeLimits({ name: 'imap + CalDAV', without: ['events.rsvp'], open: openWith('caldav') })
describeLimits({ name: 'imap + CardDAV', open: openWith('carddav') })

describeContacts({
  name: 'mailboxes with CardDAV',
  async open() {
    opened ??= openImapAndDav(sharedRadicale)
    const { call, newAccount, mail, service } = await opened
    await service.listen()
    const { grantId, email } = await newAccount({ watch: true })
    return {
      ...{ call, grantId, email },
      async knowFromMail(person) {
        await mail.deliver(email, sourceOf({ from: `${person.name} <${person.email}>`, to: email }))
        const inbox = `/v3/grants/${grantId}/contacts?source=inbox`
        await vi.waitFor(async () => expect((await call('GET', inbox)).body.data).not.toEqual([]), {
          timeout: 30_000,
          interval: 50,
        })
      },
      [Symbol.asyncDispose]: async () => undefined,
    }
  },
})
