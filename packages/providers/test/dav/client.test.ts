/** Calendars and contacts on real servers: found, read, written and compared. */

import { ApiError } from '@waypost/platform/api-error'
import { sharedCyrus } from '@waypost/testing/peers/cyrus'
import { type DavServer, putObject } from '@waypost/testing/peers/dav-server'
import { type ICloudServer, startICloud } from '@waypost/testing/peers/icloud'
import type { Mailbox } from '@waypost/testing/peers/mail-server'
import { sharedRadicale } from '@waypost/testing/peers/radicale'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DavClient } from '../../src/dav/client.ts'
import { type DavService, findDav } from '../../src/dav/session.ts'
import { type DavAccount, davAccount } from './dav-account.ts'

const event = (uid: string, lines = 'DTSTART:20260301T100000Z\nDTEND:20260301T110000Z', summary = 'Tea'): string =>
  `BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//test//EN\nBEGIN:VEVENT\nUID:${uid}\nDTSTAMP:20260101T000000Z\n${lines}\nSUMMARY:${summary}\nEND:VEVENT\nEND:VCALENDAR\n`.replaceAll(
    '\n',
    '\r\n',
  )
const card = (uid: string, name = 'Ada'): string =>
  `BEGIN:VCARD\r\nVERSION:3.0\r\nUID:${uid}\r\nFN:${name}\r\nN:${name};;;;\r\nEND:VCARD\r\n`

export const codeOf = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'no error',
    (error: unknown) => {
      if (error instanceof ApiError) return error.code
      throw error
    },
  )

const seconds = (text: string): number => Date.parse(text) / 1000
const march = { from: seconds('2026-03-01T00:00:00Z'), to: seconds('2026-04-01T00:00:00Z') }

describe.each([
  ['cyrus', sharedCyrus, { calendar: 'Default', book: 'Default', schedules: true }],
  ['radicale', sharedRadicale, { calendar: 'personal', book: 'contacts', schedules: false }],
  ['what stands for iCloud', startICloud, { calendar: 'home', book: 'card', schedules: true }],
])('%s', (_, start, { calendar: name, book: bookName, schedules }) => {
  let server: DavServer
  let account: DavAccount
  let alice: Mailbox
  let calendars: DavService
  let contacts: DavService
  let client: DavClient
  let calendar: string
  let book: string
  beforeAll(async () => {
    server = await start()
    account = davAccount()
    alice = await server.addDavUser()
    const dav = account.open({ caldavUrl: server.davUrl, carddavUrl: server.davUrl, auth: alice })
    if (!dav.calendars || !dav.contacts) throw new Error('the account has both')
    ;({ calendars, contacts } = dav)
    ;({ client } = calendars)
    calendar = `${(await calendars.home()).url}${name}/`
    book = `${(await contacts.home()).url}${bookName}/`
  })
  afterAll(async () => {
    await account[Symbol.asyncDispose]()
    await server[Symbol.asyncDispose]()
  })

  test('returns where the calendars and contacts are, for any of its addresses', async () => {
    const home = await calendars.home()
    expect(home.url).toBe(server.calendarHome(alice.user))
    expect((await contacts.home()).url).toBe(server.addressbookHome(alice.user))
    expect(home.schedules).toBe(schedules)
    if (schedules) expect(home.addresses).toContain(alice.user)
    for (const url of [home.url, `${home.url}${name}/`, home.principal ?? '', `${server.davUrl}.well-known/caldav`]) {
      expect((await findDav(account.io, 'caldav', { url, auth: alice })).home.url, url).toBe(home.url)
    }
  })

  test('reports a wrong password as such', async () => {
    const auth = { ...alice, password: 'wrong' }
    expect(await codeOf(findDav(account.io, 'caldav', { url: server.davUrl, auth }))).toBe('grant_invalid')
  })

  test('lists the home with one request', async () => {
    const { responses, home } = await calendars.listHome(['D:resourcetype', 'D:displayname', 'CS:getctag'])
    const own = responses.filter(({ props }) => props.names('D:resourcetype').includes('C:calendar'))
    expect(own.map(({ href }) => href)).toContain(`${home.url}${name}/`)
  })

  test('stores an object once, and changes it only if nobody else has', async () => {
    const url = `${calendar}guarded.ics`
    const made = await client.put(url, event('guarded'), { ifNoneMatch: '*' })
    expect(made.href).toBe(url)
    expect(await codeOf(client.put(url, event('guarded'), { ifNoneMatch: '*' }))).toBe('conflict')
    const before = await client.get(url)
    expect(before.data).toContain('SUMMARY:Tea')
    const etag = before.etag ?? ''
    await putObject(server, alice, url, event('guarded', undefined, 'Coffee'))
    expect(await codeOf(client.put(url, event('guarded', undefined, 'Milk'), { ifMatch: etag }))).toBe('conflict')
    expect(await codeOf(client.delete(url, { ifMatch: etag }))).toBe('conflict')
    const [now] = await client.multiget(calendar, [url])
    expect(now?.data).toContain('SUMMARY:Coffee')
    await client.delete(url, { ifMatch: now?.etag ?? '' })
    expect(await codeOf(client.get(url))).toBe('not_found')
  })

  test('returns many objects in the requested order, without deleted ones', async () => {
    const urls = Array.from({ length: 60 }, (_, index) => `${calendar}many-${index}.ics`)
    const day = (index: number): string => `${(index % 28) + 1}`.padStart(2, '0')
    for (const [index, url] of urls.entries()) {
      await putObject(
        server,
        alice,
        url,
        event(`many-${index}`, `DTSTART:202605${day(index)}T100000Z\nDTEND:202605${day(index)}T110000Z`),
      )
    }
    const requested = [...urls.toReversed(), `${calendar}gone.ics`]
    const found = await client.multiget(calendar, requested)
    expect(found.map(({ href }) => href)).toEqual(urls.toReversed())
    expect(found.every(({ data, etag }) => data.includes('BEGIN:VEVENT') && etag)).toBe(true)
  })

  test('finds the events of a time range, including series that extend into it', async () => {
    await putObject(server, alice, `${calendar}q-in.ics`, event('q-in'))
    await putObject(
      server,
      alice,
      `${calendar}q-out.ics`,
      event('q-out', 'DTSTART:20270301T100000Z\nDTEND:20270301T110000Z'),
    )
    const weekly = 'DTSTART:20250101T100000Z\nDTEND:20250101T110000Z\nRRULE:FREQ=WEEKLY'
    await putObject(server, alice, `${calendar}q-series.ics`, event('q-series', weekly))
    const found = (await client.query(calendar, { range: march })).map(({ href }) => href)
    expect(found).toEqual(expect.arrayContaining([`${calendar}q-in.ics`, `${calendar}q-series.ics`]))
    expect(found).not.toContain(`${calendar}q-out.ics`)
    expect(found).not.toContain(calendar)
    const [one] = await client.query(calendar, { uid: 'q-out' })
    expect(one?.href).toBe(`${calendar}q-out.ics`)
  })

  test('returns changes since a token, and reports an unknown token', async () => {
    const first = await client.sync(calendar)
    if (first === 'expired') throw new Error('there is a token')
    await putObject(server, alice, `${calendar}s-1.ics`, event('s-1'))
    const second = await client.sync(calendar, first.token)
    expect(second).toMatchObject({ removed: [], more: false, changed: [{ href: `${calendar}s-1.ics` }] })
    if (second === 'expired') throw new Error('it is known')
    await server.request(alice, 'DELETE', `${calendar}s-1.ics`)
    const third = await client.sync(calendar, second.token)
    expect(third).toMatchObject({ removed: [`${calendar}s-1.ics`], changed: [] })
    expect(await client.sync(calendar, 'http://example.test/bogus')).toBe('expired')
    expect((await client.etags(calendar)).has(`${calendar}s-1.ics`)).toBe(false)
    expect(await codeOf(client.sync(`${(await calendars.home()).url}nowhere/`, first.token))).toBe('not_found')
  })

  test('creates, renames and deletes calendars', async () => {
    const url = `${(await calendars.home()).url}made-${name}/`
    await client.mkcalendar(url, { 'D:displayname': 'Plans <&>' })
    expect((await client.propsOf(url, ['D:displayname'])).props.text('D:displayname')).toBe('Plans <&>')
    await client.proppatch(url, { 'D:displayname': 'Other', 'ICAL:calendar-color': '#ff0000ff' })
    const { props } = await client.propsOf(url, ['D:displayname', 'ICAL:calendar-color'])
    expect([props.text('D:displayname'), props.text('ICAL:calendar-color')]).toEqual(['Other', '#ff0000ff'])
    await client.deleteCollection(url)
    expect(await codeOf(client.propsOf(url, ['D:displayname']))).toBe('not_found')
  })

  test('stores cards too', async () => {
    await contacts.client.put(`${book}ada.vcf`, card('ada'), { ifNoneMatch: '*' })
    const [found] = await contacts.client.multiget(book, [`${book}ada.vcf`])
    expect(found?.data).toContain('FN:Ada')
    expect((await contacts.client.queryCards(book)).map(({ href }) => href)).toContain(`${book}ada.vcf`)
    const synced = await contacts.client.sync(book)
    expect(synced).toMatchObject({
      changed: expect.arrayContaining([expect.objectContaining({ href: `${book}ada.vcf` })]),
    })
  })
})

describe('an account whose partition has moved', () => {
  test('is found again', async () => {
    await using icloud: ICloudServer = await startICloud()
    await using account = davAccount()
    const alice = await icloud.addDavUser()
    const { calendars } = account.open({ caldavUrl: icloud.davUrl, auth: alice })
    const home = await calendars?.home()
    const known = account.io.retained('dav', () => {
      throw new Error('it is kept')
    }) as unknown as { set(key: string, home: unknown): void }
    known.set(`caldav ${icloud.davUrl}`, { ...home, url: home?.url.replace('/calendars/', '/elsewhere/') })
    const listed = await calendars?.listHome(['D:resourcetype'])
    expect(listed?.home.url).toBe(home?.url)
  })
})
