/** `stream` of a list: it resumes by itself, and ends when the service refuses or the caller stops. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openService, type TestService } from '../../server/test/harness.ts'
import { createWaypost, type LiveItem, type StreamedNotification, WaypostError } from '../src/index.ts'
import { clientOf, fetchOf } from './service-client.ts'

let service: TestService
beforeAll(async () => {
  service = await openService()
})
afterAll(() => service[Symbol.asyncDispose]())

test('items come with their cursor; a broken connection, a busy node and a restart of the reader lose nothing', async () => {
  const { key } = await service.createApplication()
  await service.createGrant('one@example.com', key)
  await service.createGrant('two@example.com', key)
  const requested: (string | null)[] = []
  const fetch: typeof globalThis.fetch = async (input, init) => {
    requested.push(new Headers(init?.headers).get('last-event-id'))
    if (requested.length === 2) throw new TypeError('no connection')
    if (requested.length === 3) {
      const error = { type: 'service_unavailable', message: 'busy' }
      return Response.json({ request_id: 'r', error }, { status: 503, headers: { 'retry-after': '0' } })
    }
    const response = await fetchOf(service)(input, init)
    if (requested.length > 1) return response
    // Ends after one event.
    const reader = response.body?.getReader()
    let text = ''
    while (!text.includes('data:')) text += new TextDecoder().decode((await reader?.read())?.value)
    await reader?.cancel()
    const blocks = text
      .replace(/retry: \d+/, 'retry: 10')
      .split('\n\n')
      .slice(0, 2)
    return new Response(`${blocks.join('\n\n')}\n\n`, { headers: response.headers })
  }
  const waypost = clientOf(service, { apiKey: key, fetch })
  const items: LiveItem<StreamedNotification>[] = []
  for await (const item of waypost.notifications.list.stream({ query: { trigger_types: ['grant.created'] } })) {
    if (items.push(item) === 2) break
  }
  const emails = items.map(({ data }) => (data.data.object as { email?: string; grant_id: string }).grant_id)
  expect(new Set(emails).size).toBe(2)
  expect(requested[0]).toBeNull()
  expect(requested.slice(1)).toEqual(Array.from({ length: requested.length - 1 }, () => items[0]?.cursor))
  expect(requested.length).toBeGreaterThanOrEqual(4)
  // A reader that stored the cursor of the first item continues with the second.
  const query = { trigger_types: ['grant.created'] }
  for await (const item of waypost.notifications.list.stream({ query, lastEventId: items[0]?.cursor })) {
    expect(item.data.id).toBe(items[1]?.data.id)
    break
  }
})

test('a refused stream throws, and an aborted one stops', async () => {
  const refused = createWaypost({ apiKey: 'wpk_wrong', fetch: fetchOf(service) }).notifications.list.stream()
  await expect(refused.next()).rejects.toBeInstanceOf(WaypostError)
  const stop = new AbortController()
  const waypost = clientOf(service, { apiKey: service.apiKey })
  const quiet = waypost.notifications.list.stream({ query: { start: 4_000_000_000 }, signal: stop.signal })
  const next = quiet.next()
  stop.abort(new Error('enough'))
  await expect(next).rejects.toThrow('enough')
})
