/** An imported event that somebody else organizes. The account is its guest. */

import { outboxDepth } from '@waypost/store/tables/notifications/outbox'
import { oneEngineFor } from '@waypost/testing/engines'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type Account,
  accountOf,
  type Call,
  expectRefusal,
  expectStatus,
  type Fields,
  type Json,
} from '../../conformance/accounts.ts'
import { openService, type TestService } from '../../harness.ts'
import { account, event, importAccounts, monday, timespan, type V2Object, week } from '../../migration/exports.ts'

const boss = { organizer_name: 'Boss', organizer_email: 'boss@x.test' }
const guests = (...emails: string[]) => ({ participants: emails.map((email) => ({ email, status: 'noreply' })) })
// A mail identity, so that mails are composed; nobody delivers them.
const env = { WAYPOST_SMTP_URL: 'smtp://127.0.0.1:1', WAYPOST_MAIL_FROM: 'Waypost <calendar@waypost.test>' }

describe.each(oneEngineFor(import.meta.url))('a guest on %s', (engine) => {
  let service: TestService
  let app: { id: string; key: string }
  beforeAll(async () => {
    service = await openService({ engine, env })
    app = await service.createApplication()
  })
  afterAll(() => service[Symbol.asyncDispose]())

  let number = 0
  /** An account with imported events; `self` is its address. */
  const newCalendarAccount = async (make: (self: string) => V2Object[], more: V2Object = {}): Promise<Account> => {
    const name = `desk-${++number}`
    const report = await importAccounts(service, [account(name, { events: make(`${name}@example.com`), ...more })], {
      app: app.id,
    })
    expect(report.skipped.listed).toEqual([])
    const call: Call = (method, path, rest) => service.call(method, path, { key: app.key, ...rest })
    const { body } = await call('GET', `/v3/grants/${name}@example.com`)
    return accountOf(call, { grantId: body.data.id, email: `${name}@example.com` })
  }
  const invited = (more: V2Object = {}) =>
    newCalendarAccount((self) => [event('a', { ...boss, ...guests(self.toUpperCase(), 'ann@x.test'), ...more })])
  const series = () => invited({ recurrence: { rrule: ['RRULE:FREQ=WEEKLY;COUNT=3'], timezone: 'Europe/Berlin' } })
  const second = `a_${new Date((monday + week) * 1000).toISOString().replace(/[-:]|\.000/g, '')}`
  const at = { calendar_id: 'cal' }
  const window = { start: monday - week, end: monday + 4 * week }
  /** The number of mails that the work queued. */
  const mailsOf = async (work: () => Promise<unknown>): Promise<number> => {
    const before = await outboxDepth(service.services.storage.database)
    await work()
    return (await outboxDepth(service.services.storage.database)) - before
  }

  const fields: [string, Fields][] = [
    ['title', { title: 'Mine' }],
    ['description', { description: null }],
    ['location', { location: 'Here' }],
    ['when', { when: timespan(monday + week) }],
    ['recurrence', { recurrence: ['RRULE:FREQ=DAILY;COUNT=2'] }],
    ['participants', { participants: [] }],
    ['resources', { resources: [{ email: 'room@x.test' }] }],
    ['busy', { busy: false }],
    ['visibility', { visibility: 'private' }],
    ['hide_participants', { hide_participants: true }],
    ['capacity', { capacity: 2 }],
    ['conferencing', { conferencing: {} }],
  ]
  test('cannot change any field of the event; the error names the organizer and the allowed changes', async () => {
    const calendarAccount = await invited()
    const before = await calendarAccount.read('cal', 'a')
    expect(before.organizer).toEqual({ name: 'Boss', email: 'boss@x.test' })
    const mails = await mailsOf(async () => {
      for (const [name, change] of fields) {
        for (const method of ['PUT', 'PATCH']) {
          const path = `/v3/grants/${calendarAccount.grantId}/events/a?calendar_id=cal`
          const body = { metadata: { key1: 'x' }, ...change }
          const answer = await service.call(method, path, { key: app.key, body })
          expectRefusal(answer, `${name}: only the organizer, boss@x.test, can change this event`)
          expect(answer.body.error.message).toContain('send-rsvp')
          expect(answer.body.error.validation_errors).toEqual({ [name]: expect.stringContaining('boss@x.test') })
        }
      }
    })
    expect(mails).toBe(0)
    expect(await calendarAccount.read('cal', 'a')).toEqual(before)
  })

  test('can store metadata on the event, and fields that are never stored are reported', async () => {
    const calendarAccount = await invited()
    const mails = await mailsOf(async () => {
      const answer = await calendarAccount.put(
        '/events/a',
        { metadata: { key1: 'x' }, color_id: '4', status: 'confirmed' },
        at,
      )
      expect(expectStatus(answer, 200).body.data).toMatchObject({ metadata: { key1: 'x' }, sequence: 0 })
      expect(answer.headers.get('x-ignored-fields')).toBe('color_id, status')
      expect(answer.headers.get('x-waypost-mail')).toBeNull()
    })
    expect(mails).toBe(0)
    expect(await calendarAccount.list('cal', { metadata_pair: 'key1:x' })).toHaveLength(1)
  })

  test('answers with send-rsvp, and the organizer gets a mail', async () => {
    const calendarAccount = await invited()
    const mails = await mailsOf(async () => {
      const answer = await calendarAccount.post('/events/a/send-rsvp', { status: 'yes' }, at)
      expect(expectStatus(answer, 200).body.data).toEqual({ mail: 'queued' })
    })
    expect(mails).toBe(1)
    expect((await calendarAccount.read('cal', 'a')).participants.map((one: Json) => one.status)).toEqual([
      'yes',
      'noreply',
    ])
  })

  test('can delete his own copy, and nobody gets a mail', async () => {
    const calendarAccount = await invited()
    const mails = await mailsOf(async () => {
      const answer = expectStatus(await calendarAccount.delete('/events/a', { ...at, notify_participants: true }), 200)
      expect(answer.headers.get('x-waypost-mail')).toBeNull()
    })
    expect(mails).toBe(0)
    expectStatus(await calendarAccount.get('/events/a', at), 404)
    expectStatus(await calendarAccount.delete('/events/a', at), 404)
  })

  test('has the same rights on an occurrence of a series', async () => {
    const calendarAccount = await series()
    const mails = await mailsOf(async () => {
      for (const id of ['a', second])
        expectRefusal(await calendarAccount.put(`/events/${id}`, { title: 'Mine' }, at), /boss@x.test/)
      const retained = await calendarAccount.change('cal', second, { metadata: { key1: 'x' } })
      expect(retained).toMatchObject({ metadata: { key1: 'x' }, master_event_id: 'a' })
      expectStatus(await calendarAccount.delete(`/events/${second}`, at), 200)
    })
    expect(mails).toBe(0)
    expectStatus(await calendarAccount.get(`/events/${second}`, at), 404)
    expect(await calendarAccount.list('cal', window)).toHaveLength(2)
    // A guest does not raise the organizer's sequence number.
    expect((await calendarAccount.read('cal', 'a')).sequence).toBe(0)
    expectStatus(await calendarAccount.delete('/events/a', at), 200)
    expect(await calendarAccount.list('cal', window)).toEqual([])
  })

  test('is still a guest if a changed occurrence does not list him', async () => {
    const slot = { master_event_id: 'a', original_start_time: monday + week, when: timespan(monday + week) }
    const calendarAccount = await newCalendarAccount((self) => [
      event('a', {
        ...boss,
        ...guests(self, 'ann@x.test'),
        recurrence: { rrule: ['RRULE:FREQ=WEEKLY;COUNT=3'], timezone: 'Europe/Berlin' },
      }),
      event('changed', { ...boss, ...guests('ann@x.test'), ...slot }),
    ])
    expect((await calendarAccount.read('cal', second)).participants).toHaveLength(1)
    expectRefusal(await calendarAccount.put(`/events/${second}`, { title: 'Mine' }, at), /boss@x.test/)
    expect(await mailsOf(() => calendarAccount.delete(`/events/${second}`, at))).toBe(0)
  })

  const own: [string, (self: string) => V2Object, V2Object][] = [
    ['names no organizer', (self) => guests(self, 'ann@x.test'), {}],
    ['names the account', (self) => ({ ...guests(self, 'ann@x.test'), organizer_email: self.toUpperCase() }), {}],
    ['does not list the account', () => ({ ...boss, ...guests('ann@x.test') }), {}],
    ['names no address', (self) => ({ ...guests(self, 'ann@x.test'), organizer_email: 'Front desk' }), {}],
    [
      'names the account’s usual organizer',
      (self) => ({ ...boss, ...guests(self, 'ann@x.test') }),
      { organizer: 'The boss <BOSS@x.test>' },
    ],
    [
      'names the account’s usual organizer by address',
      (self) => ({ ...boss, ...guests(self, 'ann@x.test') }),
      { organizer: { name: 'The boss', email: 'boss@x.test' } },
    ],
  ]
  test.each(own)(
    'does not exist on an imported event that %s: the event belongs to the account',
    async (_, more, ofAccount) => {
      const calendarAccount = await newCalendarAccount((self) => [event('a', more(self))], ofAccount)
      expect((await calendarAccount.read('cal', 'a')).organizer.email).toBe(calendarAccount.email)
      expect(await mailsOf(() => calendarAccount.change('cal', 'a', { title: 'Mine' }))).toBe(1)
      expect(await mailsOf(() => calendarAccount.delete('/events/a', at))).toBe(1)
    },
  )

  test('stays a guest when the import runs again, with the organizer of the newest file', async () => {
    const calendarAccount = await invited()
    const again = (more: V2Object) => {
      const events = [event('a', { ...guests(calendarAccount.email, 'ann@x.test'), ...more })]
      return importAccounts(service, [account(calendarAccount.email.split('@')[0] ?? '', { events })], { app: app.id })
    }
    expect(
      (await again({ ...boss, ...guests(calendarAccount.email.toUpperCase(), 'ann@x.test') })).events,
    ).toMatchObject({
      unchanged: 1,
    })
    await again({ organizer_email: 'new@x.test' })
    expect((await calendarAccount.read('cal', 'a')).organizer).toEqual({ name: null, email: 'new@x.test' })
    expectRefusal(await calendarAccount.put('/events/a', { title: 'Mine' }, at), /new@x.test/)
  })
})
