/** Webhook destinations with the published `nylas` client, unmodified, and a listener on loopback. */

import { oneEngineFor } from '@waypost/testing/engines'
import { answerWell, type Listener, openListener } from '@waypost/testing/listener'
import { failureOf, Nylas } from '@waypost/testing/peers/nylas'
import { WebhookTriggers } from 'nylas'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openService, type TestService } from '../../harness.ts'

describe.each(oneEngineFor(import.meta.url))('webhooks of the nylas client on %s', (engine) => {
  let service: TestService
  let listener: Listener
  let nylas: Nylas

  beforeAll(async () => {
    service = await openService({ engine, env: { WAYPOST_EGRESS_ADDRESSES: '203.0.113.7' } })
    listener = await openListener()
    const { key } = await service.createApplication('Client')
    nylas = new Nylas({ apiKey: key, apiUri: await service.listen(), timeout: 60 })
    // As the client's documentation describes for listeners.
    listener.answer = (response, { method, target }) => {
      if (method !== 'GET') return void response.end()
      response.end(nylas.webhooks.extractChallengeParameter(`${listener.url}${target}`))
    }
  })
  afterAll(async () => {
    await service[Symbol.asyncDispose]()
    await listener[Symbol.asyncDispose]()
  })

  const create = (path: string) =>
    nylas.webhooks.create({
      requestBody: {
        triggerTypes: [WebhookTriggers.EventCreated, WebhookTriggers.GrantExpired],
        webhookUrl: `${listener.url}/${path}`,
        description: 'Production',
        notificationEmailAddresses: ['ops@example.com'],
      },
    })

  test('create succeeds with a listener that uses extractChallengeParameter', async () => {
    const { data, requestId } = await create('create')
    expect(requestId).toMatch(/^[0-9a-f-]{36}$/)
    expect(data).toEqual({
      id: expect.stringMatching(/^[A-Za-z0-9]{26}$/),
      description: 'Production',
      triggerTypes: ['event.created', 'grant.expired'],
      webhookUrl: `${listener.url}/create`,
      webhookSecret: expect.stringMatching(/^whsec_/),
      status: 'active',
      notificationEmailAddresses: ['ops@example.com'],
      compressedDelivery: false,
      statusUpdatedAt: expect.any(Number),
      createdAt: expect.any(Number),
      updatedAt: expect.any(Number),
    })
    expect(listener.heard.at(-1)?.target).toMatch(/^\/create\?challenge=/)
  })

  test('list and find return what was created', async () => {
    const { webhookSecret: _, ...destination } = (await create('list')).data
    expect((await nylas.webhooks.list()).data).toContainEqual(destination)
    expect((await nylas.webhooks.find({ webhookId: destination.id })).data).toEqual(destination)
    const missing = await failureOf(nylas.webhooks.find({ webhookId: 'nobody' }))
    expect([missing.statusCode, missing.type]).toEqual([404, 'not_found_error'])
    expect(missing.message).toBe('destination.id.not.found : record not found')
  })

  test('update changes, pauses and activates a webhook', async () => {
    const { data } = await create('update')
    const changed = await nylas.webhooks.update({
      webhookId: data.id,
      requestBody: { triggerTypes: [WebhookTriggers.CalendarUpdated], description: 'Changed' },
    })
    expect(changed.data).toMatchObject({ id: data.id, triggerTypes: ['calendar.updated'], description: 'Changed' })
    for (const status of ['pause', 'active']) {
      // The client's type of the body lacks a field that its documentation requires.
      const requestBody = { status } as object
      expect((await nylas.webhooks.update({ webhookId: data.id, requestBody })).data.status).toBe(status)
    }
  })

  test('rotateSecret returns a new secret', async () => {
    const { data } = await create('rotate')
    const rotated = await nylas.webhooks.rotateSecret({ webhookId: data.id })
    expect(rotated.data.webhookSecret).toMatch(/^whsec_/)
    expect(rotated.data.webhookSecret).not.toBe(data.webhookSecret)
    expect(rotated.data.id).toBe(data.id)
  })

  test('destroy deletes a webhook once', async () => {
    const { data } = await create('destroy')
    const { data: answer } = await nylas.webhooks.destroy({ webhookId: data.id })
    expect(answer).toEqual({ status: 'success' })
    expect((await failureOf(nylas.webhooks.destroy({ webhookId: data.id }))).statusCode).toBe(404)
  })

  test('ipAddresses returns the addresses of the service', async () => {
    const { data } = await nylas.webhooks.ipAddresses()
    expect(data).toEqual({ ipAddresses: ['203.0.113.7'], updatedAt: expect.any(Number) })
  })

  test('a listener that does not answer the challenge, and an unknown trigger, are refused', async () => {
    listener.answer = (response) => void response.writeHead(404).end('nothing here')
    const refused = await failureOf(create('silent'))
    expect([refused.statusCode, refused.type]).toEqual([400, '70005'])
    expect(refused.message).toMatch(/^unable\.verify\.webhook_url : status is not ok, got 404 .*"nothing here"/)
    listener.answer = answerWell
    const triggerTypes = [WebhookTriggers.MessageCreatedTruncated]
    const requestBody = { triggerTypes, webhookUrl: `${listener.url}/truncated` }
    expect((await failureOf(nylas.webhooks.create({ requestBody }))).message).toMatch(/included with message\.created/)
  })
})
