/**
 * Mail sent by the operator's own identity: an application has a daily quota, on both stores, and a request is never
 * half done.
 */

import { outboxDepth } from '@waypost/store/tables/notifications/outbox'
import { enginesFor } from '@waypost/testing/engines'
import { testClock } from '@waypost/testing/test-clock'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SystemMail } from '../../../src/sending/system-mail.ts'
import { type Answer, openService, type TestService } from '../../harness.ts'

const mail: SystemMail = {
  address: 'calendar@waypost.test',
  send: async () => undefined,
  [Symbol.asyncDispose]: async () => undefined,
}

describe.each(enginesFor(import.meta.url))('the daily mail quota of an application, on %s', (engine) => {
  const clock = testClock(Date.parse('2026-06-01T12:00:00Z'))
  let service: TestService
  beforeAll(async () => {
    service = await openService({ engine, env: { WAYPOST_MAIL_PER_DAY: '30' }, overrides: { clock, mail } })
  })
  afterAll(() => service[Symbol.asyncDispose]())

  const when = { start_time: 1_790_000_000, end_time: 1_790_003_600 }
  const guests = (count: number, at = 'x') =>
    Array.from({ length: count }, (_, index) => ({ email: `guest${index}@${at}.test` }))

  async function account() {
    const { id: application, key } = await service.createApplication('Office')
    const open = async (email: string): Promise<string> => {
      const { id } = await service.createGrant(email, key)
      await service.call('POST', `/v3/grants/${id}/calendars`, { key, body: { name: 'Calendar' } })
      return `/v3/grants/${id}/events`
    }
    const events = await open('room@x.test')
    const invite = (
      count: number,
      { at = events, headers = {} }: { at?: string; headers?: Record<string, string> } = {},
    ) =>
      service.call('POST', `${at}?calendar_id=primary`, {
        key,
        body: { title: 'T', when, participants: guests(count) },
        headers,
      })
    const titles = async (): Promise<number> =>
      (await service.call('GET', `${events}?calendar_id=primary&start=1789990000&end=1790100000`, { key })).body.data
        .length
    const limit = (body: object) =>
      service.call('PATCH', `/v3/admin/applications/${application}`, { admin: true, body })
    return { key, events, invite, titles, limit, open }
  }
  const waiting = () => outboxDepth(service.services.storage.database)
  const expectRefused = (answer: Answer): void => {
    expect([answer.status, answer.body.error.type]).toEqual([429, 'rate_limit_error'])
    expect(answer.body.error.message).toContain('2026-06-0')
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
  }

  test('covers all of its events, and a request that exceeds it is rejected as a whole', async () => {
    const { invite, titles } = await account()
    const before = await waiting()
    expect((await invite(20)).status).toBe(200)
    expectRefused(await invite(11))
    expect([await titles(), (await waiting()) - before]).toEqual([1, 20])
    expect((await invite(10)).status).toBe(200)
    expectRefused(await invite(1))
    expect((await invite(0)).status).toBe(200)
    expect([await titles(), (await waiting()) - before]).toEqual([3, 30])
  })

  test('rejects one event with hundreds of guests', async () => {
    const { invite, titles, events, key } = await account()
    expectRefused(await invite(300))
    expect(await titles()).toBe(0)
    // Nobody is notified, so nothing is counted.
    const quiet = { title: 'T', when, participants: guests(300) }
    const made = await service.call('POST', `${events}?calendar_id=primary&notify_participants=false`, {
      key,
      body: quiet,
    })
    expect(made.status).toBe(200)
  })

  test('counts changes and cancellations too, and a rejected one changes nothing', async () => {
    const { invite, events, key, titles } = await account()
    const { id } = (await invite(16)).body.data
    const path = `${events}/${id}?calendar_id=primary`
    expectRefused(
      await service.call('PUT', path, { key, body: { when: { start_time: 1_790_010_000, end_time: 1_790_013_600 } } }),
    )
    expectRefused(await service.call('DELETE', path, { key }))
    expect((await service.call('GET', path, { key })).body.data.when).toMatchObject(when)
    expect(await titles()).toBe(1)
  })

  test('does not prevent deleting a calendar without notifying guests', async () => {
    const { invite, events, key } = await account()
    const calendars = events.replace(/events$/, 'calendars')
    const { id } = (await service.call('POST', calendars, { key, body: { name: 'Second' } })).body.data
    const body = { title: 'T', when, participants: guests(20) }
    expect((await service.call('POST', `${events}?calendar_id=${id}`, { key, body })).status).toBe(200)
    const refused = await service.call('DELETE', `${calendars}/${id}`, { key })
    expectRefused(refused)
    expect((await service.call('GET', `${calendars}/${id}`, { key })).status).toBe(200)
    const before = await waiting()
    const path = `${calendars}/${id}?notify_participants=false`
    expect((await service.call('DELETE', path, { key })).status).toBe(200)
    expect((await service.call('GET', `${calendars}/${id}`, { key })).status).toBe(404)
    expect((await waiting()) - before).toBe(0)
    expect((await invite(10)).status).toBe(200)
  })

  test('is spent on as many events as it allows when the account is deleted', async () => {
    const { invite, events, key } = await account()
    for (const count of [12, 5, 1]) expect((await invite(count)).status).toBe(200)
    const before = await waiting()
    const deleted = await service.call('DELETE', events.replace(/\/events$/, ''), { key })
    expect(deleted.status).toBe(200)
    // 18 of 30 are used. The events need 12, 5 and 1: either the first one is mailed, or the two others.
    expect([12, 6]).toContain((await waiting()) - before)
  })

  test('is not exceeded by concurrent requests of several accounts', async () => {
    const { invite, events, open } = await account()
    const paths = [events, await open('second@x.test'), await open('third@x.test')]
    const before = await waiting()
    const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => invite(5, { at: paths[n % 3] ?? events })))
    const made = answers.filter(({ status }) => status === 200).length
    expect(answers.map(({ status }) => status).every((status) => status === 200 || status === 429)).toBe(true)
    expect([made, (await waiting()) - before]).toEqual([6, 30])
  })

  test('starts again each day, and a rejected request can be retried with its key', async () => {
    const { invite } = await account()
    expect((await invite(30)).status).toBe(200)
    const headers = { 'idempotency-key': 'again' }
    expectRefused(await invite(5, { headers }))
    clock.advance(86_400_000)
    expect((await invite(5, { headers })).status).toBe(200)
  })

  test('can be set by the administrator, separately for each application', async () => {
    const { invite, limit } = await account()
    const other = await account()
    expect((await limit({ mail_per_day: 40 })).body.data).toMatchObject({ mail_per_day: 40, blocked: false })
    expect((await invite(35)).status).toBe(200)
    expectRefused(await other.invite(35))
    expect((await limit({ mail_per_day: 0 })).status).toBe(200)
    expectRefused(await invite(1))
    expect((await limit({ mail_per_day: null })).body.data.mail_per_day).toBeNull()
    expectRefused(await invite(1))
    expect((await limit({})).status).toBe(400)
    expect((await limit({ mail_per_day: -1 })).status).toBe(400)
  })
})
