/** Changes of mail, calendars and contacts of one account are notified. */
import { randomUUID } from 'node:crypto'
import { createEgress } from '@waypost/platform/egress/egress'
import { putObject } from '@waypost/testing/peers/dav-server'
import { sharedDovecot } from '@waypost/testing/peers/dovecot'
import type { Mailbox, MailServer } from '@waypost/testing/peers/mail-server'
import { type Radicale, radicaleBook, radicaleCalendar, sharedRadicale } from '@waypost/testing/peers/radicale'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { expectStatus, type Fields, type Json } from '../../conformance/accounts.ts'
import { imapSettings } from '../../conformance/imap-subject.ts'
import { type Answer, openService, type TestService } from '../../harness.ts'
import { until } from '../mail/mail-servers.ts'

let mail: MailServer
let radicale: Radicale
let service: TestService
let key: string
beforeAll(async () => {
  ;[mail, radicale] = await Promise.all([sharedDovecot(), sharedRadicale()])
  const egress = createEgress({ mode: 'private', ca: [mail.ca] })
  service = await openService({ env: { WAYPOST_POLL_SECONDS: '1' }, overrides: { egress, serving: true } })
  await service.listen()
  key = (await service.createApplication('Changes')).key
  expectStatus(await call('POST', '/v3/connectors', { provider: 'imap' }), 201)
})
afterAll(async () => {
  await service?.[Symbol.asyncDispose]()
  await radicale?.[Symbol.asyncDispose]()
  await mail?.[Symbol.asyncDispose]()
})
const call = (method: string, path: string, body?: unknown): Promise<Answer> =>
  service.call(method, path, { key, ...(body === undefined ? {} : { body }) })

let mailbox: Mailbox
beforeEach(async () => {
  mailbox = await mail.addUser()
  await radicale.addDavUser(mailbox.user.split('@')[0], mailbox.password)
})
const both = (): Fields => ({ caldav_url: radicale.davUrl, carddav_url: radicale.davUrl })
async function connected(more: Fields): Promise<string> {
  const settings = { ...imapSettings(mail, mailbox), ...more }
  const made = await call('POST', '/v3/connect/custom', { provider: 'imap', settings })
  const { id } = expectStatus(made, 201).body.data
  const path = `/v3/admin/applications/${await applicationId()}/grants/${id}/activity`
  await until(async () => {
    const { body } = await service.call('GET', path, { admin: true })
    expect(body.data.watch).toMatchObject({ state: 'watching' })
  })
  return id
}
const applicationId = async (): Promise<string> => (await call('GET', '/v3/applications')).body.data.application_id
async function reported(grantId: string): Promise<Json[]> {
  const { body } = expectStatus(await call('GET', '/v3/notifications?limit=200'), 200)
  return body.data.filter(({ data }: Json) => (data.grant_id ?? data.object?.grant_id) === grantId)
}
const typesOf = async (grantId: string): Promise<string[]> => (await reported(grantId)).map(({ type }) => type)

const addEvent = (title: string): Promise<void> => {
  const uid = randomUUID()
  return putObject(
    radicale,
    mailbox,
    `${radicale.calendarHome(mailbox.user)}${radicaleCalendar}/${uid}.ics`,
    `BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//x//y//EN\nBEGIN:VEVENT\nUID:${uid}\nDTSTAMP:20260601T000000Z\nDTSTART:20260610T090000Z\nDTEND:20260610T100000Z\nSUMMARY:${title}\nEND:VEVENT\nEND:VCALENDAR\n`,
  )
}
const addCard = (name: string): Promise<void> => {
  const uid = randomUUID()
  return putObject(
    radicale,
    mailbox,
    `${radicale.addressbookHome(mailbox.user)}${radicaleBook}/${uid}.vcf`,
    `BEGIN:VCARD\nVERSION:3.0\nUID:${uid}\nFN:${name}\nN:${name};;;;\nEND:VCARD\n`,
  )
}

test('new mail, events and contacts are reported, and nothing that existed before', async () => {
  await addEvent('Old')
  await addCard('Old')
  const id = await connected(both())
  await Promise.all([
    mail.deliver(mailbox.user, 'From: Bob <bob@people.test>\nSubject: New\n\nText'),
    addEvent('New'),
    addCard('New'),
  ])
  await until(async () => {
    expect(await typesOf(id)).toEqual(expect.arrayContaining(['contact.updated', 'event.created', 'message.created']))
  })
  const objects = (await reported(id)).map(({ data }) => data.object)
  expect(JSON.stringify(objects)).not.toContain('Old')
  expect(objects).toContainEqual(expect.objectContaining({ object: 'event', title: 'New' }))
  expect(objects).toContainEqual(expect.objectContaining({ object: 'contact', surname: 'New' }))
  // Contacts that are collected from mail are separate from the address book.
  await until(async () => {
    const { body } = expectStatus(await call('GET', `/v3/grants/${id}/contacts?source=inbox`), 200)
    expect(body.data).toMatchObject([{ given_name: 'Bob', source: 'inbox' }])
  })
})

test('mail is reported while the calendar server refuses the login, and the grant stays valid', async () => {
  const other = await radicale.addDavUser()
  const id = await connected({ ...both(), dav_username: other.user, dav_password: other.password })
  await radicale.changeDavPassword(other.user, 'another')
  await mail.deliver(mailbox.user, 'Subject: Meanwhile\n\nText')
  await until(async () => expect(await typesOf(id)).toContain('message.created'))
  expect((await call('GET', `/v3/grants/${id}`)).body.data.grant_status).toBe('valid')
})

test('an account that gets calendars later reports their changes from then on, and no mail twice', async () => {
  const id = await connected({})
  await mail.deliver(mailbox.user, 'Subject: First\n\nText')
  await until(async () => expect(await typesOf(id)).toContain('message.created'))
  await addEvent('Before')
  expect(await connected(both())).toBe(id)
  await mail.deliver(mailbox.user, 'Subject: Second\n\nText')
  const titles = async (): Promise<string[]> =>
    (await reported(id)).flatMap(({ data }) => data.object?.title ?? data.object?.subject ?? [])
  // The watch starts with the first poll, whose time is not known.
  await vi.waitFor(
    async () => {
      await addEvent('After')
      expect(await titles()).toContain('After')
    },
    { timeout: 60_000, interval: 1_000 },
  )
  await until(async () => expect(await titles()).toContain('Second'))
  expect((await titles()).filter((title) => title !== 'After').sort()).toEqual(['First', 'Second'])
})
