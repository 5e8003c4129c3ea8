/**
 * Channels as published clients call them. The published `nylas` client for Node has no methods for channels, and no
 * other client runs here. So these are the requests of the published reference (developer.nylas.com), of the published
 * command-line client (nylas/cli) and of the Elixir client (ex_nylas), with the fields and types that they read.
 */
import { gunzipSync } from 'node:zlib'
import { type PubSubSimulator, type SnsSimulator, startPubSub, startSns } from '@waypost/simulators'
import { oneEngineFor } from '@waypost/testing/engines'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openWebhookSetup, type Tenant, until, type WebhookSetup } from '../../webhooks/webhook-setup.ts'

const topic = 'projects/simulated-project/topics/notifications'
const id = expect.stringMatching(/^[A-Za-z0-9]{26}$/)
const requestId = expect.stringMatching(/^[0-9a-f-]{36}$/)

describe.each(oneEngineFor(import.meta.url))('published clients on %s: channels', (engine) => {
  const resources = new AsyncDisposableStack()
  let google: PubSubSimulator
  let amazon: SnsSimulator
  let setup: WebhookSetup
  let tenant: Tenant
  let url: string
  let snsTopic: string
  let role: string

  beforeAll(async () => {
    google = resources.use(await startPubSub())
    google.addTopic(topic)
    amazon = resources.use(await startSns())
    snsTopic = amazon.addTopic('notifications')
    const key = amazon.addUser(['sts:AssumeRole'])
    // Published clients send no credentials.
    const env = {
      WAYPOST_PUBSUB_URL: google.url,
      WAYPOST_PUBSUB_CREDENTIALS: JSON.stringify(google.addServiceAccount()),
      WAYPOST_SNS_URL: amazon.url,
      WAYPOST_SNS_ACCESS_KEY_ID: key.accessKeyId,
      WAYPOST_SNS_SECRET_ACCESS_KEY: key.secretAccessKey,
    }
    setup = resources.use(await openWebhookSetup({ engine, env }))
    tenant = await setup.newTenant()
    url = await setup.service.listen()
    role = amazon.addRole({ name: 'publisher', externalId: tenant.applicationId })
  })
  afterAll(() => resources.disposeAsync())

  /** A request with the headers of one client. */
  const requesting =
    (headers: Record<string, string>) =>
    async (method: string, path: string, body?: object, { key } = tenant) => {
      const response = await fetch(`${url}${path}`, {
        method,
        headers: { ...headers, authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
      })
      return { status: response.status, body: JSON.parse(await response.text()) }
    }
  const asReference = requesting({ accept: 'application/json, application/gzip' })
  const asCommand = requesting({ 'user-agent': 'nylas-cli/3.1.8', 'accept-encoding': 'gzip' })
  const asElixir = requesting({ accept: 'application/json', 'user-agent': 'req/0.5.0' })

  test('the reference: create, list, get, change and delete a Pub/Sub channel', async () => {
    const at = '/v3/channels/pubsub'
    const sent = {
      description: 'PubSub Test',
      trigger_types: ['message.send_success', 'event.created'],
      topic,
      notification_email_addresses: ['ops@example.com'],
    }
    const created = await asReference('POST', at, { ...sent, encryption_key: '' })
    expect(created).toEqual({ status: 200, body: { request_id: requestId, data: expect.anything() } })
    const channel = created.body.data
    expect(channel).toEqual({
      id,
      ...sent,
      compressed_delivery: false,
      status: 'active',
      has_credentials: false,
      status_updated_at: expect.any(Number),
      created_at: expect.any(Number),
      updated_at: expect.any(Number),
    })
    expect(await asReference('GET', at)).toEqual({ status: 200, body: { request_id: requestId, data: [channel] } })
    const one = `${at}/${channel.id}`
    expect((await asReference('GET', one)).body.data).toEqual(channel)
    const change = { ...sent, description: 'Other', status: 'pause', compressed_delivery: true }
    const paused = await asReference('PUT', one, change)
    expect([paused.status, paused.body.data]).toEqual([200, expect.objectContaining(change)])
    const active = await asReference('PUT', one, { ...change, status: 'active' })
    expect([active.status, active.body.data.status]).toEqual([200, 'active'])
    await tenant.tell('To Pub/Sub')
    await until(() => expect(google.messages(topic)).toHaveLength(1))
    const [message] = google.messages(topic)
    expect(message?.attributes).toMatchObject({ content_encoding: 'gzip' })
    const reported = JSON.parse(gunzipSync(Buffer.from(message?.data ?? '', 'base64')).toString())
    expect(reported).toMatchObject({ type: 'event.created', data: { object: { title: 'To Pub/Sub' } } })
    expect(await asReference('DELETE', one)).toEqual({
      status: 200,
      body: { request_id: requestId, data: { status: 'success' } },
    })
    expect((await asReference('GET', one)).status).toBe(404)
  })

  test('the reference: create, list, get, change and delete an SNS channel', async () => {
    const at = '/v3/channels/sns'
    const sent = {
      description: 'SNS Test',
      trigger_types: ['event.created'],
      topic: snsTopic,
      role_arn: role,
      notification_email_addresses: ['ops@example.com'],
      compressed_delivery: true,
    }
    const created = await asReference('POST', at, sent)
    expect(created).toMatchObject({ status: 200, body: { request_id: requestId, data: { ...sent, id } } })
    const channel = created.body.data
    const one = `${at}/${channel.id}`
    expect((await asReference('GET', at)).body.data).toEqual([channel])
    expect((await asReference('GET', one)).body.data).toEqual(channel)
    await tenant.tell('To SNS')
    await until(() => expect(amazon.messages(snsTopic)).toHaveLength(1))
    const [message] = amazon.messages(snsTopic)
    expect(message?.attributes.content_encoding).toMatchObject({ value: 'gzip+base64' })
    const reported = JSON.parse(gunzipSync(Buffer.from(message?.message ?? '', 'base64')).toString())
    expect(reported).toMatchObject({ type: 'event.created', data: { object: { title: 'To SNS' } } })
    const change = { ...sent, status: 'pause' }
    expect((await asReference('PUT', one, change)).body.data).toMatchObject(change)
    expect((await asReference('DELETE', one)).body.data).toEqual({ status: 'success' })
  })

  test('the command-line client leaves out what is empty, and sets `inactive` for pause', async () => {
    const at = '/v3/channels/pubsub'
    const created = await asCommand('POST', at, { trigger_types: ['message.created'], topic })
    expect(created.status).toBe(200)
    const channel = created.body.data
    // It reads these into typed fields, and dates from whole seconds.
    expect(channel).toMatchObject({ id, description: '', notification_email_addresses: [], status: 'active', topic })
    expect([channel.created_at, channel.updated_at].every(Number.isInteger)).toBe(true)
    const one = `${at}/${channel.id}`
    const change = { description: 'Other', status: 'inactive', notification_email_addresses: ['ops@example.com'] }
    expect((await asCommand('PUT', one, change)).body.data).toMatchObject({ ...change, topic, status: 'pause' })
    expect((await asCommand('PUT', one, { status: 'active' })).body.data).toMatchObject({ status: 'active' })
    expect((await asCommand('DELETE', one)).status).toBe(200)
    expect((await asCommand('GET', `${at}/UMWjAjMeWQ4D8gYF2moonK4486`)).status).toBe(404)
  })

  test('the Elixir client sends null for what is absent, and reads one of four states', async () => {
    const at = '/v3/channels/pubsub'
    const sent = { trigger_types: ['grant.expired'], topic }
    const nulls = { description: null, notification_email_addresses: null, encryption_key: null }
    const created = await asElixir('POST', at, { ...sent, ...nulls })
    expect([created.status, created.body.data]).toEqual([200, expect.objectContaining(sent)])
    const one = `${at}/${created.body.data.id}`
    const changed = await asElixir('PUT', one, { ...sent, trigger_types: ['grant.created'], ...nulls })
    expect(changed.body.data).toMatchObject({ trigger_types: ['grant.created'], topic })
    expect(['active', 'pause', 'failing', 'failed']).toContain(changed.body.data.status)
    await asElixir('DELETE', one)
  })

  test.each([
    ['a topic that does not exist', { topic: `${topic}-other`, trigger_types: ['event.created'] }, '70005'],
    ['no triggers', { topic, trigger_types: [] }, undefined],
    ['an unknown trigger', { topic, trigger_types: ['event.imagined'] }, undefined],
    ['no topic', { trigger_types: ['event.created'] }, undefined],
    ['a key to encrypt with', { topic, trigger_types: ['event.created'], encryption_key: 'mine' }, undefined],
  ])('a request with %s is refused with 400 and an error as published', async (_, body, type) => {
    const refused = await asReference('POST', '/v3/channels/pubsub', body)
    expect(refused).toEqual({
      status: 400,
      body: {
        request_id: requestId,
        error: expect.objectContaining({ type: type ?? expect.any(String), message: expect.any(String) }),
      },
    })
  })

  test('an application has up to five channels of each kind', async () => {
    const other = await setup.newTenant()
    const body = { topic, trigger_types: ['event.created'] }
    for (let n = 0; n < 5; n++) {
      expect((await asReference('POST', '/v3/channels/pubsub', body, other)).status).toBe(200)
    }
    expect((await asReference('POST', '/v3/channels/pubsub', body, other)).status).toBe(400)
  })
})
