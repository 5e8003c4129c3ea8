// Google's own client against the simulated Pub/Sub, over REST: the simulator has no gRPC.
import { PubSub, v1 } from '@google-cloud/pubsub'
import { GoogleAuth, OAuth2Client } from 'google-auth-library'
import { importPKCS8, SignJWT } from 'jose'
import { afterEach, expect, test } from 'vitest'
import { type PubSubOptions, type PubSubRole, type PubSubSimulator, startPubSub } from '../src/index.ts'

const TOPIC = 'projects/simulated-project/topics/notifications'
const SUBSCRIPTION = 'projects/simulated-project/subscriptions/worker'
const running: AsyncDisposable[] = []
afterEach(async () => {
  for (const each of running.splice(0).reverse()) await each[Symbol.asyncDispose]()
})

async function start(options: PubSubOptions = {}): Promise<PubSubSimulator> {
  const pubsub = await startPubSub(options)
  running.push(pubsub)
  return pubsub
}

/** Exchanges a signed assertion for an access token, as RFC 7523 says. */
async function tokenFor(
  pubsub: PubSubSimulator,
  { client_email: email, private_key: pem }: { client_email: string; private_key: string },
  claims: { lifetime?: number; scope?: string } = {},
) {
  const { lifetime = 3600, scope = 'https://www.googleapis.com/auth/pubsub' } = claims
  const iat = Math.floor(Date.now() / 1000)
  const assertion = await new SignJWT({ scope })
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT' })
    .setIssuer(email)
    .setAudience(`${pubsub.url}/token`)
    .setIssuedAt(iat)
    .setExpirationTime(iat + lifetime)
    .sign(await importPKCS8(pem, 'RS256'))
  const grant_type = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
  const response = await fetch(`${pubsub.url}/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type, assertion }),
  })
  const answer: { access_token: string; error?: string } = JSON.parse(await response.text())
  return { status: response.status, body: answer }
}

async function clientsOf(pubsub: PubSubSimulator, roles: readonly PubSubRole[] = ['roles/pubsub.admin']) {
  const key = pubsub.addServiceAccount(roles)
  const { body } = await tokenFor(pubsub, key)
  const authClient = new OAuth2Client()
  authClient.setCredentials({ access_token: body.access_token, expiry_date: Date.now() + 3_600_000 })
  const { hostname, port } = new URL(pubsub.url)
  const auth = new GoogleAuth({ authClient })
  const shared = { projectId: 'simulated-project', fallback: true, protocol: 'http' } as const
  const client = new PubSub({ ...shared, apiEndpoint: `${hostname}:${port}`, auth } as never)
  const subscriber = new v1.SubscriberClient({ ...shared, servicePath: hostname, port: Number(port), auth } as never)
  running.push({ [Symbol.asyncDispose]: async () => void (await Promise.all([client.close(), subscriber.close()])) })
  return { client, subscriber, key }
}

const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => 'ok',
    (error: { code: unknown }) => error.code,
  )

test("Google's client creates a topic, publishes with an ordering key and attributes, and pulls in order", async () => {
  const pubsub = await start()
  const { client, subscriber } = await clientsOf(pubsub)
  await client.createTopic(TOPIC)
  await client.topic(TOPIC).createSubscription('worker', { enableMessageOrdering: true })
  const topic = client.topic(TOPIC, { messageOrdering: true })
  const sent = ['one', 'two', 'three']
  await Promise.all(
    sent.map((text) => topic.publishMessage({ data: Buffer.from(text), attributes: { type: 't' }, orderingKey: 'g' })),
  )
  const [{ receivedMessages = [] }] = await subscriber.pull({ subscription: SUBSCRIPTION, maxMessages: 10 })
  expect((receivedMessages ?? []).map(({ message }) => Buffer.from(message?.data ?? '').toString())).toEqual(sent)
  expect(receivedMessages?.[0]?.message).toMatchObject({ orderingKey: 'g', attributes: { type: 't' } })
})

test('a key with unacknowledged messages delivers nothing more, and a negative acknowledgment redelivers', async () => {
  const pubsub = await start()
  const { client, subscriber } = await clientsOf(pubsub)
  await client.createTopic(TOPIC)
  await client.topic(TOPIC).createSubscription('worker', { enableMessageOrdering: true })
  const topic = client.topic(TOPIC, { messageOrdering: true })
  for (const text of ['one', 'two']) await topic.publishMessage({ data: Buffer.from(text), orderingKey: 'g' })
  const pull = async () =>
    (await subscriber.pull({ subscription: SUBSCRIPTION, maxMessages: 1 }))[0].receivedMessages ?? []
  const [first] = await pull()
  expect(await pull()).toEqual([])
  await subscriber.modifyAckDeadline({
    subscription: SUBSCRIPTION,
    ackIds: [first?.ackId ?? ''],
    ackDeadlineSeconds: 0,
  })
  const [again] = await pull()
  expect(again?.message?.messageId).toBe(first?.message?.messageId)
  await subscriber.acknowledge({ subscription: SUBSCRIPTION, ackIds: [again?.ackId ?? ''] })
  const [second] = await pull()
  expect(Buffer.from(second?.message?.data ?? '').toString()).toBe('two')
})

test('a role decides what a service account may do, and an unknown topic has no permissions', async () => {
  const pubsub = await start()
  pubsub.addTopic(TOPIC)
  const { client } = await clientsOf(pubsub, ['roles/pubsub.publisher'])
  expect(await codeOf(client.topic(TOPIC).publishMessage({ data: Buffer.from('x') }))).toBe('ok')
  expect(await codeOf(client.createTopic('projects/simulated-project/topics/other'))).toBe(7)
  expect(await codeOf(client.topic('missing').publishMessage({ data: Buffer.from('x') }))).toBe(5)
  const [may] = await client.topic(TOPIC).iam.testPermissions(['pubsub.topics.publish', 'pubsub.topics.get'])
  expect(may).toEqual({ 'pubsub.topics.publish': true, 'pubsub.topics.get': false })
  const [unknown] = await client.topic('missing').iam.testPermissions(['pubsub.topics.publish'])
  expect(unknown).toEqual({ 'pubsub.topics.publish': false })
})

test('a publish request has one ordering key, at most 1,000 messages and 10 MB, and no empty message', async () => {
  const pubsub = await start()
  pubsub.addTopic(TOPIC)
  const { body } = await tokenFor(pubsub, pubsub.addServiceAccount())
  const publish = async (messages: unknown[]) => {
    const headers = { authorization: `Bearer ${body.access_token}`, 'content-type': 'application/json' }
    const response = await fetch(`${pubsub.url}/v1/${TOPIC}:publish`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ messages }),
    })
    const answer: { error?: { status: string } } = JSON.parse(await response.text())
    return { status: response.status, reason: answer.error?.status }
  }
  const refused = { status: 400, reason: 'INVALID_ARGUMENT' }
  expect(
    await publish([
      { data: 'eA==', orderingKey: 'a' },
      { data: 'eA==', orderingKey: 'b' },
    ]),
  ).toEqual({ status: 400, reason: 'FAILED_PRECONDITION' })
  expect(await publish(Array.from({ length: 1_001 }, () => ({ data: 'eA==' })))).toEqual(refused)
  expect(await publish([{ data: 'A'.repeat(10_000_000) }])).toEqual(refused)
  expect(await publish([{ data: '' }])).toEqual(refused)
  expect(await publish([])).toEqual(refused)
  expect(await publish([{ data: 'eA==', attributes: { name: 'x'.repeat(1_025) } }])).toEqual(refused)
  expect(pubsub.messages(TOPIC)).toEqual([])
})

test('the token endpoint refuses a deleted account, a long assertion and a foreign scope', async () => {
  const pubsub = await start()
  const key = pubsub.addServiceAccount()
  expect((await tokenFor(pubsub, key)).status).toBe(200)
  expect((await tokenFor(pubsub, key, { lifetime: 3_601 })).body.error).toBe('invalid_grant')
  expect((await tokenFor(pubsub, key, { scope: 'https://mail.google.com/' })).body.error).toBe('invalid_scope')
  pubsub.removeServiceAccount(key.client_email)
  expect(await tokenFor(pubsub, key)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
})

test('a quota of bytes per minute and expired tokens refuse with the documented errors', async () => {
  const pubsub = await start({ publishBytesPerMinute: 50 })
  pubsub.addTopic(TOPIC)
  const { body } = await tokenFor(pubsub, pubsub.addServiceAccount())
  const publish = async () => {
    const headers = { authorization: `Bearer ${body.access_token}` }
    const response = await fetch(`${pubsub.url}/v1/${TOPIC}:publish`, {
      method: 'POST',
      headers,
      body: '{"messages":[{"data":"eHh4eHh4eHh4eHh4eHh4eHh4eHg="}]}',
    })
    return response.status
  }
  expect(await publish()).toBe(429)
  pubsub.expireAccessTokens()
  expect(await publish()).toBe(401)
})
