/** The log of attempts, waiting deliveries, replays, and how long all of it is retained. */

import { enginesFor } from '@waypost/testing/engines'
import { sql } from '@waypost/testing/statement'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { purgeExpired } from '../../../src/housekeeping.ts'
import { expositionOf } from '../../../src/telemetry/exposition.ts'
import { expectRefusal, expectStatus, type Json } from '../../conformance/accounts.ts'
import {
  idOf,
  notificationOf,
  ok,
  openReceiver,
  openWebhookSetup,
  status,
  type Tenant,
  until,
  type WebhookSetup,
} from '../../webhooks/webhook-setup.ts'

const second = 1000
const hour = 3_600_000
const day = 24 * hour

const count = (table: string) => sql<{ n: number }>('', `select count(*) as n from ${table}`)

describe.each(enginesFor(import.meta.url))('on %s', (engine) => {
  let setup: WebhookSetup
  beforeAll(async () => {
    setup = await openWebhookSetup({ engine })
  })
  afterAll(() => setup[Symbol.asyncDispose]())

  const now = () => Math.floor(setup.clock.now() / 1000)
  const drained = (tenant: Tenant, id: string) => until(async () => expect(await tenant.queue(id)).toEqual([]))
  const replay = (tenant: Tenant, id: string, body: object) => tenant.call('POST', `/v3/webhooks/${id}/replay`, body)

  describe('the delivery log', () => {
    test('has each attempt with status, latency and response, newest first', async () => {
      await using receiver = await openReceiver(status(500, {}, 'out of order'))
      const tenant = await setup.newTenant()
      const { id } = await tenant.subscribe(receiver)
      await tenant.tell()
      await until(async () => expect(await tenant.queue(id)).toMatchObject([{ attempts: 1 }]))
      const first = now()
      receiver.reply = ok
      setup.pass(7 * second)
      await drained(tenant, id)
      const notification = {
        notification_id: idOf(receiver.got[0] as never),
        type: 'event.created',
        grant_id: tenant.grantId,
      }
      expect(await tenant.attempts(id)).toEqual([
        {
          ...notification,
          webhook_delivery_attempt: 2,
          outcome: 'delivered',
          at: first + 7,
          latency_ms: expect.any(Number),
          status: 200,
          error: null,
          answer: 'ok',
        },
        {
          ...notification,
          webhook_delivery_attempt: 1,
          outcome: 'failed',
          at: first,
          latency_ms: expect.any(Number),
          status: 500,
          error: null,
          answer: 'out of order',
        },
      ])
    })

    test('shows administrators a response only with its single attempt, and audits the access', async () => {
      await using receiver = await openReceiver(status(200, {}, 'thanks, ada@one.test'))
      const tenant = await setup.newTenant()
      const { id } = await tenant.subscribe(receiver)
      await tenant.tell()
      await until(async () => expect(await tenant.attempts(id)).toMatchObject([{ answer: 'thanks, ada@one.test' }]))
      const headers = { 'x-waypost-application': tenant.applicationId }
      const asAdministrator = async (path: string) =>
        expectStatus(await setup.service.call('GET', path, { admin: true, headers }), 200).body.data
      const [listed] = await asAdministrator(`/v3/webhooks/${id}/attempts`)
      expect(listed).toMatchObject({ status: 200, answer: null })
      const attempt = `/v3/webhooks/${id}/attempts/${listed.notification_id}`
      expect(await asAdministrator(attempt)).toMatchObject({ answer: 'thanks, ada@one.test' })
    })

    test('stores the first 4 KB of a response, whatever its content', async () => {
      await using receiver = await openReceiver((response) => void response.end('x'.repeat(10_000)))
      const tenant = await setup.newTenant()
      const { id } = await tenant.subscribe(receiver)
      await tenant.tell()
      await until(async () => expect(await tenant.attempts(id)).toMatchObject([{ answer: 'x'.repeat(4096) }]))
      const bytes = Buffer.from([0, 255, 254, 65, 0])
      receiver.reply = (response) => void response.end(bytes)
      await tenant.tell()
      await until(async () => expect(await tenant.attempts(id)).toHaveLength(2))
      expect((await tenant.attempts(id))[0].answer).toBe('\uFFFD\uFFFD\uFFFDA\uFFFD')
    })

    test('is filtered by notification, outcome and time, and paged', async () => {
      await using receiver = await openReceiver((response, arrival, nth) =>
        (nth % 2 === 0 ? status(500) : ok)(response, arrival, nth),
      )
      const tenant = await setup.newTenant()
      const { id } = await tenant.subscribe(receiver)
      const start = now()
      for (let index = 0; index < 6; index++) {
        await tenant.tell(`Number ${index}`)
        await until(async () => expect(await tenant.attempts(id)).toHaveLength(index + 1))
        setup.clock.advance(second)
      }
      const all = await tenant.attempts(id)
      expect(all.map(({ at }) => at)).toEqual([5, 4, 3, 2, 1, 0].map((index) => start + index))
      const failed = await tenant.attempts(id, '&outcome=failed')
      expect(failed).toEqual(all.filter(({ status }) => status === 500))
      expect(failed).toHaveLength(3)
      const delivered = await tenant.attempts(id, '&outcome=delivered')
      expect(delivered).toEqual(all.filter(({ status }) => status === 200))
      expect(await tenant.attempts(id, `&notification_id=${all[2].notification_id}`)).toEqual([all[2]])
      expect(await tenant.attempts(id, '&notification_id=unknown')).toEqual([])
      expect(await tenant.attempts(id, `&start=${start + 1}&end=${start + 3}`)).toEqual(all.slice(3, 5))
      const seen: Json[] = []
      for (let token = ''; ; ) {
        const { body } = await tenant.call('GET', `/v3/webhooks/${id}/attempts?limit=4${token}`)
        seen.push(...body.data)
        if (!body.next_cursor) break
        token = `&page_token=${body.next_cursor}`
      }
      expect(seen).toEqual(all)
      expectRefusal(await tenant.call('GET', `/v3/webhooks/${id}/attempts?outcome=maybe`))
    })
  })

  test('failed and waiting deliveries are listed by state, in queue order and by next attempt, page by page', async () => {
    await using receiver = await openReceiver((response, arrival, nth) =>
      status(nth === 2 ? 410 : 500)(response, arrival, nth),
    )
    const tenant = await setup.newTenant()
    const { id } = await tenant.subscribe(receiver)
    for (let index = 1; index <= 4; index++) {
      await tenant.tell(`Number ${index}`)
      await until(async () =>
        expect((await tenant.queue(id)).filter((each) => each.attempts === 1)).toHaveLength(index),
      )
    }
    const queue = await tenant.queue(id)
    const [first, second, ...others] = receiver.got.map(idOf)
    expect(queue.map(({ state }) => state)).toEqual(['failed', 'waiting', 'waiting', 'waiting'])
    expect(queue[0]?.notification_id).toBe(second)
    expect(new Set(queue.slice(1).map(({ notification_id }) => notification_id))).toEqual(new Set([first, ...others]))
    const tries = queue.slice(1).map(({ next_attempt_at }) => next_attempt_at)
    expect(tries).toEqual(tries.toSorted((a, b) => a - b))
    expect(queue.find(({ notification_id }) => notification_id === first)).toEqual({
      notification_id: first,
      type: 'event.created',
      grant_id: tenant.grantId,
      state: 'waiting',
      attempts: 1,
      next_attempt_at: expect.any(Number),
    })
    expect(await tenant.queue(id, '&state=failed')).toEqual([queue[0]])
    expect(await tenant.queue(id, '&state=waiting')).toEqual(queue.slice(1))
    const page = (await tenant.call('GET', `/v3/webhooks/${id}/deliveries?limit=3`)).body
    expect(page.data).toEqual(queue.slice(0, 3))
    const rest = (await tenant.call('GET', `/v3/webhooks/${id}/deliveries?limit=3&page_token=${page.next_cursor}`)).body
    expect(rest.data).toEqual(queue.slice(3))
    expect(rest.next_cursor).toBeUndefined()
  })

  describe('deliver now', () => {
    const now = (tenant: Tenant, id: string) => tenant.call('POST', `/v3/webhooks/${id}/deliver-now`)

    test('waiting deliveries are sent at once, their number is returned, and a retry of the request changes nothing', async () => {
      await using receiver = await openReceiver(status(503, { 'retry-after': '3000' }))
      const tenant = await setup.newTenant()
      const { id } = await tenant.subscribe(receiver)
      await tenant.tellMany(5)
      await until(async () => {
        const attempts = (await tenant.queue(id)).map((each) => each.attempts)
        expect(attempts).toEqual([1, 1, 1, 1, 1])
      })
      receiver.reply = ok
      expect(expectStatus(await now(tenant, id), 200).body.data).toEqual({ due: 5, more: false })
      await until(async () => expect(await tenant.queue(id)).toEqual([]))
      expect(receiver.got).toHaveLength(10)
      expect(new Set(receiver.got.map(idOf)).size).toBe(5)
      expect(receiver.got.slice(5).map((each) => notificationOf(each).webhook_delivery_attempt)).toEqual([
        2, 2, 2, 2, 2,
      ])
      expect(expectStatus(await now(tenant, id), 200).body.data).toEqual({ due: 0, more: false })
    })

    test('a delivery that fails again waits for its next attempt', async () => {
      await using receiver = await openReceiver(status(500))
      const tenant = await setup.newTenant()
      const { id } = await tenant.subscribe(receiver)
      await tenant.tell()
      await until(async () => expect(await tenant.queue(id)).toMatchObject([{ attempts: 1 }]))
      expect(expectStatus(await now(tenant, id), 200).body.data).toEqual({ due: 1, more: false })
      await until(async () => expect(await tenant.queue(id)).toMatchObject([{ attempts: 2, state: 'waiting' }]))
      await setup.polled()
      expect(receiver.got).toHaveLength(2)
    })

    test('a paused destination is refused with a remedy, and one of another application is not found', async () => {
      await using receiver = await openReceiver(status(500))
      const tenant = await setup.newTenant()
      const { id } = await tenant.subscribe(receiver)
      await tenant.data('PUT', `/v3/webhooks/${id}`, { status: 'pause' })
      expect(expectStatus(await now(tenant, id), 409).body.error.message).toContain('set it to active first')
      const other = await setup.newTenant()
      expectStatus(await now(other, id), 404)
      expectStatus(await now(tenant, 'unknown'), 404)
    })
  })

  describe('replay', () => {
    test('of one notification uses the same id and continues its attempt count', async () => {
      await using receiver = await openReceiver()
      const tenant = await setup.newTenant()
      const { id } = await tenant.subscribe(receiver)
      await tenant.tell()
      await until(async () => expect(await tenant.attempts(id)).toHaveLength(1))
      const first = notificationOf(receiver.got[0] as never)
      expect(await tenant.data('POST', `/v3/webhooks/${id}/replay`, { notification_id: first.id })).toEqual({
        replayed: 1,
      })
      await until(() => expect(receiver.got).toHaveLength(2))
      expect(notificationOf(receiver.got[1] as never)).toEqual({ ...first, webhook_delivery_attempt: 2 })
      await until(async () => expect(await tenant.attempts(id)).toMatchObject([{ webhook_delivery_attempt: 2 }, {}]))
      const retained = await tenant.data('GET', `/v3/notifications/${first.id}`)
      expect(retained.deliveries).toEqual([{ webhook_id: id, state: 'delivered', attempts: 2, next_attempt_at: null }])
    })

    test('of a notification that was never sent to the destination delivers it', async () => {
      await using receiver = await openReceiver()
      const tenant = await setup.newTenant()
      await tenant.tell('before there was a destination')
      const { id } = await tenant.subscribe(receiver)
      const stream = await tenant.data('GET', '/v3/notifications?trigger_types=event.created&wait=30')
      expectStatus(await replay(tenant, id, { notification_id: stream[0].id }), 200)
      await until(() => expect(receiver.got.map(idOf)).toEqual([stream[0].id]))
    })

    test('of a waiting notification sends it at once, with all attempts available again', async () => {
      await using receiver = await openReceiver(status(500))
      const tenant = await setup.newTenant()
      const { id } = await tenant.subscribe(receiver)
      await tenant.tell()
      await until(async () => expect(await tenant.queue(id)).toMatchObject([{ attempts: 1 }]))
      receiver.reply = ok
      expectStatus(await replay(tenant, id, { notification_id: idOf(receiver.got[0] as never) }), 200)
      await until(() => expect(receiver.got).toHaveLength(2))
      await drained(tenant, id)
      expect(notificationOf(receiver.got[1] as never)).toMatchObject({ webhook_delivery_attempt: 2 })
    })

    test('of a time range sends the notifications that the destination subscribes to', async () => {
      await using receiver = await openReceiver()
      const tenant = await setup.newTenant()
      const { id } = await tenant.subscribe(receiver)
      const reported: string[] = []
      const start = now()
      for (let index = 0; index < 5; index++) {
        await tenant.tell(`Number ${index}`)
        await until(() => expect(receiver.got).toHaveLength(index + 1))
        reported.push(idOf(receiver.got[index] as never))
        setup.clock.advance(10 * second)
      }
      await drained(tenant, id)
      const range = { start: start + 10, end: start + 30 }
      expect((await replay(tenant, id, range)).body.data).toEqual({ replayed: 2 })
      await until(() => expect(receiver.got).toHaveLength(7))
      expect(receiver.got.slice(5).map(idOf).toSorted()).toEqual(reported.slice(1, 3).toSorted())
      await drained(tenant, id)
      // Without an end: until now. The destination does not subscribe to the first grant and calendar notifications.
      expect((await replay(tenant, id, { start: start - 60 })).body.data).toEqual({ replayed: 5 })
      await until(() => expect(receiver.got).toHaveLength(12))
      expect(new Set(receiver.got.map(idOf)).size).toBe(5)
    })

    test('of all failed notifications delivers them', async () => {
      await using receiver = await openReceiver(status(410))
      const tenant = await setup.newTenant()
      const { id } = await tenant.subscribe(receiver)
      await tenant.tellMany(3)
      await until(async () => expect(await tenant.queue(id, '&state=failed')).toHaveLength(3))
      receiver.reply = ok
      await tenant.tell('delivered')
      await until(async () => expect(await tenant.queue(id)).toHaveLength(3))
      expect((await replay(tenant, id, { failed: true })).body.data).toEqual({ replayed: 3 })
      await drained(tenant, id)
      expect(receiver.got).toHaveLength(7)
      const again = receiver.got.slice(4).map(notificationOf)
      expect(again.map((each) => each.webhook_delivery_attempt)).toEqual([2, 2, 2])
      expect(again.map((each) => each.id).toSorted()).toEqual(receiver.got.slice(0, 3).map(idOf).toSorted())
      expect((await replay(tenant, id, { failed: true })).body.data).toEqual({ replayed: 0 })
    })

    test('is refused while the destination is paused', async () => {
      await using receiver = await openReceiver()
      const tenant = await setup.newTenant()
      const { id } = await tenant.subscribe(receiver)
      await tenant.tell()
      await until(() => expect(receiver.got).toHaveLength(1))
      await tenant.data('PUT', `/v3/webhooks/${id}`, { status: 'pause' })
      for (const body of [{ failed: true }, { start: 1 }, { notification_id: idOf(receiver.got[0] as never) }]) {
        const answer = expectStatus(await replay(tenant, id, body), 409)
        expect(answer.body.error.message).toContain('pause')
      }
      await setup.polled()
      expect(receiver.got).toHaveLength(1)
    })

    test('reports what is wrong with a request', async () => {
      await using receiver = await openReceiver()
      const tenant = await setup.newTenant()
      const { id } = await tenant.subscribe(receiver)
      for (const body of [
        {},
        { failed: false },
        { end: 5 },
        { start: 5, end: 5 },
        { start: 5, failed: true, outcome: 'delivered' },
        { outcome: 'lost' },
        { trigger_types: [] },
        { trigger_types: ['event.lost'] },
        { trigger_types: ['event.deleted'] },
        { dry_run: true },
        { notification_id: 'x', failed: true },
        { notification_id: 'x', start: 1 },
      ]) {
        expectRefusal(await replay(tenant, id, body))
      }
      expectStatus(await replay(tenant, id, { notification_id: 'unknown' }), 404)
      expectStatus(await replay(tenant, 'unknown', { failed: true }), 404)
    })

    test('does not affect another application', async () => {
      await using receiver = await openReceiver()
      const tenant = await setup.newTenant()
      const other = await setup.newTenant()
      const { id } = await tenant.subscribe(receiver)
      await other.tell('not yours')
      const [theirs] = await other.data('GET', '/v3/notifications?trigger_types=event.created&wait=30')
      expectStatus(await replay(tenant, id, { notification_id: theirs.id }), 404)
      expectStatus(await replay(other, id, { failed: true }), 404)
      expect((await replay(tenant, id, { start: 1 })).body.data).toEqual({ replayed: 0 })
      await setup.polled()
      expect(receiver.got).toEqual([])
    })
  })

  test('the metrics count attempts by outcome, and waiting deliveries', async () => {
    const { metrics } = setup.service.services.telemetry
    const read = async (name: string): Promise<number> => {
      const line = expositionOf(await metrics.families())
        .split('\n')
        .find((each) => each.startsWith(`${name} `))
      return Number(line?.split(' ')[1])
    }
    const outcome = (name: string) => read(`waypost_delivery_attempts_total{outcome="${name}"}`)
    const names = ['delivered', 'refused', 'unanswered']
    const before = await Promise.all([...names.map(outcome), read('waypost_deliveries_waiting')])
    await using good = await openReceiver()
    await using bad = await openReceiver(status(404))
    await using gone = await openReceiver((response) => void response.destroy())
    const tenant = await setup.newTenant()
    for (const receiver of [good, bad, gone]) await tenant.subscribe(receiver)
    await tenant.tell()
    await until(async () => {
      const after = await Promise.all([...names.map(outcome), read('waypost_deliveries_waiting')])
      expect(after).toEqual([1, 1, 1, 2].map((more, index) => (before[index] ?? 0) + more))
    })
  })

  test('notifications, their queue and their attempts are deleted after WAYPOST_NOTIFICATION_DAYS', async () => {
    await using setup = await openWebhookSetup({ engine, env: { WAYPOST_NOTIFICATION_DAYS: '3' } })
    const { database } = setup.service.services.storage
    await using receiver = await openReceiver()
    const tenant = await setup.newTenant()
    const { id } = await tenant.subscribe(receiver, { trigger_types: ['event.created', 'event.deleted'] })
    // More than one batch.
    const { notify } = setup.service.services.notifications
    const { applicationId, grantId, calendarId } = tenant
    await database.transaction(async (tx) => {
      for (let index = 0; index < 520; index++) {
        const object = { id: `${index}`, object: 'event', grant_id: grantId, calendar_id: calendarId }
        await notify(tx, { applicationId, grantId, provider: 'virtual-calendar', trigger: 'event.deleted', object })
      }
    })
    await until(() => expect(receiver.got).toHaveLength(520))
    await drained(tenant, id)
    await tenant.data('PUT', `/v3/webhooks/${id}`, { status: 'pause' })
    setup.clock.advance(3 * day)
    await tenant.tell('kept')
    await tenant.data('PUT', `/v3/webhooks/${id}`, { status: 'active' })
    await tenant.tell('kept too')
    await until(() => expect(receiver.got).toHaveLength(521))
    await drained(tenant, id)
    await purgeExpired(setup.service.services)
    expect((await tenant.attempts(id)).length).toBe(200)
    // Whole days are retained.
    setup.clock.advance(day)
    await purgeExpired(setup.service.services)
    expect(await tenant.attempts(id)).toMatchObject([{ outcome: 'delivered' }])
    expect((await tenant.data('GET', '/v3/notifications?wait=30')).map((each: Json) => each.data.object.title)).toEqual(
      ['kept', 'kept too'],
    )
    for (const table of ['notifications', 'deliveries', 'delivery_attempts']) {
      const left = (await database.get(count(table)))?.n
      expect({ table, left }).toEqual({ table, left: { notifications: 2, deliveries: 0, delivery_attempts: 1 }[table] })
    }
    const gone = await tenant.call('GET', `/v3/notifications/${idOf(receiver.got[0] as never)}`)
    expectStatus(gone, 404)
    expectStatus(await replay(tenant, id, { notification_id: idOf(receiver.got[0] as never) }), 404)
  })
})
