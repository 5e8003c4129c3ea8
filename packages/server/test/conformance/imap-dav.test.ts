/** Mailboxes with calendars and contacts at a server of DAV: what they do not take of requests. */
import { afterAll } from 'vitest'
import { startRadicale } from '../peers/radicale.ts'
import { accountOf, expectStatus } from './accounts.ts'
import { type OpenDav, openImapAndDav } from './dav-subject.ts'
import { describeLimits, type LimitsSubject } from './limits.ts'

let opened: Promise<OpenDav> | undefined
afterAll(async () => (await opened)?.[Symbol.asyncDispose]())

const openWith =
  (addresses: 'caldav' | 'carddav'): LimitsSubject['open'] =>
  async () => {
    opened ??= openImapAndDav(startRadicale)
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

// Who answers is a guest, of which the suites of calendars have some.
describeLimits({ name: 'imap + CalDAV', without: ['events.rsvp'], open: openWith('caldav') })
describeLimits({ name: 'imap + CardDAV', open: openWith('carddav') })
