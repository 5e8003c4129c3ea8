/** AMQP 0-9-1 as a transport, against a real RabbitMQ and against scripted brokers. */
import { gunzipSync, gzipSync } from 'node:zlib'
import { createEgress, EgressError } from '@waypost/platform/egress/egress'
import { type RabbitPeer, startRabbit } from '@waypost/testing/peers/rabbitmq'
import amqplib, { type Channel, type ChannelModel, type GetMessage } from 'amqplib'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { amqp, amqpServer } from '../../../src/webhooks/transports/amqp/amqp.ts'
import { connected, publishing, scriptedAmqp, shown } from './amqp-setup.ts'
import { brokerTools, message, outcomeOf, scriptedBroker } from './broker-setup.ts'

let server: RabbitPeer
let all: { username: string; password: string }
const narrow = { username: 'narrow', password: 'secret' }
const resources = new AsyncDisposableStack()
const { tools } = resources.use(brokerTools())
const settings = (change: object = {}) => ({
  url: server.url,
  exchange: 'notifications',
  routing_key: 'waypost.{type}',
  ...change,
})

const definitions = {
  vhosts: [{ name: '/' }],
  users: [
    { name: 'waypost', password: 'secret-rabbit', tags: ['administrator'] },
    { name: narrow.username, password: narrow.password, tags: [] },
  ],
  permissions: [
    { user: 'waypost', vhost: '/', configure: '.*', write: '.*', read: '.*' },
    { user: narrow.username, vhost: '/', configure: '', write: 'elsewhere', read: '' },
  ],
}

/** Runs `work` with a separate channel. */
async function withChannel<T>(work: (channel: Channel, connection: ChannelModel) => Promise<T>): Promise<T> {
  const connection = await amqplib.connect({ hostname: '127.0.0.1', port: server.port, ...all })
  connection.on('error', () => undefined)
  try {
    return await work(await connection.createChannel(), connection)
  } finally {
    await connection.close()
  }
}

/** The next message of the queue. */
async function next(): Promise<GetMessage> {
  const found = await withChannel((channel) => channel.get('stored', { noAck: true }))
  if (!found) throw new Error('the queue is empty')
  return found
}
const count = () => withChannel(async (channel) => (await channel.checkQueue('stored')).messageCount)

beforeAll(async () => {
  server = resources.use(await startRabbit({ settings: 'max_message_size = 100000', definitions }))
  all = { username: server.username, password: server.password }
  await withChannel(async (channel) => {
    await channel.assertExchange('notifications', 'topic', { durable: true })
    await channel.assertQueue('stored', { durable: true })
    await channel.bindQueue('stored', 'notifications', 'waypost.#')
  })
}, 200_000)
afterAll(() => resources.disposeAsync())

describe('verification', () => {
  test('accepts an exchange or a queue to which the user may publish, and publishes nothing', async () => {
    await amqp.verify(settings(), all, tools)
    await amqp.verify(settings({ exchange: '', routing_key: 'stored' }), all, tools)
    await amqp.verify(settings({ url: `${server.url}/%2f` }), all, tools)
    expect(await count()).toBe(0)
  })

  const wrong = { username: 'waypost', password: 'wrong' }
  test.each([
    ['an unknown exchange', { exchange: 'other' }, undefined, 'exchange', /404 NOT_FOUND - no exchange 'other'/],
    ['an unknown queue', { exchange: '', routing_key: 'other' }, undefined, 'routing_key', /no queue 'other'/],
    ['a wrong password', {}, wrong, 'password', /403 ACCESS_REFUSED/],
    ['a missing right', {}, narrow, 'exchange', /403 ACCESS_REFUSED.*exchange 'notifications'/],
    ['an unknown virtual host', { url: 'vhost' }, undefined, 'url', /vhost other not found/],
    ['an exchange with too many bytes', { exchange: '会'.repeat(100) }, undefined, 'exchange', /more than 255 bytes/],
    ['a key with too many bytes', { routing_key: `${'x'.repeat(200)}{type}` }, undefined, 'routing_key', /shorter/],
    ['a URL with a password', { url: 'amqp://a:b@127.0.0.1' }, undefined, 'url', /amqps:\/\/host/],
  ])('names the field of %s', async (_, change, credentials, field, words) => {
    const there = settings(change)
    const place = there.url === 'vhost' ? { ...there, url: `${server.url}/other` } : there
    const refused = amqp.verify(place, credentials ?? all, tools)
    await expect(refused).rejects.toMatchObject({ name: 'TransportRefusal', field, message: words })
  })
})

describe('a message', () => {
  test('is stored durably under its id, with its type, grant and encoding, and the key of its type', async () => {
    using transport = amqp.open(settings(), all, tools)
    const body = gzipSync('{"id":"n-1"}')
    const sent = message('n-1', { type: 'event.created', body, compressed: true, attempt: 3 })
    expect((await transport.send(sent)).status).toBe(200)
    const { content, fields, properties } = await next()
    expect(gunzipSync(content).toString()).toBe('{"id":"n-1"}')
    expect(fields).toMatchObject({ exchange: 'notifications', routingKey: 'waypost.event.created' })
    expect(properties).toMatchObject({
      messageId: 'n-1',
      type: 'event.created',
      contentType: 'application/json',
      contentEncoding: 'gzip',
      deliveryMode: 2,
      timestamp: 1_800_000_000,
      headers: { 'waypost-grant-id': 'grant-1', 'waypost-attempt': 3 },
    })
  })

  test('without compression has no encoding, and survives a body of many frames and one without bytes', async () => {
    using transport = amqp.open(settings({ exchange: '', routing_key: 'stored' }), all, tools)
    const bodies = [Buffer.from('{}'), Buffer.alloc(99_000, 'x'), Buffer.alloc(0)]
    for (const body of bodies) {
      expect((await transport.send(message('plain', { body }))).status).toBe(200)
      const { content, properties } = await next()
      expect([content.equals(body), properties.contentEncoding]).toEqual([true, undefined])
    }
  })

  test('and others that are sent at the same time are each confirmed once', async () => {
    using transport = amqp.open(settings(), all, tools)
    const ids = Array.from({ length: 100 }, (_, n) => `many-${n}`)
    const answers = await Promise.all(ids.map((id) => transport.send(message(id, { grantId: id }))))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    const stored = await withChannel(async (channel) => {
      const found: string[] = []
      for (let each = await channel.get('stored', { noAck: true }); each; ) {
        found.push(each.properties.messageId)
        each = await channel.get('stored', { noAck: true })
      }
      return found
    })
    expect(stored).toEqual(ids)
  })

  test('without a queue is returned, and a queue that is bound later gets the next one', async () => {
    using transport = amqp.open(settings({ routing_key: 'unbound' }), all, tools)
    const { status, answer } = await transport.send(message('returned'))
    expect([status, `${answer}`]).toEqual([404, expect.stringContaining('312 NO_ROUTE')])
    // With a routing key for each type, this shows nothing about other types.
    using byType = amqp.open(settings({ routing_key: 'unbound.{type}' }), all, tools)
    expect(await outcomeOf(byType.send(message('of a type')))).toBe(410)
    await withChannel((channel) => channel.bindQueue('stored', 'notifications', 'unbound'))
    expect(await outcomeOf(transport.send(message('bound')))).toBe(200)
    expect((await next()).properties.messageId).toBe('bound')
  })

  const wrong = { username: 'waypost', password: 'wrong' }
  test.each([
    ['its exchange does not exist', { exchange: 'other' }, undefined, 404],
    ['the credentials are refused', {}, wrong, 403],
    ['the user may not publish', {}, narrow, 403],
    ['the virtual host does not exist', { url: 'vhost' }, undefined, 404],
  ])('is refused if %s', async (_, change, credentials, status) => {
    const there = settings(change)
    const place = there.url === 'vhost' ? { ...there, url: `${server.url}/other` } : there
    using transport = amqp.open(place, credentials ?? all, tools)
    expect(await outcomeOf(transport.send(message('refused')))).toBe(status)
    expect(await outcomeOf(transport.send(message('refused')))).toBe(status)
  })

  test('that exceeds the limit of the server is refused, and those that waited with it are not', async () => {
    using transport = amqp.open(settings(), all, tools)
    await transport.send(message('first'))
    const large = transport.send(message('large', { body: Buffer.alloc(100_001) }))
    const others = ['a', 'b'].map((id) => outcomeOf(transport.send(message(id, { grantId: id }))))
    const { status, answer } = await large
    expect([status, `${answer}`]).toEqual([413, expect.stringContaining('larger than')])
    expect(await Promise.all(others)).toEqual(['protocol_error', 'protocol_error'])
    expect(await outcomeOf(transport.send(message('a')))).toBe(200)
    await withChannel((channel) => channel.purgeQueue('stored'))
  })

  test('signs in over TLS with a certificate of the given authority only', async () => {
    await using trusting = brokerTools(server.ca)
    const secure = settings({ url: server.tlsUrl })
    using transport = amqp.open(secure, all, trusting.tools)
    expect(await outcomeOf(transport.send(message('secure')))).toBe(200)
    expect((await next()).properties.messageId).toBe('secure')
    await expect(amqp.verify(secure, all, tools)).rejects.toMatchObject({ reason: 'tls_failed' })
    // Plain text on the port of TLS, and TLS on the plain port.
    const plain = settings({ url: `amqp://localhost:${server.tlsPort}` })
    await expect(amqp.verify(plain, all, trusting.tools)).rejects.toMatchObject({ name: 'EgressError' })
    const mixed = settings({ url: `amqps://localhost:${server.port}` })
    await expect(amqp.verify(mixed, all, trusting.tools)).rejects.toMatchObject({ reason: 'tls_failed' })
  })

  // The last test, because a restart takes seconds. The journey of AMQP channels restarts the broker.
  test('in progress fails as unreachable when the broker is killed', async () => {
    using transport = amqp.open(settings(), all, tools)
    expect(await outcomeOf(transport.send(message('before')))).toBe(200)
    server.freeze()
    const waiting = outcomeOf(transport.send(message('waiting')))
    await server.kill()
    expect(await waiting).toBe('protocol_error')
    // The end of the previous connection may arrive during the next send.
    await vi.waitFor(async () => expect(await outcomeOf(transport.send(message('down')))).toBe('connect_failed'))
  })
})

describe('a broker that a client named', () => {
  const at = (port: number) => ({ url: `amqp://127.0.0.1:${port}`, exchange: 'x', routing_key: 'y' })
  const openAt = (port: number) => amqp.open(at(port), {}, tools)

  test('that disconnects between publish and confirm fails all that waits, and the next send connects again', async () => {
    let isUp = false
    await using broker = await scriptedAmqp((say, end) => (isUp ? say(shown.ack(1)) : end()))
    using transport = openAt(broker.port)
    const both = ['a', 'b'].map((id) => outcomeOf(transport.send(message(id))))
    expect(await Promise.all(both)).toEqual(['protocol_error', 'protocol_error'])
    isUp = true
    expect(await outcomeOf(transport.send(message('a')))).toBe(200)
    expect(broker.connections).toBe(2)
  })

  test('that never confirms fails what waits at its deadline', async () => {
    await using broker = await scriptedAmqp(() => undefined)
    const connection = await connected(broker.port, tools)
    const waiting = connection.publish(publishing('a'), performance.now())
    await expect(waiting).rejects.toMatchObject({ reason: 'timeout' })
    expect(connection.isOpen).toBe(false)
  })

  test('confirms several messages at once, refuses others, and returns one before its confirmation', async () => {
    let published = 0
    await using broker = await scriptedAmqp((say) => {
      published += 1
      if (published < 5) return
      say(shown.returned('d', Buffer.from('body')), shown.acks(3), shown.ack(4), shown.nack(5))
    })
    using transport = openAt(broker.port)
    const all = ['a', 'b', 'c', 'd', 'e'].map((id) => outcomeOf(transport.send(message(id))))
    expect(await Promise.all(all)).toEqual([200, 200, 200, 404, 503])
  })

  test('that is short of memory gets no more messages on the same connection until it has recovered', async () => {
    let published = 0
    await using broker = await scriptedAmqp((say) =>
      say(published++ === 0 ? shown.blocked('low on memory') : shown.ack(2)),
    )
    const connection = await connected(broker.port, tools)
    const until = performance.now() + 10_000
    const refused = { status: 503, message: expect.stringContaining('low on memory') }
    await expect(connection.publish(publishing('a'), until)).rejects.toMatchObject(refused)
    await expect(connection.publish(publishing('a'), until)).rejects.toMatchObject(refused)
    expect([published, connection.isOpen, connection.isBusy]).toEqual([1, true, true])
    broker.say(shown.unblocked)
    await expect.poll(() => connection.isBusy).toBe(false)
    await expect(connection.publish(publishing('a'), until)).resolves.toBeUndefined()
    connection.close(new EgressError('aborted', 'the test is over'))
  })

  test('exchanges heartbeats, and is disconnected when they stop', async () => {
    await using lively = await scriptedAmqp(() => undefined, { heartbeat: 1 })
    const connection = await connected(lively.port, tools)
    await expect.poll(() => lively.heartbeats).toBeGreaterThan(1)
    await expect.poll(() => connection.isOpen).toBe(false)
  })

  test.each([
    ['an endless frame', Buffer.from([1, 0, 1, 0xff, 0xff, 0xff, 0xff])],
    ['a frame without an end', Buffer.from([8, 0, 0, 0, 0, 0, 0, 0])],
    ['a frame of an unknown type', Buffer.from([7, 0, 0, 0, 0, 0, 0, 0xce])],
    ['a method that is cut off', Buffer.from([1, 0, 1, 0, 0, 0, 5, 0, 60, 0, 80, 0, 0xce])],
    ['an unknown method', shown.method(1, 60, 60)],
    ['the body of no message', Buffer.from([3, 0, 1, 0, 0, 0, 1, 0, 0xce])],
    [
      'a returned message without properties',
      Buffer.concat([shown.noRoute, shown.ack(1), shown.body(Buffer.from('x'))]),
    ],
    ['another protocol', Buffer.from('HTTP/1.1 200 OK\r\n\r\n')],
    ['another version of the protocol', Buffer.from('AMQP\0\x01\x00\x00')],
  ])('that sends %s is disconnected', async (_, bytes) => {
    await using broker = await scriptedAmqp((say) => say(bytes))
    using transport = openAt(broker.port)
    const sent = outcomeOf(transport.send(message('a')))
    const next = outcomeOf(transport.send(message('b')))
    expect(await next).toBe('protocol_error')
    expect([404, 'protocol_error', 200]).toContain(await sent)
  })

  test('that requests responses and reads none is disconnected', async () => {
    await using broker = await scriptedAmqp((say, _, socket) => {
      socket.pause()
      const flood = Buffer.concat(Array.from({ length: 5_000 }, () => shown.flow))
      const more = (): void => {
        while (!socket.destroyed && say(flood));
        if (!socket.destroyed) socket.once('drain', more)
      }
      more()
    })
    const connection = await connected(broker.port, tools)
    const waiting = connection.publish(publishing('a'), performance.now() + 10_000)
    await expect(waiting).rejects.toBeDefined()
    await expect.poll(() => connection.isOpen).toBe(false)
  })

  test.each([
    ['frames of 8 bytes', { frameMax: 8 }],
    ['frames of 1 byte', { frameMax: 1 }],
  ])('that allows only %s is refused', async (_, tune) => {
    await using broker = await scriptedAmqp((say) => say(shown.ack(1)), tune)
    using transport = openAt(broker.port)
    expect(await outcomeOf(transport.send(message('a')))).toBe('protocol_error')
  })

  test('that hangs during the sign-in is reported as a timeout, not as a refused password', async () => {
    await using silent = await scriptedBroker(() => undefined)
    const signal = AbortSignal.timeout(200)
    await expect(amqp.verify(at(silent.port), {}, { ...tools, signal })).rejects.toMatchObject({ reason: 'timeout' })
    await using rude = await scriptedBroker((socket) => socket.end())
    await expect(amqp.verify(at(rude.port), {}, tools)).rejects.toMatchObject({ reason: 'protocol_error' })
    await using web = await scriptedBroker((socket) => socket.write('HTTP/1.1 400 Bad Request\r\n\r\n'))
    await expect(amqp.verify(at(web.port), {}, tools)).rejects.toMatchObject({
      reason: 'protocol_error',
      message: expect.stringContaining('does not respond like a broker of AMQP 0-9-1'),
    })
  })

  test('needs TLS, a public address and a port of brokers in mode public', async () => {
    await using egress = createEgress({
      mode: 'public',
      resolve: async () => [{ address: '93.184.216.34', family: 4 }],
    })
    const send = (url: string) => outcomeOf(amqp.open({ ...at(1), url }, {}, { ...tools, egress }).send(message('a')))
    expect(await send('amqp://broker.example.com')).toBe('refused_url')
    expect(await send('amqps://broker.example.com:22')).toBe('refused_port')
    expect(await send('amqps://127.0.0.1')).toBe('refused_address')
    expect(await send('amqps://[::1]:5671')).toBe('refused_address')
  })
})

test('the virtual host of a URL is decoded, and is / if there is none', () => {
  const vhost = (url: string) => amqpServer(url)?.vhost
  expect([vhost('amqp://h'), vhost('amqp://h/'), vhost('amqp://h/%2f'), vhost('amqps://h/a%20b')]).toEqual([
    '/',
    '/',
    '/',
    'a b',
  ])
  expect([vhost('amqp://h/%zz'), vhost(`amqp://h/${'x'.repeat(256)}`), vhost('http://h'), vhost('amqp://u@h')]).toEqual(
    [undefined, undefined, undefined, undefined],
  )
})
