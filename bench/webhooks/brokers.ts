/** The brokers of the benchmark: real ones for NATS and AMQP, simulators for the clouds. */
import { setTimeout as sleep } from 'node:timers/promises'
import { jetstreamManager } from '@nats-io/jetstream'
import { connect as connectNats } from '@nats-io/transport-node'
import { startNats } from '@waypost/testing/peers/nats'
import { startRabbit } from '@waypost/testing/peers/rabbitmq'
import { connect as connectAmqp } from 'amqplib'
import { startChild } from './child.ts'
import type { PubSubPlace, SnsPlace } from './clouds.ts'
import type { Publishing } from './publishers.ts'

export interface Broker extends AsyncDisposable {
  name: string
  transport: 'nats' | 'amqp' | 'pubsub' | 'sns'
  /** The place and the credentials in a request that creates a channel. */
  draft: object
  /** Settings of the node. */
  settings: Record<string, string>
  /** What the floors publish with, by name. */
  floors: Record<string, Publishing>
  clear(): Promise<unknown>
  /** The number of messages since it was cleared. */
  count(): Promise<number>
}

/** Resolves when the broker has this many messages. */
export async function hasAll(broker: Broker, count: number): Promise<void> {
  while ((await broker.count()) < count) await sleep(10)
}

async function nats(): Promise<Broker> {
  await using stack = new AsyncDisposableStack()
  const peer = stack.use(await startNats())
  const connection = stack.adopt(await connectNats({ servers: `127.0.0.1:${peer.port}` }), (open) => open.close())
  const { streams } = await jetstreamManager(connection)
  const [stream, subject] = ['BENCH', 'bench.notifications']
  await streams.add({ name: stream, subjects: [subject] })
  const open = stack.move()
  return {
    name: 'NATS',
    transport: 'nats',
    draft: { servers: [peer.url], subject },
    settings: {},
    floors: { '@nats-io/jetstream': { by: 'nats', servers: `127.0.0.1:${peer.port}`, subject } },
    clear: () => streams.purge(stream),
    count: async () => (await streams.info(stream)).state.messages,
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  }
}

async function amqp(): Promise<Broker> {
  await using stack = new AsyncDisposableStack()
  const peer = stack.use(await startRabbit())
  const { username, password } = peer
  const url = `amqp://${username}:${password}@127.0.0.1:${peer.port}`
  const connection = stack.adopt(await connectAmqp(url), (open) => open.close())
  const channel = await connection.createChannel()
  const queue = 'notifications'
  await channel.assertQueue(queue, { durable: true })
  const open = stack.move()
  return {
    name: 'AMQP',
    transport: 'amqp',
    draft: { url: peer.url, exchange: '', routing_key: queue, username, password },
    settings: {},
    floors: { amqplib: { by: 'amqp', url, queue } },
    clear: () => channel.purgeQueue(queue),
    count: async () => (await channel.checkQueue(queue)).messageCount,
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  }
}

async function pubsub(): Promise<Broker> {
  const child = await startChild('./clouds.ts')
  const place = await child.ask<PubSubPlace>('pubsub')
  return {
    name: 'Pub/Sub',
    transport: 'pubsub',
    draft: { topic: place.topic, credentials: place.credentials },
    settings: { WAYPOST_PUBSUB_URL: place.url },
    floors: {
      '@google-cloud/pubsub': { by: 'google', ...place },
      'bare requests': { by: 'bare pubsub', ...place },
    },
    clear: () => child.ask('clear'),
    count: () => child.ask('count', { cloud: 'pubsub' }),
    [Symbol.asyncDispose]: () => child[Symbol.asyncDispose](),
  }
}

async function sns(): Promise<Broker> {
  const child = await startChild('./clouds.ts')
  const place = await child.ask<SnsPlace>('sns')
  return {
    name: 'SNS',
    transport: 'sns',
    draft: { topic: place.topic, access_key_id: place.accessKeyId, secret_access_key: place.secretAccessKey },
    settings: { WAYPOST_SNS_URL: place.url },
    floors: { '@aws-sdk/client-sns': { by: 'aws', ...place }, 'bare requests': { by: 'bare sns', ...place } },
    clear: () => child.ask('clear'),
    count: () => child.ask('count', { cloud: 'sns' }),
    [Symbol.asyncDispose]: () => child[Symbol.asyncDispose](),
  }
}

export const brokers = { nats, amqp, pubsub, sns }
