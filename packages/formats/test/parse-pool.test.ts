import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { sleep } from '@waypost/platform/clock'
import {
  createParsePool,
  type ParseOutcome,
  type ParsePool,
  type ParsePoolOptions,
} from '@waypost/platform/parsing/pool'
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest'
import type { LeanMessage } from '../src/parse-worker.ts'
import { type DifficultMail, difficultMail } from './mime/difficult-mail.ts'

const hostile = new URL('../../platform/test/hostile-parses.ts', import.meta.url)
const mail = new URL('../src/parse-worker.ts', import.meta.url)

/** Far more than an input takes on a busy machine, for tests that expect no input to miss its deadline. */
const deadlineMs = 20_000
const common: ParsePoolOptions = { module: hostile, deadlineMs, memoryMb: 32 }
const open: ParsePool[] = []
const pool = (options: Partial<ParsePoolOptions> = {}): ParsePool => {
  const made = createParsePool({ ...common, ...options })
  open.push(made)
  return made
}
afterEach(async () => {
  for (const each of open.splice(0)) await each[Symbol.asyncDispose]()
})

/** One pool for tests that leave its thread as it was. */
const shared = createParsePool(common)
afterAll(() => shared[Symbol.asyncDispose]())

/** What waits at the gate goes on when it opens. */
function newGate(): { gate: SharedArrayBuffer; open(): void } {
  const gate = new SharedArrayBuffer(4)
  const slots = new Int32Array(gate)
  const open = (): void => {
    Atomics.store(slots, 0, 1)
    Atomics.notify(slots, 0)
  }
  return { gate, open }
}

const reasons = (outcomes: readonly ParseOutcome<unknown>[]): unknown[] =>
  outcomes.map((outcome) => (outcome.ok ? outcome.value : outcome.reason))

describe('a batch', () => {
  test('returns a result for every input, in order', async () => {
    const inputs = Array.from({ length: 100 }, (_, i) => i)
    const outcomes = await shared.run<number, number>('double', inputs)
    expect(outcomes).toEqual(inputs.map((value) => ({ ok: true, value: value * 2 })))
  })
  test('allows a large input more time than a small one', async () => {
    const large = { milliseconds: 1_000, bytes: new Uint8Array(60_000_000) }
    const small = { milliseconds: 1_000, bytes: new Uint8Array(10) }
    expect(reasons(await pool({ deadlineMs: 200 }).run('take', [large, small]))).toEqual(['done', 'deadline'])
  })
  test('of nothing returns nothing', async () => {
    expect(await shared.run('double', [])).toEqual([])
  })
  test('of an unknown function fails', async () => {
    for (const kind of ['missing', 'notAFunction', 'toString', '__proto__']) {
      expect(await shared.run(kind, [1])).toEqual([
        { ok: false, reason: 'broken', message: `There is no "${kind}" to run` },
      ])
    }
  })
  test('transfers only the listed bytes, and leaves them with the caller', async () => {
    const large = Buffer.alloc(1_000_000)
    const slices = [large.subarray(10, 20), large.subarray(500, 530)]
    expect(reasons(await shared.run('lengthOf', slices))).toEqual([10, 30])
    expect(reasons(await shared.run('memoryOf', slices))).toEqual([40, 40])
    expect(large.length).toBe(1_000_000)
  })
  test('that cannot be transferred is rejected, and affects no other', async () => {
    const bad = expect(shared.run('echo', [() => 1])).rejects.toThrow('could not be cloned')
    expect(reasons(await shared.run('double', [1]))).toEqual([2])
    await bad
  })
  test('transfers bytes inside records and lists', async () => {
    const input = { name: 'x', list: [{ bytes: Buffer.from('hello') }], nothing: null }
    const [outcome] = await shared.run<unknown, typeof input>('echo', [input])
    expect(outcome).toEqual({ ok: true, value: { ...input, list: [{ bytes: new Uint8Array(Buffer.from('hello')) }] } })
  })
})

describe('an input that', () => {
  const fates: Record<string, string> = {
    'loops for ever meets the deadline': 'loop=deadline',
    'takes all memory crashes': 'memory=crashed',
    'throws is broken': 'throw=broken',
    'throws something that is no error is broken': 'throw a text=broken',
    'takes all of the stack is broken': 'stack=broken',
    'ends the thread crashes': 'exit=crashed',
    'is beyond a limit is told so': 'limit=limit',
  }
  for (const [name, fate] of Object.entries(fates)) {
    test(`${name}, and the others of its batch are not affected`, async () => {
      const [order = '', reason] = fate.split('=')
      const made = pool(order === 'loop' ? { deadlineMs: 200 } : {})
      const others = Array.from({ length: 20 }, (_, i) => `before ${i}`)
      expect(reasons(await made.run('obey', [...others, order, 'after', order, 'last']))).toEqual([
        ...others,
        reason,
        'after',
        reason,
        'last',
      ])
      expect(reasons(await made.run('double', [4]))).toEqual([8])
    })
  }

  test('throws returns the reason', async () => {
    expect(await shared.run('obey', ['throw', 'limit'])).toEqual([
      { ok: false, reason: 'broken', message: 'as told' },
      { ok: false, reason: 'limit', message: 'too much' },
    ])
  })
  test('has a result that cannot be transferred fails alone', async () => {
    expect(reasons(await shared.run('functionOf', [0, 1, 2]))).toEqual([0, 'broken', 2])
  })
  test('loops does not delay the batches of others', async () => {
    const made = pool({ deadlineMs: 200 })
    const settled: string[] = []
    const bad = made.run('obey', ['loop', 'loop']).then(() => settled.push('bad'))
    const good = made.run('double', [1]).then(() => settled.push('good'))
    await Promise.all([bad, good])
    expect(settled).toEqual(['good', 'bad'])
  })
  test('is quick does not share the deadline of a slow batch', async () => {
    const counter = new SharedArrayBuffer(4)
    const inputs = Array.from({ length: 5 }, () => ({ counter, milliseconds: 300 }))
    expect(reasons(await pool({ deadlineMs: 1_200 }).run('count', inputs))).toEqual([0, 1, 2, 3, 4])
  })
})

test('a module that cannot be loaded fails every input', async () => {
  const made = pool({ module: new URL('./there-is-none.ts', import.meta.url) })
  expect(reasons(await made.run('double', [1, 2]))).toEqual(['crashed', 'crashed'])
})

test('several threads work at the same time', async () => {
  const made = pool({ threads: 2 })
  const [loop, quick] = [made.run('obey', ['loop']), made.run('double', [1])]
  expect(reasons(await quick)).toEqual([2])
  const rejected = expect(loop).rejects.toThrow('closed')
  await made[Symbol.asyncDispose]()
  await rejected
})

test('a thread cannot read the environment of the process', async () => {
  process.env.PARSE_POOL_SECRET = 'x'
  expect(reasons(await pool().run('environmentOf', ['PARSE_POOL_SECRET']))).toEqual([undefined])
})

describe('an aborted batch', () => {
  test('is not started', async () => {
    const reason = new Error('gone')
    await expect(shared.run('double', [1], { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
  })
  test('rejects at once, and the thread continues with the next', async () => {
    const made = pool()
    const counter = new SharedArrayBuffer(4)
    const controller = new AbortController()
    const inputs = Array.from({ length: 1_000 }, () => ({ counter, milliseconds: 10 }))
    const batch = made.run('count', inputs, { signal: controller.signal })
    while (Atomics.load(new Int32Array(counter), 0) === 0) await sleep(5)
    controller.abort(new Error('gone'))
    await expect(batch).rejects.toThrow('gone')
    expect(reasons(await made.run('double', [1]))).toEqual([2])
    expect(Atomics.load(new Int32Array(counter), 0)).toBeLessThan(1_000)
  })
  test('is dropped while it waits', async () => {
    const made = pool()
    const controller = new AbortController()
    const { gate, open } = newGate()
    const first = made.run('waitAt', [gate])
    const second = made.run('double', [1], { signal: controller.signal })
    controller.abort(new Error('gone'))
    await expect(second).rejects.toThrow('gone')
    open()
    expect(reasons(await first)).toEqual(['done'])
  })
})

test('more batches than can wait are refused', async () => {
  const made = pool()
  const batches = Array.from({ length: 1_001 }, () => made.run('obey', ['loop']))
  const settled = Promise.allSettled(batches)
  await expect(made.run('double', [1])).rejects.toMatchObject({ code: 'service_unavailable' })
  await made[Symbol.asyncDispose]()
  expect((await settled).every(({ status }) => status === 'rejected')).toBe(true)
})

test('a closed pool accepts nothing', async () => {
  const made = pool()
  await made[Symbol.asyncDispose]()
  await expect(made.run('double', [1])).rejects.toThrow('closed')
})

test('an idle thread ends, and another one starts when needed', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    const made = pool({ idleMs: 1_000 })
    // Each thread has its own counter.
    const calls = async (): Promise<unknown[]> => reasons(await made.run('callsOfThread', [0]))
    expect(await calls()).toEqual([1])
    vi.advanceTimersByTime(999)
    expect(await calls()).toEqual([2])
    vi.advanceTimersByTime(999)
    expect(await calls()).toEqual([3])
    vi.advanceTimersByTime(1_000)
    expect(await calls()).toEqual([1])
  } finally {
    vi.useRealTimers()
  }
})

test('an idle thread does not keep the process alive', async () => {
  const source = `
    const { createParsePool } = await import(${JSON.stringify(new URL('../../platform/src/parsing/pool.ts', import.meta.url).href)})
    const pool = createParsePool({ module: new URL(${JSON.stringify(hostile.href)}) })
    await pool.run('double', [1])
  `
  const process = new Worker(new URL(`data:text/javascript,${encodeURIComponent(source)}`), { execArgv: [] })
  expect(await once(process, 'exit')).toEqual([0])
})

test('difficult mail is parsed in a thread, hostile mail among the rest', async () => {
  // mime.test.ts parses all of them. Here, a few of each kind pass through a thread, with every one that is refused.
  const isRefused = ({ expected }: DifficultMail): boolean => 'refused' in expected
  const small = difficultMail.filter(({ name }) => !/MB/.test(name))
  const corpus = small.filter((each, index) => isRefused(each) || index % 8 === 0)
  const made = pool({ module: mail, memoryMb: 256 })
  const outcomes = await made.run<unknown, LeanMessage>(
    'message',
    corpus.map(({ source }) => ({ source, headers: false })),
  )
  for (const [index, { name, expected }] of corpus.entries()) {
    const outcome = outcomes[index]
    if ('refused' in expected) expect(outcome, name).toMatchObject({ ok: false, reason: 'limit' })
    else {
      const { subject } = expected
      expect(outcome, name).toMatchObject({ ok: true, value: subject === undefined ? {} : { subject } })
    }
  }
})

describe('several owners', () => {
  test('share the threads: one of them never has all', async () => {
    const made = pool({ threads: 2 })
    // Both threads have started before any task waits.
    await Promise.all([made.run('double', [1], { owner: 'a' }), made.run('double', [1], { owner: 'b' })])
    const { gate, open } = newGate()
    const held = [1, 2].map(() => made.run('waitAt', [gate], { owner: 'greedy' }))
    expect(reasons(await made.run('double', [1], { owner: 'other' }))).toEqual([2])
    open()
    expect((await Promise.all(held)).flatMap(reasons)).toEqual(['done', 'done'])
  })

  test('are refused separately if they have too much waiting', async () => {
    const made = pool({ threads: 1 })
    const { gate, open } = newGate()
    const first = made.run('waitAt', [gate], { owner: 'greedy' })
    const more = Array.from({ length: 101 }, () => made.run('double', [1], { owner: 'greedy' }).catch((error) => error))
    const other = made.run('double', [1], { owner: 'other' })
    open()
    expect(reasons(await other)).toEqual([2])
    await first
    const refused = (await Promise.all(more)).filter((result) => !Array.isArray(result))
    expect(refused).toMatchObject([{ code: 'service_unavailable' }])
  })
})
