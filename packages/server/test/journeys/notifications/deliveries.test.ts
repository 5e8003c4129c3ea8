/** Deliveries to real listeners: signatures, retries, stopping and resuming. */
import { createHmac } from 'node:crypto'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { enginesFor } from '@waypost/testing/engines'
import { isCheck } from '@waypost/testing/level'
import { freshDatabaseUrl } from '@waypost/testing/peers/database-url'
import type { Arrival } from '@waypost/testing/peers/hostile-receivers'
import { sql } from '@waypost/testing/statement'
import { Webhook, WebhookVerificationError } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { expectStatus } from '../../conformance/accounts.ts'
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

const bodyHmac = (secret: string, body: Buffer): string => createHmac('sha256', secret).update(body).digest('hex')

const ownerOf = sql<{ owner: string | null }>('', 'select owner from delivery_leases where webhook_id = $1')
const claim = sql('', 'update delivery_leases set owner = $2, lease_until = $3 where webhook_id = $1')

/** Verifies an arrival at a time as a receiver that follows Standard Webhooks does. */
function verify(secret: string, { headers, body }: Arrival, now: number): unknown {
  vi.useFakeTimers({ toFake: ['Date'], now })
  try {
    return new Webhook(secret).verify(body, headers as Record<string, string>)
  } finally {
    vi.useRealTimers()
  }
}

describe.each(enginesFor(import.meta.url))('delivery on %s', (engine) => {
  let setup: WebhookSetup
  beforeAll(async () => {
    setup = await openWebhookSetup({ engine })
  })
  afterAll(() => setup[Symbol.asyncDispose]())

  const firstOf = <T>(list: readonly T[]): T => {
    const [first] = list
    if (first === undefined) throw new Error('nothing there')
    return first
  }
  /** Waits until the queue shows this many attempts for its only entry, and returns the entry. */
  const tried = (tenant: Tenant, webhookId: string, attempts: number) =>
    until(async () => {
      const queue = await tenant.queue(webhookId)
      expect(queue).toMatchObject([{ attempts }])
      return firstOf(queue)
    })
  const arrived = (list: readonly unknown[], count: number) => until(() => expect(list).toHaveLength(count))
  const drained = (tenant: Tenant, webhookId: string) =>
    until(async () => expect(await tenant.queue(webhookId)).toEqual([]))

  describe('a delivery', () => {
    test("has the contract's envelope as body, signed with HMAC-SHA256 hex over the exact bytes in x-service-signature and x-nylas-signature", async () => {
      await using receiver = await openReceiver()
      const tenant = await setup.newTenant()
      const { webhook_secret: secret } = await tenant.subscribe(receiver)
      const event = await tenant.tell('Ünïcode — 会議 🧀')
      await arrived(receiver.got, 1)
      const arrival = firstOf(receiver.got)
      expect(notificationOf(arrival)).toEqual({
        specversion: '1.0',
        type: 'event.created',
        source: '/virtual-calendar/events/realtime',
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        time: Math.floor(setup.clock.now() / 1000),
        webhook_delivery_attempt: 1,
        // The grant and its calendar were notified first.
        grant_sequence: 3,
        data: { application_id: tenant.applicationId, object: event },
      })
      expect(arrival.method).toBe('POST')
      expect(arrival.path).toBe('/hook')
      expect(arrival.headers['content-type']).toBe('application/json')
      expect(arrival.headers['user-agent']).toMatch(/^waypost\//)
      expect(arrival.headers['content-encoding']).toBeUndefined()
      expect(arrival.headers['x-service-signature']).toBe(bodyHmac(secret, arrival.body))
      expect(arrival.headers['x-nylas-signature']).toBe(bodyHmac(secret, arrival.body))
      expect(arrival.headers).not.toHaveProperty('x-service-signature-previous')
    })

    test('has Standard Webhooks headers that the npm package standardwebhooks verifies, and a changed body fails', async () => {
      await using receiver = await openReceiver()
      const tenant = await setup.newTenant()
      const { webhook_secret: secret } = await tenant.subscribe(receiver)
      await tenant.tell()
      await arrived(receiver.got, 1)
      const arrival = firstOf(receiver.got)
      const now = setup.clock.now()
      expect(verify(secret, arrival, now)).toEqual(notificationOf(arrival))
      expect(arrival.headers['webhook-id']).toBe(idOf(arrival))
      expect(arrival.headers['webhook-timestamp']).toBe(String(Math.floor(now / 1000)))
      const changed = { ...arrival, body: Buffer.from(arrival.body.toString().replace('Something', 'Anything!')) }
      expect(() => verify(secret, changed, now)).toThrow(WebhookVerificationError)
      const { webhook_secret: other } = await tenant.data('POST', '/v3/webhooks', {
        trigger_types: ['event.created'],
        webhook_url: `${receiver.url}/other`,
      })
      expect(() => verify(other, arrival, now)).toThrow(WebhookVerificationError)
    })

    test('with gzip has signatures over the compressed bytes', async () => {
      await using receiver = await openReceiver()
      const tenant = await setup.newTenant()
      const { webhook_secret: secret } = await tenant.subscribe(receiver, { compressed_delivery: true })
      const event = await tenant.tell('Small')
      await arrived(receiver.got, 1)
      const { headers, body } = firstOf(receiver.got)
      expect(headers['content-encoding']).toBe('gzip')
      expect(headers['content-type']).toBe('application/json')
      expect(Number(headers['content-length'])).toBe(body.length)
      expect(JSON.parse(gunzipSync(body).toString()).data.object).toEqual(event)
      expect(headers['x-service-signature']).toBe(bodyHmac(secret, body))
      // The npm package converts the bytes to text first, so it cannot verify these.
      const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
      const signed = Buffer.concat([Buffer.from(`${headers['webhook-id']}.${headers['webhook-timestamp']}.`), body])
      expect(headers['webhook-signature']).toBe(`v1,${createHmac('sha256', key).update(signed).digest('base64')}`)
    })

    test('to two destinations has the same id, with a separate signature for each', async () => {
      await using one = await openReceiver()
      await using two = await openReceiver()
      const tenant = await setup.newTenant()
      const first = await tenant.subscribe(one)
      const second = await tenant.subscribe(two)
      await tenant.tell()
      await arrived(one.got, 1)
      await arrived(two.got, 1)
      expect(idOf(firstOf(one.got))).toBe(idOf(firstOf(two.got)))
      expect(firstOf(one.got).body.equals(firstOf(two.got).body)).toBe(true)
      const now = setup.clock.now()
      expect(verify(first.webhook_secret, firstOf(one.got), now)).toEqual(
        verify(second.webhook_secret, firstOf(two.got), now),
      )
    })

    test('goes once to each destination that subscribes to its trigger', async () => {
      await using receiver = await openReceiver()
      await using other = await openReceiver()
      const tenant = await setup.newTenant()
      const { id } = await tenant.subscribe(receiver)
      await tenant.subscribe(other, { trigger_types: ['calendar.created'] })
      await tenant.tellMany(200)
      await arrived(receiver.got, 200)
      await drained(tenant, id)
      const notifications = receiver.got.map(notificationOf)
      expect(new Set(notifications.map(({ id }) => id)).size).toBe(200)
      const sequences = notifications.map(({ grant_sequence: sequence }) => sequence)
      expect(sequences.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 200 }, (_, index) => index + 3))
      await setup.polled()
      expect(receiver.got).toHaveLength(200)
      expect(other.got).toEqual([])
    })
  })

  test('is signed with both secrets for 24 hours after a rotation, and then only with the new one', async () => {
    await using receiver = await openReceiver()
    const tenant = await setup.newTenant()
    const { id, webhook_secret: old } = await tenant.subscribe(receiver)
    await tenant.tell('before')
    await arrived(receiver.got, 1)
    const { webhook_secret: fresh } = await tenant.data('POST', `/v3/webhooks/rotate-secret/${id}`)
    for (const [nth, wait] of [0, 24 * hour - 60 * second].entries()) {
      setup.pass(wait)
      await tenant.tell(`within ${wait}`)
      await arrived(receiver.got, nth + 2)
      const arrival = receiver.got[nth + 1] ?? firstOf([])
      const now = setup.clock.now()
      expect(verify(old, arrival, now)).toEqual(notificationOf(arrival))
      expect(verify(fresh, arrival, now)).toEqual(notificationOf(arrival))
      expect(arrival.headers['x-service-signature']).toBe(bodyHmac(fresh, arrival.body))
      expect(arrival.headers['x-nylas-signature']).toBe(bodyHmac(fresh, arrival.body))
      expect(arrival.headers['x-service-signature-previous']).toBe(bodyHmac(old, arrival.body))
    }
    setup.pass(61 * second)
    await tenant.tell('after')
    await arrived(receiver.got, 4)
    const arrival = receiver.got[3] ?? firstOf([])
    const now = setup.clock.now()
    expect(verify(fresh, arrival, now)).toEqual(notificationOf(arrival))
    expect(() => verify(old, arrival, now)).toThrow(WebhookVerificationError)
    expect(arrival.headers).not.toHaveProperty('x-service-signature-previous')
  })

  describe('retries', () => {
    test('after a 500 have the same id, webhook_delivery_attempt 2 and a new timestamp', async () => {
      await using receiver = await openReceiver((response, arrival, nth) =>
        (nth === 1 ? status(500) : ok)(response, arrival, nth),
      )
      const tenant = await setup.newTenant()
      const { id, webhook_secret: secret } = await tenant.subscribe(receiver)
      await tenant.tell()
      const { next_attempt_at: next } = await tried(tenant, id, 1)
      const now = setup.clock.now() / 1000
      expect(next - Math.floor(now)).toBeGreaterThanOrEqual(4)
      expect(next - Math.floor(now)).toBeLessThanOrEqual(7)
      await setup.polled()
      expect(receiver.got).toHaveLength(1)
      setup.pass(7 * second)
      await arrived(receiver.got, 2)
      await drained(tenant, id)
      const [before, after] = receiver.got.map(notificationOf)
      expect(after).toEqual({ ...before, webhook_delivery_attempt: 2 })
      const [first, repeated] = receiver.got.map(({ headers }) => headers)
      expect(repeated?.['webhook-id']).toBe(first?.['webhook-id'])
      expect(Number(repeated?.['webhook-timestamp'])).toBe(Number(first?.['webhook-timestamp']) + 7)
      expect(verify(secret, receiver.got[1] ?? firstOf([]), setup.clock.now())).toEqual(after)
    })

    test('continue for at least a day, and then the delivery counts as failed', async () => {
      await using receiver = await openReceiver(status(500))
      const tenant = await setup.newTenant()
      const { id } = await tenant.subscribe(receiver)
      await tenant.tell()
      const started = setup.clock.now()
      for (let attempt = 1; attempt < 8; attempt++) {
        const { next_attempt_at: next, state } = await tried(tenant, id, attempt)
        expect(state).toBe('waiting')
        setup.pass(next * 1000 + second - setup.clock.now())
      }
      expect(await tried(tenant, id, 8)).toMatchObject({ state: 'failed', next_attempt_at: null })
      expect(setup.clock.now() - started).toBeGreaterThan(24 * hour)
      expect(receiver.got.map((arrival) => notificationOf(arrival).webhook_delivery_attempt)).toEqual([
        1, 2, 3, 4, 5, 6, 7, 8,
      ])
      expect(new Set(receiver.got.map(idOf)).size).toBe(1)
      setup.pass(48 * hour)
      await setup.polled()
      expect(receiver.got).toHaveLength(8)
    })

    test.each([429, 503])('after %i follow Retry-After within limits', async (code) => {
      await using receiver = await openReceiver(status(code, { 'retry-after': '40' }))
      const tenant = await setup.newTenant()
      const { id } = await tenant.subscribe(receiver)
      await tenant.tell()
      const now = Math.floor(setup.clock.now() / 1000)
      const { next_attempt_at: next } = await tried(tenant, id, 1)
      // The regular delay would be five seconds; the requested delay applies.
      expect(next - now).toBeGreaterThanOrEqual(40)
      expect(next - now).toBeLessThanOrEqual(49)
      receiver.reply = status(code, { 'retry-after': '86400' })
      setup.pass(50 * second)
      const later = Math.floor(setup.clock.now() / 1000)
      const { next_attempt_at: bounded } = await tried(tenant, id, 2)
      // The regular delay would be five minutes; the requested day is limited to an hour.
      expect(bounded - later).toBeGreaterThanOrEqual(3598)
      expect(bounded - later).toBeLessThanOrEqual(3601)
    })

    test('stop after a 410', async () => {
      await using receiver = await openReceiver(status(410))
      const tenant = await setup.newTenant()
      const { id } = await tenant.subscribe(receiver)
      await tenant.tell()
      expect(await tried(tenant, id, 1)).toMatchObject({ state: 'failed', next_attempt_at: null })
      setup.pass(24 * hour)
      await setup.polled()
      expect(receiver.got).toHaveLength(1)
      receiver.reply = ok
      await tenant.tell('the next one is another matter')
      await arrived(receiver.got, 2)
    })

    test.each([301, 302, 303, 307, 308])('redirects are not followed: %i is a failure', async (code) => {
      await using target = await openReceiver()
      await using receiver = await openReceiver(status(code, { location: target.url }))
      const tenant = await setup.newTenant()
      const { id } = await tenant.subscribe(receiver)
      await tenant.tell()
      expect(await tried(tenant, id, 1)).toMatchObject({ state: 'waiting' })
      expect(await tenant.attempts(id)).toMatchObject([{ outcome: 'failed', status: code, error: null }])
      expect(target.got).toEqual([])
      expect(target.challenges).toEqual([])
    })

    test.each([200, 201, 202, 204])('%i counts as delivered', async (code) => {
      await using receiver = await openReceiver(status(code))
      const tenant = await setup.newTenant()
      const { id } = await tenant.subscribe(receiver)
      await tenant.tell()
      await until(async () =>
        expect(await tenant.attempts(id)).toMatchObject([{ outcome: 'delivered', status: code, answer: null }]),
      )
      expect(await tenant.queue(id)).toEqual([])
    })

    test('an attempt without a listener records why there was no response', async () => {
      const tenant = await setup.newTenant()
      const receiver = await openReceiver()
      const { id } = await tenant.subscribe(receiver)
      await receiver[Symbol.asyncDispose]()
      await tenant.tell()
      expect(await tried(tenant, id, 1)).toMatchObject({ state: 'waiting' })
      const [attempt] = await tenant.attempts(id)
      expect(attempt).toMatchObject({ outcome: 'failed', status: null, answer: null })
      expect(attempt.error).toMatch(/\S/)
    })
  })

  test('a dead destination does not delay another', async () => {
    await using dead = await openReceiver(() => undefined)
    await using good = await openReceiver()
    const tenant = await setup.newTenant()
    const { id: deadId } = await tenant.subscribe(dead)
    const { id: goodId } = await tenant.subscribe(good)
    await tenant.tellMany(50)
    await arrived(good.got, 50)
    expect(await tenant.attempts(deadId)).toEqual([])
    await drained(tenant, goodId)
    expectStatus(await tenant.call('DELETE', `/v3/webhooks/${deadId}`), 200)
  })

  // The deadline is a time of the machine.
  test.runIf(isCheck)('slow responses end at the deadline of 10 s', async () => {
    await using dead = await openReceiver(() => undefined)
    const tenant = await setup.newTenant()
    const { id: deadId } = await tenant.subscribe(dead)
    await tenant.tell()
    await until(async () => {
      const attempts = await tenant.attempts(deadId)
      expect(attempts.length).toBeGreaterThan(0)
      for (const { outcome, status, error, latency_ms } of attempts) {
        expect({ outcome, status }).toEqual({ outcome: 'failed', status: null })
        expect(error).toMatch(/^timeout/)
        expect(latency_ms).toBeGreaterThanOrEqual(9_900)
      }
    })
    expectStatus(await tenant.call('DELETE', `/v3/webhooks/${deadId}`), 200)
  })

  test('a lease that is stored for this node, but missing in its memory, is used again', async () => {
    const { database } = setup.service.services.storage
    const { node } = setup.service.services.runtime
    await using receiver = await openReceiver()
    const tenant = await setup.newTenant()
    const { id } = await tenant.subscribe(receiver)
    await tenant.tell()
    await arrived(receiver.got, 1)
    // An idle lease is released. If the store fails while doing so, the row may still name this node with a renewed
    // lease.
    await until(async () => {
      setup.pass(60 * second)
      expect(await database.get(ownerOf, [id])).toEqual({ owner: null })
    })
    await database.run(claim, [id, node.id, setup.clock.now() + hour])
    await tenant.tell()
    await arrived(receiver.got, 2)
  })

  describe('a destination that changes while deliveries wait', () => {
    /** A tenant with a destination that has failed once and waits for its next attempt. */
    async function waitingAt(fields?: object) {
      const receiver = await openReceiver(status(500))
      const tenant = await setup.newTenant()
      const destination = await tenant.subscribe(receiver, fields)
      await tenant.tell()
      await tried(tenant, destination.id, 1)
      receiver.reply = ok
      return { receiver, tenant, id: destination.id }
    }

    test('receives them at its new address, after a challenge there', async () => {
      const { receiver, tenant, id } = await waitingAt()
      await using _ = receiver
      await using moved = await openReceiver()
      await tenant.data('PUT', `/v3/webhooks/${id}`, { webhook_url: `${moved.url}/new?token=1` })
      expect(moved.challenges).toHaveLength(1)
      setup.pass(7 * second)
      await arrived(moved.got, 1)
      expect(firstOf(moved.got).path).toBe('/hook/new?token=1')
      expect(idOf(firstOf(moved.got))).toBe(idOf(firstOf(receiver.got)))
      expect(receiver.got).toHaveLength(1)
    })

    test('receives a delivery in progress at its new address, and the aborted attempt is not recorded', async () => {
      await using slow = await openReceiver(() => undefined)
      await using moved = await openReceiver()
      const tenant = await setup.newTenant()
      const { id } = await tenant.subscribe(slow)
      await tenant.tell()
      await arrived(slow.got, 1)
      await tenant.data('PUT', `/v3/webhooks/${id}`, { webhook_url: `${moved.url}/new` })
      await arrived(moved.got, 1)
      await drained(tenant, id)
      expect(notificationOf(firstOf(moved.got))).toMatchObject({ id: idOf(firstOf(slow.got)) })
      expect(await tenant.attempts(id)).toMatchObject([{ outcome: 'delivered' }])
    })

    test('still receives what waits for its previous triggers', async () => {
      const { receiver, tenant, id } = await waitingAt()
      await using _ = receiver
      await tenant.data('PUT', `/v3/webhooks/${id}`, { trigger_types: ['calendar.created'] })
      await tenant.tell('unheard')
      setup.pass(7 * second)
      await arrived(receiver.got, 2)
      await setup.polled()
      expect(new Set(receiver.got.map(idOf)).size).toBe(1)
    })

    test('receives nothing while paused, and everything once active again, after another challenge', async () => {
      const { receiver, tenant, id } = await waitingAt()
      await using _ = receiver
      await tenant.data('PUT', `/v3/webhooks/${id}`, { status: 'pause' })
      await tenant.tell('while paused')
      setup.pass(hour)
      await setup.polled()
      expect(receiver.got).toHaveLength(1)
      expect(await tenant.queue(id)).toMatchObject([{ state: 'waiting', attempts: 1 }])

      receiver.answersChallenge = false
      expectStatus(await tenant.call('PUT', `/v3/webhooks/${id}`, { status: 'active' }), 400)
      await setup.polled()
      expect(receiver.got).toHaveLength(1)

      receiver.answersChallenge = true
      await tenant.data('PUT', `/v3/webhooks/${id}`, { status: 'active' })
      expect(receiver.challenges).toHaveLength(3)
      await arrived(receiver.got, 2)
      const [before, after] = receiver.got.map(notificationOf)
      expect(after).toEqual({ ...before, webhook_delivery_attempt: 2 })
      // Notifications during the pause were never queued.
      await tenant.tell('afterwards')
      await arrived(receiver.got, 3)
      await setup.polled()
      expect(receiver.got.map((arrival) => notificationOf(arrival).data.object)).toMatchObject([
        { title: 'Something' },
        { title: 'Something' },
        { title: 'afterwards' },
      ])
    })

    test('receives only what was in progress when it was paused', async () => {
      const held: (() => void)[] = []
      await using receiver = await openReceiver((response) => void held.push(() => response.end()))
      const tenant = await setup.newTenant()
      const { id } = await tenant.subscribe(receiver)
      await tenant.tellMany(40)
      await until(() => expect(held.length).toBeGreaterThan(0))
      await tenant.data('PUT', `/v3/webhooks/${id}`, { status: 'pause' })
      await setup.polled()
      const underWay = receiver.got.length
      expect(underWay).toBeLessThan(40)
      for (const release of held) release()
      await until(async () => expect(await tenant.queue(id)).toHaveLength(40 - underWay))
      await setup.polled()
      expect(receiver.got).toHaveLength(underWay)
      receiver.reply = ok
      await tenant.data('PUT', `/v3/webhooks/${id}`, { status: 'active' })
      await arrived(receiver.got, 40)
      expect(new Set(receiver.got.map(idOf)).size).toBe(40)
    })

    test('receives nothing after it was deleted', async () => {
      const { receiver, tenant, id } = await waitingAt()
      await using _ = receiver
      await tenant.data('DELETE', `/v3/webhooks/${id}`)
      await tenant.tell('unheard')
      setup.pass(hour)
      await setup.polled()
      expect(receiver.got).toHaveLength(1)
      for (const list of ['deliveries', 'attempts']) {
        expectStatus(await tenant.call('GET', `/v3/webhooks/${id}/${list}`), 404)
      }
    })
  })
})

describe.each(enginesFor(import.meta.url))('a restart on %s', (engine) => {
  test('during deliveries delivers the rest afterwards, with the same ids', async () => {
    await using folder = await mkdtempDisposable(path.join(tmpdir(), 'waypost-restart-'))
    const databaseUrl = engine === 'postgresql' ? { databaseUrl: await freshDatabaseUrl() } : {}
    const options = { engine, dataDir: folder.path, ...databaseUrl }
    let broken = true
    // It accepts ten deliveries, and then none until it is repaired.
    await using receiver = await openReceiver((response, arrival, nth) =>
      (broken && nth > 10 ? status(503) : ok)(response, arrival, nth),
    )
    const first = await openWebhookSetup(options)
    const tenant = await first.newTenant()
    const { id } = await tenant.subscribe(receiver)
    await tenant.tellMany(30)
    await until(() => expect(receiver.got.length).toBeGreaterThan(15))
    await first[Symbol.asyncDispose]()

    broken = false
    await using second = await openWebhookSetup({ ...options, clock: first.clock })
    second.pass(hour)
    const waiting = () => second.service.call('GET', `/v3/webhooks/${id}/deliveries`, { key: tenant.key })
    await until(async () => expect((await waiting()).body.data).toEqual([]))
    const ids = receiver.got.map(idOf)
    expect(new Set(ids).size).toBe(30)
    const delivered = await second.service.call('GET', `/v3/webhooks/${id}/attempts?outcome=delivered&limit=200`, {
      key: tenant.key,
    })
    expect(new Set(delivered.body.data.map((each: { notification_id: string }) => each.notification_id)).size).toBe(30)
  })
})
