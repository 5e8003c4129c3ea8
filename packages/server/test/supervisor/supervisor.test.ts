/** The supervisor with processes that exist only in the test. */
import { connect } from 'node:net'
import { createLog } from '@waypost/platform/log'
import { expect, test, vi } from 'vitest'
import type { Order } from '../../src/supervisor/messages.ts'
import { isSilent } from '../../src/supervisor/process-failures.ts'
import { createGathering } from '../../src/supervisor/process-metrics.ts'
import type { ProcessEnd, ProcessStart, SupervisedProcess } from '../../src/supervisor/supervised-process.ts'
import { FirstProcessEnded, reloading, startSupervisor } from '../../src/supervisor/supervisor.ts'

interface Pretended extends SupervisedProcess {
  isFirst: boolean
  orders: Order[]
  beReady(): void
  end(end: ProcessEnd): void
}

const crash: ProcessEnd = { code: null, signal: 'SIGKILL' }

function pretend(start: ProcessStart, pid: number): Pretended {
  const ready = Promise.withResolvers<boolean>()
  const ended = Promise.withResolvers<ProcessEnd>()
  const orders: Order[] = []
  const process: Pretended = {
    ...{
      number: start.number,
      isFirst: start.isFirst,
      pid,
      orders,
      startedAt: performance.now(),
      heardAt: performance.now(),
    },
    ...{ state: 'starting', node: undefined, isHung: false, open: 0, handed: [] },
    ready: ready.promise,
    ended: ended.promise,
    send: (order) => {
      orders.push(order)
      if (order.type === 'stop' || order.type === 'hand-over') process.end({ code: 0, signal: null })
    },
    hand: () => orders.push({ type: 'connection' }),
    kill: () => process.end(crash),
    beReady() {
      process.state = 'ready'
      process.node = `node-${pid}`
      start.heard(process, { type: 'ready', node: process.node })
      ready.resolve(true)
    },
    end(end) {
      ended.resolve(end)
      ready.resolve(false)
    },
  }
  return process
}

function supervise(count: number, onStart: (process: Pretended) => void = (process) => process.beReady()) {
  const processes: Pretended[] = []
  const supervisor = startSupervisor({
    ...{ count, port: 0, host: '127.0.0.1', roles: ['api', 'worker'], announceMs: 0, stopMs: 5_000 },
    log: createLog('silent'),
    write: () => undefined,
    writeError: () => undefined,
    start(start) {
      const process = pretend(start, processes.length + 1)
      processes.push(process)
      setImmediate(() => onStart(process))
      return process
    },
  })
  return { processes, supervisor }
}

const living = (processes: readonly Pretended[], number: number): Pretended | undefined =>
  processes.findLast((each) => each.number === number && each.state === 'ready')

test('the first process starts alone, and prints the addresses; the others follow', async () => {
  const order: number[] = []
  const { processes, supervisor } = supervise(3, (process) => {
    order.push(processes.length)
    process.beReady()
  })
  const { port, stop } = await supervisor
  expect(order[0]).toBe(1)
  expect(processes.map(({ isFirst }) => isFirst)).toEqual([true, false, false])
  for (const { orders } of processes) expect(orders).toContainEqual({ type: 'open', port })
  await stop()
  expect(processes.every(({ orders }) => orders.some(({ type }) => type === 'stop'))).toBe(true)
})

test('a first process that does not start ends the supervisor with its status', async () => {
  const { supervisor, processes } = supervise(3, (process) => process.end({ code: 1, signal: null }))
  await expect(supervisor).rejects.toThrow(FirstProcessEnded)
  await expect(supervisor).rejects.toMatchObject({ end: { code: 1 } })
  expect(processes).toHaveLength(1)
})

test('a crashed process is replaced, and another process releases its node', async () => {
  const { processes, supervisor } = supervise(2)
  const { stop } = await supervisor
  processes[1]?.end(crash)
  await vi.waitFor(() => expect(processes).toHaveLength(3))
  expect(processes[0]?.orders).toContainEqual({ type: 'release', nodes: ['node-2'] })
  expect(processes[2]?.number).toBe(2)
  await stop()
})

test('without any other process, the replacement releases the node of the dead one', async () => {
  const { processes, supervisor } = supervise(2)
  const { stop } = await supervisor
  for (const process of [...processes]) process.end(crash)
  await vi.waitFor(() => expect(processes.filter(({ state }) => state === 'ready')).toHaveLength(4))
  const released = processes
    .flatMap(({ orders }) => orders)
    .flatMap((each) => (each.type === 'release' ? each.nodes : []))
  expect(released.toSorted()).toEqual(['node-1', 'node-2'])
  await stop()
})

test('a reload replaces one process after the other, each once the next one is ready', async () => {
  const { processes, supervisor } = supervise(2)
  const { reload, stop } = await supervisor
  await reload()
  expect(processes.map(({ number }) => number)).toEqual([1, 2, 1, 2])
  expect(processes.slice(0, 2).map(({ orders }) => orders.at(-1)?.type)).toEqual(['hand-over', 'hand-over'])
  await stop()
})

test('a reload whose first process does not start keeps the processes that run', async () => {
  let isBroken = false
  const { processes, supervisor } = supervise(2, (process) =>
    isBroken ? process.end({ code: 1, signal: null }) : process.beReady(),
  )
  const { reload, stop } = await supervisor
  isBroken = true
  await reload()
  expect(processes).toHaveLength(3)
  expect([living(processes, 1)?.pid, living(processes, 2)?.pid]).toEqual([1, 2])
  await stop()
})

test('a process that crashes while it is being replaced is replaced once', async () => {
  const { processes, supervisor } = supervise(2)
  const { reload, stop } = await supervisor
  const reloaded = reload()
  processes[0]?.end(crash)
  await reloaded
  expect(processes.filter(({ number }) => number === 1)).toHaveLength(2)
  await stop()
})

test('reloads that are requested during a reload are merged into one more', async () => {
  let runs = 0
  const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const reload = reloading(async () => {
    await gates[runs++]?.promise
  })
  const first = reload()
  void reload()
  void reload()
  gates[0]?.resolve()
  await vi.waitFor(() => expect(runs).toBe(2))
  gates[1]?.resolve()
  await first
  expect(runs).toBe(2)
})

test('connections go to the processes in turn', async () => {
  const { processes, supervisor } = supervise(2)
  const { port, stop } = await supervisor
  const sockets = Array.from({ length: 4 }, () => connect(port, '127.0.0.1'))
  const given = (): number[] => processes.map(({ orders }) => orders.filter(({ type }) => type === 'connection').length)
  await vi.waitFor(() => expect(given()).toEqual([2, 2]))
  for (const socket of sockets) socket.destroy()
  for (const { handed } of processes) for (const { socket } of handed.splice(0)) socket.destroy()
  await stop()
})

test('a process counts as silent after ten seconds, and a starting one after a minute', () => {
  const heard = { heardAt: 0 }
  expect(isSilent({ ...heard, state: 'ready' }, 10_001)).toBe(true)
  expect(isSilent({ ...heard, state: 'ready' }, 9_999)).toBe(false)
  expect(isSilent({ ...heard, state: 'starting' }, 59_999)).toBe(false)
})

test('the metrics of a process that does not respond are omitted', async () => {
  const start: ProcessStart = {
    ...{
      number: 1,
      count: 2,
      roles: [],
      isFirst: true,
      heard: () => undefined,
      write: () => undefined,
      writeError: () => undefined,
    },
  }
  const [requesting, hung] = [pretend(start, 1), pretend({ ...start, number: 2 }, 2)]
  for (const each of [requesting, hung]) each.state = 'ready'
  const gathering = createGathering(() => [requesting, hung], 20)
  gathering.gather(requesting, 7)
  const requested = requesting.orders.find((order) => order.type === 'read-figures')
  gathering.answered(requesting, requested?.id ?? 0, [])
  await vi.waitFor(() => expect(requesting.orders.at(-1)?.type).toBe('figures'))
  expect(requesting.orders.at(-1)).toMatchObject({
    id: 7,
    figures: { processes: [{ number: 1 }], states: { ready: 2 } },
  })
})
