/** Calendars and contacts of Yahoo accounts with app passwords, on a DAV server in place of Yahoo's. */

import { createEgress } from '@waypost/platform/egress/egress'
import type { DavServer } from '@waypost/testing/peers/dav-server'
import type { MailServer } from '@waypost/testing/peers/mail-server'
import { sharedRadicale } from '@waypost/testing/peers/radicale'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { accountOf, type Call, expectStatus, type Json, noon } from '../../conformance/accounts.ts'
import { openService, type TestService } from '../../harness.ts'
import { startYahooMail, yahooMailEnv } from '../../peers/yahoo.ts'

let mail: MailServer
let dav: DavServer
const services: TestService[] = []
beforeAll(async () => {
  ;[mail, dav] = await Promise.all([startYahooMail(), sharedRadicale()])
})
afterAll(async () => {
  for (const peer of [...services, mail, dav]) await peer?.[Symbol.asyncDispose]()
})

/** A service whose Yahoo has these servers in addition to mail, and an application without a client. */
async function openWith(env: Record<string, string>) {
  const egress = createEgress({ mode: 'private', ca: [mail.ca] })
  const service = await openService({ env: { ...yahooMailEnv(mail), ...env }, overrides: { egress } })
  services.push(service)
  const { key } = await service.createApplication('DAV')
  const call: Call = (method, path, rest) => service.call(method, path, { key, ...rest })
  expectStatus(await call('POST', '/v3/connectors', { body: { provider: 'yahoo' } }), 201)
  return async () => {
    const { user, password } = await mail.addUser()
    await dav.addDavUser(user.split('@')[0], password)
    const body = { provider: 'yahoo', settings: { username: user, password } }
    const { data } = expectStatus(await call('POST', '/v3/connect/custom', { body }), 201).body
    return { ...accountOf(call, { grantId: data.id, email: user }), settings: data.settings }
  }
}

test('an account has the calendars and contacts of its servers, and says so', async () => {
  const connect = await openWith({ WAYPOST_YAHOO_CALDAV_URL: dav.davUrl, WAYPOST_YAHOO_CARDDAV_URL: dav.davUrl })
  const account = await connect()
  expect(account.settings).toEqual({
    username: account.email,
    caldav_url: expect.stringContaining(dav.davUrl),
    carddav_url: expect.stringContaining(dav.davUrl),
  })
  const { id } = await account.createCalendar({ name: 'Yahoo' })
  const event = { title: 'Talk', when: { start_time: noon, end_time: noon + 3600 } }
  const made = expectStatus(await account.post(`/events?calendar_id=${id}`, event), 200).body.data
  const window = { calendar_id: id, start: String(noon - 60), end: String(noon + 60) }
  const listed = expectStatus(await account.get('/events', window), 200).body.data
  expect(listed.map(({ id: each, title }: Json) => [each, title])).toEqual([[made.id, 'Talk']])
  // More than one value, which contacts stored by the service do not support.
  const emails = [{ email: 'ada@engines.test' }, { email: 'ada@home.test' }]
  expectStatus(await account.post('/contacts', { given_name: 'Ada', emails }), 200)
  const { data } = expectStatus(await account.get('/contacts'), 200).body
  expect(data).toMatchObject([{ given_name: 'Ada', emails, source: 'address_book' }])
  expectStatus(await account.get('/messages'), 200)
})

test('an account with only calendars has its contacts stored by the service', async () => {
  const connect = await openWith({ WAYPOST_YAHOO_CALDAV_URL: dav.davUrl })
  const account = await connect()
  expect(Object.keys(account.settings).sort()).toEqual(['caldav_url', 'username'])
  expectStatus(await account.get('/calendars'), 200)
  expectStatus(await account.post('/contacts', { given_name: 'Ada' }), 200)
  expect(expectStatus(await account.get('/contacts'), 200).body.data).toHaveLength(1)
})

test('an account without either has mail', async () => {
  const connect = await openWith({})
  const account = await connect()
  expect(account.settings).toEqual({ username: account.email })
  const refused = await account.get('/calendars')
  expect([refused.status, refused.body.error.type]).toEqual([422, 'not_supported_by_provider'])
  expectStatus(await account.get('/folders'), 200)
})
