/**
 * Replays by filter and their count, the backlog and its delivery, one attempt in full, signature checks, composed
 * test events.
 */
import { triggerNames } from '@waypost/contract'
import { enginesFor } from '@waypost/testing/engines'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
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

describe.each(enginesFor(import.meta.url))('on %s', (engine) => {
  let setup: WebhookSetup
  beforeAll(async () => {
    setup = await openWebhookSetup({ engine })
  })
  afterAll(() => setup[Symbol.asyncDispose]())

  const now = () => Math.floor(setup.clock.now() / 1000)
  const drained = (tenant: Tenant, id: string) => until(async () => expect(await tenant.queue(id)).toEqual([]))

  describe('a replay by filter', () => {
    test('combines a trigger, a grant, an outcome and a time; a dry run counts the same and sends nothing', async () => {
      await using receiver = await openReceiver()
      const tenant = await setup.newTenant()
      const { id } = await tenant.subscribe(receiver, { trigger_types: ['event.created', 'event.updated'] })
      const other = await setup.service.createGrant(`${crypto.randomUUID()}@mail.test`, tenant.key)
      const calendar = await tenant.data('POST', `/v3/grants/${other.id}/calendars`, { name: 'Other' })
      const tellOther = () =>
        tenant.data('POST', `/v3/grants/${other.id}/events?calendar_id=${calendar.id}`, {
          title: 'Other',
          when: { time: 1_800_000_000 },
        })
      const arrived = (count: number) => until(() => expect(receiver.got).toHaveLength(count))
      const start = now()
      const event = await tenant.tell('delivered')
      await tellOther()
      await arrived(2)
      await tenant.data('PUT', `/v3/grants/${tenant.grantId}/events/${event.id}?calendar_id=${tenant.calendarId}`, {
        title: 'changed',
      })
      await arrived(3)
      setup.clock.advance(20 * second)
      receiver.reply = status(410)
      await tenant.tell('refused')
      await tellOther()
      await until(async () => expect(await tenant.queue(id, '&state=failed')).toHaveLength(2))
      receiver.reply = ok
      const [delivered, theirs, changed, refused, theirsRefused] = receiver.got.map(idOf)

      // The fifth and sixth case deliver the failed ones, so the order matters.
      const cases: [filter: object, ids: (string | undefined)[]][] = [
        [{ trigger_types: ['event.updated'] }, [changed]],
        [{ outcome: 'delivered' }, [delivered, theirs, changed]],
        [{ outcome: 'delivered', grant_id: tenant.grantId, trigger_types: ['event.created'] }, [delivered]],
        [{ start, end: start + 10, outcome: 'all' }, [delivered, theirs, changed]],
        [{ outcome: 'failed', grant_id: other.id }, [theirsRefused]],
        [{ failed: true, start: start + 10, trigger_types: ['event.created'] }, [refused]],
        [{ grant_id: other.id }, [theirs, theirsRefused]],
        [{ start: start + 10 }, [refused, theirsRefused]],
      ]
      const count = (filter: object) => tenant.data('POST', `/v3/webhooks/${id}/replay`, { ...filter, dry_run: true })
      for (const [filter, ids] of cases) {
        const before = receiver.got.length
        const matching = ids.length
        expect(await count(filter), JSON.stringify(filter)).toEqual({ replayed: 0, matching, more: false })
        expect(receiver.got, 'a dry run sends nothing').toHaveLength(before)
        const { replayed } = await tenant.data('POST', `/v3/webhooks/${id}/replay`, filter)
        expect(replayed, JSON.stringify(filter)).toBe(ids.length)
        await arrived(before + ids.length)
        expect(new Set(receiver.got.slice(before).map(idOf)), JSON.stringify(filter)).toEqual(new Set(ids))
        await until(async () => expect(await tenant.queue(id, '&state=waiting')).toEqual([]))
      }
      expect(await count({ failed: true })).toEqual({ replayed: 0, matching: 0, more: false })
      await drained(tenant, id)
    })

    test('counts for a paused destination and for one notification too', async () => {
      await using receiver = await openReceiver()
      const tenant = await setup.newTenant()
      const { id } = await tenant.subscribe(receiver)
      await tenant.tell()
      await until(() => expect(receiver.got).toHaveLength(1))
      await tenant.data('PUT', `/v3/webhooks/${id}`, { status: 'pause' })
      const count = (body: object) => tenant.data('POST', `/v3/webhooks/${id}/replay`, { ...body, dry_run: true })
      expect(await count({ start: 1 })).toEqual({ replayed: 0, matching: 1, more: false })
      const one = { notification_id: idOf(receiver.got[0] as never) }
      expect(await count(one)).toEqual({ replayed: 0, matching: 1, more: false })
      expectStatus(
        await tenant.call('POST', `/v3/webhooks/${id}/replay`, { notification_id: 'unknown', dry_run: true }),
        404,
      )
    })
  })

  test('the backlog is counted by state, and all of it can be delivered now to every active destination', async () => {
    await using receiver = await openReceiver(status(503, { 'retry-after': '3000' }))
    await using other = await openReceiver(status(503, { 'retry-after': '3000' }))
    await using paused = await openReceiver(status(503, { 'retry-after': '3000' }))
    const tenant = await setup.newTenant()
    const ids: string[] = []
    for (const each of [receiver, other, paused]) ids.push((await tenant.subscribe(each)).id)
    await tenant.tellMany(2)
    const backlog = (id = '') => tenant.data('GET', `/v3/webhooks/${id}/backlog`)
    for (const id of ids) {
      await until(async () => expect((await tenant.queue(id)).map((each) => each.attempts)).toEqual([1, 1]))
      const [first] = await tenant.queue(id)
      expect(await backlog(id)).toEqual({
        due: 0,
        later: 2,
        failed: 0,
        more: false,
        next_attempt_at: first?.next_attempt_at,
      })
    }
    await tenant.data('PUT', `/v3/webhooks/${ids[2]}`, { status: 'pause' })
    receiver.reply = ok
    other.reply = status(410)
    expect(await tenant.data('POST', '/v3/webhooks/deliver-now')).toEqual({ due: 4, more: false, destinations: 2 })
    await drained(tenant, ids[0] ?? '')
    await until(async () =>
      expect(await backlog(ids[1])).toEqual({ due: 0, later: 0, failed: 2, more: false, next_attempt_at: null }),
    )
    expect(await backlog(ids[2])).toMatchObject({ later: 2 })
    expect(await tenant.data('POST', '/v3/webhooks/deliver-now')).toEqual({ due: 0, more: false, destinations: 0 })
    expectStatus(await tenant.call('GET', '/v3/webhooks/unknown/backlog'), 404)
  })

  test('the log is filtered by trigger and grant, page by page', async () => {
    await using receiver = await openReceiver()
    const tenant = await setup.newTenant()
    const { id } = await tenant.subscribe(receiver, { trigger_types: ['event.created', 'calendar.created'] })
    for (const name of ['one', 'two', 'three']) {
      await tenant.data('POST', `/v3/grants/${tenant.grantId}/calendars`, { name })
      await tenant.tell(name)
    }
    await until(async () => expect(await tenant.attempts(id)).toHaveLength(6))
    const all = await tenant.attempts(id)
    const wanted = all.filter(({ type }) => type === 'calendar.created')
    expect(await tenant.attempts(id, '&trigger_types=calendar.created')).toEqual(wanted)
    expect(await tenant.attempts(id, `&grant_id=${tenant.grantId}`)).toEqual(all)
    expect(await tenant.attempts(id, '&grant_id=another')).toEqual([])
    const pages: Json[][] = []
    for (let token = ''; ; ) {
      const path = `/v3/webhooks/${id}/attempts?trigger_types=calendar.created&limit=1${token}`
      const { data, next_cursor } = expectStatus(await tenant.call('GET', path), 200).body
      pages.push(data)
      if (!next_cursor) break
      token = `&page_token=${next_cursor}`
    }
    expect(pages.flat()).toEqual(wanted)
    expectRefusal(await tenant.call('GET', `/v3/webhooks/${id}/attempts?trigger_types=no.trigger`))
  })

  describe('one attempt', () => {
    const detail = (tenant: Tenant, id: string, notification: string, query = '') =>
      tenant.call('GET', `/v3/webhooks/${id}/attempts/${notification}${query}`)

    test('has the request byte for byte as it arrived, including signatures, and a suggestion what to try next', async () => {
      await using receiver = await openReceiver(status(500, {}, '<b>out of order</b>'))
      const tenant = await setup.newTenant()
      const { id } = await tenant.subscribe(receiver)
      await tenant.tell('Ünïcode 会議')
      await until(async () => expect(await tenant.queue(id)).toMatchObject([{ attempts: 1 }]))
      const [arrival] = receiver.got
      if (!arrival) throw new Error('nothing arrived')
      const first = expectStatus(await detail(tenant, id, idOf(arrival)), 200).body.data
      expect(first).toMatchObject({ outcome: 'failed', status: 500, answer: '<b>out of order</b>', state: 'waiting' })
      expect(first.next_attempt_at).toBeGreaterThan(now())
      expect(first.request).toMatchObject({ method: 'POST', url: receiver.url, compressed: false, is_exact: true })
      expect(first.request.body).toBe(arrival.body.toString())
      const { host: _h, connection: _c, 'content-length': _l, ...sent } = arrival.headers
      expect(first.request.headers).toEqual(sent)
      expect(first.advice[0]).toContain('The receiver failed')
      expect(first.advice[1]).toContain('Deliver waiting now')
      receiver.reply = ok
      setup.pass(7 * second)
      await drained(tenant, id)
      const last = expectStatus(await detail(tenant, id, idOf(arrival)), 200).body.data
      expect(last).toMatchObject({ webhook_delivery_attempt: 2, outcome: 'delivered', state: 'delivered', advice: [] })
      expect(last.request.body).toBe(receiver.got[1]?.body.toString())
      expect(last.request.headers['webhook-signature']).toBe(receiver.got[1]?.headers['webhook-signature'])
      const again = expectStatus(await detail(tenant, id, idOf(arrival), '?attempt=1'), 200).body.data
      expect(again).toMatchObject({ webhook_delivery_attempt: 1, state: 'delivered', next_attempt_at: null })
      expect(again.advice[1]).toContain('A later attempt delivered it')
      expectStatus(await detail(tenant, id, idOf(arrival), '?attempt=3'), 404)
      expectStatus(await detail(tenant, id, 'unknown'), 404)
      expectStatus(await detail(await setup.newTenant(), id, idOf(arrival)), 404)
    })

    test('reports whether the destination has changed since, and shows the text of a compressed body', async () => {
      await using receiver = await openReceiver()
      const tenant = await setup.newTenant()
      const { id } = await tenant.subscribe(receiver, { compressed_delivery: true })
      await tenant.tell('Small')
      await until(async () => expect(await tenant.attempts(id)).toHaveLength(1))
      const [arrival] = receiver.got
      if (!arrival) throw new Error('nothing arrived')
      const { request } = expectStatus(await detail(tenant, id, idOf(arrival)), 200).body.data
      expect(request).toMatchObject({ compressed: true, is_exact: true })
      expect(JSON.parse(request.body)).toEqual(notificationOf(arrival))
      expect(request.headers['x-service-signature']).toBe(arrival.headers['x-service-signature'])
      setup.clock.advance(second)
      await tenant.data('POST', `/v3/webhooks/rotate-secret/${id}`)
      const later = expectStatus(await detail(tenant, id, idOf(arrival)), 200).body.data
      expect(later.request.is_exact).toBe(false)
    })
  })

  describe('a signature', () => {
    test('is reported as valid, of an older or another secret, for a changed body, or too old, without revealing a secret', async () => {
      await using receiver = await openReceiver()
      await using other = await openReceiver()
      const tenant = await setup.newTenant()
      const { id, webhook_secret: secret } = await tenant.subscribe(receiver)
      const { id: otherId } = await tenant.subscribe(other)
      await tenant.tell('Signed')
      await until(() => expect([...receiver.got, ...other.got]).toHaveLength(2))
      const [arrival] = receiver.got
      if (!arrival) throw new Error('nothing arrived')
      const headers = Object.fromEntries(Object.entries(arrival.headers).map(([name, value]) => [name, String(value)]))
      const body = arrival.body.toString()
      const verify = async (question: object, at = id) => {
        const answer = await tenant.call('POST', `/v3/webhooks/${at}/verify-signature`, question)
        expect(JSON.stringify(answer.body)).not.toContain(secret)
        return expectStatus(answer, 200).body.data
      }
      const resultOf = (verdict: Json, header: string) =>
        verdict.checks.find((each: Json) => each.header === header)?.result
      expect(await verify({ headers, body })).toMatchObject({
        valid: true,
        age_seconds: 0,
        too_old: false,
        checks: [
          { header: 'x-service-signature', result: 'valid' },
          { header: 'x-nylas-signature', result: 'valid' },
          { header: 'webhook-signature', result: 'valid' },
        ],
      })
      expect(await verify({ headers, body_base64: arrival.body.toString('base64') })).toMatchObject({ valid: true })
      const pretty = await verify({ headers, body: JSON.stringify(JSON.parse(body), null, 2) })
      expect(pretty).toMatchObject({ valid: false })
      expect(resultOf(pretty, 'webhook-signature')).toBe('body_changed')
      expect(pretty.explanation[0]).toContain('parsed and rewrote the body')
      expect(resultOf(await verify({ headers, body: `${body}\n` }), 'x-service-signature')).toBe('body_changed')
      const changed = await verify({ headers, body: body.replace('Signed', 'Forged') })
      expect(changed.checks.map((each: Json) => each.result)).toEqual(['wrong', 'wrong', 'wrong'])
      expect(changed.valid).toBe(false)
      expect(resultOf(await verify({ headers, body }, otherId), 'x-nylas-signature')).toBe('other_destination')
      const bare = await verify({ headers: { 'X-Service-Signature': headers['x-service-signature'] ?? '' }, body })
      expect(bare.checks.map((each: Json) => each.result)).toEqual(['valid', 'absent', 'absent'])
      expect(bare.explanation.join(' ')).toContain('covers the time')
      expect((await verify({ headers: {}, body })).explanation[0]).toContain('No headers were given')
      await tenant.data('POST', `/v3/webhooks/rotate-secret/${id}`)
      expect(resultOf(await verify({ headers, body }), 'x-service-signature')).toBe('valid_previous')
      setup.clock.advance(600 * second)
      expect(await verify({ headers, body })).toMatchObject({ valid: true, age_seconds: 600, too_old: true })
      expectRefusal(await tenant.call('POST', `/v3/webhooks/${id}/verify-signature`, { headers }))
      expectRefusal(
        await tenant.call('POST', `/v3/webhooks/${id}/verify-signature`, { headers, body, body_base64: '' }),
      )
      expectStatus(await tenant.call('POST', '/v3/webhooks/unknown/verify-signature', { headers, body }), 404)
    })
  })

  describe('a test event', () => {
    test('of every trigger matches its contract; a custom object is sent, and an invalid one is refused by field', async () => {
      await using receiver = await openReceiver()
      const tenant = await setup.newTenant()
      const { id, webhook_secret: secret } = await tenant.subscribe(receiver)
      const send = (body: object) => tenant.call('POST', '/v3/webhooks/send-test-event', body)
      const sample = async (trigger_type: string) =>
        (await tenant.data('POST', '/v3/webhooks/mock-payload', { trigger_type })).data.object
      const object = { ...(await sample('event.created')), title: 'My own' }
      expectStatus(await send({ trigger_type: 'event.created', webhook_id: id, object }), 200)
      expect(notificationOf(receiver.got[0] as never)).toMatchObject({
        type: 'event.created',
        source: '/google/events/realtime',
        data: { object: { title: 'My own' } },
      })
      const verdict = await tenant.data('POST', `/v3/webhooks/${id}/verify-signature`, {
        headers: receiver.got[0]?.headers,
        body: receiver.got[0]?.body.toString(),
      })
      expect(verdict.checks.map((each: Json) => each.result)).toEqual(['test_secret', 'test_secret', 'test_secret'])
      expectStatus(await send({ webhook_id: id, secret: 'destination' }), 200)
      const real = receiver.got[1]
      expect(notificationOf(real as never).source).toBe('/waypost/test')
      const at = Number(real?.headers['webhook-timestamp'])
      expect(new Webhook(secret).sign(idOf(real as never), new Date(at * 1000), real?.body.toString() ?? '')).toBe(
        real?.headers['webhook-signature'],
      )
      const wrong = await send({ trigger_type: 'event.created', webhook_id: id, object: { ...object, when: 'soon' } })
      expectRefusal(wrong)
      expect(Object.keys(wrong.body.error.validation_errors)).toEqual(['object.when'])
      expectRefusal(await send({ trigger_type: 'event.created' }))
      expectRefusal(await send({ webhook_id: id, webhook_url: receiver.url }))
      setup.clock.advance(60 * second)
      expectRefusal(await send({ webhook_url: receiver.url, secret: 'destination' }))
      expectStatus(await send({ webhook_id: 'unknown' }), 404)
      expect(receiver.got).toHaveLength(2)
    })
  })
})

test('the sample of every trigger is accepted as the object of a test event', async () => {
  const { testNotification } = await import('../../../src/webhooks/test-event.ts')
  const { sampleNotification } = await import('@waypost/contract')
  const facts = { id: 'id', time: 1, applicationId: 'a' }
  for (const trigger of [...triggerNames, 'message.created.metadata', 'event.created.truncated'] as const) {
    const { object } = sampleNotification(trigger, facts).data
    expect(testNotification({ trigger, object: object ?? {}, asReal: false }, facts).data.object).toEqual(object)
    expect(() => testNotification({ trigger, object: { id: 5 }, asReal: false }, facts), trigger).toThrow(/object/)
  }
})
