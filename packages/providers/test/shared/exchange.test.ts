/** HTTP exchanges with a provider on loopback: tokens, compression, limits, and retries. */
import { gzipSync } from 'node:zlib'
import { ApiError } from '@waypost/platform/api-error'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { jsonOf } from '../../src/shared/answer.ts'
import {
  accepted,
  authorized,
  type ExchangeRequest,
  type ExchangeRules,
  exchange,
  isTooLarge,
  queryText,
} from '../../src/shared/exchange.ts'
import { boundedWait, namedWait, retryAfterSeconds, withRetry } from '../../src/shared/retry.ts'
import { openProviderPeer, type ProviderPeer } from './provider-peer.ts'

let peer: ProviderPeer
beforeAll(async () => {
  peer = await openProviderPeer()
})
afterAll(() => peer[Symbol.asyncDispose]())
beforeEach(() => {
  peer.requested()
  peer.refusedTokens.length = 0
})

const rules: ExchangeRules = {
  name: 'Example',
  headers: { 'user-agent': 'tests' },
  refused({ status, header }, scopes) {
    if (status === 429) {
      const wait = retryAfterSeconds(header)
      return new ApiError('provider_rate_limited', undefined, {
        providerError: { status, ...(wait === undefined ? {} : { retry_after: wait }) },
      })
    }
    if (status >= 500) return new ApiError('provider_unavailable', undefined, { providerError: { status } })
    return new ApiError('provider_refused', scopes?.join(' '), { providerError: { status } })
  },
}

const request = (more: Partial<ExchangeRequest> = {}): ExchangeRequest => ({
  url: `${peer.url}/things`,
  method: 'GET',
  headers: {},
  maxBytes: 10_000,
  deadlineMs: 20_000,
  ...more,
})

const json = (more: Partial<ExchangeRequest> = {}) =>
  accepted(peer.io, request(more), rules, { take: ({ body }) => jsonOf(body, rules, peer.io), scopes: ['Things.Read'] })

const failureOf = async (work: Promise<unknown>): Promise<ApiError> => {
  const error = await work.then(
    () => new Error('it did not fail'),
    (thrown: unknown) => thrown,
  )
  if (error instanceof ApiError) return error
  throw error
}

describe('an exchange', () => {
  test('has the token and the headers of the provider, and inflates the response', async () => {
    peer.reply({ body: gzipSync('{"a":"ü"}'), headers: { 'content-encoding': 'gzip', 'x-thing': 'one' } })
    const answer = await authorized(peer.io, request({ method: 'POST', body: '{}', headers: { 'x-own': '1' } }), rules)
    expect(await jsonOf(answer.body, rules, peer.io)).toEqual({ a: 'ü' })
    expect([answer.status, answer.header('x-thing'), answer.token]).toEqual([200, 'one', 'token-0'])
    expect(peer.requested()).toMatchObject([
      {
        method: 'POST',
        target: '/things',
        body: '{}',
        headers: { authorization: 'Bearer token-0', 'user-agent': 'tests', 'x-own': '1', 'accept-encoding': 'gzip' },
      },
    ])
  })

  test('is inflated even at a high compression ratio', async () => {
    const much = 'x'.repeat(1_000_000)
    peer.reply({ body: gzipSync(much), headers: { 'content-encoding': 'gzip' } })
    const { body } = await exchange(peer.io, request({ maxBytes: 2_000_000 }), rules)
    expect(body.toString() === much).toBe(true)
  })

  test.each([
    ['as it is', () => ({ body: 'x'.repeat(20_000) })],
    ['once inflated', () => ({ body: gzipSync('x'.repeat(20_000)), headers: { 'content-encoding': 'gzip' } })],
    ['because it cannot be inflated', () => ({ body: 'no gzip', headers: { 'content-encoding': 'gzip' } })],
  ])('whose response is too large %s reports it, and is not repeated', async (_, reply) => {
    peer.reply(reply())
    const error = await failureOf(json())
    expect(error.code).toBe('provider_unavailable')
    expect(isTooLarge(error)).toBe(true)
    expect(peer.requested()).toHaveLength(1)
  })

  test('without a response in time reports it', async () => {
    peer.reply(() => {})
    const error = await failureOf(exchange(peer.io, request({ deadlineMs: 50 }), rules))
    expect([error.code, error.message]).toEqual(['provider_unavailable', 'Example did not answer in time; try again'])
  })

  test('that cannot start reports it, without an address', async () => {
    const error = await failureOf(exchange(peer.io, request({ url: 'http://127.0.0.1:1/' }), rules))
    expect([error.code, error.message]).toEqual(['provider_unavailable', 'Example cannot be reached now; try again'])
  })

  test('of a canceled request throws the reason', async () => {
    await using other = await openProviderPeer()
    other.reply(() => other.abort(new Error('the client is gone')))
    await expect(exchange(other.io, request({ url: other.url }), rules)).rejects.toThrow('the client is gone')
  })

  test('whose token is refused is repeated once with another', async () => {
    peer.reply({ status: 401 }, { body: { ok: true } })
    expect(await json()).toEqual({ ok: true })
    expect(peer.requested().map(({ headers }) => headers.authorization)).toEqual(['Bearer token-0', 'Bearer token-1'])
    peer.reply({ status: 401 })
    expect((await failureOf(json())).details.providerError).toEqual({ status: 401 })
    expect(peer.requested()).toHaveLength(2)
  })
})

describe('a retry', () => {
  test('is made for reads if the provider fails', async () => {
    peer.reply({ status: 503 }, { body: '<html>', status: 200 }, { body: [1] })
    expect(await json()).toEqual([1])
    expect(peer.requested()).toHaveLength(3)
  })

  test('is made for changes only if the provider did nothing', async () => {
    peer.reply({ status: 503 }, { body: {} })
    expect((await failureOf(json({ method: 'POST' }))).code).toBe('provider_unavailable')
    expect(peer.requested()).toHaveLength(1)
    peer.reply({ status: 429 }, { body: { ok: true } })
    expect(await json({ method: 'POST' })).toEqual({ ok: true })
    expect(peer.requested()).toHaveLength(2)
  })

  test('is not made for refusals, or if the provider requests a long delay', async () => {
    peer.reply({ status: 400 })
    expect((await failureOf(json())).message).toBe('Things.Read')
    expect(peer.requested()).toHaveLength(1)
    peer.reply({ status: 429, headers: { 'retry-after': '30' } })
    expect(namedWait(await failureOf(json()))).toBe(30)
    expect(peer.requested()).toHaveLength(1)
  })

  test("waits for the provider's delay", async () => {
    peer.reply({ status: 429, headers: { 'retry-after': '1' } }, { body: {} })
    const begun = performance.now()
    await json()
    // Timers may fire a little early by this clock.
    expect(performance.now() - begun).toBeGreaterThan(990)
  })

  test('ends with the last failure', async () => {
    let tries = 0
    const failing = async () => {
      tries += 1
      throw new ApiError('provider_unavailable', `${tries}`)
    }
    expect((await failureOf(withRetry(peer.io, failing, () => true, [1, 1, 1]))).message).toBe('4')
  })
})

describe('Retry-After', () => {
  const read = (headers: Record<string, string>) => retryAfterSeconds((name) => headers[name])
  test.each([
    [{ 'retry-after': '12' }, 12],
    [{ 'retry-after': ' 1.2 ' }, 2],
    [{ 'retry-after': 'Mon, 01 Jun 2026 12:00:30 GMT', date: 'Mon, 01 Jun 2026 12:00:00 GMT' }, 30],
    [{ 'retry-after': 'Mon, 01 Jun 2026 12:00:30 GMT' }, undefined],
    [{ 'retry-after': 'Mon, 01 Jun 2026 11:00:00 GMT', date: 'Mon, 01 Jun 2026 12:00:00 GMT' }, undefined],
    [{ 'retry-after': '999999999' }, 86_400],
    [{ 'retry-after': '0' }, undefined],
    [{ 'retry-after': 'soon' }, undefined],
    [{}, undefined],
  ])('%j', (headers, seconds) => {
    expect(read(headers)).toBe(seconds)
  })

  test('is at most a day', () => {
    expect(boundedWait(1e12)).toBe(86_400)
    expect(boundedWait(Number.NaN)).toBeUndefined()
  })
})

test('a query omits undefined parameters, and repeats the name for a list', () => {
  expect(queryText({ a: 1, b: undefined, c: ['x', 'y z'], d: false })).toBe('?a=1&c=x&c=y+z&d=false')
  expect(queryText({ b: undefined })).toBe('')
  expect(queryText()).toBe('')
})
