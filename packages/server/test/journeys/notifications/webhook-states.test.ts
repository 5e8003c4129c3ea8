/** The states of a destination, end to end through the delivery engine, with an e-mail at each change. */

import { enginesFor } from '@waypost/testing/engines'
import { openServiceMail, type ServiceMail } from '@waypost/testing/peers/smtp-sink'
import { sql } from '@waypost/testing/statement'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectStatus } from '../../conformance/accounts.ts'
import {
  idOf,
  notificationOf,
  ok,
  openReceiver,
  openWebhookSetup,
  status,
  until,
  type WebhookSetup,
} from '../../webhooks/webhook-setup.ts'

const minute = 60_000
const hour = 60 * minute

describe.each(enginesFor(import.meta.url))('states on %s', (engine) => {
  let setup: WebhookSetup
  let post: ServiceMail
  beforeAll(async () => {
    post = await openServiceMail('system@waypost.test')
    setup = await openWebhookSetup({ engine, env: post.env })
  })
  afterAll(async () => {
    await setup[Symbol.asyncDispose]()
    await post[Symbol.asyncDispose]()
  })

  const many = 12

  /** A destination whose every delivery failed once, and again more than 15 minutes later: it is failing. */
  async function failing(name: string) {
    const receiver = await openReceiver(status(500))
    const tenant = await setup.newTenant()
    const addresses = [`ops@${name}.test`, `boss@${name}.test`]
    const url = `${receiver.url}/secret-path?token=hidden`
    // One mail for each address, even if it is listed twice.
    const named = [...addresses, ...addresses.slice(0, 1)]
    const { id } = await tenant.subscribe(receiver, { notification_email_addresses: named, webhook_url: url })
    await tenant.tellMany(many)
    const tried = (attempts: number) =>
      until(async () => {
        const queue = await tenant.queue(id)
        expect(queue).toHaveLength(many)
        for (const each of queue) expect(each.attempts).toBe(attempts)
      })
    const read = () => tenant.data('GET', `/v3/webhooks/${id}`)
    const hasStatus = (wanted: string) => until(async () => expect(await read()).toMatchObject({ status: wanted }))
    /** The mails about the destination so far, by step and address. */
    const mails = () => post.mails.filter(({ to }) => addresses.includes(to))
    const hasMails = (count: number) => until(() => expect(mails()).toHaveLength(count * addresses.length))
    await tried(1)
    expect(await read()).toMatchObject({ status: 'active' })
    setup.pass(16 * minute)
    await tried(2)
    await hasStatus('failing')
    await hasMails(1)
    return { receiver, tenant, id, addresses, tried, read, hasStatus, mails, hasMails }
  }
  const subjectsOf = (mails: ServiceMail['mails'], to: string) =>
    mails.filter((each) => each.to === to).map(({ mail }) => mail.subject)

  test('active → failing → failed → active sends an e-mail to notification_email_addresses at each step', async () => {
    const { receiver, tenant, id, addresses, read, hasStatus, mails, hasMails } = await failing('steps')
    await using _ = receiver
    expect((await read()).status_updated_at).toBe(Math.floor(setup.clock.now() / 1000))
    const [first] = mails()
    expect(first?.mail.from?.value[0]?.address).toBe('system@waypost.test')
    expect(first?.mail.text).toContain(id)
    expect(first?.mail.text).toContain('/secret-path')
    expect(first?.mail.text).not.toContain('hidden')

    // A failing destination still gets deliveries, including new ones.
    await tenant.tell('while failing')
    await until(() => expect(receiver.got).toHaveLength(2 * many + 1))
    const tried = (often: number) =>
      until(async () => {
        const old = Array.from({ length: many }, () => often)
        const attempts = (await tenant.queue(id)).map((each) => each.attempts)
        expect(attempts.toSorted((a, b) => b - a)).toEqual([...old, often - 1])
      })
    await tried(2)

    // Not before 72 hours have passed.
    setup.pass(71 * hour)
    await tried(3)
    expect(await read()).toMatchObject({ status: 'failing' })
    setup.pass(2 * hour)
    await hasStatus('failed')
    await hasMails(2)
    for (const to of addresses) {
      expect(subjectsOf(mails(), to)).toEqual([
        'Webhook destination is failing: 127.0.0.1',
        'Webhook destination has failed: 127.0.0.1',
      ])
    }

    // A failed destination gets nothing. Waiting deliveries count as failed, and new notifications are not queued.
    await until(async () => {
      const states = (await tenant.queue(id)).map(({ state }) => state)
      expect(states).toEqual(Array.from({ length: many + 1 }, () => 'failed'))
    })
    const sent = receiver.got.length
    receiver.reply = ok
    await tenant.tell('while failed')
    setup.pass(24 * hour)
    await setup.polled()
    expect(receiver.got).toHaveLength(sent)
    expect(await tenant.queue(id)).toHaveLength(many + 1)
    expectStatus(await tenant.call('POST', `/v3/webhooks/${id}/replay`, { failed: true }), 409)

    // Only the client can activate it again, and only if the listener answers the challenge.
    expect(await read()).toMatchObject({ status: 'failed' })
    receiver.answersChallenge = false
    expectStatus(await tenant.call('PUT', `/v3/webhooks/${id}`, { status: 'active' }), 400)
    expect(await read()).toMatchObject({ status: 'failed' })
    receiver.answersChallenge = true
    expect(await tenant.data('PUT', `/v3/webhooks/${id}`, { status: 'active' })).toMatchObject({ status: 'active' })
    await tenant.tell('afterwards')
    await until(() => expect(receiver.got).toHaveLength(sent + 1))
    await setup.polled()
    expect(receiver.got.slice(sent).map((arrival) => notificationOf(arrival).data.object)).toMatchObject([
      { title: 'afterwards' },
    ])

    // Failed deliveries are replayed with their ids; the attempt count continues.
    const before = new Map(receiver.got.slice(0, sent).map((arrival) => [idOf(arrival), notificationOf(arrival)]))
    expect(await tenant.data('POST', `/v3/webhooks/${id}/replay`, { failed: true })).toEqual({ replayed: many + 1 })
    await until(async () => expect(await tenant.queue(id)).toEqual([]))
    const again = receiver.got.slice(sent + 1).map(notificationOf)
    expect(again).toHaveLength(many + 1)
    for (const { id, webhook_delivery_attempt: attempt } of again) {
      expect(attempt).toBe((before.get(id)?.webhook_delivery_attempt ?? 0) + 1)
    }
    expect(await read()).toMatchObject({ status: 'active' })
    // The client made the last change itself, so no mail is sent.
    await setup.polled()
    expect(mails()).toHaveLength(2 * addresses.length)
  })

  test('failing and failed are set at their time without any further attempt, with one e-mail each', async () => {
    // 410 ends the attempts immediately: no further attempt will complete.
    await using receiver = await openReceiver(status(410))
    const tenant = await setup.newTenant()
    const { id } = await tenant.subscribe(receiver, { notification_email_addresses: ['ops@quiet.test'] })
    const subjects = () => subjectsOf(post.mails, 'ops@quiet.test')
    const hasStatus = (wanted: string) =>
      until(async () => expect(await tenant.data('GET', `/v3/webhooks/${id}`)).toMatchObject({ status: wanted }))
    await tenant.tellMany(many)
    await until(async () => expect(await tenant.attempts(id)).toHaveLength(many))
    await until(async () => {
      // After a minute without work, no node has a lease on the destination.
      setup.pass(minute)
      const owner = sql<{ owner: string | null }>('', 'select owner from delivery_leases where webhook_id = $1')
      expect(await setup.service.services.storage.database.get(owner, [id])).toEqual({ owner: null })
    })
    setup.pass(15 * minute)
    await hasStatus('failing')
    await until(() => expect(subjects()).toEqual(['Webhook destination is failing: 127.0.0.1']))
    setup.pass(71 * hour)
    await setup.polled()
    await hasStatus('failing')
    setup.pass(2 * hour)
    await hasStatus('failed')
    await until(() => expect(subjects()).toHaveLength(2))
    setup.pass(100 * hour)
    await setup.polled()
    expect(subjects()).toEqual([
      'Webhook destination is failing: 127.0.0.1',
      'Webhook destination has failed: 127.0.0.1',
    ])
    expect(receiver.got).toHaveLength(many)
  })

  test('failing → active sends an e-mail when deliveries recover', async () => {
    const { receiver, tenant, id, addresses, hasStatus, mails, hasMails } = await failing('recovery')
    await using _ = receiver
    receiver.reply = ok
    setup.pass(30 * minute)
    await until(async () => expect(await tenant.queue(id)).toEqual([]))
    await hasStatus('active')
    await hasMails(2)
    for (const to of addresses) {
      expect(subjectsOf(mails(), to)).toEqual([
        'Webhook destination is failing: 127.0.0.1',
        'Webhook destination has recovered: 127.0.0.1',
      ])
    }
    await tenant.tell('afterwards')
    await until(() =>
      expect(receiver.got.map(notificationOf).at(-1)?.data.object).toMatchObject({ title: 'afterwards' }),
    )
  })

  test('a failing destination that the client sets active starts with a clean record', async () => {
    const { receiver, tenant, id, read, tried } = await failing('mended')
    await using _ = receiver
    await tenant.data('PUT', `/v3/webhooks/${id}`, { status: 'active' })
    setup.pass(30 * minute)
    await tried(3)
    await setup.polled()
    // Its attempts fail again, but 15 minutes of failures must pass first.
    expect(await read()).toMatchObject({ status: 'active' })
  })

  test('a failing destination that the client pauses stays paused', async () => {
    const { receiver, tenant, id, read } = await failing('paused')
    await using _ = receiver
    const sent = receiver.got.length
    await tenant.data('PUT', `/v3/webhooks/${id}`, { status: 'pause' })
    setup.pass(80 * hour)
    await setup.polled()
    expect(await read()).toMatchObject({ status: 'pause' })
    expect(receiver.got).toHaveLength(sent)
    expectStatus(await tenant.call('POST', `/v3/webhooks/${id}/replay`, { failed: true }), 409)
  })

  test('deliveries in progress when a destination fails count as failed too', async () => {
    const { receiver, tenant, id, hasStatus } = await failing('late')
    await using _ = receiver
    const held: (() => void)[] = []
    receiver.reply = (response, arrival, nth) => void held.push(() => status(500)(response, arrival, nth))
    setup.pass(71 * hour)
    await until(() => expect(held.length).toBeGreaterThan(0))
    // The deadline passes before the responses arrive.
    setup.pass(2 * hour)
    await hasStatus('failed')
    for (const fail of held) fail()
    await until(async () => {
      const states = (await tenant.queue(id)).map(({ state }) => state)
      expect(states).toEqual(Array.from({ length: many }, () => 'failed'))
    })
    expect(await tenant.queue(id, '&state=waiting')).toEqual([])
  })
})
