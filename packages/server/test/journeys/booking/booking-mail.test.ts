/** Mails about bookings from the account of the organizer, through a real mail server into real mailboxes. */

import { type Radicale, sharedRadicale } from '@waypost/testing/peers/radicale'
import { sql } from '@waypost/testing/statement'
import { simpleParser } from 'mailparser'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { doJobs } from '../../../src/node.ts'
import { asGuest, book, participantOf, slotOf } from '../../booking/booking-setup.ts'
import { queueMails, sampleConfiguration, storeBooking } from '../../booking/mail/stored-booking.ts'
import { expectOnce, type MailServers, openMailServers, until } from '../mail/mail-servers.ts'

const payloads = sql<{ payload: string }>('test.bookingJobs', `select payload from outbox where kind = 'bookings.mail'`)

let servers: MailServers
let radicale: Radicale
beforeAll(async () => {
  servers = await openMailServers()
  radicale = await sharedRadicale()
})
afterAll(async () => {
  await servers[Symbol.asyncDispose]()
  await radicale[Symbol.asyncDispose]()
})

test('guest and host get one mail each from the account, however often the job runs', async () => {
  const { service, clock } = servers
  const { services } = service
  const [host, guest] = [await servers.newAccount(), await servers.newAccount()]
  const { body } = await service.call('GET', '/v3/applications', { key: servers.key })
  const record = await storeBooking(service, {
    applicationId: body.data.application_id,
    grantId: host.grantId,
    startTime: Math.floor(clock.now() / 1000) + 86_400,
    details: {
      organizer: { email: host.email, name: 'Olga' },
      guest: { email: guest.email, name: 'Gina' },
      emailLanguage: 'sv',
      icalUid: 'uid-of-the-event',
    },
  })
  const change = { record, configuration: sampleConfiguration(), kind: 'confirmed' as const }
  await queueMails(service, change)
  await queueMails(service, change)
  const jobs = await services.storage.database.all(payloads, [])
  const handle = services.scheduling.mails.handlers['bookings.mail']
  for (const { payload } of [...jobs, ...jobs])
    await handle(payload, new AbortController().signal, { application_id: '', id: '' })
  await doJobs(services)
  const [toGuest, toHost] = [await guest.received(), await host.received()]
  const read = await simpleParser(toGuest.source)
  expect([read.subject, read.from?.value[0]?.address]).toEqual(['Bekräftad: Consultation', host.email])
  expect(toGuest.source.toString()).toMatch(/Content-Type: text\/calendar; method=REQUEST/i)
  const ics = read.attachments.find(({ contentType }) => contentType === 'application/ics')?.content.toString()
  expect(ics).toContain('UID:uid-of-the-event')
  expect((await simpleParser(toHost.source)).subject).toBe('Confirmed: Consultation')
  await expectOnce(guest, 'INBOX')
  await expectOnce(host, 'INBOX')
})

test('a guest who books, moves and cancels gets a mail about each, and each refers to the event of the host', async () => {
  const { service, key } = servers
  const [host, guest] = [await servers.newAccount(radicale), await servers.newAccount()]
  const at = `/v3/grants/${host.grantId}`
  const calendar = await service.call('POST', `${at}/calendars`, { key, body: { name: 'Work' } })
  const participant = participantOf({ id: host.grantId, email: host.email, calendarId: calendar.body.data.id })
  const body = {
    participants: [{ ...participant, is_organizer: true }],
    availability: { duration_minutes: 30 },
    event_booking: { title: 'Talk', timezone: 'UTC' },
  }
  const page = (await service.call('POST', `${at}/scheduling/configurations`, { key, body })).body.data.id
  const made = await book(service, page, { ...slotOf(service, 2, 9), guest: { email: guest.email, name: 'Gina' } })
  expect([made.status, made.body.error]).toEqual([200, undefined])
  const { booking_id, event_id } = made.body.data
  const path = `${at}/events/${event_id}?calendar_id=${encodeURIComponent(calendar.body.data.id)}`
  const event = (await service.call('GET', path, { key })).body.data
  const one = `/v3/scheduling/bookings/${booking_id}?configuration_id=${page}`
  expect((await asGuest(service, 'PATCH', one, slotOf(service, 3, 9))).status).toBe(200)
  expect((await asGuest(service, 'DELETE', one, { cancellation_reason: 'ill' })).status).toBe(200)
  await doJobs(service.services)
  const mails = await until(async () => {
    const found = await guest.mail()
    expect(found).toHaveLength(3)
    return Promise.all(found.map(({ source }) => simpleParser(source)))
  })
  const fieldsOf = (mail: (typeof mails)[number]) => {
    const ics = mail.attachments.find(({ contentType }) => contentType === 'application/ics')?.content.toString() ?? ''
    const [, method, uid, sequence] =
      /METHOD:(\w+)[\s\S]*?UID:(.+?)\r\n[\s\S]*?SEQUENCE:(\d+)/.exec(ics.replaceAll('\r\n ', '')) ?? []
    return { subject: mail.subject, method, uid, sequence: Number(sequence) }
  }
  const read = mails.map(fieldsOf).sort((a, b) => a.sequence - b.sequence)
  expect(read.map(({ subject, method, uid }) => [subject, method, uid])).toEqual([
    ['Confirmed: Talk', 'REQUEST', event.ical_uid],
    ['Rescheduled: Talk', 'REQUEST', event.ical_uid],
    ['Cancelled: Talk', 'CANCEL', event.ical_uid],
  ])
  expect(new Set(read.map(({ sequence }) => sequence)).size).toBe(3)
  await until(async () => expect(await host.mail()).toHaveLength(3))
})
