import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { openService } from '../../server/test/harness.ts'
import { createWaypost, type WaypostOptions } from '../src/index.ts'
import { fetchOf } from './service-client.ts'

/** The reaction of a scripted service to a request. */
type Step = Response | Error | (() => Promise<Response>)

const answer = (): Response => Response.json({ request_id: 'r', data: {} })
const failure = (status: number, type: string, headers: Record<string, string> = {}): Response =>
  Response.json({ request_id: 'r', error: { type, message: 'no' } }, { status, headers })
const busy = (retryAfter?: string): Response =>
  failure(429, 'rate_limit_error', retryAfter === undefined ? {} : { 'retry-after': retryAfter })
const hang = (signal: AbortSignal): Promise<Response> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))

/** A client whose service follows a script, and records the requests. */
function scripted(steps: readonly Step[], options: WaypostOptions = {}) {
  const requests: Request[] = []
  const waypost = createWaypost({
    apiKey: 'key',
    admin: { password: 'password' },
    ...options,
    fetch: async (input, init) => {
      requests.push(new Request(input, init))
      const step = steps[requests.length - 1]
      if (step === undefined) throw new Error('more requests than the script has')
      if (step instanceof Error) throw step
      return typeof step === 'function' ? step() : step
    },
  })
  return { waypost, requests, keys: () => requests.map((request) => request.headers.get('idempotency-key')) }
}

const grant_id = 'g'
const lost = new TypeError('fetch failed')

describe('a temporary failure', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] }))
  afterEach(() => void vi.useRealTimers())

  test.for<[name: string, step: Step]>([
    ['no connection', lost],
    ['429', busy()],
    ['503', failure(503, 'api.service_unavailable')],
    ['a 502 of a proxy', new Response('<html>', { status: 502 })],
    ['an internal error', failure(500, 'api.internal_error')],
    ['a timed out provider', failure(504, 'provider_error')],
    ['a first try still in flight', failure(409, 'api.concurrent_idempotent_request', { 'retry-after': '1' })],
  ])('%s is retried', async ([, step]) => {
    const { waypost, requests } = scripted([step, answer()])
    const call = waypost.grants.update({ grant_id, body: {} })
    await vi.runAllTimersAsync()
    expect((await call).requestId).toBe('r')
    expect(requests).toHaveLength(2)
  })

  test('waits for the delay that the service requests', async () => {
    const { waypost, requests } = scripted([busy('3'), answer()])
    const call = waypost.grants.list.all().next()
    const ended = expect(call).rejects.toMatchObject({ type: 'unexpected_answer', status: 200 })
    await vi.advanceTimersByTimeAsync(2999)
    expect(requests).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(1)
    expect(requests).toHaveLength(2)
    await ended
  })

  test('waits until the date of a proxy', async () => {
    vi.setSystemTime('2026-01-01T00:00:00Z')
    const { waypost, requests } = scripted([busy('Thu, 01 Jan 2026 00:00:05 GMT'), answer()])
    const call = waypost.grants.get({ grant_id })
    await vi.advanceTimersByTimeAsync(4999)
    expect(requests).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(1)
    await call
  })

  test('waits at most 30 seconds', async () => {
    const { waypost, requests } = scripted([busy('3600'), answer()])
    const call = waypost.grants.get({ grant_id })
    await vi.advanceTimersByTimeAsync(29_999)
    expect(requests).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(1)
    await call
  })

  test('waits longer each time if the service requests no delay', async () => {
    const random = vi.spyOn(Math, 'random').mockReturnValue(1)
    const { waypost, requests } = scripted([lost, lost, answer()])
    const call = waypost.grants.get({ grant_id })
    await vi.advanceTimersByTimeAsync(499)
    expect(requests).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(1000)
    expect(requests).toHaveLength(2)
    await vi.advanceTimersByTimeAsync(1)
    await call
    random.mockRestore()
  })

  test('ends the call with the last error after the last attempt', async () => {
    const { waypost, requests } = scripted([lost, lost, busy('7')])
    const ended = expect(waypost.grants.get({ grant_id })).rejects.toMatchObject({
      type: 'rate_limit_error',
      status: 429,
      retryAfter: 7,
      temporary: true,
    })
    await vi.runAllTimersAsync()
    await ended
    expect(requests).toHaveLength(3)
  })

  test('an abort while waiting ends the call with its reason', async () => {
    const { waypost, requests } = scripted([busy('20'), answer()])
    const stop = new AbortController()
    const reason = new Error('enough')
    const ended = expect(waypost.grants.get({ grant_id, signal: stop.signal })).rejects.toBe(reason)
    await vi.advanceTimersByTimeAsync(1000)
    stop.abort(reason)
    await ended
    expect(requests).toHaveLength(1)
    expect(vi.getTimerCount()).toBe(0)
  })

  test("of an administrator's write is retried with its key", async () => {
    const { waypost, keys } = scripted([lost, answer()])
    const call = waypost.adminApplications.create({ body: { name: 'A' } })
    await vi.runAllTimersAsync()
    await call
    expect(keys()[0]).toBeTruthy()
    expect(keys()[1]).toBe(keys()[0])
  })
})

describe('no retry is made for', () => {
  test.for<[name: string, step: Response, type: string]>([
    ['a refusal of the provider', failure(400, 'provider_error'), 'provider_error'],
    ['a conflict', failure(409, 'conflict'), 'conflict'],
    ['a page of HTML', new Response('<html>', { status: 404 }), 'unexpected_answer'],
    ['JSON of someone else', Response.json({ hello: 'world' }), 'unexpected_answer'],
    ['an answer without data', Response.json({ request_id: 'r' }), 'unexpected_answer'],
    ['a redirect', new Response(null, { status: 307, headers: { location: '/' } }), 'unexpected_answer'],
  ])('%s', async ([, step, type]) => {
    const { waypost, requests } = scripted([step])
    await expect(waypost.grants.get({ grant_id })).rejects.toMatchObject({ type, temporary: false })
    expect(requests).toHaveLength(1)
  })

  test('anything, with retries at 0', async () => {
    const { waypost, requests, keys } = scripted([busy('1')], { retries: 0 })
    await expect(waypost.grants.delete({ grant_id })).rejects.toMatchObject({ status: 429 })
    expect(requests).toHaveLength(1)
    expect(keys()).toEqual([null])
  })

  test('a call whose signal is aborted before: it sends nothing', async () => {
    const { waypost, requests } = scripted([answer()])
    const call = waypost.grants.get({ grant_id, signal: AbortSignal.abort() })
    await expect(call).rejects.toMatchObject({ name: 'AbortError' })
    expect(requests).toEqual([])
  })

  test('a call whose signal is aborted in progress', async () => {
    const stop = new AbortController()
    const { waypost, requests } = scripted([() => hang(stop.signal)])
    const ended = expect(waypost.grants.get({ grant_id, signal: stop.signal })).rejects.toBe('enough')
    stop.abort('enough')
    await ended
    expect(requests).toHaveLength(1)
  })
})

describe('the Idempotency-Key', () => {
  test('is the same for all attempts of a write, another for the next write, and absent from reads', async () => {
    const again = busy('0')
    const { waypost, keys } = scripted([again, answer(), answer(), answer()])
    await waypost.grants.update({ grant_id, body: {} })
    await waypost.grants.delete({ grant_id })
    await waypost.grants.get({ grant_id })
    const [first, repeated, second, read] = keys()
    expect(first).toMatch(/^[0-9a-f]{32}$/)
    expect(repeated).toBe(first)
    expect(second).toMatch(/^[0-9a-f]{32}$/)
    expect(second).not.toBe(first)
    expect(read).toBeNull()
  })

  test('is the given one, also without retries', async () => {
    const { waypost, keys } = scripted([answer()], { retries: 0 })
    await waypost.grants.delete({ grant_id, idempotencyKey: 'mine' })
    expect(keys()).toEqual(['mine'])
  })

  test('makes a write happen once if its response was lost', async () => {
    await using service = await openService()
    const { id, key } = await service.createApplication()
    let requests = 0
    const waypost = createWaypost({
      apiKey: key,
      fetch: async (input, init) => {
        const response = await fetchOf(service)(input, init)
        if (++requests === 1) throw lost
        return response
      },
    })
    const made = await waypost.redirectUris.create({ body: { url: 'https://acme.example/back' } })
    expect(made.headers.get('idempotent-response')).toBe('true')
    expect((await waypost.redirectUris.list()).data).toEqual([made.data])
    expect((await waypost.applications.get()).data.application_id).toBe(id)
  })
})

describe('requests', () => {
  test('have the credential of their audience and the headers of the options', async () => {
    const admin = { password: 'password', application: 'app' }
    const script = () => [answer(), Response.json({ request_id: 'r', data: [] }), answer()]
    const headersBy = async (options: WaypostOptions) => {
      const { waypost, requests } = scripted(script(), { headers: { 'x-trace': 't' }, ...options })
      await waypost.applications.get()
      await waypost.adminApplications.list()
      await waypost.service.health()
      return requests.map(({ headers }) =>
        ['authorization', 'x-waypost-application', 'x-trace'].map((name) => headers.get(name)),
      )
    }
    const basic = `Basic ${btoa('admin:password')}`
    expect(await headersBy({ apiKey: 'key', admin })).toEqual([
      ['Bearer key', null, 't'],
      [basic, null, 't'],
      [null, null, 't'],
    ])
    expect(await headersBy({ apiKey: undefined, admin })).toEqual([
      [basic, 'app', 't'],
      [basic, null, 't'],
      [null, null, 't'],
    ])
  })

  test('keep the path of the base URL, and encode values as the contract says', async () => {
    const { waypost, requests } = scripted([Response.json({ request_id: 'r', data: [] })], {
      baseUrl: 'https://acme.example/waypost/',
    })
    await waypost.grants.list({ query: { account_ids: ['a', 'b c'], limit: 5, email: 'a&b@example.com' } })
    expect(requests[0]?.url).toBe(
      'https://acme.example/waypost/v3/grants?account_ids=a&account_ids=b+c&limit=5&email=a%26b%40example.com',
    )
  })

  test('time out with a clear error', async () => {
    const waypost = createWaypost({
      timeoutMs: 20,
      retries: 0,
      fetch: (_, init) => hang(init?.signal ?? AbortSignal.abort()),
    })
    await expect(waypost.service.health()).rejects.toMatchObject({
      type: 'network_error',
      message: 'GET http://127.0.0.1:3000/health: no answer within 20 ms',
      temporary: true,
    })
  })

  test('time out while the body is read too', async () => {
    const waypost = createWaypost({
      timeoutMs: 20,
      retries: 0,
      fetch: async (_, init) => {
        const body = new ReadableStream({
          start: (controller) =>
            void init?.signal?.addEventListener('abort', () => controller.error(init.signal?.reason)),
        })
        return new Response(body)
      },
    })
    await expect(waypost.service.health()).rejects.toMatchObject({ type: 'network_error' })
  })
})
