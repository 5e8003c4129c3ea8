import { gunzipSync, gzipSync } from 'node:zlib'
import { type PubSubSimulator, startPubSub } from '@waypost/simulators'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { pubsub } from '../../../src/webhooks/transports/pubsub/pubsub.ts'
import { type CloudTools, cloudTools, messageOf } from './cloud-setup.ts'

const topic = 'projects/simulated-project/topics/notifications'
let google: PubSubSimulator
let tools: CloudTools
const clock = { skew: 0, now: () => Date.now() + clock.skew }

beforeEach(async () => {
  clock.skew = 0
  google = await startPubSub({ now: clock.now })
  google.addTopic(topic)
  tools = cloudTools({ pubsub: google.url }, clock)
})
afterEach(async () => {
  await tools[Symbol.asyncDispose]()
  await google[Symbol.asyncDispose]()
})

const newKey = () => google.addServiceAccount()
const open = (key: object = newKey(), name = topic) =>
  pubsub.open({ topic: name }, { credentials: JSON.stringify(key) }, tools)
const verify = (key: object | string, name = topic) =>
  pubsub.verify({ topic: name }, { credentials: typeof key === 'string' ? key : JSON.stringify(key) }, tools)
const tokenCalls = () => google.calls.filter(({ path }) => path === '/token').length

test('a notification is published with its grant as ordering key, its id and its type', async () => {
  using transport = open()
  const message = messageOf('n-1')
  expect((await transport.send(message)).status).toBe(200)
  expect(google.messages(topic)).toMatchObject([
    {
      orderingKey: 'grant-1',
      attributes: { id: 'n-1', type: 'message.created' },
      data: message.body.toString('base64'),
    },
  ])
})

test('a compressed notification says so in an attribute', async () => {
  using transport = open()
  const plain = messageOf('n-1')
  await transport.send({ ...plain, body: gzipSync(plain.body), compressed: true })
  const [published] = google.messages(topic)
  expect(published?.attributes).toMatchObject({ content_encoding: 'gzip' })
  expect(gunzipSync(Buffer.from(published?.data ?? '', 'base64'))).toEqual(plain.body)
})

test('concurrent notifications of different grants are published with one access token', async () => {
  using transport = open()
  const ids = Array.from({ length: 40 }, (_, at) => `n-${at}`)
  const answers = await Promise.all(ids.map((id) => transport.send(messageOf(id, { grantId: `grant of ${id}` }))))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  expect(
    google
      .messages(topic)
      .map(({ attributes }) => attributes.id)
      .sort(),
  ).toEqual(ids.toSorted())
  expect(tokenCalls()).toBe(1)
})

test('an access token is renewed before its end, and after Google refused it', async () => {
  using transport = open()
  await transport.send(messageOf('n-1'))
  clock.skew = 56 * 60_000
  expect((await transport.send(messageOf('n-2'))).status).toBe(200)
  expect(tokenCalls()).toBe(2)
  google.expireAccessTokens()
  expect((await transport.send(messageOf('n-3'))).status).toBe(401)
  expect((await transport.send(messageOf('n-3'))).status).toBe(200)
  expect(tokenCalls()).toBe(3)
})

test('an unknown topic, a missing role and a revoked key answer 404, 403 and 403', async () => {
  using unknown = open(newKey(), `${topic}-missing`)
  expect((await unknown.send(messageOf('n-1'))).status).toBe(404)
  const key = newKey()
  using transport = open(key)
  google.setRoles(key.client_email, [])
  expect((await transport.send(messageOf('n-1'))).status).toBe(403)
  google.removeServiceAccount(key.client_email)
  using later = open(key)
  const { status, answer } = await later.send(messageOf('n-1'))
  expect([status, answer.toString()]).toEqual([403, expect.stringContaining('invalid_grant')])
})

test('a throttled request keeps its status and the time to wait', async () => {
  using transport = open()
  google.fail({ path: /:publish$/ }, { status: 429, reason: 'RESOURCE_EXHAUSTED', retryAfter: 7 })
  expect(await transport.send(messageOf('n-1'))).toMatchObject({ status: 429, retryAfter: '7' })
  google.fail({ path: '/token' }, { status: 503, reason: 'UNAVAILABLE' })
  using other = open()
  expect((await other.send(messageOf('n-1'))).status).toBe(503)
})

test('a topic that cannot be used for now is not the fault of the message', async () => {
  using transport = open()
  google.fail({ path: /:publish$/ }, { status: 400, reason: 'FAILED_PRECONDITION', message: 'The key is disabled.' })
  expect((await transport.send(messageOf('n-1'))).status).toBe(503)
  google.fail({ path: /:publish$/ }, { status: 400, reason: 'INVALID_ARGUMENT' })
  expect((await transport.send(messageOf('n-1'))).status).toBe(400)
})

test('a connection cut after the publish is an error, and the repetition has the same id', async () => {
  using transport = open()
  google.fail({ path: /:publish$/ }, { drop: 'after' })
  await expect(transport.send(messageOf('n-1'))).rejects.toMatchObject({ name: 'EgressError' })
  expect((await transport.send(messageOf('n-1'))).status).toBe(200)
  expect(google.messages(topic).map(({ attributes }) => attributes.id)).toEqual(['n-1', 'n-1'])
})

test('a broker that hangs ends with a timeout, and disposing ends a running send', async () => {
  using transport = open()
  google.fail({ path: /:publish$/ }, { hang: true })
  await expect(transport.send(messageOf('n-1'))).rejects.toMatchObject({ reason: 'timeout' })
  google.fail({ path: '/token' }, { hang: true })
  const other = open()
  const sending = other.send(messageOf('n-2'))
  setImmediate(() => other[Symbol.dispose]())
  await expect(sending).rejects.toMatchObject({ reason: 'aborted' })
})

test('verification names the field and the remedy', async () => {
  await expect(verify(newKey())).resolves.toBeUndefined()
  await expect(verify(newKey(), `${topic}-missing`)).rejects.toMatchObject({
    field: 'topic',
    message: expect.stringContaining('roles/pubsub.publisher'),
  })
  await expect(verify(newKey(), 'notifications')).rejects.toMatchObject({ field: 'topic' })
  await expect(verify('{}')).rejects.toMatchObject({
    field: 'credentials',
    message: expect.stringContaining('service_account'),
  })
  await expect(verify('not json')).rejects.toMatchObject({ field: 'credentials' })
  await expect(verify({ ...newKey(), private_key: 'PRIVATE KEY' })).rejects.toMatchObject({ field: 'credentials' })
  const removed = newKey()
  google.removeServiceAccount(removed.client_email)
  await expect(verify(removed)).rejects.toMatchObject({
    field: 'credentials',
    message: expect.stringContaining('invalid_grant'),
  })
  expect(google.messages(topic)).toEqual([])
})

test('no error contains the private key', async () => {
  const key = newKey()
  google.removeServiceAccount(key.client_email)
  const secret = key.private_key.split('\n')[1] ?? ''
  const error = await verify(key).catch((reason: unknown) => reason)
  using transport = open(key)
  const { answer } = await transport.send(messageOf('n-1'))
  expect(`${error} ${answer}`).not.toContain(secret)
})
