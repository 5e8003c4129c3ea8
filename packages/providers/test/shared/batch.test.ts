/**
 * Batched calls to a provider on loopback with JSON batches: split, repeated in part, in halves, with another token.
 */

import { ApiError } from '@waypost/platform/api-error'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { jsonOf } from '../../src/shared/answer.ts'
import { type BatchFormat, runBatches } from '../../src/shared/batch.ts'
import { authorized, type ExchangeRules } from '../../src/shared/exchange.ts'
import { openProviderPeer, type ProviderPeer } from './provider-peer.ts'

interface Call {
  id: number
  method?: 'GET' | 'DELETE'
}
interface Part {
  status: number
  wait?: number
}

let peer: ProviderPeer
beforeAll(async () => {
  peer = await openProviderPeer()
})
afterAll(() => peer[Symbol.asyncDispose]())
beforeEach(() => {
  peer.requested()
  peer.refusedTokens.length = 0
})

const refused = ({ status, wait }: Part): ApiError =>
  new ApiError(
    status === 429 ? 'provider_rate_limited' : status >= 500 ? 'provider_unavailable' : 'provider_refused',
    undefined,
    { providerError: { status, ...(wait ? { retry_after: wait } : {}) } },
  )
const rules: ExchangeRules = { name: 'Example', headers: {}, refused: ({ status }) => refused({ status }) }

/** Sends `[id, method]` of each call; receives `{ id: { status } }`. */
const format = (more: Partial<BatchFormat<Call, Part, string>> = {}): BatchFormat<Call, Part, string> => ({
  name: 'Example',
  size: 3,
  reads: ({ method = 'GET' }) => method === 'GET',
  async send(calls, refusedToken) {
    const body = JSON.stringify(calls.map(({ id, method = 'GET' }) => [id, method]))
    const request = { url: `${peer.url}/batch`, method: 'POST', headers: {}, body, maxBytes: 200, deadlineMs: 20_000 }
    const answer = await authorized(peer.io, { ...request, method: 'POST' }, rules, refusedToken)
    if (answer.status >= 300) throw refused(answer)
    const parts = (await jsonOf(answer.body, rules, peer.io)) as Record<string, Part>
    return { token: answer.token, parts: calls.map(({ id }) => parts[id]) }
  },
  result: (part, { id }) => (part.status >= 300 ? refused(part) : `result ${id}`),
  ...more,
})

/** Answers each call by `statusOf`, which gets the number of earlier requests for the call. */
function answerBy(statusOf: (id: number, before: number, token: string) => Part | undefined | string) {
  const times = new Map<number, number>()
  const batches: number[][] = []
  peer.reply((response, { body, headers }) => {
    const ids = (JSON.parse(body) as [number, string][]).map(([id]) => id)
    batches.push(ids)
    const parts: Record<string, unknown> = {}
    for (const id of ids) {
      const before = times.get(id) ?? 0
      times.set(id, before + 1)
      const part = statusOf(id, before, headers.authorization ?? '')
      if (part !== undefined) parts[id] = typeof part === 'string' ? { status: 200, fill: part } : part
    }
    response.end(JSON.stringify(parts))
  })
  return batches
}

const calls = (count: number, method?: Call['method']): Call[] =>
  Array.from({ length: count }, (_, id) => ({ id, method }))
const outcomes = (results: (string | ApiError)[]): string[] =>
  results.map((each) => (each instanceof ApiError ? each.code : each))
const run = (some: Call[], more: Partial<BatchFormat<Call, Part, string>> = {}) =>
  runBatches(peer.io, some, format(more)).then(outcomes)

describe('batches', () => {
  test('have a limited size, and return results in the order of the calls', async () => {
    const batches = answerBy(() => ({ status: 200 }))
    expect(await run(calls(7))).toEqual([0, 1, 2, 3, 4, 5, 6].map((id) => `result ${id}`))
    expect(batches).toEqual([[0, 1, 2], [3, 4, 5], [6]])
    expect(await run([])).toEqual([])
    expect(batches).toHaveLength(3)
  })

  test('run concurrently if the provider allows it', async () => {
    const waiting: (() => void)[] = []
    peer.reply((response, { body }) => {
      const ids = (JSON.parse(body) as [number, string][]).map(([id]) => [id, { status: 200 }])
      // No response before two requests have arrived.
      waiting.push(() => response.end(JSON.stringify(Object.fromEntries(ids))))
      if (waiting.length === 2) for (const answer of waiting.splice(0)) answer()
    })
    expect(await run(calls(12), { concurrency: 2 })).toEqual(calls(12).map(({ id }) => `result ${id}`))
  })

  test('are repeated for the parts that were refused temporarily', async () => {
    const batches = answerBy((id, before) => {
      if (id === 0) return { status: 404 }
      return id === 1 && before === 0 ? { status: 429 } : { status: 200 }
    })
    expect(await run(calls(3))).toEqual(['provider_refused', 'result 1', 'result 2'])
    expect(batches).toEqual([[0, 1, 2], [1]])
  })

  test('are not repeated if the provider requests a long delay, or may have made the change', async () => {
    const batches = answerBy((id) => (id === 0 ? { status: 429, wait: 60 } : { status: 503 }))
    expect(await run(calls(2, 'DELETE'))).toEqual(['provider_rate_limited', 'provider_unavailable'])
    expect(batches).toEqual([[0, 1]])
  })

  test('are requested in halves if the responses are too large together', async () => {
    const batches = answerBy((id) => 'x'.repeat(id === 2 ? 300 : 100))
    expect(await run(calls(3))).toEqual(['result 0', 'result 1', 'provider_refused'])
    expect(batches).toEqual([[0, 1, 2], [0, 1], [0], [1], [2]])
  })

  test('report a part without a response as such', async () => {
    const batches = answerBy((id, before) => (id === 1 || before > 0 ? undefined : { status: 200 }))
    expect(await run(calls(2))).toEqual(['result 0', 'provider_unavailable'])
    expect(batches).toEqual([[0, 1], [1]])
  })

  test('whose token is refused in every part are repeated with another', async () => {
    const batches = answerBy((_, __, token) => ({ status: token === 'Bearer token-0' ? 401 : 200 }))
    expect(await run(calls(2))).toEqual(['result 0', 'result 1'])
    expect(peer.refusedTokens).toEqual(['token-0'])
    expect(batches).toHaveLength(2)
  })

  test('that fail as a whole are repeated for reads, and throw for changes', async () => {
    peer.reply({ status: 503 }, { body: { 0: { status: 200 } } })
    expect(await run(calls(1))).toEqual(['result 0'])
    peer.requested()
    peer.reply({ status: 503 })
    await expect(run(calls(1, 'DELETE'))).rejects.toMatchObject({ code: 'provider_unavailable' })
    expect(peer.requested()).toHaveLength(1)
  })
})
