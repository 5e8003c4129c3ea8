/** An idle node on SQLite makes few queries. */
import path from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { writeFact } from '@waypost/store/tables/applications/installation'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { openSqlite } from '../../../../store/src/engine/sqlite.ts'
import { renewDataKey } from '../../../src/applications/secret-key.ts'
import { beat } from '../../../src/node.ts'
import { openService } from '../../harness.ts'
import { expectFewQueries } from './idle-node.ts'

describe('an idle node on SQLite', () => {
  afterEach(() => void vi.useRealTimers())

  /** Advances time only for the service. Its queries end in the turns of the event loop in between. */
  async function pass(milliseconds: number): Promise<void> {
    for (let passed = 0; passed < milliseconds; passed += 50) {
      await vi.advanceTimersByTimeAsync(50)
      await nextTurn()
    }
  }

  test('queries its store less than three times a second', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date', 'performance'] })
    const service = await openService()
    await service.listen()
    const { database } = service.services.storage
    await expectFewQueries(database, pass)
    vi.useRealTimers()
    await service[Symbol.asyncDispose]()
  })

  test('makes no queries for its heartbeat until a command has written to the store', async () => {
    await using service = await openService()
    const { services } = service
    await beat(services)
    let wakes = 0
    services.storage.signals.on({ deliveries: () => wakes++, watches: () => wakes++ })
    const queried = (): string[] =>
      ['data_keys.list', 'installation.read', 'nodes.live'].filter((name) => {
        const count = services.storage.database.figures.statements().get(name)?.count ?? 0
        const isMore = count > (before.get(name) ?? 0)
        before.set(name, count)
        return isMore
      })
    const before = new Map<string, number>()
    queried()
    await writeFact(services.storage.database, 'last_backup_at', '1')
    await beat(services)
    expect([queried(), wakes]).toEqual([[], 0])
    {
      await using beside = openSqlite(path.join(services.config.dataDir, 'waypost.db'))
      await renewDataKey(beside, services.storage.secrets, services.storage.clock.now() + 1)
    }
    const former = services.storage.dataKeys.newest().id
    await beat(services)
    expect([queried(), wakes]).toEqual([['data_keys.list', 'installation.read', 'nodes.live'], 2])
    expect(services.storage.dataKeys.newest().id).not.toBe(former)
    await beat(services)
    expect([queried(), wakes]).toEqual([[], 2])
  })
})
