/**
 * Resources and streams: clients read the newest objects of a grant, and are notified of changes while they have
 * access.
 */

import { enginesFor } from '@waypost/testing/engines'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { App } from '../../../../src/api/app.ts'
import { tools } from '../../../../src/api/mcp/catalog.ts'
import { openService, type TestService } from '../../../harness.ts'
import { appOf, fetchOf, modern, modernClient, olderClient, post } from './clients.ts'

const patience = { timeout: 30_000, interval: 50 }

describe.each(enginesFor(import.meta.url))('on %s', (engine) => {
  let service: TestService
  let app: Pick<App, 'fetch'>
  let grantId: string
  let otherGrant: string
  let calendarId: string
  let applicationId: string
  beforeAll(async () => {
    service = await openService({ engine, stream: false })
    app = appOf(service, { tools, checkMs: 200 })
    grantId = (await service.createGrant('ann@virtual.test')).id
    otherGrant = (await service.createGrant('bob@virtual.test')).id
    const calendar = await service.call('POST', `/v3/grants/${grantId}/calendars`, { body: { name: 'Work' } })
    calendarId = calendar.body.data.id
    const application = await service.call('PATCH', '/v3/applications', { body: { mcp_enabled: true } })
    applicationId = application.body.data.application_id
  })
  afterAll(() => service[Symbol.asyncDispose]())

  const keysAt = (): string => `/v3/admin/applications/${applicationId}/api-keys`
  const keyFor = async (operations: string[], ids?: string[]): Promise<{ id: string; api_key: string }> => {
    const rights = { operations: ['mcp', ...operations], ...(ids ? { grants: { ids } } : {}) }
    const made = await service.call('POST', keysAt(), { admin: true, body: { name: 'agent', rights } })
    return made.body.data
  }
  const uri = (kind: string, grant = grantId): string => `waypost://grants/${grant}/${kind}`
  const createEvent = async (title: string): Promise<void> => {
    const start = Math.floor(Date.now() / 1_000) + 3_600
    const made = await service.call('POST', `/v3/grants/${grantId}/events?calendar_id=${calendarId}`, {
      body: { title, when: { start_time: start, end_time: start + 600 } },
    })
    expect(made.status).toBe(200)
  }

  test('resources are listed for the grants and the rights of the credential', async () => {
    const { api_key: key } = await keyFor(['calendar.read'], [grantId])
    const client = await modernClient({ fetch: fetchOf(app), key })
    const { resources } = await client.listResources()
    expect(resources.map((each) => each.uri)).toEqual([uri('events')])
    const { resourceTemplates } = await client.listResourceTemplates()
    expect(resourceTemplates.map((each) => each.uriTemplate)).toEqual(['waypost://grants/{grant_id}/events'])
    await client.close()
    const older = await olderClient({ fetch: fetchOf(app), key: service.apiKey })
    const all = (await older.listResources()).resources.map((each) => each.uri)
    expect(all.toSorted()).toEqual(
      [grantId, otherGrant].flatMap((grant) => [uri('events', grant), uri('messages', grant)]).toSorted(),
    )
    await older.close()
  })

  test('a resource that is foreign, unknown or out of reach does not exist', async () => {
    const { api_key: key } = await keyFor(['calendar.read'], [grantId])
    for (const wrong of [
      uri('events', otherGrant),
      uri('contacts'),
      'waypost://grants/x/events',
      'file:///etc/passwd',
    ]) {
      const { body, headers } = modern('resources/read', { uri: wrong })
      expect(await post(app, body, { key, headers })).toMatchObject({ body: { error: { code: -32602 } } })
      const older = { jsonrpc: '2.0', id: 1, method: 'resources/read', params: { uri: wrong } }
      expect((await post(app, older, { key })).body.error.code).toBe(-32002)
    }
    const { body, headers } = modern('resources/read', { uri: uri('messages') })
    expect((await post(app, body, { key, headers })).status).toBe(403)
  })

  test('a stream delivers changes of its resources, though the stream of the application is off', async () => {
    const { api_key: key } = await keyFor(['calendar.read'], [grantId])
    const client = await modernClient({ fetch: fetchOf(app), key })
    const updated: string[] = []
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => void updated.push(params.uri))
    const subscription = await client.listen({ resourceSubscriptions: [uri('events')] })
    expect(subscription.honoredFilter).toEqual({ resourceSubscriptions: [uri('events')] })
    await createEvent('Planning')
    await vi.waitFor(() => expect(updated).toContain(uri('events')), patience)
    const { contents } = await client.readResource({ uri: uri('events') })
    expect(contents).toMatchObject([{ uri: uri('events'), text: expect.stringContaining('Planning') }])
    await subscription.close()
    await client.close()
  })

  test('a stream says that tools changed, and ends when the credential is revoked', async () => {
    const { id, api_key: key } = await keyFor(['calendar.read'])
    const client = await modernClient({ fetch: fetchOf(app), key })
    let changed = 0
    client.setNotificationHandler('notifications/tools/list_changed', () => void changed++)
    const subscription = await client.listen({ toolsListChanged: true, resourceSubscriptions: [uri('events')] })
    const rights = { operations: ['mcp', 'contacts.read'] }
    await service.call('PATCH', `${keysAt()}/${id}`, { admin: true, body: { rights } })
    await vi.waitFor(() => expect(changed).toBe(1), patience)
    await service.call('DELETE', `${keysAt()}/${id}`, { admin: true })
    expect(await subscription.closed).toBe('graceful')
    await client.close()
  })

  test('nothing arrives for a grant or right that was withdrawn, and the stream ends', async () => {
    const { id, api_key: key } = await keyFor(['calendar.read'], [grantId])
    const client = await modernClient({ fetch: fetchOf(app), key })
    const updated: string[] = []
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => void updated.push(params.uri))
    const subscription = await client.listen({ resourceSubscriptions: [uri('events')] })
    const rights = { operations: ['mcp', 'calendar.read'], grants: { ids: [otherGrant] } }
    await service.call('PATCH', `${keysAt()}/${id}`, { admin: true, body: { rights } })
    await createEvent('Secret')
    expect(await subscription.closed).toBe('graceful')
    expect(updated).toEqual([])
    await client.close()
  })

  test('a stream has at most 20 resources, and a credential at most four streams', async () => {
    const { api_key: key } = await keyFor(['calendar.read'], [grantId])
    const many = Array.from({ length: 21 }, () => uri('events'))
    const { body, headers } = modern('subscriptions/listen', { notifications: { resourceSubscriptions: many } })
    expect((await post(app, body, { key, headers })).body.error.code).toBe(-32602)
    const clients = await Promise.all(Array.from({ length: 4 }, () => modernClient({ fetch: fetchOf(app), key })))
    for (const client of clients) await client.listen({ toolsListChanged: true })
    const fifth = modern('subscriptions/listen', { notifications: { toolsListChanged: true } })
    expect((await post(app, fifth.body, { key, headers: fifth.headers })).status).toBe(429)
    for (const client of clients) await client.close()
    await vi.waitFor(async () => {
      const again = await modernClient({ fetch: fetchOf(app), key })
      const stream = await again.listen({ toolsListChanged: true })
      await stream.close()
      await again.close()
    }, patience)
  })
})

test('the stream of a node that stops ends in good order, with its own headers', async () => {
  const service = await openService()
  await service.call('PATCH', '/v3/applications', { body: { mcp_enabled: true } })
  const address = await service.listen()
  const { body, headers } = modern('subscriptions/listen', { notifications: { toolsListChanged: true } })
  const response = await fetch(`${address}/mcp`, {
    method: 'POST',
    headers: { ...headers, authorization: `Bearer ${service.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  expect(response.headers.get('content-type')).toBe('text/event-stream')
  expect(response.headers.get('x-accel-buffering')).toBe('no')
  const reading = response.text()
  await service[Symbol.asyncDispose]()
  const messages = (await reading).split('\n').filter((line) => line.startsWith('data: '))
  const [first, last] = [messages.at(0), messages.at(-1)].map((line) => JSON.parse((line ?? '').slice(6)))
  expect(first.method).toBe('notifications/subscriptions/acknowledged')
  expect(last).toMatchObject({ id: 7, result: { resultType: 'complete' } })
})
