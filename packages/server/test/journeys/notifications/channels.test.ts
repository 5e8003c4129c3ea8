/** Channels through the API, with a real nats-server as the broker. */
import { jetstreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import { beatNode } from '@waypost/store/tables/applications/nodes'
import { enginesFor } from '@waypost/testing/engines'
import { type NatsPeer, startNats } from '@waypost/testing/peers/nats'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openReceiver, openWebhookSetup, type Tenant, until, type WebhookSetup } from '../../webhooks/webhook-setup.ts'

const token = 'a-token-that-nobody-may-see'
let server: NatsPeer
const resources = new AsyncDisposableStack()

beforeAll(async () => {
  server = resources.use(await startNats({ authorization: `authorization { token: "${token}" }` }))
  await withStreams((manager) => manager.streams.add({ name: 'WAYPOST', subjects: ['waypost.>'] }))
})
afterAll(() => resources.disposeAsync())

async function withStreams<T>(work: (manager: Awaited<ReturnType<typeof jetstreamManager>>) => Promise<T>): Promise<T> {
  const connection = await connect({ servers: `127.0.0.1:${server.port}`, token })
  try {
    return await work(await jetstreamManager(connection))
  } finally {
    await connection.close()
  }
}

/** The notifications of a subject in the stream, oldest first. */
const published = (
  subject: string,
  stream = 'WAYPOST',
): Promise<{ id: string; grant_sequence: number; title: string }[]> =>
  withStreams(async (manager) => {
    const { state } = await manager.streams.info(stream)
    const found = []
    // A stream that was always empty begins and ends with 0, which is not a message.
    for (let seq = Math.max(1, state.first_seq); seq <= state.last_seq; seq++) {
      const message = await manager.streams.getMessage(stream, { seq })
      if (message?.subject !== subject) continue
      const { id, grant_sequence, data } = message.json<{
        id: string
        grant_sequence: number
        data: { object: { title: string } }
      }>()
      found.push({ id, grant_sequence, title: data.object.title })
    }
    return found
  })

describe.each(enginesFor(import.meta.url))('channels on %s', (engine) => {
  let setup: WebhookSetup
  let tenant: Tenant
  const at = '/v3/channels/nats'
  const draft = (subject: string, change: object = {}) => ({
    servers: [server.url],
    subject,
    trigger_types: ['event.created'],
    token,
    ...change,
  })

  beforeAll(async () => {
    setup = await openWebhookSetup({ engine })
    tenant = await setup.newTenant()
  })
  afterAll(() => setup[Symbol.asyncDispose]())

  test('are created after the broker was verified, and no response contains their credentials', async () => {
    const created = await tenant.call('POST', at, draft(`waypost.${engine}.first`, { description: 'First' }))
    expect(created.status, JSON.stringify(created.body)).toBe(200)
    const { id } = created.body.data
    expect(created.body.data).toMatchObject({
      status: 'active',
      has_credentials: true,
      subject: `waypost.${engine}.first`,
    })
    const read = await tenant.data('GET', `${at}/${id}`)
    const changed = await tenant.data('PUT', `${at}/${id}`, { description: 'Other' })
    const listed = await tenant.data('GET', at)
    expect(changed).toMatchObject({ description: 'Other', has_credentials: true })
    expect(listed).toEqual([changed])
    expect(JSON.stringify([created.body, read, changed, listed])).not.toContain(token)
    expect(await published(`waypost.${engine}.first`)).toEqual([])
    expect(await tenant.data('DELETE', `${at}/${id}`)).toEqual({ status: 'success' })
    expect((await tenant.call('GET', `${at}/${id}`)).status).toBe(404)
  })

  test.each([
    ['an unknown stream', { subject: 'elsewhere' }, 'unable.verify.subject'],
    ['a wrong token', { token: 'wrong' }, 'unable.verify.token'],
    ['a server that is down', { servers: ['nats://127.0.0.1:9'] }, 'unable.verify.servers : no response'],
  ])("are refused for %s, with the broker's error", async (_, change, words) => {
    const refused = await tenant.call('POST', at, draft(`waypost.${engine}.refused`, change))
    expect([refused.status, refused.body.error.type]).toEqual([400, '70005'])
    expect(refused.body.error.message).toContain(words)
    expect(JSON.stringify(refused.body)).not.toContain(token)
    expect(await tenant.data('GET', at)).toEqual([])
  })

  test('publish the notifications of a grant in order, and their log and replay are those of webhooks', async () => {
    const { id } = await tenant.data('POST', at, draft(`waypost.${engine}.order`))
    await tenant.tellMany(20)
    await until(async () => expect(await published(`waypost.${engine}.order`)).toHaveLength(20))
    const all = await published(`waypost.${engine}.order`)
    expect(all.map(({ title }) => title)).toEqual(Array.from({ length: 20 }, (_, n) => `Number ${n}`))
    expect(all.map(({ grant_sequence }) => grant_sequence)).toEqual(
      all.map(({ grant_sequence }) => grant_sequence).toSorted((a, b) => a - b),
    )
    await until(async () => expect(await tenant.attempts(id)).toHaveLength(20))
    const [newest] = await tenant.attempts(id)
    const detail = await tenant.data('GET', `/v3/webhooks/${id}/attempts/${newest.notification_id}`)
    expect(detail).toMatchObject({ state: 'delivered', request: { method: 'PUBLISH', headers: {} } })
    expect(JSON.stringify(detail)).not.toContain(token)
    // Within its deduplication window, the stream recognizes the repetition by the id and stores it once.
    expect(await tenant.data('POST', `/v3/webhooks/${id}/replay`, { notification_id: all[0]?.id })).toMatchObject({
      replayed: 1,
    })
    await until(async () => expect(await tenant.attempts(id)).toHaveLength(21))
    expect(await published(`waypost.${engine}.order`)).toHaveLength(20)
    await tenant.data('DELETE', `${at}/${id}`)
  })

  test('wait for a broker that was killed, lose nothing, and keep the order', async () => {
    const { id } = await tenant.data('POST', at, draft(`waypost.${engine}.outage`))
    await tenant.tell('before')
    await until(async () => expect(await published(`waypost.${engine}.outage`)).toHaveLength(1))
    await server.kill()
    await tenant.tellMany(10)
    await until(async () => expect((await tenant.attempts(id, '&outcome=failed')).length).toBeGreaterThan(0))
    await server.start()
    await until(async () => expect(await published(`waypost.${engine}.outage`)).toHaveLength(11))
    expect((await published(`waypost.${engine}.outage`)).map(({ title }) => title)).toEqual([
      'before',
      ...Array.from({ length: 10 }, (_, n) => `Number ${n}`),
    ])
    await until(async () => expect(await tenant.queue(id)).toEqual([]))
    await tenant.data('DELETE', `${at}/${id}`)
  })

  test('go on for other grants and triggers where one trigger has no subject', async () => {
    const name = `SPLIT-${engine}`
    const subject = `split.${engine}.event.created`
    await withStreams((manager) => manager.streams.add({ name, subjects: [subject] }))
    const other = await setup.service.createGrant(`${crypto.randomUUID()}@mail.test`, tenant.key)
    const calendar = await tenant.data('POST', `/v3/grants/${other.id}/calendars`, { name: 'Other' })
    const change = { trigger_types: ['event.updated', 'event.created'] }
    const { id } = await tenant.data('POST', at, draft(`split.${engine}.{type}`, change))
    const event = await tenant.tell('first')
    const place = `/v3/grants/${tenant.grantId}/events/${event.id}?calendar_id=${tenant.calendarId}`
    await tenant.data('PUT', place, { title: 'no stream takes this' })
    await tenant.tell('after it')
    await until(async () => expect(await tenant.attempts(id, '&outcome=failed')).not.toEqual([]))
    const when = { time: 1_800_000_000 }
    await tenant.data('POST', `/v3/grants/${other.id}/events?calendar_id=${calendar.id}`, { title: 'other', when })
    const titles = async () => (await published(subject, name)).map(({ title }) => title)
    await until(async () => expect(await titles()).toEqual(['first', 'other']))
    setup.pass(15_000)
    await until(async () => expect(await titles()).toEqual(['first', 'other', 'after it']))
    // It is tried again meanwhile.
    const failed = () => tenant.queue(id, '&state=failed')
    await until(async () => expect(await failed()).toMatchObject([{ type: 'event.updated' }]))
    await tenant.data('DELETE', `${at}/${id}`)
  })

  test('are not found as webhooks, nor webhooks as channels', async () => {
    await using receiver = await openReceiver()
    const channel = await tenant.data('POST', at, draft(`waypost.${engine}.apart`))
    const webhook = await tenant.subscribe(receiver)
    expect((await tenant.data('GET', '/v3/webhooks')).map(({ id }: { id: string }) => id)).toEqual([webhook.id])
    for (const [method, path] of [
      ['GET', `/v3/webhooks/${channel.id}`],
      ['DELETE', `/v3/webhooks/${channel.id}`],
      ['POST', `/v3/webhooks/rotate-secret/${channel.id}`],
      ['GET', `${at}/${webhook.id}`],
      ['DELETE', `${at}/${webhook.id}`],
      ['GET', `/v3/channels/amqp/${channel.id}`],
    ] as const) {
      expect([path, (await tenant.call(method, path)).status]).toEqual([path, 404])
    }
    await tenant.data('DELETE', `${at}/${channel.id}`)
    await tenant.data('DELETE', `/v3/webhooks/${webhook.id}`)
  })

  test('pause, and publish again from then on', async () => {
    const { id } = await tenant.data('POST', at, draft(`waypost.${engine}.pause`))
    expect(await tenant.data('PUT', `${at}/${id}`, { status: 'pause' })).toMatchObject({ status: 'pause' })
    await tenant.tell('missed')
    expect(await tenant.data('PATCH', `${at}/${id}`, { status: 'active' })).toMatchObject({ status: 'active' })
    await tenant.tell('seen')
    await until(async () =>
      expect((await published(`waypost.${engine}.pause`)).map(({ title }) => title)).toEqual(['seen']),
    )
    await tenant.data('DELETE', `${at}/${id}`)
  })

  test('are at most five of each transport', async () => {
    const other = await setup.newTenant()
    for (let n = 0; n < 5; n++) await other.data('POST', at, draft(`waypost.${engine}.many.${n}`))
    const sixth = await other.call('POST', at, draft(`waypost.${engine}.many.6`))
    expect([sixth.status, sixth.body.error.message]).toEqual([400, expect.stringContaining('which is the limit')])
  })

  test('of clouds without any credentials are refused with the field and the setting of the operator', async () => {
    const refused = await tenant.call('POST', '/v3/channels/pubsub', {
      topic: 'projects/my-project/topics/waypost',
      trigger_types: ['event.created'],
    })
    expect(refused.status).toBe(400)
    expect(refused.body.error.message).toMatch(/credentials.*WAYPOST_PUBSUB_CREDENTIALS/)
    const keyed = await tenant.call('POST', '/v3/channels/pubsub', {
      topic: 'projects/my-project/topics/waypost',
      trigger_types: ['event.created'],
      encryption_key: 'mine',
    })
    expect([keyed.status, keyed.body.error.message]).toEqual([400, expect.stringContaining('encryption_key')])
  })

  test('are not created while a node of an older version runs', async () => {
    const { database, clock } = setup.service.services.storage
    const node = { id: 'old-node', startedAt: 0, version: '1.2.0', host: 'web-1' }
    await beatNode(database, node, clock.now())
    const refused = await tenant.call('POST', at, draft(`waypost.${engine}.older`))
    expect([refused.status, refused.body.error.message]).toEqual([409, expect.stringContaining('web-1 (1.2.0)')])
  })
})
