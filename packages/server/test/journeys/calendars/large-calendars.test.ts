/** A calendar or an account with very many events is deleted in batches, and is invisible from the response on. */

import { countEventsToRemove } from '@waypost/store/tables/calendars-contacts/removed-calendars'
import { claimOutbox } from '@waypost/store/tables/notifications/outbox'
import { engines } from '@waypost/testing/engines'
import { isFull } from '@waypost/testing/level'
import { sql } from '@waypost/testing/statement'
import { type TestClock, testClock } from '@waypost/testing/test-clock'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { locatorFor } from '../../../src/grants/locator.ts'
import { purgeExpired } from '../../../src/housekeeping.ts'
import { doJobs } from '../../../src/node.ts'
import { openService, type TestService } from '../../harness.ts'

const many = isFull ? 50_000 : 5_000
// Citus copies no rows with a recursive query.
const digits = '(select column1 as n from (values (0), (1), (2), (3), (4), (5), (6), (7), (8), (9)) as ten)'
const copies = sql(
  'test.copyEvents',
  `insert into events (application_id, grant_id, id, calendar_id, kind, start_at, end_at, ical_uid, created_at, updated_at, document)
   select application_id, grant_id, id || '-' || n, calendar_id, kind, start_at, end_at, ical_uid, created_at, updated_at,
     replace(document, id, id || '-' || n) from events, (select 1 + a.n + 10 * b.n + 100 * c.n + 1000 * d.n + 10000 * e.n as n
     from ${digits} a, ${digits} b, ${digits} c, ${digits} d, ${digits} e) as numbers where n <= $1 and events.id = $2`,
)
const eventsOf = sql<{ n: number }>('test.eventsOf', 'select count(*) as n from events where grant_id = $1')
const calendarsOf = sql<{ n: number }>('test.calendarsOf', 'select count(*) as n from calendars where grant_id = $1')
const jobsOf = sql<{ id: string; kind: string; due_at: number }>(
  'test.jobsOf',
  `select id, kind, due_at from outbox where grant_id = $1 and kind <> 'mail.send'`,
)
const mailsOf = sql<{ n: number }>(
  'test.mailsOf',
  `select count(*) as n from outbox where grant_id = $1 and kind = 'mail.send'`,
)
const dropMails = sql('test.dropMails', `delete from outbox where grant_id = $1 and kind = 'mail.send'`)
const dropJob = sql('test.dropJob', `delete from outbox where grant_id = $1 and kind = 'calendars.remove'`)
const oldNode = sql(
  'test.oldNode',
  `insert into nodes (id, started_at, seen_at, delivers, roles, watched_grants, version, host, leases)
   values ('old', $1, $1, 1, 'api,worker', 0, '0.1.0', '', 0)`,
)
const noOldNode = sql('test.noOldNode', `delete from nodes where id = 'old'`)

describe.each(engines)('large calendars on %s', (engine) => {
  let clock: TestClock
  let service: TestService
  let application: { id: string; key: string }
  beforeAll(async () => {
    clock = testClock()
    const env = { WAYPOST_SMTP_URL: 'smtp://127.0.0.1:9', WAYPOST_MAIL_FROM: 'calendar@example.com' }
    service = await openService({ engine, env, overrides: { clock } })
    application = await service.createApplication('Large')
  })
  afterAll(() => service[Symbol.asyncDispose]())

  const call = (method: string, path: string, body?: unknown) =>
    service.call(method, path, { key: application.key, body })
  const number = async (statement: typeof eventsOf, grant: string): Promise<number> =>
    (await service.services.storage.database.get(statement, [grant]))?.n ?? 0
  const start = Math.floor(Date.now() / 1000) + 86_400

  /** An account with a second calendar that has an event, a series with a changed occurrence, and copies. */
  async function fill(name: string, count: number, extra: object = {}) {
    const { id: grant } = await service.createGrant(`${name}@large.test`, application.key)
    const at = `/v3/grants/${grant}`
    await call('POST', `${at}/calendars`, { name: 'Main' })
    const { id: calendar } = (await call('POST', `${at}/calendars`, { name: 'Large' })).body.data
    const when = { start_time: start, end_time: start + 3600 }
    const make = (body: object) => call('POST', `${at}/events?calendar_id=${calendar}&notify_participants=false`, body)
    const { id: event } = (await make({ title: 'One', when, ...extra })).body.data
    const series = await make({
      title: 'Daily',
      when: { ...when, start_timezone: 'UTC', end_timezone: 'UTC' },
      recurrence: ['RRULE:FREQ=DAILY;COUNT=5'],
    })
    expect(series.status).toBe(200)
    const instances = await call(
      'GET',
      `${at}/events?calendar_id=${calendar}&master_event_id=${series.body.data.id}&limit=50`,
    )
    const occurrence = instances.body.data.find(
      ({ master_event_id }: { master_event_id?: string }) => master_event_id,
    )?.id
    if (occurrence) await call('PUT', `${at}/events/${occurrence}?calendar_id=${calendar}`, { title: 'Changed' })
    await service.services.storage.database.run(copies, [count, event])
    return { grant, at, calendar, event, series: series.body.data.id as string }
  }
  /** Removes one batch in a transaction, as the job does. */
  const removePiece = async (grant: string, calendar: string): Promise<number | undefined> => {
    const { database } = service.services.storage
    const { sessions } = service.services.accounts
    const record = await sessions.find(application.id, locatorFor(grant))
    return database.transaction((tx) => sessions.removeCalendarPiece(record, tx, calendar))
  }

  test('a calendar with very many events is deleted at once, and its events are removed in batches', async () => {
    const { grant, at, calendar, event, series } = await fill('many', many)
    const before = await number(eventsOf, grant)
    expect(before).toBeGreaterThan(many)
    expect((await call('DELETE', `${at}/calendars/${calendar}?notify_participants=false`)).status).toBe(200)
    // The request itself removes no events. The progress is a metric.
    expect(await number(eventsOf, grant)).toBe(before)
    expect(await countEventsToRemove(service.services.storage.database)).toBe(before)
    const names = (await call('GET', `${at}/calendars`)).body.data.map(({ name }: { name: string }) => name)
    expect(names).toEqual(['Main'])
    for (const path of [
      `/calendars/${calendar}`,
      `/events?calendar_id=${calendar}`,
      `/events/${event}?calendar_id=${calendar}`,
      `/events/${event}-1?calendar_id=${calendar}`,
      `/events/${event}?calendar_id=primary`,
      `/events?calendar_id=primary&master_event_id=${series}`,
    ]) {
      expect([path, (await call('GET', `${at}${path}`)).status]).toEqual([path, 404])
    }
    expect((await call('DELETE', `${at}/calendars/${calendar}`)).status).toBe(404)
    expect((await call('PUT', `${at}/events/${event}?calendar_id=${calendar}`, { title: 'x' })).status).toBe(404)
    expect((await call('POST', `${at}/calendars`, { name: 'New' })).status).toBe(200)
    // A batch removes at most a hundred rows.
    let left = await number(eventsOf, grant)
    for (let turn = 0; turn < 5; turn++) {
      await removePiece(grant, calendar)
      const now = await number(eventsOf, grant)
      expect(left - now).toBe(100)
      left = now
    }
    // A node that died in the middle has the job; another takes it over when the lease ends.
    const { database } = service.services.storage
    await claimOutbox(database, { owner: 'dead', leaseUntil: clock.now() + 60_000, now: clock.now(), limit: 100 })
    await doJobs(service.services)
    expect(await number(eventsOf, grant)).toBe(left)
    clock.advance(60_001)
    await doJobs(service.services)
    expect(await number(eventsOf, grant)).toBe(0)
    expect(await number(calendarsOf, grant)).toBe(2)
    expect(await database.all(jobsOf, [grant])).toEqual([])
    const reported = await call('GET', `/v3/notifications?grant_id=${grant}&limit=200`)
    const deleted = reported.body.data.filter(({ type }: { type: string }) => type.endsWith('.deleted'))
    expect(deleted.map(({ type }: { type: string }) => type)).toEqual(['calendar.deleted'])
  })

  test('each guest gets one cancellation when the event is removed, within the mail quota', async () => {
    const guests = { participants: [{ email: 'guest@example.com' }] }
    const { grant, at, calendar } = await fill('guests', 149, guests)
    const limit = (mail_per_day: number) =>
      service.call('PATCH', `/v3/admin/applications/${application.id}`, { admin: true, body: { mail_per_day } })
    expect((await limit(120)).status).toBe(200)
    const answer = await call('DELETE', `${at}/calendars/${calendar}`)
    expect(answer.headers.get('x-waypost-mail')).toBe('queued: as the events are removed')
    expect(await number(mailsOf, grant)).toBe(0)
    await removePiece(grant, calendar)
    const first = await number(mailsOf, grant)
    expect(first).toBeGreaterThan(90)
    await service.services.storage.database.run(dropMails, [grant])
    // The next batch exceeds the quota: nothing of it is removed, and the job waits.
    const left = await number(eventsOf, grant)
    await doJobs(service.services)
    expect([await number(eventsOf, grant), await number(mailsOf, grant)]).toEqual([left, 0])
    const [job] = await service.services.storage.database.all(jobsOf, [grant])
    expect(job?.due_at).toBeGreaterThan(clock.now())
    await limit(1_000)
    await removePiece(grant, calendar)
    expect(first + (await number(mailsOf, grant))).toBe(150)
    while ((await removePiece(grant, calendar)) !== undefined);
    expect(first + (await number(mailsOf, grant))).toBe(150)
    expect(await number(eventsOf, grant)).toBe(0)
  })

  test('a lost job is added again by housekeeping', async () => {
    const { grant, at, calendar } = await fill('lost', 200)
    await call('DELETE', `${at}/calendars/${calendar}?notify_participants=false`)
    const { database } = service.services.storage
    await database.run(dropJob, [grant])
    clock.advance(3_600_001)
    await purgeExpired(service.services)
    expect(await database.all(jobsOf, [grant])).toEqual([expect.objectContaining({ kind: 'calendars.remove' })])
    await doJobs(service.services)
    expect(await number(eventsOf, grant)).toBe(0)
  })

  test('next to a node of 0.1.0, which does not know the mark, the calendar is removed in one transaction', async () => {
    const { grant, at, calendar } = await fill('mixed', 200)
    const { database } = service.services.storage
    await database.run(oldNode, [clock.now()])
    await call('DELETE', `${at}/calendars/${calendar}?notify_participants=false`)
    await database.run(noOldNode)
    expect(await number(eventsOf, grant)).toBe(0)
    expect(await database.all(jobsOf, [grant])).toEqual([])
  })

  test('an account with very many events is deleted in batches, also while one of its calendars is removed', async () => {
    const { grant, at, calendar } = await fill('account', many)
    await call('DELETE', `${at}/calendars/${calendar}?notify_participants=false`)
    const { database } = service.services.storage
    const before = await number(eventsOf, grant)
    const ofCalendar = await countEventsToRemove(database)
    expect(ofCalendar).toBeGreaterThan(many - 200)
    expect((await call('DELETE', at)).status).toBe(200)
    const left = await number(eventsOf, grant)
    expect(before - left).toBeLessThanOrEqual(100)
    // Each event once, although both its calendar and its account are deleted.
    expect(await countEventsToRemove(database)).toBe(left)
    expect((await call('GET', `${at}/calendars`)).status).toBe(404)
    await doJobs(service.services)
    expect(await number(eventsOf, grant)).toBe(0)
    expect(await number(calendarsOf, grant)).toBe(0)
    expect(await countEventsToRemove(database)).toBe(0)
    expect(await database.all(jobsOf, [grant])).toEqual([])
  })
})
