/**
 * Nodes with the same information share destinations evenly, each taken by one node, and take over from dead ones.
 */

import type { DueDestination } from '@waypost/store/tables/notifications/delivery-leases'
import { expect, test } from 'vitest'
import {
  betweenPolls,
  chooseLeases,
  chooseSpare,
  type DeliveringNode,
  isEnding,
  isToBeRenewed,
} from '../../src/webhooks/leases/lease-choice.ts'

const nodesOf = (count: number, leases = 0): DeliveringNode[] =>
  Array.from({ length: count }, (_, index) => ({ id: `node-${index}`, leases }))
const dueOf = (count: number): DueDestination[] =>
  Array.from({ length: count }, (_, index) => ({
    ...{ webhook_id: `destination-${index}`, application_id: 'a', owner: null, lease_until: null },
  }))

/** The nodes that take each destination, if all live nodes have the same information. */
function takenBy(due: readonly DueDestination[], nodes: readonly DeliveringNode[], polls = 0, alive = nodes) {
  const freeFor = new Map(polls === 0 ? [] : due.map(({ webhook_id }) => [webhook_id, polls]))
  const taken = new Map<string, string[]>(due.map(({ webhook_id }) => [webhook_id, []]))
  for (const { id: nodeId, leases: held } of alive) {
    const choice = chooseLeases(due, { nodeId, held, nodes, freeFor, isFree: ({ owner }) => owner === null })
    for (const { webhook_id } of choice.taken) taken.get(webhook_id)?.push(nodeId)
  }
  return taken
}

const loadOf = (taken: ReadonlyMap<string, readonly string[]>, id: string): number =>
  [...taken.values()].filter((nodes) => nodes.includes(id)).length

test('each free destination is taken by one node, and no node takes more than its share', () => {
  const nodes = nodesOf(7)
  const taken = takenBy(dueOf(70), nodes)
  expect([...taken.values()].every((by) => by.length === 1)).toBe(true)
  expect(nodes.map(({ id }) => loadOf(taken, id))).toEqual(nodes.map(() => 10))
})

test('a node with less takes more, and a node with its share takes nothing', () => {
  const nodes = [...nodesOf(3, 10), { id: 'new', leases: 0 }]
  const taken = takenBy(dueOf(6), nodes)
  expect(loadOf(taken, 'new')).toBe(6)
  expect([...taken.values()].every((by) => by.length === 1)).toBe(true)
})

test('when a node leaves, others take its destinations, and few others move', () => {
  const due = dueOf(1_000)
  const before = takenBy(due, nodesOf(20))
  const after = takenBy(due, nodesOf(19))
  const moved = due.filter(({ webhook_id: id }) => before.get(id)?.[0] !== after.get(id)?.[0])
  expect(moved.length).toBeLessThan(400)
})

test('untaken destinations are claimed by more nodes at every poll, so that dead nodes delay nothing', () => {
  const nodes = nodesOf(100, 5)
  const due = dueOf(50)
  const alive = nodes.slice(0, 30)
  const missed = (polls: number): number =>
    [...takenBy(due, nodes, polls, alive).values()].filter((by) => by.length === 0).length
  const found = [0, 1, 2, 3, 4].map(missed)
  expect(found[0]).toBeGreaterThan(20)
  expect(found[2]).toBeLessThan(5)
  expect(found[4]).toBe(0)
})

test('a node counts with at least the due destinations that it serves, however old its heartbeat is', () => {
  const served = dueOf(4).map((each) => ({ ...each, owner: 'node-1' }))
  const free = { ...dueOf(5)[4], webhook_id: 'free', application_id: 'a', owner: null, lease_until: null }
  expect(loadOf(takenBy([...served, free], nodesOf(2)), 'node-0')).toBe(1)
})

test('a node releases destinations beyond its share plus one, idle ones first, and only if other nodes request them', () => {
  const held = ['busy', 'idle', 'kept', 'busier'].map((id) => ({ id, keepUntil: id === 'kept' ? 20 : 0 }))
  const isBusy = ({ id }: { id: string }): boolean => id.startsWith('bus')
  const spare = (share: number): string[] => chooseSpare(held, { share, isBusy, now: 10 }).map(({ id }) => id)
  expect(spare(3)).toEqual([])
  expect(spare(2)).toEqual(['idle'])
  expect(spare(1)).toEqual(['idle'])
  expect(spare(0)).toEqual(['idle', 'busy'])
})

test('an idle lease is not renewed if it is released before it ends, and one in use always is', () => {
  const until = 15_000
  for (let now = 0; now < until; now += 1_000) {
    expect(isToBeRenewed({ until, idleSince: undefined }, now), `in use, at ${now}`).toBe(true)
    expect(isToBeRenewed({ until, idleSince: 0 }, now), `idle from the beginning, at ${now}`).toBe(false)
    expect(isToBeRenewed({ until, idleSince: 4_500 }, now), `idle from 4,500 on, at ${now}`).toBe(now >= 10_000)
  }
})

test('an idle lease that ends soon is renewed before anything is sent', () => {
  expect(isEnding(15_000, { isDue: true, now: 9_999 })).toBe(false)
  expect(isEnding(15_000, { isDue: true, now: 10_000 })).toBe(true)
  expect(isEnding(15_000, { isDue: false, now: 14_999 })).toBe(false)
  expect(isEnding(15_000, { isDue: false, now: 15_000 })).toBe(true)
})

test('nodes that share destinations poll together no more often than one does, and each often enough', () => {
  const one = 1 / betweenPolls({ held: 8, nodes: 1 })
  for (const nodes of [2, 4, 10]) expect(nodes / betweenPolls({ held: 8, nodes })).toBeCloseTo(one)
  expect(betweenPolls({ held: 8, nodes: 200 })).toBe(100)
  // A node without its own heartbeat yet, and a single idle node.
  for (const nodes of [0, 1]) expect(betweenPolls({ held: 0, nodes })).toBe(10)
  expect(betweenPolls({ held: 0, nodes: 2 })).toBe(200)
})
