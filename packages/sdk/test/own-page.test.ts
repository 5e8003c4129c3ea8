/** The client on a page of the service's own origin, where the browser's session replaces the password. */
import { expect, test } from 'vitest'
import { createWaypost } from '../src/index.ts'

function answering(data: unknown): { calls: Request[]; fetch: typeof globalThis.fetch } {
  const calls: Request[] = []
  return {
    calls,
    fetch: async (input, init) => {
      calls.push(new Request(input, init))
      return Response.json({ request_id: 'one', data }, { headers: { 'x-request-id': 'one' } })
    },
  }
}

test('an administrator without a password names the application and sends no credentials', async () => {
  const { calls, fetch } = answering([])
  const waypost = createWaypost({ fetch, admin: { application: 'app-1' } })
  await waypost.webhooks.list()
  await waypost.adminApplications.list()
  expect(calls.map(({ headers }) => headers.get('x-waypost-application'))).toEqual(['app-1', null])
  expect(calls.some(({ headers }) => headers.has('authorization'))).toBe(false)
})

test('a response with the expected word is accepted, and another word is not', async () => {
  const body = { webhook_url: 'https://listener.test/', trigger_type: 'message.created' } as const
  const good = createWaypost({ fetch: answering('success').fetch, apiKey: 'key' })
  expect((await good.webhooks.sendTestEvent({ body })).data).toBe('success')
  const bad = createWaypost({ fetch: answering('welcome to the proxy').fetch, apiKey: 'key', retries: 0 })
  await expect(bad.webhooks.sendTestEvent({ body })).rejects.toMatchObject({ type: 'unexpected_answer' })
})
