/** The states of a destination, end to end through the engine, with an e-mail at each step. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectStatus } from '../../conformance/accounts.ts'
import { enginesFor } from '../../harness.ts'
import { openServiceMail, type ServiceMail } from '../../peers/smtp-sink.ts'
import { sql } from '../../statement.ts'
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

  /** A destination whose every delivery failed once, and then again more than 15 minutes later: it is failing. */
  async function failing(name: string) {
    const receiver = await openReceiver(status(500))
    const tenant = await setup.newTenant()
    const addresses = [`ops@${name}.test`, `boss@${name}.test`]
    const url = `${receiver.url}/secret-path?token=hidden`
    // One mail for each address, also for one that stands there twice.
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
    /** The mails about it so far, by step and address. */
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

  test('active → failing → failed → active, with an e-mail to notification_email_addresses at each step', async () => {
    const { receiver, tenant, id, addresses, read, hasStatus, mails, hasMails } = await failing('steps')
    await using _ = receiver
    expect((await read()).status_updated_at).toBe(Math.floor(setup.clock.now() / 1000))
    const [first] = mails()
    expect(first?.mail.from?.value[0]?.address).toBe('system@waypost.test')
    expect(first?.mail.text).toContain(id)
    expect(first?.mail.text).toContain('/secret-path')
    expect(first?.mail.text).not.toContain('hidden')

    // Failing is still sent to, what is new too.
    await tenant.tell('while failing')
    await until(() => expect(receiver.got).toHaveLength(2 * many + 1))
    const tried = (often: number) =>
      until(async () => {
        const old = Array.from({ length: many }, () => often)
        const attempts = (await tenant.queue(id)).map((each) => each.attempts)
        expect(attempts.toSorted((a, b) => b - a)).toEqual([...old, often - 1])
      })
    await tried(2)

    // Not before 72 hours are over.
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

    // Failed: nothing is sent, what waited counts as failed, and what is new is not queued.
    await until(async () => {
      const states = (await tenant.queue(id)).map(({ state }) => state)
      expect(states).toEqual(Array.from({ length: many + 1 }, () => 'failed'))
    })
    const sent = receiver.got.length
    receiver.reply = ok
    await tenant.tell('while failed')
    setup.pass(24 * hour)
    await setup.looked()
    expect(receiver.got).toHaveLength(sent)
    expect(await tenant.queue(id)).toHaveLength(many + 1)
    expectStatus(await tenant.call('POST', `/v3/webhooks/${id}/replay`, { failed: true }), 409)

    // Only the client brings it back, and only when the listener answers the challenge.
    expect(await read()).toMatchObject({ status: 'failed' })
    receiver.answersChallenge = false
    expectStatus(await tenant.call('PUT', `/v3/webhooks/${id}`, { status: 'active' }), 400)
    expect(await read()).toMatchObject({ status: 'failed' })
    receiver.answersChallenge = true
    expect(await tenant.data('PUT', `/v3/webhooks/${id}`, { status: 'active' })).toMatchObject({ status: 'active' })
    await tenant.tell('afterwards')
    await until(() => expect(receiver.got).toHaveLength(sent + 1))
    await setup.looked()
    expect(receiver.got.slice(sent).map((arrival) => notificationOf(arrival).data.object)).toMatchObject([
      { title: 'afterwards' },
    ])

    // What failed is replayed with its ids; the attempts go on.
    const before = new Map(receiver.got.slice(0, sent).map((arrival) => [idOf(arrival), notificationOf(arrival)]))
    expect(await tenant.data('POST', `/v3/webhooks/${id}/replay`, { failed: true })).toEqual({ replayed: many + 1 })
    await until(async () => expect(await tenant.queue(id)).toEqual([]))
    const again = receiver.got.slice(sent + 1).map(notificationOf)
    expect(again).toHaveLength(many + 1)
    for (const { id, webhook_delivery_attempt: attempt } of again) {
      expect(attempt).toBe((before.get(id)?.webhook_delivery_attempt ?? 0) + 1)
    }
    expect(await read()).toMatchObject({ status: 'active' })
    // The client did the last step, so nobody is told of it.
    await setup.looked()
    expect(mails()).toHaveLength(2 * addresses.length)
  })

  test('failing and failed come when their time has come, though nothing is tried any more, with one e-mail each', async () => {
    // 410 ends the tries at once: no attempt will ever end again.
    await using receiver = await openReceiver(status(410))
    const tenant = await setup.newTenant()
    const { id } = await tenant.subscribe(receiver, { notification_email_addresses: ['ops@quiet.test'] })
    const subjects = () => subjectsOf(post.mails, 'ops@quiet.test')
    const hasStatus = (wanted: string) =>
      until(async () => expect(await tenant.data('GET', `/v3/webhooks/${id}`)).toMatchObject({ status: wanted }))
    await tenant.tellMany(many)
    await until(async () => expect(await tenant.attempts(id)).toHaveLength(many))
    await until(async () => {
      // A minute without work, and nobody has the destination any more.
      setup.pass(minute)
      const owner = sql<{ owner: string | null }>('', 'select owner from delivery_leases where webhook_id = $1')
      expect(await setup.service.services.database.get(owner, [id])).toEqual({ owner: null })
    })
    setup.pass(15 * minute)
    await hasStatus('failing')
    await until(() => expect(subjects()).toEqual(['Webhook destination is failing: 127.0.0.1']))
    setup.pass(71 * hour)
    await setup.looked()
    await hasStatus('failing')
    setup.pass(2 * hour)
    await hasStatus('failed')
    await until(() => expect(subjects()).toHaveLength(2))
    setup.pass(100 * hour)
    await setup.looked()
    expect(subjects()).toEqual([
      'Webhook destination is failing: 127.0.0.1',
      'Webhook destination has failed: 127.0.0.1',
    ])
    expect(receiver.got).toHaveLength(many)
  })

  test('failing → active when deliveries recover, with an e-mail', async () => {
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

  test('a destination that the client sets active while it is failing starts with a clean record', async () => {
    const { receiver, tenant, id, read, tried } = await failing('mended')
    await using _ = receiver
    await tenant.data('PUT', `/v3/webhooks/${id}`, { status: 'active' })
    setup.pass(30 * minute)
    await tried(3)
    await setup.looked()
    // Its attempts fail again, but 15 minutes of them must pass first.
    expect(await read()).toMatchObject({ status: 'active' })
  })

  test('a pause is the client’s: a failing destination that is paused stays paused', async () => {
    const { receiver, tenant, id, read } = await failing('paused')
    await using _ = receiver
    const sent = receiver.got.length
    await tenant.data('PUT', `/v3/webhooks/${id}`, { status: 'pause' })
    setup.pass(80 * hour)
    await setup.looked()
    expect(await read()).toMatchObject({ status: 'pause' })
    expect(receiver.got).toHaveLength(sent)
    expectStatus(await tenant.call('POST', `/v3/webhooks/${id}/replay`, { failed: true }), 409)
  })

  test('what is under way when a destination fails counts as failed too', async () => {
    const { receiver, tenant, id, hasStatus } = await failing('late')
    await using _ = receiver
    const held: (() => void)[] = []
    receiver.reply = (response, arrival, nth) => void held.push(() => status(500)(response, arrival, nth))
    setup.pass(71 * hour)
    await until(() => expect(held.length).toBeGreaterThan(0))
    // Its time comes before the answers do.
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
