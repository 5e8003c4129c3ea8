/** Mails about bookings through the service's mail identity: which are sent, to whom and when. */
import type { Event } from '@waypost/contract'
import { addToOutbox, type OutboxRow, outboxDepth } from '@waypost/store/tables/notifications/outbox'
import { oneEngineFor } from '@waypost/testing/engines'
import { openServiceMail, type ServiceMail } from '@waypost/testing/peers/smtp-sink'
import { sql } from '@waypost/testing/statement'
import { testClock } from '@waypost/testing/test-clock'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type BookingChange, organizerReferenceOf, referenceOf } from '../../../src/booking/bookings/booking-record.ts'
import { doJobs } from '../../../src/node.ts'
import { openService, type TestService } from '../../harness.ts'
import { createMicrosoftGrant, type MicrosoftPeer, openMicrosoft } from '../../peers/microsoft.ts'
import { queueMails, queueReminders, sampleConfiguration, storeBooking } from './stored-booking.ts'

const clock = testClock(1_800_000_000_000)
const hour = 3_600
const payloads = sql<{ payload: string }>('test.bookingJobs', `select payload from outbox where kind = 'bookings.mail'`)
const mailJobs = sql<OutboxRow>('test.mailJobs', `select * from outbox where kind = 'mail.send'`)
const reminderJobs = sql<{ payload: string }>(
  'test.reminderJobs',
  `select payload from outbox where kind = 'bookings.remind' order by created_at`,
)
const revise = sql('test.reviseBooking', 'update bookings set revision = revision + 1 where id = $1')

describe.each(oneEngineFor(import.meta.url))('mails about bookings on %s', (engine) => {
  let service: TestService
  let silent: TestService
  let post: ServiceMail
  let graph: MicrosoftPeer
  let key: string
  let applicationId: string
  let grantId: string
  beforeAll(async () => {
    post = await openServiceMail('bookings@waypost.test')
    graph = await openMicrosoft()
    const env = { ...post.env, WAYPOST_MICROSOFT_URL: graph.simulator.url, WAYPOST_EGRESS: 'private' }
    service = await openService({ engine, env, overrides: { clock } })
    silent = await openService({ engine, overrides: { clock } })
    ;({ key, id: applicationId } = await service.createApplication())
    grantId = (await service.createGrant('olga@host.test', key)).id
  })
  afterAll(async () => {
    for (const each of [service, silent, post, graph]) await each[Symbol.asyncDispose]()
  })
  afterEach(() => {
    post.mails.length = 0
  })

  const now = () => Math.floor(clock.now() / 1000)
  const book = (details = {}, more = {}) =>
    storeBooking(service, { applicationId, grantId, startTime: now() + 48 * hour, details, ...more })
  const send = async (change: BookingChange) => {
    await queueMails(service, change)
    return collect()
  }
  const collect = async () => {
    await doJobs(service.services)
    return post.mails.splice(0).sort((a, b) => (a.to < b.to ? -1 : 1))
  }
  const call = (method: string, path: string, body?: object) => service.call(method, path, { key, body })

  test('reach the guest, companions and hosts once, each in their language and zone', async () => {
    const record = await book({
      additionalGuests: [{ email: 'carl@guest.test', name: '' }],
      participants: [{ email: 'hugo@host.test', name: 'Hugo' }],
    })
    const configuration = sampleConfiguration({
      scheduler: { email_template: { organizer_locale: 'fr' } },
      participants: [{ email: 'hugo@host.test', timezone: 'America/New_York' }],
    })
    const change = { record, configuration, kind: 'confirmed' as const }
    await queueMails(service, change)
    const [{ payload } = { payload: '' }] = await service.services.storage.database.all(payloads, [])
    expect(payload).not.toContain('@guest.test')
    const mails = await send(change)
    expect(mails.map(({ to, mail }) => [to, mail.subject])).toEqual([
      ['carl@guest.test', 'Bestätigt: Consultation'],
      ['gina@guest.test', 'Bestätigt: Consultation'],
      ['hugo@host.test', 'Confirmé : Consultation'],
      ['olga@host.test', 'Confirmé : Consultation'],
    ])
    const [carl, gina, hugo, olga] = mails.map(({ mail }) => mail)
    expect([gina?.text, hugo?.text, olga?.text].map((text) => /\(([\w/]+)\)/.exec(text ?? '')?.[1])).toEqual([
      ...['Asia/Tokyo', 'America/New_York', 'Europe/Berlin'],
    ])
    expect(gina?.text).toContain('/book/cancel/')
    expect(gina?.replyTo?.text).toBe('olga@host.test')
    expect(gina?.from?.text).toContain('bookings@waypost.test')
    expect([carl?.text?.includes('/book/'), hugo?.text?.includes('/book/')]).toEqual([false, false])
    const calendarOf = (mail: typeof gina) => mail?.attachments.map(({ contentType }) => contentType)
    expect(calendarOf(gina)).toEqual(['text/calendar', 'application/ics'])
    expect(calendarOf(olga)).toEqual([])
    const handle = service.services.scheduling.mails.handlers['bookings.mail']
    await handle(payload, new AbortController().signal, { application_id: '', id: '' })
    expect(await collect()).toEqual([])
  })

  test('have the same Message-ID when sent again after a crash, and unique ones otherwise', async () => {
    const record = await book({ additionalGuests: [{ email: 'carl@guest.test', name: '' }] })
    await queueMails(service, { record, configuration: sampleConfiguration(), kind: 'confirmed' })
    const { database } = service.services.storage
    const { mails: bookingMails } = service.services.scheduling
    for (const { payload } of await database.all(payloads, [])) {
      await bookingMails.handlers['bookings.mail'](payload, new AbortController().signal, {
        application_id: '',
        id: '',
      })
    }
    const jobs = await database.all(mailJobs, [])
    expect(jobs).toHaveLength(3)
    const first = await collect()
    // The jobs of a process that ended before it recorded that the mails were sent.
    for (const { id, application_id, grant_id, payload } of jobs) {
      const at = { id, applicationId: application_id, grantId: grant_id, kind: 'mail.send' }
      await addToOutbox(database, { ...at, payload, dueAt: clock.now(), now: clock.now() })
    }
    const second = await collect()
    const idOf = ({ mail }: (typeof first)[number]) => mail.headers.get('message-id')
    expect(second.map(idOf)).toEqual(first.map(idOf))
    expect(new Set(first.map(idOf)).size).toBe(3)
    for (const mail of first) expect(idOf(mail)).toMatch(/^<[\w-]{32}@waypost\.test>$/)
  })

  test('about a request are sent only to the organizer, with links to confirm and decline', async () => {
    const record = await book({}, { status: 'pending' })
    const [mail, ...others] = await send({ record, configuration: sampleConfiguration(), kind: 'requested' })
    expect([mail?.to, others]).toEqual(['olga@host.test', []])
    expect(mail?.mail.text).toMatch(/Confirm: http.*\/book\/confirm\/[\w-]+\?lang=en/)
    expect(mail?.mail.text).toMatch(/Decline: http.*\/book\/confirm\/[\w-]+\?lang=en&action=decline/)
    const own = sampleConfiguration({ scheduler: { organizer_confirmation_url: 'https://own.test/c/:booking_ref' } })
    const [linked] = await send({ record: { ...record, revision: 2 }, configuration: own, kind: 'requested' })
    expect(linked?.mail.text).toMatch(/Confirm: https:\/\/own\.test\/c\/[\w-]{40,}$/m)
    const event = { title: 'x', booking_type: 'custom-confirmation' as const }
    const custom = sampleConfiguration({ event_booking: event })
    expect(await send({ record: { ...record, revision: 3 }, configuration: custom, kind: 'requested' })).toEqual([])
  })

  test('about a refusal are sent to the guest, with the reason; about a cancellation, to everybody', async () => {
    const record = await book()
    const configuration = sampleConfiguration()
    const declined = await send({ record, configuration, kind: 'declined', reason: 'On leave' })
    expect(declined.map(({ to }) => to)).toEqual(['gina@guest.test'])
    expect(declined[0]?.mail.text).toContain('Grund: On leave')
    const later = { ...record, revision: 2 }
    const cancelled = await send({ record: later, configuration, kind: 'cancelled', reason: '' })
    expect(cancelled.map(({ to }) => to)).toEqual(['gina@guest.test', 'olga@host.test'])
    expect(cancelled[0]?.mail.attachments[0]?.content.toString()).toContain('METHOD:CANCEL')
  })

  test.for(['confirmed', 'rescheduled', 'cancelled'] as const)(
    '"%s" is left to a provider that notifies',
    async (kind) => {
      const email = `mia-${kind}@contoso.example`
      graph.simulator.addAccount({ email, name: 'Mia' })
      const grant = await createMicrosoftGrant(service, graph.simulator, { email, key })
      const record = await storeBooking(service, { applicationId, grantId: grant.id, startTime: now() + hour })
      await queueMails(service, { record, configuration: sampleConfiguration(), kind })
      const reported = sampleConfiguration({ event_booking: { title: 'x', notify_participants: true } })
      await queueMails(service, { record: await book(), configuration: reported, kind })
      const off = sampleConfiguration({ event_booking: { title: 'x', disable_emails: true } })
      await queueMails(service, { record: await book(), configuration: off, kind })
      expect(await service.services.storage.database.all(payloads, [])).toEqual([])
      await queueMails(service, { record, configuration: sampleConfiguration(), kind: 'declined' })
      expect(await service.services.storage.database.all(payloads, [])).toHaveLength(1)
      await service.call('DELETE', `/v3/grants/${grant.id}`, { key })
      expect(await service.services.storage.database.all(payloads, [])).toEqual([])
    },
  )

  test('are not queued where nobody can send them', async () => {
    const other = await silent.createApplication()
    const grant = await silent.createGrant('room@virtual.test', other.key)
    const at = { applicationId: other.id, grantId: grant.id, startTime: now() + hour }
    const record = await storeBooking(silent, at)
    await queueMails(silent, { record, configuration: sampleConfiguration(), kind: 'confirmed' })
    expect(await outboxDepth(silent.services.storage.database)).toBe(0)
  })

  test('are sent as reminders at their time, and never for a booking that changed or has started', async () => {
    const reminders = [
      { type: 'email' as const, minutes_before_event: 60, recipient: 'guest' as const, email_subject: 'Soon' },
      { type: 'email' as const, minutes_before_event: 30, recipient: 'host' as const },
      { type: 'email' as const, minutes_before_event: 3 * 24 * 60 },
    ]
    const configuration = sampleConfiguration({ event_booking: { title: 'x', reminders } })
    const [retained, changed, late] = [await book(), await book(), await book()]
    for (const record of [retained, changed]) await queueReminders(service, { record, configuration })
    await service.services.storage.database.run(revise, [changed.id])
    expect(await collect()).toEqual([])
    clock.advance(47 * hour * 1000)
    expect((await collect()).map(({ to, mail }) => [to, mail.subject])).toEqual([['gina@guest.test', 'Soon']])
    await queueReminders(service, { record: late, configuration })
    clock.advance(30 * 60_000)
    const hosts = await collect()
    expect(hosts.map(({ to, mail }) => [to, mail.subject])).toEqual([
      ['olga@host.test', 'Reminder: Consultation'],
      ['olga@host.test', 'Reminder: Consultation'],
    ])
    const begun = await storeBooking(service, { applicationId, grantId, startTime: now() + hour })
    const soon = sampleConfiguration({
      event_booking: { title: 'x', reminders: [{ type: 'email', minutes_before_event: 30 }] },
    })
    await queueReminders(service, { record: begun, configuration: soon })
    clock.advance(2 * hour * 1000)
    expect(await collect()).toEqual([])
  })

  test('are announced to the application by one notification, unless the booking changed', async () => {
    const reminders = [{ type: 'webhook' as const, minutes_before_event: 60 }]
    const configuration = sampleConfiguration({ event_booking: { title: 'x', reminders, disable_emails: true } })
    const [retained, changed] = [await book(), await book()]
    for (const record of [retained, changed]) await queueReminders(service, { record, configuration })
    await service.services.storage.database.run(revise, [changed.id])
    const [{ payload } = { payload: '' }] = await service.services.storage.database.all(reminderJobs, [])
    expect(payload).not.toContain('guest.test')
    clock.advance(47 * hour * 1000 + 60_000)
    expect(await collect()).toEqual([])
    await service.services.scheduling.mails.handlers['bookings.remind'](payload, new AbortController().signal, {
      application_id: '',
      id: '',
    })
    const { body } = await call('GET', '/v3/notifications?limit=200')
    const reported = body.data.filter(({ type }: { type: string }) => type === 'booking.reminder')
    expect(reported).toHaveLength(1)
    expect(reported[0].data).toMatchObject({
      object: {
        booking_id: retained.id,
        object: 'booking',
        booking_info: { title: 'Consultation', time_until_event: 3540 },
      },
    })
  })

  test('contain separate links for the guest and the organizer, and none for others', async () => {
    const configuration = sampleConfiguration({ scheduler: { hide_rescheduling_options: true } })
    const record = await book({ participants: [{ email: 'hugo@host.test', name: 'Hugo' }] })
    const mails = await send({ record, configuration, kind: 'confirmed' })
    const [gina, hugo, olga] = mails.map(({ mail }) => mail.text ?? '')
    expect(gina).toContain(`/book/cancel/${referenceOf(record)}?lang=de`)
    expect(olga).toContain(`/book/cancel/${organizerReferenceOf(record)}?lang=en`)
    expect([gina?.includes('/book/reschedule/'), olga?.includes('/book/reschedule/')]).toEqual([false, true])
    for (const text of [gina, hugo]) expect(text).not.toContain(organizerReferenceOf(record))
  })

  test('about a booking that moved to another host are a cancellation for the previous host', async () => {
    const before = await book()
    const host = (await service.createGrant('nora@host.test', key)).id
    const organizer = { email: 'nora@host.test', name: 'Nora' }
    const record = { ...before, hostGrantId: host, revision: 2, details: { ...before.details, organizer } }
    const previous = { startTime: before.startTime - hour, endTime: before.endTime - hour }
    const change = { record, before, previous, configuration: sampleConfiguration(), kind: 'rescheduled' as const }
    expect((await send(change)).map(({ to, mail }) => [to, mail.subject])).toEqual([
      ['gina@guest.test', 'Verschoben: Consultation'],
      ['nora@host.test', 'Rescheduled: Consultation'],
      ['olga@host.test', 'Cancelled: Consultation'],
    ])
  })

  test("show the host's edits of the event, and hide its guests if the host hides them", async () => {
    const record = await book()
    const answers = { comment: null, phone_number: null, name: null, status: 'yes' as const }
    const event: Event = {
      ...{ id: 'e', object: 'event', grant_id: grantId, calendar_id: 'c', title: 'Own title', description: null },
      ...{
        location: 'Room 1',
        busy: true,
        status: 'confirmed',
        hide_participants: true,
        resources: [],
        organizer: null,
      },
      when: { object: 'timespan', start_time: 1, end_time: 2, start_timezone: null, end_timezone: null },
      participants: ['gina@guest.test', 'else@guest.test'].map((email) => ({ ...answers, email })),
      ...{ ical_uid: 'u', read_only: false, metadata: {}, created_at: null, updated_at: null },
    }
    const [toGuest] = await send({ record, configuration: sampleConfiguration(), kind: 'confirmed', event })
    expect(toGuest?.mail.subject).toBe('Bestätigt: Own title')
    expect(toGuest?.mail.text).toContain('Room 1')
    const object = toGuest?.mail.attachments[0]?.content.toString() ?? ''
    expect([object.includes('LOCATION:Room 1'), object.includes('else@guest.test')]).toEqual([true, false])
  })

  test('about a cancelled request are not sent to people who got no mail about it', async () => {
    const before = await book({ additionalGuests: [{ email: 'carl@guest.test', name: '' }] }, { status: 'pending' })
    const record = { ...before, status: 'cancelled' as const, revision: 2 }
    const mails = await send({ record, before, configuration: sampleConfiguration(), kind: 'cancelled' })
    expect(mails.map(({ to }) => to)).toEqual(['gina@guest.test', 'olga@host.test'])
  })

  describe('of workflows', () => {
    const create = async (at: string, body: string, more: object = {}) => {
      const template = await call('POST', `${at}/templates`, { name: 't', subject: 'W {{booking.title}}', body })
      const workflow = { name: 'w', template_id: template.body.data.id, trigger_event: 'booking.created', ...more }
      return `${at}/workflows/${(await call('POST', `${at}/workflows`, workflow)).body.data.id}`
    }
    const variables =
      '{{#recipient.is_guest}}{{guest.name}} {{time.date}} {{links.cancel}} {{booking_info.title}}{{/recipient.is_guest}}'

    test('replace the built-in mails, with the variables of the booking, those of the grant first', async () => {
      const application = await create('/v3', `<p>application</p>`)
      const ofGrant = await create(`/v3/grants/${grantId}`, `<p>grant ${variables}</p>`)
      const record = await book({ guest: { email: 'gina@guest.test', name: '<Gina>' } })
      const configuration = sampleConfiguration({ event_booking: { title: 'x', disable_emails: true } })
      const mails = await send({ record, configuration, kind: 'confirmed' })
      expect(mails.map(({ mail }) => mail.subject)).toEqual(['W Consultation', 'W Consultation'])
      expect(mails[0]?.mail.html).toContain('<p>grant &lt;Gina&gt; ')
      expect(mails[0]?.mail.html).toMatch(/http.*\/book\/cancel\/.* Consultation<\/p>/)
      expect(mails[0]?.mail.attachments).toHaveLength(2)
      await call('PUT', ofGrant, { is_enabled: false })
      const others = await send({ record: { ...record, revision: 2 }, configuration, kind: 'confirmed' })
      expect(others[0]?.mail.html).toContain('<p>application</p>')
      await call('DELETE', application)
      await call('DELETE', ofGrant)
      const builtIn = {
        record: { ...record, revision: 3 },
        configuration: sampleConfiguration(),
        kind: 'confirmed' as const,
      }
      expect((await send(builtIn))[0]?.mail.subject).toBe('Bestätigt: Consultation')
    })

    test('wait for their delay, and are dropped if the booking changes or the workflow is deleted', async () => {
      const one = await create('/v3', 'later', { delay: 10 })
      const configuration = sampleConfiguration()
      const [retained, changed] = [await book(), await book()]
      for (const record of [retained, changed]) {
        expect(await send({ record, configuration, kind: 'confirmed' })).toEqual([])
      }
      await service.services.storage.database.run(revise, [changed.id])
      clock.advance(600_000)
      expect(await collect()).toHaveLength(2)
      expect(await send({ record: await book(), configuration, kind: 'confirmed' })).toEqual([])
      await call('DELETE', one)
      clock.advance(600_000)
      expect(await collect()).toEqual([])
    })

    test('use the built-in text if their template was deleted', async () => {
      const one = await create('/v3', 'gone')
      const { template_id } = (await call('GET', one)).body.data
      await call('DELETE', `/v3/templates/${template_id}`)
      const mails = await send({ record: await book(), configuration: sampleConfiguration(), kind: 'confirmed' })
      expect(mails.map(({ mail }) => mail.subject)).toEqual(['Bestätigt: Consultation', 'Confirmed: Consultation'])
      await call('DELETE', one)
    })
  })
})
