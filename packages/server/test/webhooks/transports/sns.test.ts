import { gunzipSync, gzipSync } from 'node:zlib'
import { type SnsSimulator, startSns } from '@waypost/simulators'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { sns } from '../../../src/webhooks/transports/sns/sns.ts'
import type { OutgoingMessage } from '../../../src/webhooks/transports/transport.ts'
import { type CloudTools, cloudTools, messageOf } from './cloud-setup.ts'

let amazon: SnsSimulator
let tools: CloudTools
let topic: string
const clock = { skew: 0, now: () => Date.now() + clock.skew }

beforeEach(async () => {
  clock.skew = 0
  amazon = await startSns({ region: 'eu-central-1', now: clock.now })
  topic = amazon.addTopic('notifications')
  tools = cloudTools({ sns: amazon.url }, clock)
})
afterEach(async () => {
  await tools[Symbol.asyncDispose]()
  await amazon[Symbol.asyncDispose]()
})

interface Way {
  arn?: string
  key?: { accessKeyId: string; secretAccessKey: string }
  role?: string | null
}

function partsOf({ arn = topic, key = amazon.addUser(), role = null }: Way) {
  const credentials = { access_key_id: key.accessKeyId, secret_access_key: key.secretAccessKey }
  return [{ topic: arn, role_arn: role }, credentials, tools] as const
}
const open = (way: Way = {}) => sns.open(...partsOf(way))
const verify = (way: Way = {}) => sns.verify(partsOf(way)[0], partsOf(way)[1], tools)
const callsOf = (operation: string) => amazon.calls.filter((call) => call.operation === operation).length

/** A notification whose body has about this many bytes. */
function large(id: string, bytes: number, fields: Partial<OutgoingMessage> = {}): OutgoingMessage {
  const object = { id: 'm-1', grant_id: 'grant-1', subject: 'Hello', body: 'x'.repeat(bytes) }
  const data = { application_id: 'app-1', object }
  const body = Buffer.from(JSON.stringify({ specversion: '1.0', type: 'message.created', id, data }))
  return messageOf(id, { body, ...fields })
}

test('a notification is published with its id and its type', async () => {
  using transport = open()
  const message = messageOf('n-1')
  expect((await transport.send(message)).status).toBe(200)
  expect(amazon.messages(topic)).toMatchObject([
    {
      message: message.body.toString(),
      attributes: { id: { value: 'n-1' }, type: { value: 'message.created' } },
      groupId: undefined,
    },
  ])
})

test('concurrent notifications share requests of at most 10 messages and 256 KB', async () => {
  using transport = open()
  const ids = Array.from({ length: 25 }, (_, at) => `n-${at}`)
  await Promise.all(ids.map((id) => transport.send(messageOf(id))))
  expect(callsOf('PublishBatch')).toBe(3)
  expect(
    amazon
      .messages(topic)
      .map(({ attributes }) => attributes.id?.value)
      .sort(),
  ).toEqual(ids.toSorted())
  amazon.clearCalls()
  const answers = await Promise.all(['a', 'b', 'c'].map((id) => transport.send(large(id, 100_000))))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  expect(callsOf('PublishBatch')).toBe(2)
})

test('on a FIFO topic the grant is the group, and a repetition is dropped by the id', async () => {
  const arn = amazon.addTopic('notifications.fifo')
  using transport = open({ arn })
  await transport.send(messageOf('n-1'))
  // A request on a reused connection is repeated once, in case the connection was just closed.
  amazon.fail({ operation: 'PublishBatch', times: 2 }, { drop: 'after' })
  await expect(transport.send(messageOf('n-2'))).rejects.toMatchObject({ name: 'EgressError' })
  expect((await transport.send(messageOf('n-2'))).status).toBe(200)
  expect(amazon.messages(arn).map(({ groupId, deduplicationId }) => [groupId, deduplicationId])).toEqual([
    ['grant-1', 'n-1'],
    ['grant-1', 'n-2'],
  ])
})

test('on a standard topic, a connection cut after the publish repeats the message with the same id', async () => {
  using transport = open()
  amazon.fail({ operation: 'PublishBatch' }, { drop: 'after' })
  await expect(transport.send(messageOf('n-1'))).rejects.toMatchObject({ name: 'EgressError' })
  await transport.send(messageOf('n-1'))
  expect(amazon.messages(topic).map(({ attributes }) => attributes.id?.value)).toEqual(['n-1', 'n-1'])
})

test('a compressed notification is base64, and says so in an attribute', async () => {
  using transport = open()
  const plain = messageOf('n-1')
  await transport.send({ ...plain, body: gzipSync(plain.body), compressed: true })
  const [published] = amazon.messages(topic)
  expect(published?.attributes.content_encoding?.value).toBe('gzip+base64')
  expect(gunzipSync(Buffer.from(published?.message ?? '', 'base64'))).toEqual(plain.body)
})

test.each([false, true])(
  'a notification above 256 KB loses its large fields and gets the suffix .truncated (compressed: %s)',
  async (compressed) => {
    using transport = open()
    const noise = Array.from({ length: 60_000 }, (_, at) => (at * 7919) % 9_973).join(' ')
    const message = large('n-1', 0, {})
    const envelope = JSON.parse(message.body.toString())
    envelope.data.object.body = noise.repeat(compressed ? 3 : 1).slice(0, 900_000)
    const json = Buffer.from(JSON.stringify(envelope))
    const sent = { ...message, body: compressed ? gzipSync(json, { level: 0 }) : json, compressed }
    expect((await transport.send(sent)).status).toBe(200)
    const [published] = amazon.messages(topic)
    const bytes = Buffer.from(published?.message ?? '', compressed ? 'base64' : 'utf8')
    const received = JSON.parse((compressed ? gunzipSync(bytes) : bytes).toString())
    expect(received).toMatchObject({
      id: 'n-1',
      type: 'message.created.truncated',
      data: { object: { id: 'm-1', subject: 'Hello' } },
    })
    expect(received.data.object).not.toHaveProperty('body')
    expect(published?.attributes.type?.value).toBe('message.created.truncated')
  },
)

test('a notification just below 256 KB is published unchanged', async () => {
  using transport = open()
  const message = large('n-1', 261_000)
  expect((await transport.send(message)).status).toBe(200)
  expect(amazon.messages(topic)[0]?.message).toBe(message.body.toString())
})

test('an unknown topic, a missing permission and a deleted key answer 404, 403 and 403', async () => {
  using unknown = open({ arn: `${topic}-missing` })
  expect((await unknown.send(messageOf('n-1'))).status).toBe(404)
  const key = amazon.addUser()
  using transport = open({ key })
  amazon.setActions(key.accessKeyId, ['sns:GetTopicAttributes'])
  const { status, answer } = await transport.send(messageOf('n-1'))
  expect([status, answer.toString()]).toEqual([403, expect.stringContaining('AuthorizationError')])
  amazon.deleteKey(key.accessKeyId)
  expect((await transport.send(messageOf('n-1'))).status).toBe(403)
})

test('throttling and problems of the encryption key are faults of the channel, not of a message', async () => {
  using transport = open()
  amazon.fail({ operation: 'PublishBatch' }, { status: 400, code: 'Throttling', message: 'Rate exceeded' })
  expect((await transport.send(messageOf('n-1'))).status).toBe(429)
  amazon.fail({ operation: 'PublishBatch' }, { status: 400, code: 'KMSDisabled' })
  expect((await transport.send(messageOf('n-1'))).status).toBe(503)
  amazon.fail({ operation: 'PublishBatch' }, { status: 400, code: 'InvalidParameter' })
  expect((await transport.send(messageOf('n-1'))).status).toBe(400)
})

test('a message that SNS refuses fails alone, and an answer that does not name it is retried', async () => {
  const arn = amazon.addTopic('notifications.fifo')
  using transport = open({ arn })
  const grants = ['grant-1', 'g'.repeat(200), 'grant-3']
  const answers = await Promise.all(grants.map((grantId, at) => transport.send(messageOf(`n-${at}`, { grantId }))))
  expect(answers.map(({ status }) => status)).toEqual([200, 400, 200])
  expect(answers[1]?.answer.toString()).toContain('MessageGroupId')
  amazon.fail({ operation: 'PublishBatch' }, { status: 200, json: {} })
  expect((await transport.send(messageOf('n-9'))).status).toBe(502)
})

test('a role is assumed with the application as external id, and again when its keys end', async () => {
  const role = amazon.addRole({ name: 'publisher', externalId: 'app-1' })
  const key = amazon.addUser(['sts:AssumeRole'])
  using transport = open({ key, role })
  expect((await transport.send(messageOf('n-1'))).status).toBe(200)
  expect((await transport.send(messageOf('n-2'))).status).toBe(200)
  expect(callsOf('AssumeRole')).toBe(1)
  amazon.expireSessions()
  expect((await transport.send(messageOf('n-3'))).status).toBe(403)
  expect((await transport.send(messageOf('n-3'))).status).toBe(200)
  expect(callsOf('AssumeRole')).toBe(2)
})

test('a role of another application is refused', async () => {
  const role = amazon.addRole({ name: 'publisher', externalId: 'app-2' })
  using transport = open({ role })
  const { status, answer } = await transport.send(messageOf('n-1'))
  expect([status, answer.toString()]).toEqual([403, expect.stringContaining('AccessDenied')])
  await expect(verify({ role })).rejects.toMatchObject({ field: 'role_arn', message: expect.stringContaining('app-1') })
})

test('a broker that hangs ends with a timeout', async () => {
  using transport = open()
  amazon.fail({ operation: 'PublishBatch' }, { hang: true })
  await expect(transport.send(messageOf('n-1'))).rejects.toMatchObject({ reason: 'timeout' })
})

test('verification names the field and the remedy, and publishes nothing', async () => {
  const key = amazon.addUser()
  await expect(verify({ key })).resolves.toBeUndefined()
  await expect(verify({ arn: `${topic}-missing` })).rejects.toMatchObject({
    field: 'topic',
    message: expect.stringContaining('NotFound'),
  })
  await expect(verify({ arn: 'notifications' })).rejects.toMatchObject({ field: 'topic' })
  await expect(verify({ role: 'publisher' })).rejects.toMatchObject({ field: 'role_arn' })
  await expect(verify({ key: { ...key, secretAccessKey: 'wrong' } })).rejects.toMatchObject({
    field: 'secret_access_key',
  })
  await expect(verify({ key: { ...key, accessKeyId: 'AKIAUNKNOWN' } })).rejects.toMatchObject({
    field: 'access_key_id',
  })
  await expect(verify({ key: amazon.addUser(['sns:Publish']) })).rejects.toMatchObject({
    field: 'topic',
    message: expect.stringContaining('sns:GetTopicAttributes'),
  })
  expect(amazon.messages(topic)).toEqual([])
})

test('a clock that is 20 minutes wrong is refused, and the answer says so', async () => {
  using transport = sns.open(
    ...([partsOf({})[0], partsOf({})[1], { ...tools, clock: { now: () => Date.now() - 1_200_000 } }] as const),
  )
  const { status, answer } = await transport.send(messageOf('n-1'))
  expect([status, answer.toString()]).toEqual([403, expect.stringContaining('Signature expired')])
})
