/** Mails about bookings from the account of the organizer, through a real mail server into real mailboxes. */
import { simpleParser } from 'mailparser'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { doJobs } from '../../../src/node.ts'
import { queueMails, sampleConfiguration, storeBooking } from '../../booking/mail/booked.ts'
import { sql } from '../../statement.ts'
import { expectOnce, type MailServers, openMailServers } from '../mail/mail-servers.ts'

const payloads = sql<{ payload: string }>('test.bookingJobs', `select payload from outbox where kind = 'bookings.mail'`)

let servers: MailServers
beforeAll(async () => {
  servers = await openMailServers()
})
afterAll(() => servers[Symbol.asyncDispose]())

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
  const jobs = await services.database.all(payloads, [])
  const handle = services.bookingMails.handlers['bookings.mail']
  for (const { payload } of [...jobs, ...jobs]) await handle(payload, new AbortController().signal)
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
