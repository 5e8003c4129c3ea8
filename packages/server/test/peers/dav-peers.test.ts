/** The servers of calendars and contacts have the properties that other tests rely on. */

import { sharedCyrus } from '@waypost/testing/peers/cyrus'
import { type DavServer, putObject } from '@waypost/testing/peers/dav-server'
import { type ICloudServer, startICloud } from '@waypost/testing/peers/icloud'
import type { Mailbox } from '@waypost/testing/peers/mail-server'
import { sharedRadicale } from '@waypost/testing/peers/radicale'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const propfind = (props: string): string =>
  `<D:propfind xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"><D:prop>${props}</D:prop></D:propfind>`
const query = (component: string): string =>
  `<C:calendar-query xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"><D:prop><D:getetag/><C:calendar-data/></D:prop>
<C:filter><C:comp-filter name="VCALENDAR"><C:comp-filter name="${component}"/></C:comp-filter></C:filter></C:calendar-query>`
const event = (uid: string, lines = 'DTEND:20260301T110000Z\n'): string =>
  `BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//test//EN\nBEGIN:VEVENT\nUID:${uid}\nDTSTAMP:20260101T000000Z\nDTSTART:20260301T100000Z\n${lines}SUMMARY:Tea\nEND:VEVENT\nEND:VCALENDAR\n`
const depth = (value: string) => ({ headers: { depth: value } })

describe.each([
  ['cyrus', sharedCyrus, 'Default'],
  ['radicale', sharedRadicale, 'personal'],
])('%s', (_, start, calendar) => {
  let server: DavServer
  beforeAll(async () => {
    server = await start()
  })
  afterAll(() => server[Symbol.asyncDispose]())

  test('keeps the calendars and contacts of each user apart', async () => {
    const alice = await server.addDavUser()
    const bob = await server.addDavUser()
    const url = `${server.calendarHome(alice.user)}${calendar}/a.ics`
    await putObject(server, alice, url, event('a'))
    expect((await server.request(alice, 'GET', url)).text).toContain('SUMMARY:Tea')
    const others = await server.request(bob, 'GET', url)
    expect(others.status).toBeGreaterThan(300)
    expect(others.text).not.toContain('Tea')
    expect((await server.request({ ...alice, password: 'wrong' }, 'GET', url)).status).toBe(401)
  })
})

describe('what stands for iCloud', () => {
  let icloud: ICloudServer
  let alice: Mailbox & { accountPassword: string }
  let home: string
  beforeAll(async () => {
    icloud = await startICloud()
    alice = await icloud.addDavUser()
    home = icloud.calendarHome(alice.user)
  })
  afterAll(() => icloud[Symbol.asyncDispose]())

  test('leads from the well-known address to another host, and takes app-specific passwords alone', async () => {
    const { status, headers } = await icloud.request(alice, 'PROPFIND', `${icloud.davUrl}.well-known/caldav`)
    expect(status).toBe(301)
    const partition = headers.get('location') ?? ''
    expect(new URL(partition).port).not.toBe(new URL(icloud.davUrl).port)
    const body = propfind('<D:current-user-principal/>')
    const found = await icloud.request(alice, 'PROPFIND', partition, { ...depth('0'), body })
    expect(found.text).toMatch(/href>\/\d+\/principal\//)
    const refused = await icloud.request({ ...alice, password: alice.accountPassword }, 'PROPFIND', partition, { body })
    expect(refused.status).toBe(401)
    expect(refused.headers.get('www-authenticate')).toBeNull()
  })

  test('names its principal by a shorter path, and no calendar as the default one', async () => {
    const principal = home.replace('calendars', 'principal')
    const body = propfind('<C:calendar-home-set/>')
    const { text } = await icloud.request(alice, 'PROPFIND', principal, { ...depth('0'), body })
    expect(text).toMatch(/href>\/principal\/</)
    expect(text).toContain(new URL(home).pathname)
    const inbox = await icloud.request(alice, 'PROPFIND', `${home}Inbox/`, {
      ...depth('0'),
      body: propfind('<C:schedule-default-calendar-URL/>'),
    })
    expect(inbox.text).not.toContain('calendars/home/')
  })

  test('answers questions in ways of its own', async () => {
    const url = `${home}home/`
    await putObject(icloud, alice, `${url}a.ics`, event('a'))
    const events = await icloud.request(alice, 'REPORT', url, { ...depth('1'), body: query('VEVENT') })
    expect(events.text).toContain('SUMMARY:Tea')
    expect(events.text).toContain(`<D:href>${new URL(url).pathname}</D:href>`)
    expect((await icloud.request(alice, 'REPORT', url, { ...depth('1'), body: query('VTODO') })).status).toBe(500)
    const busy = '<C:free-busy-query xmlns:C="urn:ietf:params:xml:ns:caldav"/>'
    expect((await icloud.request(alice, 'REPORT', url, { body: busy })).status).toBe(501)
    const put = (name: string, data: string) =>
      icloud.request(alice, 'PUT', `${url}${name}.ics`, {
        headers: { 'content-type': 'text/calendar' },
        body: data.replaceAll('\n', '\r\n'),
      })
    expect((await put('b', event('b', ''))).status).toBe(404)
    const tags = [await put('c', event('c')), await put('d', event('d'))].map(({ headers }) => headers.get('etag'))
    expect(tags.filter((tag) => tag === null)).toHaveLength(1)
  })
})
