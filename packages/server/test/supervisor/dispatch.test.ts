import { Socket } from 'node:net'
import { afterEach, expect, test, vi } from 'vitest'
import { chooseReceiver, createDispatch, type Receiver } from '../../src/supervisor/dispatch.ts'

interface Given extends Receiver {
  sockets: Socket[]
}

const receiver = (open = 0): Given => {
  const sockets: Socket[] = []
  return { open, handed: [], sockets, hand: (socket) => void sockets.push(socket) }
}

afterEach(() => {
  vi.useRealTimers()
})

test('a connection is passed to the process with the fewest connections', () => {
  const [busy, idle] = [receiver(5), receiver(1)]
  expect(chooseReceiver([busy, idle], 0)).toBe(idle)
})

test('equal processes take turns', () => {
  const all = [receiver(), receiver(), receiver()]
  using dispatch = createDispatch(() => all)
  for (let index = 0; index < 9; index++) dispatch.give(new Socket())
  expect(all.map(({ sockets }) => sockets.length)).toEqual([3, 3, 3])
})

test('a process that does not accept its connections gets no more while others accept theirs', () => {
  const [stuck, other] = [receiver(), receiver(100)]
  let now = 0
  const dispatch = createDispatch(
    () => [stuck, other],
    () => now,
  )
  dispatch.give(new Socket())
  expect(stuck.sockets).toHaveLength(1)
  now = 1_000
  dispatch.give(new Socket())
  expect([stuck.sockets.length, other.sockets.length]).toEqual([1, 1])
})

test('connections that a dead process had not accepted are passed to another one', () => {
  const dying = receiver()
  const other = receiver()
  let able: Given[] = [dying]
  using dispatch = createDispatch(() => able)
  const [taken, retained] = [new Socket(), new Socket()]
  dispatch.give(taken)
  dispatch.give(retained)
  dispatch.taken(dying)
  able = [other]
  dispatch.lost(dying)
  expect(taken.destroyed).toBe(true)
  expect(other.sockets).toEqual([retained])
})

test('without a process, connections wait for one, and are closed after ten seconds', () => {
  vi.useFakeTimers()
  let able: Given[] = []
  using dispatch = createDispatch(() => able)
  const [early, late] = [new Socket(), new Socket()]
  dispatch.give(early)
  vi.advanceTimersByTime(5_000)
  dispatch.give(late)
  vi.advanceTimersByTime(5_001)
  const arrived = receiver()
  able = [arrived]
  dispatch.arrived()
  expect(early.destroyed).toBe(true)
  expect(arrived.sockets).toEqual([late])
})
