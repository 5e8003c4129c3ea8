/** Brokers that are killed: what a channel to each of them is, and what they have stored in the end. */
import { jetstreamManager } from '@nats-io/jetstream'
import { connect as connectNats } from '@nats-io/transport-node'
import { startNats } from '@waypost/testing/peers/nats'
import { startRabbit } from '@waypost/testing/peers/rabbitmq'
import amqplib, { type Channel, type ConsumeMessage } from 'amqplib'
import { startPubSub, startSns } from '../../../simulators/src/index.ts'
import { startSeveredPort } from './severed-port.ts'

/** One stored message. */
export interface Published {
  /** By which receivers recognize a repetition. */
  id: string
  body: string
}

export interface Broker extends AsyncDisposable {
  /** A channel to it: the body of the request that creates it. */
  readonly draft: object
  /** Settings of the nodes. */
  readonly settings: Record<string, string>
  kill(): Promise<void>
  start(): Promise<void>
  /** The number of stored messages. */
  count(): Promise<number>
  /** All stored messages, oldest first. */
  published(): Promise<Published[]>
}

const name = 'waypost'

export async function natsBroker(): Promise<Broker> {
  const server = await startNats()
  async function ask<T>(work: (manager: Awaited<ReturnType<typeof jetstreamManager>>) => Promise<T>): Promise<T> {
    const connection = await connectNats({ servers: `127.0.0.1:${server.port}` })
    try {
      return await work(await jetstreamManager(connection))
    } finally {
      await connection.close()
    }
  }
  await ask((manager) => manager.streams.add({ name, subjects: [name] }))
  return {
    draft: { servers: [server.url], subject: name },
    settings: {},
    kill: server.kill,
    start: server.start,
    count: () => ask(async (manager) => (await manager.streams.info(name)).state.messages),
    published: () =>
      ask(async (manager) => {
        const found: Published[] = []
        const { state } = await manager.streams.info(name)
        for (let seq = state.first_seq; seq <= state.last_seq; seq++) {
          const message = await manager.streams.getMessage(name, { seq })
          if (message) found.push({ id: message.header?.get('Nats-Msg-Id') ?? '', body: message.string() })
        }
        return found
      }),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

export async function amqpBroker(): Promise<Broker> {
  const server = await startRabbit()
  const { username, password, port } = server
  async function ask<T>(work: (channel: Channel) => Promise<T>): Promise<T> {
    const connection = await amqplib.connect({ hostname: '127.0.0.1', port, username, password })
    connection.on('error', () => undefined)
    try {
      return await work(await connection.createChannel())
    } finally {
      await connection.close()
    }
  }
  await ask((channel) => channel.assertQueue(name, { durable: true }))
  return {
    draft: { url: server.url, exchange: '', routing_key: name, username, password },
    settings: {},
    kill: server.kill,
    start: server.start,
    count: () => ask(async (channel) => (await channel.checkQueue(name)).messageCount),
    published: () =>
      ask(async (channel) => {
        const { messageCount } = await channel.checkQueue(name)
        const found: Published[] = []
        const all = Promise.withResolvers<void>()
        const take = (message: ConsumeMessage | null): void => {
          if (message) found.push({ id: message.properties.messageId, body: message.content.toString() })
          if (found.length >= messageCount) all.resolve()
        }
        if (messageCount === 0) return []
        await channel.consume(name, take)
        await all.promise
        return found
      }),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

export async function pubsubBroker(): Promise<Broker> {
  await using stack = new AsyncDisposableStack()
  const google = stack.use(await startPubSub())
  const port = stack.use(await startSeveredPort(google.url))
  const topic = 'projects/simulated-project/topics/notifications'
  google.addTopic(topic)
  const retained = stack.move()
  return {
    draft: { topic, credentials: JSON.stringify(google.addServiceAccount()) },
    settings: { WAYPOST_PUBSUB_URL: port.url },
    kill: port.sever,
    start: port.restore,
    count: async () => google.messages(topic).length,
    published: async () =>
      google.messages(topic).map(({ attributes, data }) => ({
        id: attributes.id ?? '',
        body: Buffer.from(data, 'base64').toString(),
      })),
    [Symbol.asyncDispose]: () => retained.disposeAsync(),
  }
}

/** A standard topic: one that is FIFO would drop the repetitions that are counted here. */
export async function snsBroker(): Promise<Broker> {
  await using stack = new AsyncDisposableStack()
  const amazon = stack.use(await startSns())
  const port = stack.use(await startSeveredPort(amazon.url))
  const topic = amazon.addTopic('notifications')
  const { accessKeyId: access_key_id, secretAccessKey: secret_access_key } = amazon.addUser()
  const retained = stack.move()
  return {
    draft: { topic, access_key_id, secret_access_key },
    settings: { WAYPOST_SNS_URL: port.url },
    kill: port.sever,
    start: port.restore,
    count: async () => amazon.messages(topic).length,
    published: async () =>
      amazon.messages(topic).map(({ attributes, message }) => ({ id: attributes.id?.value ?? '', body: message })),
    [Symbol.asyncDispose]: () => retained.disposeAsync(),
  }
}
