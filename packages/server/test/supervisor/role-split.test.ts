import { expect, test } from 'vitest'
import { processCount, rolesOf } from '../../src/supervisor/role-split.ts'

const split = (roles: Parameters<typeof rolesOf>[0], count: number): string[] =>
  Array.from({ length: count }, (_, index) => rolesOf(roles, { number: index + 1, count }).join(','))

test('all processes answer requests, and two of up to eight work in the background', () => {
  expect(split(['api', 'worker'], 2)).toEqual(['api,worker', 'api,worker'])
  expect(split(['api', 'worker'], 3)).toEqual(['api,worker', 'api,worker', 'api'])
  expect(split(['api', 'worker'], 8).filter((roles) => roles !== 'api')).toHaveLength(2)
})

test('a quarter of more than eight processes works in the background', () => {
  expect(split(['api', 'worker'], 16).filter((roles) => roles === 'api,worker')).toHaveLength(4)
})

test('a single role of background work is assigned to the same few processes', () => {
  expect(split(['api', 'deliverer'], 3)).toEqual(['api,deliverer', 'api,deliverer', 'api'])
})

test('without the role api all processes work', () => {
  expect(split(['worker'], 3)).toEqual(['worker', 'worker', 'worker'])
  expect(split(['api'], 2)).toEqual(['api', 'api'])
})

test('auto is one process for each processor, and one on SQLite', () => {
  expect(processCount({ workers: 'auto', isShared: true }, 6)).toBe(6)
  expect(processCount({ workers: 'auto', isShared: false }, 6)).toBe(1)
  expect(processCount({ workers: 3, isShared: true }, 6)).toBe(3)
})
