/** Channels of all four transports through the API: refusals with their reasons, and a RabbitMQ that is killed. */
import { jetstreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import { type PubSubSimulator, type SnsSimulator, startPubSub, startSns } from '@waypost/simulators'
import { oneEngineFor } from '@waypost/testing/engines'
import { type NatsPeer, startNats } from '@waypost/testing/peers/nats'
import { type RabbitPeer, startRabbit } from '@waypost/testing/peers/rabbitmq'
import { testClock } from '@waypost/testing/test-clock'
import amqplib, { type Channel, type ConsumeMessage } from 'amqplib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ScriptedBroker, scriptedBroker } from '../../webhooks/transports/broker-setup.ts'
import { openWebhookSetup, type Tenant, until, type WebhookSetup } from '../../webhooks/webhook-setup.ts'

type Transport = 'pubsub' | 'sns' | 'nats' | 'amqp'

const transports: readonly Transport[] = ['pubsub', 'sns', 'nats', 'amqp']
const secret = 'a-secret-that-nobody-may-see'
const topic = 'projects/simulated-project/topics/waypost'
const queue = 'waypost'
const trigger_types = ['event.created']

describe.each(oneEngineFor(import.meta.url))('channels on %s', (engine) => {
  const clock = testClock()
  const resources = new AsyncDisposableStack()
  let setup: WebhookSetup
  let tenant: Tenant
  let google: PubSubSimulator
  let amazon: SnsSimulator
  let nats: NatsPeer
  let silent: ScriptedBroker
  /** RabbitMQ starts slowly, so only the tests that need it wait for it. */
  let starting: Promise<RabbitPeer>

  beforeAll(async () => {
    starting = startRabbit()
    starting.catch(() => undefined)
    resources.defer(async () => (await starting)[Symbol.asyncDispose]())
    google = resources.use(await startPubSub({ now: clock.now }))
    google.addTopic(topic)
    amazon = resources.use(await startSns({ now: clock.now }))
    nats = resources.use(await startNats({ authorization: `authorization { token: "${secret}" }` }))
    const connection = await connect({ servers: `127.0.0.1:${nats.port}`, token: secret })
    await (await jetstreamManager(connection)).streams.add({ name: 'WAYPOST', subjects: ['waypost'] })
    await connection.close()
    silent = resources.use(await scriptedBroker(() => undefined))
    const env = { WAYPOST_PUBSUB_URL: google.url, WAYPOST_SNS_URL: amazon.url }
    setup = resources.use(await openWebhookSetup({ engine, clock, env }))
    tenant = await setup.newTenant()
  })
  afterAll(() => resources.disposeAsync())

  const keyOf = ({ accessKeyId, secretAccessKey } = amazon.addUser()) => ({
    access_key_id: accessKeyId,
    secret_access_key: secretAccessKey,
  })
  const account = () => JSON.stringify(google.addServiceAccount())
  const create = (transport: Transport, body: object) =>
    tenant.call('POST', `/v3/channels/${transport}`, { trigger_types, ...body })

  async function withChannel<T>(work: (channel: Channel) => Promise<T>): Promise<T> {
    const { port, username, password } = await starting
    const connection = await amqplib.connect({ hostname: '127.0.0.1', port, username, password })
    connection.on('error', () => undefined)
    try {
      return await work(await connection.createChannel())
    } finally {
      await connection.close()
    }
  }

  async function rabbitDraft(change: object = {}) {
    const { url, username, password } = await starting
    await withChannel((channel) => channel.assertQueue(queue, { durable: true }))
    return { url, exchange: '', routing_key: queue, username, password, ...change }
  }

  /** The titles in the queue and the ids of the messages, oldest first. They stay there. */
  const stored = () =>
    withChannel(async (channel) => {
      const { messageCount } = await channel.checkQueue(queue)
      const found: { title: string; id: string }[] = []
      const all = Promise.withResolvers<void>()
      const take = (message: ConsumeMessage | null): void => {
        if (!message) return
        const { id, data } = JSON.parse(message.content.toString())
        expect(message.properties).toMatchObject({ messageId: id, type: 'event.created', deliveryMode: 2 })
        if (found.push({ title: data.object.title, id }) === messageCount) all.resolve()
      }
      if (messageCount === 0) return []
      await channel.consume(queue, take)
      await all.promise
      return found
    })

  test('are refused if the broker hangs while it is verified, with the field of its place', async () => {
    google.fail({ path: /testIamPermissions/ }, { hang: true })
    amazon.fail({ operation: 'GetTopicAttributes' }, { hang: true })
    const drafts: Record<Transport, object> = {
      pubsub: { topic, credentials: account() },
      sns: { topic: amazon.addTopic('hangs'), ...keyOf() },
      nats: { servers: [`nats://127.0.0.1:${silent.port}`], subject: 'waypost' },
      amqp: { url: `amqp://127.0.0.1:${silent.port}`, exchange: '', routing_key: queue },
    }
    const refused = await Promise.all(transports.map((transport) => create(transport, drafts[transport])))
    expect(refused.map(({ status, body }) => [status, body.error.type])).toEqual(transports.map(() => [400, '70005']))
    const fields = { pubsub: 'topic', sns: 'topic', nats: 'servers', amqp: 'url' }
    for (const [at, transport] of transports.entries()) {
      expect(refused[at]?.body.error.message).toMatch(
        new RegExp(
          `unable\\.verify\\.${fields[transport]} : no response .*(?:deadline|within|did not|no response)`,
          's',
        ),
      )
      expect(await tenant.data('GET', `/v3/channels/${transport}`)).toEqual([])
    }
  })

  test("are refused for an unknown place and for refused credentials, with the broker's error", async () => {
    const place = { servers: [nats.url], subject: 'unknown' }
    const removed = google.addServiceAccount()
    google.removeServiceAccount(removed.client_email)
    const known = amazon.addTopic('known')
    const cases: [Transport, object, RegExp][] = [
      ['pubsub', { topic: `${topic}-missing`, credentials: account() }, /verify\.topic : .*does not exist/],
      ['pubsub', { topic, credentials: JSON.stringify(removed) }, /verify\.credentials : .*invalid_grant/],
      ['sns', { topic: `${known}-missing`, ...keyOf() }, /verify\.topic : .*404 NotFound/],
      ['sns', { topic: known, ...keyOf(), secret_access_key: secret }, /verify\.secret_access_key : /],
      ['nats', { ...place, token: secret }, /verify\.subject : .*[Nn]o stream/],
      ['nats', { ...place, token: 'wrong' }, /verify\.token : .*Authorization Violation/],
      ['amqp', await rabbitDraft({ exchange: 'missing' }), /verify\.exchange : .*no exchange 'missing'/],
      ['amqp', await rabbitDraft({ password: secret }), /verify\.password : .*ACCESS_REFUSED/],
      ['amqp', await rabbitDraft({ exchange: '会'.repeat(100) }), /verify\.exchange : .*255 bytes/],
    ]
    for (const [transport, body, words] of cases) {
      const refused = await create(transport, body)
      expect([refused.status, refused.body.error.type], JSON.stringify(refused.body)).toEqual([400, '70005'])
      expect(refused.body.error.message).toMatch(words)
      expect(JSON.stringify(refused.body)).not.toContain(secret)
    }
    for (const transport of transports) expect(await tenant.data('GET', `/v3/channels/${transport}`)).toEqual([])
  })

  test('are refused for invalid fields before any connection to a broker', async () => {
    const cases: [Transport, object, string][] = [
      ['pubsub', { topic: 'notifications', credentials: '{}' }, 'topic'],
      ['pubsub', { topic, credentials: '{}' }, 'credentials'],
      ['sns', { topic: 'arn:aws:sqs:us-east-1:123456789012:queue' }, 'topic'],
      ['sns', { topic: amazon.addTopic('half'), access_key_id: 'AKIA' }, 'secret_access_key'],
      ['nats', { servers: [], subject: 'waypost' }, 'servers'],
      ['nats', { servers: [nats.url], subject: 'way*post' }, 'subject'],
      ['nats', { servers: [nats.url], subject: 'waypost', token: 'a', username: 'b', password: 'c' }, 'credentials'],
      ['amqp', { url: 'http://127.0.0.1', exchange: '', routing_key: queue }, 'url'],
      ['amqp', { url: 'amqp://127.0.0.1', exchange: '', routing_key: queue, username: 'a' }, 'password'],
    ]
    for (const [transport, body, field] of cases) {
      const refused = await create(transport, body)
      expect(refused.status, JSON.stringify(refused.body)).toBe(400)
      expect(refused.body.error.type).not.toBe('70005')
      expect(JSON.stringify(refused.body.error)).toContain(field)
    }
  })

  test('of another application look like missing ones', async () => {
    const other = await setup.newTenant()
    const drafts: [Transport, object][] = [
      ['pubsub', { topic, credentials: account() }],
      ['sns', { topic: amazon.addTopic('walls'), ...keyOf() }],
      ['nats', { servers: [nats.url], subject: 'waypost', token: secret }],
      ['amqp', await rabbitDraft()],
    ]
    for (const [transport, body] of drafts) {
      const created = await create(transport, body)
      expect(created.status, JSON.stringify(created.body)).toBe(200)
      const at = `/v3/channels/${transport}/${created.body.data.id}`
      const answers = [
        await other.call('GET', at),
        await other.call('PUT', at, { description: 'mine' }),
        await other.call('PUT', at, { status: 'active' }),
        await other.call('DELETE', at),
        await other.call('GET', `/v3/webhooks/${created.body.data.id}/deliveries`),
      ]
      expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404])
      expect(await tenant.data('GET', at)).toMatchObject({ description: '', status: 'active' })
      await tenant.data('DELETE', at)
    }
  })

  test('of AMQP wait for a RabbitMQ that was killed, lose nothing, and keep the order', async () => {
    const { username, password, ...draft } = await rabbitDraft()
    const url = draft.url.replace('//', `//${username}:${password}@`)
    const created = await create('amqp', { ...draft, url })
    expect(created.status, JSON.stringify(created.body)).toBe(200)
    const { id } = created.body.data
    expect(created.body.data).toMatchObject({ url: draft.url, has_credentials: true, status: 'active' })
    expect(JSON.stringify(created.body)).not.toContain(password)
    await tenant.tell('before')
    await until(async () => expect(await stored()).toHaveLength(1))
    const server = await starting
    await server.kill()
    await tenant.tellMany(10)
    await until(async () => expect((await tenant.attempts(id, '&outcome=failed')).length).toBeGreaterThan(0))
    await server.start()
    // A new address or password is tried at once, instead of after the pause of the channel.
    await tenant.data('PUT', `/v3/channels/amqp/${id}`, { url: `${draft.url}/%2f` })
    await until(async () => expect(await tenant.queue(id)).toEqual([]))
    const found = await stored()
    expect(found.map(({ title }) => title)).toEqual(['before', ...Array.from({ length: 10 }, (_, n) => `Number ${n}`)])
    expect(new Set(found.map((each) => each.id)).size).toBe(11)
    await tenant.data('DELETE', `/v3/channels/amqp/${id}`)
  }, 200_000)
})
