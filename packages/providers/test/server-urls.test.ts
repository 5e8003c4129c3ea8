/** Servers for mail, calendars and contacts that replace a provider's own. */
import { expect, test } from 'vitest'
import { z } from 'zod'
import { mailServersOf, serversIn, serverVariables } from '../src/server-urls.ts'

const variables = z.object(serverVariables('YAHOO', ['imap', 'smtp', 'caldav']))

test('server URLs have the schemes of their protocols', () => {
  const good = {
    WAYPOST_YAHOO_IMAP_URL: 'imaps://mail.test:1993',
    WAYPOST_YAHOO_CALDAV_URL: 'http://127.0.0.1:5232/dav',
  }
  expect(variables.parse(good)).toEqual(good)
  expect(serversIn('YAHOO', good)).toEqual({ imap: 'imaps://mail.test:1993', caldav: 'http://127.0.0.1:5232/dav' })
  expect(serversIn('YAHOO', {})).toBeUndefined()
  for (const wrong of ['https://mail.test', 'mail.test:993', 'imaps://', '']) {
    expect(variables.safeParse({ WAYPOST_YAHOO_IMAP_URL: wrong }).success, wrong).toBe(false)
  }
})

test("server URLs are used if they are set, and the service's own otherwise", () => {
  expect(mailServersOf('yahoo', { providerServers: {} })).toEqual({
    imap: { host: 'imap.mail.yahoo.com', port: 993 },
    smtp: { host: 'smtp.mail.yahoo.com', port: 465 },
  })
  expect(mailServersOf('icloud', { providerServers: { smtp: 'smtp://127.0.0.1:2525' } })).toEqual({
    imap: { host: 'imap.mail.me.com', port: 993 },
    smtp: { host: '127.0.0.1', port: 2525 },
  })
  expect(mailServersOf('yahoo', { providerServers: { imap: 'imaps://localhost' } }).imap).toEqual({
    host: 'localhost',
    port: 993,
    security: 'tls',
  })
})
