import { describe, expect, test } from 'vitest'
import { createLoad, type Load, type Refusal } from '../../../src/telemetry/load.ts'
import { openService } from '../../harness.ts'

/** A node whose turns of the event loop, and their times, the test controls. */
function openLoad(
  limits: { maxWaiting?: number; waitingPerApplication?: number; underWayPerApplication?: number } = {},
) {
  let time = 0
  let requested: (() => void) | undefined
  const nextTurn = (call: () => void): void => {
    requested = call
  }
  let unanswered = 0
  const load = createLoad({ now: () => time, used: () => time, nextTurn, unanswered: () => unanswered, ...limits })
  const begun: string[] = []
  const refused: [who: string, why: Refusal][] = []
  const ends: (() => void)[] = []
  const waited: number[] = []
  return {
    load,
    waited,
    begun,
    refused,
    ends,
    requestedOfStore(count: number) {
      unanswered = count
    },
    arrive(who: string, { credential = who as string | undefined, address = 'somewhere', isRefused = false } = {}) {
      const end = load.take({
        credential,
        address,
        isRefused,
        begin: () => void begun.push(who),
        refuse(why, waitedMs = 0) {
          refused.push([who, why])
          waited.push(waitedMs)
        },
      })
      ends.push(end)
      return end
    },
    turn(milliseconds: number) {
      time += milliseconds
      const call = requested
      requested = undefined
      call?.()
    },
  }
}

const times = (count: number, act: () => void): void => {
  for (let index = 0; index < count; index++) act()
}
const count = (list: readonly string[], who: string): number => list.filter((each) => each === who).length

describe('load shedding', () => {
  test('begins requests at once while the event loop keeps up', () => {
    const node = openLoad()
    for (let turn = 0; turn < 10; turn++) {
      times(50, () => node.arrive('one'))
      node.turn(5)
    }
    expect(node.begun).toHaveLength(500)
    expect(node.load.figures()).toEqual({ waiting: 0, underWay: 500, refused: { overloaded: 0, share: 0, visitor: 0 } })
    for (const end of [...node.ends, ...node.ends]) end()
    expect(node.load.figures().underWay).toBe(0)
  })

  test('serves applications round robin, however many requests one of them sends', () => {
    const node = openLoad()
    node.load.learn('greedy', 'app-1')
    node.load.learn('modest', 'app-2')
    times(900, () => node.arrive('greedy'))
    times(10, () => node.arrive('modest'))
    node.turn(5)
    expect(count(node.begun, 'modest')).toBe(10)
    expect(node.refused).toEqual([])
  })

  test('refuses a visitor beyond its limit, even if the queues are full, and others keep their places', () => {
    const node = openLoad({ maxWaiting: 10 })
    times(64, () => node.arrive('first'))
    times(10, () => node.arrive('waiting'))
    times(200, () => node.arrive('flood', { isRefused: true }))
    node.arrive('late')
    expect(node.load.figures()).toMatchObject({ waiting: 10, refused: { overloaded: 1, visitor: 200 } })
    times(100, () => node.turn(5))
    expect(count(node.begun, 'waiting')).toBe(10)
    expect(count(node.begun, 'flood')).toBe(0)
    expect(node.refused.filter(([who, why]) => who === 'flood' && why === 'visitor')).toHaveLength(200)
  })

  test('gives all unrecognized credentials together at most every second turn, shared equally among addresses', () => {
    const node = openLoad()
    node.load.learn('app', 'app-1')
    times(800, () => node.arrive('stranger'))
    times(20, () => node.arrive('app'))
    times(10, () => node.arrive('other', { address: 'elsewhere' }))
    const before = node.begun.length
    node.turn(5)
    const begun = node.begun.slice(before)
    expect(count(begun, 'app')).toBe(20)
    expect(count(begun, 'other')).toBe(10)
  })

  test('refuses requests only of an application whose share is already waiting', () => {
    const node = openLoad({ waitingPerApplication: 100 })
    node.load.learn('greedy', 'app-1')
    node.load.learn('modest', 'app-2')
    times(500, () => node.arrive('greedy'))
    node.arrive('modest')
    expect(node.load.figures().refused).toEqual({ share: 336, overloaded: 0, visitor: 0 })
    times(100, () => node.turn(5))
    expect(node.refused).toHaveLength(336)
    expect(new Set(node.refused.map((each) => each.join(' ')))).toEqual(new Set(['greedy share']))
  })

  test('has a bounded queue, and refuses requests that wait too long', () => {
    const node = openLoad({ maxWaiting: 200 })
    times(500, () => node.arrive('anyone'))
    expect(node.load.figures().waiting).toBe(200)
    expect(node.refused.every(([, why]) => why === 'overloaded')).toBe(true)
    node.turn(3_000)
    expect(node.load.figures().waiting).toBe(0)
  })

  test('serves a short queue after one long turn, and tells refused requests how long they waited', () => {
    const node = openLoad()
    times(100, () => node.arrive('anyone'))
    const begun = node.begun.length
    node.turn(5_000)
    expect(node.begun.length).toBe(100)
    times(600, () => node.arrive('anyone'))
    node.turn(5_000)
    expect(node.begun.length).toBeLessThan(700)
    expect(begun).toBeLessThan(100)
    expect(new Set(node.waited)).toEqual(new Set([5_000]))
  })

  test('begins fewer requests per turn while turns are long, and more again when they are short', () => {
    const node = openLoad()
    const perTurn = (milliseconds: number): number => {
      times(600, () => node.arrive('anyone'))
      const before = node.begun.length
      node.turn(milliseconds)
      return node.begun.length - before
    }
    const [first = 0, second = 0, third = 0] = [perTurn(100), perTurn(100), perTurn(100)]
    expect(second).toBeLessThan(first)
    expect(third).toBeLessThan(second)
    expect(perTurn(5)).toBeGreaterThan(third)
  })

  test('sends one refusal for two requests that begin, so that refusals leave the processor to served requests', () => {
    const node = openLoad({ waitingPerApplication: 1_000 })
    node.load.learn('greedy', 'app-1')
    times(3_000, () => node.arrive('greedy'))
    const [begun, reported] = [node.begun.length, node.refused.length]
    expect(reported).toBeLessThan(100)
    times(4, () => node.turn(5))
    expect(node.begun.length - begun).toBeGreaterThan(200)
    expect(node.refused.length - reported).toBe((node.begun.length - begun) / 2)
    // When no more requests begin, all remaining ones are refused in the end.
    times(1_000, () => node.turn(1))
    expect(node.begun.length + node.refused.length).toBe(3_000)
  })

  test('neither begins nor refuses requests whose client has disconnected, and gives their place to others', () => {
    const node = openLoad({ maxWaiting: 100 })
    node.load.learn('app', 'app-1')
    const leave: (() => void)[] = []
    times(164, () => leave.push(node.arrive('gone', { credential: 'app' })))
    expect(node.load.figures().waiting).toBe(100)
    times(300, () => leave.push(node.arrive('gone', { credential: 'app' })))
    const [begun, refused] = [node.begun.length, node.refused.length]
    for (const each of [...leave, ...leave]) each()
    expect(node.load.figures()).toMatchObject({ waiting: 0, underWay: 0 })
    times(100, () => node.arrive('app'))
    times(20, () => node.turn(5))
    expect([count(node.begun, 'gone'), count(node.begun, 'app')]).toEqual([begun, 100])
    expect(node.refused).toHaveLength(refused)
  })

  test('accepts waiting connections, one per turn, before it begins more requests', () => {
    const node = openLoad()
    times(600, () => node.arrive('anyone'))
    const before = node.begun.length
    times(40, () => {
      node.load.accepted()
      node.turn(0)
    })
    expect(node.begun).toHaveLength(before)
    node.turn(0)
    expect(node.begun.length).toBeGreaterThan(before)
    // Requests get their turn even with many connections.
    const then = node.begun.length
    times(70, () => {
      node.load.accepted()
      node.turn(0)
    })
    expect(node.begun.length).toBeGreaterThan(then)
  })

  test('begins no more requests of an application while the store is behind, and serves the others', () => {
    const node = openLoad()
    node.load.learn('greedy', 'app-1')
    node.load.learn('modest', 'app-2')
    times(40, () => node.arrive('greedy'))
    node.turn(5)
    node.requestedOfStore(200)
    times(100, () => node.arrive('greedy'))
    times(10, () => node.arrive('modest'))
    times(3, () => node.turn(5))
    expect([count(node.begun, 'greedy'), count(node.begun, 'modest')]).toEqual([40, 10])
    node.requestedOfStore(0)
    times(3, () => node.turn(5))
    expect(count(node.begun, 'greedy')).toBe(140)
  })

  test('lets a recognized administrator through first', () => {
    const node = openLoad({ maxWaiting: 100 })
    node.load.learn('password', 'administrator')
    times(1_000, () => node.arrive('anyone'))
    node.arrive('password')
    expect(count(node.begun, 'password')).toBe(1)
  })

  test('recognizes a request by a credential that was valid before, with a bounded memory', () => {
    const node = openLoad()
    times(30_000, () => node.load.learn(String(Math.round(performance.now() * 1e6)), 'app'))
    node.arrive('anyone')
    expect(node.begun).toEqual(['anyone'])
  })
})

const refusing =
  (why: Refusal): Load['take'] =>
  ({ refuse }) => {
    refuse(why)
    return () => undefined
  }

test('a refusal for load has Retry-After, and health, readiness and metrics are still answered', async () => {
  await using service = await openService()
  // Refuses every request.
  service.services.telemetry.load.take = refusing('overloaded')
  const base = await service.listen()
  const refused = await fetch(`${base}/v3/grants`, { headers: { authorization: `Bearer ${service.apiKey}` } })
  expect(refused.status).toBe(503)
  expect(refused.headers.get('retry-after')).toMatch(/^\d+$/)
  expect(await refused.json()).toMatchObject({
    request_id: refused.headers.get('x-request-id'),
    error: { type: 'api.service_unavailable' },
  })
  service.services.telemetry.load.take = refusing('share')
  const share = await fetch(`${base}/v3/grants`, { method: 'POST', body: 'x'.repeat(100_000) })
  expect([share.status, share.headers.get('connection')]).toEqual([429, 'close'])
  expect(await share.json()).toMatchObject({ error: { type: 'rate_limit_error' } })
  for (const page of ['/health', '/ready']) expect((await fetch(`${base}${page}`)).status).toBe(200)
})
