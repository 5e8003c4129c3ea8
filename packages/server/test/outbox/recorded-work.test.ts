/** Work that any process can finish: who may take it over, and when its job tries again. */
import path from 'node:path'
import { beatNode } from '@waypost/store/tables/applications/nodes'
import { migratedStore } from '@waypost/testing/peers/test-stores'
import { describe, expect, test } from 'vitest'
import { openSqlite } from '../../../store/src/engine/sqlite.ts'
import { finishWork, isAbandoned, maxWorkMs, type WorkKind } from '../../src/outbox/recorded-work.ts'
import { JobDeferred } from '../../src/outbox/runner.ts'

const { signal } = new AbortController()
const job = { application_id: 'one', id: 'two' }

/** Work that was recorded at the time 0, and whose outcome stays open. */
const openWork = (parts: Partial<WorkKind<object, string>> = {}): WorkKind<object, string> => ({
  find: async () => 'work',
  takeOver: async (work) => work,
  attempt: async () => 'later',
  begunAt: () => 0,
  maxPauseMs: 60_000,
  ...parts,
})

const deferredBy = (age: number, kind: WorkKind<object, string>): Promise<unknown> =>
  finishWork({ clock: { now: () => age } }, kind)('{}', signal, job).then(
    () => 'done',
    (error) => (error instanceof JobDeferred ? error.ms : error),
  )

describe('recorded work', () => {
  test('is taken over from a dead process, one that gave up, or one that took too long', async () => {
    await using store = await migratedStore('sqlite')
    await using database = openSqlite(path.join(store.dataDir, 'waypost.db'))
    const now = 1_000_000
    const node = 'a node'
    await beatNode(database, { id: node, startedAt: now }, now)
    expect(await isAbandoned(database, { node, since: now }, now)).toBe(false)
    expect(await isAbandoned(database, { node: 'a dead node', since: now }, now)).toBe(true)
    expect(await isAbandoned(database, { node: null, since: now }, now)).toBe(true)
    expect(await isAbandoned(database, { node, since: now - maxWorkMs - 1 }, now)).toBe(true)
  })

  test('is left alone while its owner works, and once it is settled', async () => {
    expect(await deferredBy(0, openWork({ takeOver: async () => undefined }))).toBe(1_000)
    expect(await deferredBy(0, openWork({ find: async () => undefined }))).toBe('done')
    expect(await deferredBy(0, openWork({ attempt: async () => 'settled' }))).toBe('done')
  })

  test('is tried again after pauses that grow with its age, up to a bound', async () => {
    expect(await deferredBy(100, openWork())).toBe(1_000)
    expect(await deferredBy(40_000, openWork())).toBe(10_000)
    expect(await deferredBy(1_000_000, openWork())).toBe(60_000)
  })
})
