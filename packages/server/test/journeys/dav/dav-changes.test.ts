/** Changes in calendars and address books on real servers are notified: all of them, once. */

import { createEgress, type Egress } from '@waypost/platform/egress/egress'
import { sharedCyrus } from '@waypost/testing/peers/cyrus'
import { type DavServer, putObject } from '@waypost/testing/peers/dav-server'
import { sharedDovecot } from '@waypost/testing/peers/dovecot'
import type { Mailbox, MailServer } from '@waypost/testing/peers/mail-server'
import { sharedRadicale } from '@waypost/testing/peers/radicale'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { expectStatus, type Json } from '../../conformance/accounts.ts'
import { imapSettings } from '../../conformance/imap-subject.ts'
import { openService, type TestService } from '../../harness.ts'

const until = <T>(check: () => T | Promise<T>): Promise<T> => vi.waitFor(check, { interval: 50 })
const vevent = (uid: string, lines: string): string =>
  `BEGIN:VEVENT\nUID:${uid}\nDTSTAMP:20260101T000000Z\n${lines}\nEND:VEVENT\n`
const calendarOf = (...events: string[]): string =>
  `BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//test//EN\n${events.join('')}END:VCALENDAR\n`
const on = (day: string, summary: string): string =>
  `DTSTART:202706${day}T090000Z\nDTEND:202706${day}T100000Z\nSUMMARY:${summary}`
const event = (uid: string, summary = uid): string => calendarOf(vevent(uid, on('01', summary)))
const card = (uid: string, name: string): string =>
  `BEGIN:VCARD\nVERSION:3.0\nUID:${uid}\nN:;${name};;;\nFN:${name}\nEND:VCARD\n`

interface Told {
  type: string
  source: string
  data: { object: Json }
}

interface Watched {
  key: string
  grantId: string
  mailbox: Mailbox
  /** Absolute URLs of the calendar and the address book that everybody has. */
  calendar: string
  book: string
}

const servers: [string, () => Promise<DavServer>, { calendar: string; book: string }][] = [
  ['cyrus', sharedCyrus, { calendar: 'Default', book: 'Default' }],
  ['radicale', sharedRadicale, { calendar: 'personal', book: 'contacts' }],
]

describe.each(servers)('changes at %s, with mail on another server', (_, start, names) => {
  let mail: MailServer
  let dav: DavServer
  let service: TestService
  let egress: Egress
  /** Requests to the DAV server: the address, and the body. */
  const requested: string[] = []
  const open = (): Promise<TestService> =>
    openService({
      env: { WAYPOST_POLL_SECONDS: '1' },
      overrides: {
        serving: true,
        egress: {
          ...egress,
          request: (request) => {
            requested.push(`${request.url} ${request.body}`)
            return egress.request(request)
          },
        },
      },
    })
  beforeAll(async () => {
    ;[mail, dav] = await Promise.all([sharedDovecot(), start()])
    egress = createEgress({ mode: 'private', ca: [mail.ca] })
    service = await open()
    await service.listen()
  })
  afterAll(async () => {
    await service?.[Symbol.asyncDispose]()
    await dav?.[Symbol.asyncDispose]()
    await mail?.[Symbol.asyncDispose]()
  })

  /** A watched account: every change from now on is notified. */
  const watched = async (before: (account: Omit<Watched, 'key' | 'grantId'>) => Promise<void>): Promise<Watched> => {
    const { key } = await service.createApplication()
    const mailbox = await mail.addUser()
    await dav.addDavUser(mailbox.user.split('@')[0], mailbox.password)
    const account = {
      mailbox,
      calendar: `${dav.calendarHome(mailbox.user)}${names.calendar}/`,
      book: `${dav.addressbookHome(mailbox.user)}${names.book}/`,
    }
    await before(account)
    expectStatus(await service.call('POST', '/v3/connectors', { key, body: { provider: 'imap' } }), 201)
    const settings = { ...imapSettings(mail, mailbox), caldav_url: dav.davUrl, carddav_url: dav.davUrl }
    const made = await service.call('POST', '/v3/connect/custom', { key, body: { provider: 'imap', settings } })
    const grantId = expectStatus(made, 201).body.data.id
    const hasBegun = (url: string, word: string): boolean =>
      requested.some((one) => decodeURIComponent(one).startsWith(url) && one.includes(word))
    await until(() => expect(hasBegun(account.calendar, 'RRULE') && hasBegun(account.book, 'addressbook-')).toBe(true))
    return { ...account, key, grantId }
  }
  const reported = async ({ key }: Watched): Promise<Told[]> => {
    const { body } = await service.call('GET', '/v3/notifications?limit=200', { key })
    return body.data.filter((one: Told) => !one.type.startsWith('grant.'))
  }
  const named = async (account: Watched): Promise<string[]> =>
    (await reported(account)).map(
      ({ type, data: { object } }) => `${type} ${object.title ?? object.given_name ?? object.name ?? object.id}`,
    )
  const objects = async (account: Watched, type: string): Promise<Json[]> =>
    (await reported(account)).filter((one) => one.type === type).map(({ data }) => data.object)

  test('events and contacts that others create, change and delete are notified, but older ones are not', async () => {
    const account = await watched(async ({ mailbox, calendar, book }) => {
      await putObject(dav, mailbox, `${calendar}old.ics`, event('old'))
      await putObject(dav, mailbox, `${book}old.vcf`, card('old', 'Old'))
    })
    const { mailbox, calendar, book, grantId } = account
    await putObject(dav, mailbox, `${calendar}new.ics`, event('new'))
    await until(async () => expect(await named(account)).toEqual(['event.created new']))
    const [made] = await reported(account)
    expect(made).toMatchObject({ source: '/imap/events/incremental', data: { object: { grant_id: grantId } } })
    const path = `/v3/grants/${grantId}/events/new?calendar_id=${names.calendar}`
    const { metadata: _, ...shown } = expectStatus(await service.call('GET', path, { key: account.key }), 200).body.data
    expect(made?.data.object).toMatchObject(shown)
    await putObject(dav, mailbox, `${book}ada.vcf`, card('ada', 'Ada'))
    await until(async () => expect(await named(account)).toContain('contact.updated Ada'))
    await putObject(dav, mailbox, `${calendar}old.ics`, event('old', 'changed'))
    await dav.request(mailbox, 'DELETE', `${calendar}new.ics`)
    await dav.request(mailbox, 'DELETE', `${book}old.vcf`)
    await until(async () => expect(await reported(account)).toHaveLength(5))
    expect((await named(account)).slice(2).sort()).toEqual([
      'contact.deleted old',
      'event.deleted new',
      'event.updated changed',
    ])
    expect((await objects(account, 'event.deleted'))[0]).toEqual({
      id: 'new',
      object: 'event',
      grant_id: grantId,
      calendar_id: names.calendar,
    })
  })

  test('writes through the API are notified too, a series with its occurrences, each change once', async () => {
    const account = await watched(async () => {})
    const call = (method: string, path: string, body?: unknown) =>
      service.call(method, `/v3/grants/${account.grantId}${path}`, { key: account.key, ...(body ? { body } : {}) })
    const at = `calendar_id=${names.calendar}`
    const when = { start_time: 1811840400, end_time: 1811844000, start_timezone: 'UTC', end_timezone: 'UTC' }
    const body = { title: 'Own', when, recurrence: ['RRULE:FREQ=DAILY;COUNT=5'], metadata: { key1: 'x' } }
    const { id } = expectStatus(await call('POST', `/events?${at}`, body), 200).body.data
    await until(async () => expect(await named(account)).toEqual(['event.created Own']))
    expect((await objects(account, 'event.created'))[0]).toMatchObject({ id, metadata: { key1: 'x' } })
    const instances = expectStatus(
      await call('GET', `/events?${at}&start=${when.start_time - 1}&end=${when.start_time + 9 * 86_400}`),
      200,
    ).body.data
    const [, second, third] = instances.map((one: Json) => one.id)
    expectStatus(await call('PUT', `/events/${second}?${at}`, { title: 'Special' }), 200)
    await until(async () => expect(await objects(account, 'event.updated')).toHaveLength(1))
    expectStatus(await call('DELETE', `/events/${third}?${at}`), 200)
    await until(async () => expect(await objects(account, 'event.updated')).toHaveLength(2))
    const [changed, cancelled] = await objects(account, 'event.updated')
    expect(changed).toMatchObject({ id, title: 'Own', occurrences: [second] })
    expect(cancelled).toMatchObject({ id, cancelled_occurrences: [third] })
    expectStatus(await call('POST', '/contacts', { given_name: 'Bea' }), 200)
    await until(async () => expect(await named(account)).toContain('contact.updated Bea'))
    expect(await reported(account)).toHaveLength(4)
  })

  test('new calendars are notified, with the events that they already contain', async () => {
    const account = await watched(async () => {})
    const home = dav.calendarHome(account.mailbox.user)
    await dav.request(account.mailbox, 'MKCALENDAR', `${home}plans/`)
    await putObject(dav, account.mailbox, `${home}plans/first.ics`, event('first'))
    await until(async () => expect(await named(account)).toContain('event.created first'))
    await dav.request(account.mailbox, 'DELETE', `${home}plans/`)
    await until(async () => expect(await objects(account, 'calendar.deleted')).toHaveLength(1))
    expect((await reported(account)).map(({ type }) => type)).toEqual([
      'calendar.created',
      'event.created',
      'calendar.deleted',
    ])
  })
})
