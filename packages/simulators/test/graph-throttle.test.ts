import { expect, test } from 'vitest'
import { type Api, answerApi } from '../src/microsoft/api.ts'
import { answerBatch } from '../src/microsoft/batch.ts'
import type { Caller } from '../src/microsoft/http.ts'
import { createThrottle, type ThrottleLimits } from '../src/microsoft/throttle.ts'
import { routeTable } from '../src/shared/routing.ts'
import { openGraph } from './graph-account.ts'

const owner = (oid: string) => ({ oid, email: `${oid}@contoso.example`, tenant: { id: 't' } })

/** Graph with one method, whose responses wait until `open` is called. The token identifies the caller. */
function heldGraph(limits: ThrottleLimits = {}) {
  const { promise, resolve } = Promise.withResolvers<void>()
  const api = {
    routes: routeTable([{ method: 'GET' as const, path: '/me/things', scopes: [], handle: () => ({ json: {} }) }]),
    world: { now: () => 0 },
    throttle: createThrottle(() => 0, limits),
    pause: () => promise,
    findCaller: (token: string): Caller =>
      ({
        clientId: 'c',
        scopes: new Set(),
        tenant: { id: 't', domain: '' },
        account: owner(token),
      }) as unknown as Caller,
  } as unknown as Api
  const request = (token: string, method = 'GET', path = '/me/things', body = '') => ({
    method,
    url: new URL(`http://localhost/v1.0${path}`),
    headers: new Headers({ authorization: `Bearer ${token}` }),
    body: Buffer.from(body),
  })
  return {
    open: resolve,
    get: (token: string) => answerApi(api, request(token)),
    batch(token: string, size: number) {
      const requests = Array.from({ length: size }, (_, index) => ({
        id: String(index),
        method: 'GET',
        url: '/me/things',
      }))
      return answerBatch(api, request(token, 'POST', '/$batch', JSON.stringify({ requests })), (inner, answer) =>
        answer(inner),
      )
    },
  }
}

async function statuses(batch: Promise<{ body: Uint8Array }>): Promise<string[]> {
  const { responses } = JSON.parse(Buffer.from((await batch).body).toString()) as {
    responses: { id: string; status: number }[]
  }
  return responses.toSorted((left, right) => Number(left.id) - Number(right.id)).map(({ status }) => String(status))
}

test('more than four concurrent requests to one mailbox are throttled', async () => {
  const graph = heldGraph()
  const requested = [...Array.from({ length: 5 }, () => graph.get('ada')), graph.get('grace')]
  graph.open()
  const answers = await Promise.all(requested)
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 429, 200])
  expect(answers[4]?.headers['retry-after']).toBe('1')
  expect(JSON.parse(Buffer.from(answers[4]?.body ?? []).toString())).toMatchObject({
    error: { code: 'ApplicationThrottled', message: 'Application is over its MailboxConcurrency limit.' },
  })
  expect((await graph.get('ada')).status).toBe(200)
})

test('a batch runs four requests at a time, and those that find the mailbox busy are throttled separately', async () => {
  const graph = heldGraph()
  const plain = [graph.get('ada'), graph.get('ada')]
  const crowded = graph.batch('ada', 6)
  const late = graph.batch('ada', 2)
  graph.open()
  await Promise.all(plain)
  expect(await statuses(crowded)).toEqual(['429', '429', '200', '200', '200', '200'])
  expect(await statuses(late)).toEqual(['429', '429'])
  expect(await statuses(graph.batch('ada', 20))).toEqual(Array(20).fill('200'))
})

test('there is a limit of requests in ten minutes, also inside batches', async () => {
  const graph = heldGraph({ requests: 3 })
  graph.open()
  expect((await graph.get('ada')).status).toBe(200)
  expect(await statuses(graph.batch('ada', 3))).toEqual(['200', '200', '429'])
  const { status, headers } = await graph.get('ada')
  expect([status, headers['retry-after']]).toEqual([429, '600'])
})

test('responses can be slow, and limits are set at the start', async () => {
  await using accounts = await openGraph({ latencyMs: 120, limits: { requests: 1 } })
  const begin = performance.now()
  const init = { headers: accounts.headersOf(accounts.ada) }
  expect((await fetch(`${accounts.microsoft.url}/v1.0/me`, init)).status).toBe(200)
  expect(performance.now() - begin).toBeGreaterThan(110)
  expect((await fetch(`${accounts.microsoft.url}/v1.0/me`, init)).status).toBe(429)
})
