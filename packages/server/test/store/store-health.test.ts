/** The health of the store: what `/ready` and a start report for files that are empty, foreign, damaged or full. */

import { existsSync } from 'node:fs'
import { mkdtempDisposable, open, readdir, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type Database, StoreUnavailable } from '@waypost/store/engine/database'
import { prepareFile, UnusableStore } from '@waypost/store/engine/sqlite-file'
import { watchHealth } from '@waypost/store/store-health'
import { readFact } from '@waypost/store/tables/applications/installation'
import { engines } from '@waypost/testing/engines'
import { sql } from '@waypost/testing/statement'
import { describe, expect, test } from 'vitest'
import { examine } from '../../src/cli/doctor/doctor.ts'
import { readConfig } from '../../src/config.ts'
import { openService } from '../harness.ts'

const newFolder = () => mkdtempDisposable(path.join(tmpdir(), 'waypost-file-'))

describe('the database file', () => {
  test('of a new installation is ours, private, and leaves no other files', async () => {
    await using folder = await newFolder()
    const file = path.join(folder.path, 'waypost.db')
    prepareFile(file)
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect(await readdir(folder.path)).toEqual(['waypost.db'])
    // A first start that is interrupted at this point is continued by the next one.
    expect(() => prepareFile(file)).not.toThrow()
    await using service = await openService({ dataDir: folder.path })
    expect((await service.call('GET', '/ready')).status).toBe(200)
  })

  const ruins: [what: string, ruin: (file: string) => Promise<void> | void, reason: RegExp][] = [
    ['emptied', (file) => truncate(file, 0), /is empty/],
    [
      'cut short',
      async (file) => truncate(file, Math.floor((await stat(file)).size / 2 / 4096) * 4096),
      /is cut short/,
    ],
    ['cut within its head', (file) => truncate(file, 50), /is no SQLite database/],
    ['overwritten', (file) => writeFile(file, 'x'.repeat(20_000)), /is no SQLite database/],
    [
      'of another program',
      async (file) => {
        await rm(file)
        const other = new DatabaseSync(file)
        other.exec('create table theirs (id integer)')
        other.close()
      },
      /is a database of another program/,
    ],
    [
      'without tables',
      async (file) => {
        await rm(file)
        const other = new DatabaseSync(file)
        other.exec('pragma user_version = 1')
        other.close()
      },
      /has no tables/,
    ],
    [
      'damaged in its first page',
      async (file) => {
        await using opened = await open(file, 'r+')
        await opened.write(Buffer.alloc(3_000, 0xee), 0, 3_000, 100)
      },
      /is damaged/,
    ],
    [
      'gone, with its log left behind',
      async (file) => {
        await rm(file)
        await writeFile(`${file}-wal`, 'x'.repeat(5_000))
      },
      /is missing, but its log/,
    ],
  ]
  test.for(ruins)('that is %s is refused with what to do, and stays unchanged', async ([, ruin, reason]) => {
    await using folder = await newFolder()
    const file = path.join(folder.path, 'waypost.db')
    await (await openService({ dataDir: folder.path }))[Symbol.asyncDispose]()
    await ruin(file)
    const before = existsSync(file) ? (await stat(file)).size : undefined
    const refused = await openService({ dataDir: folder.path }).then(
      () => undefined,
      (error: unknown) => error,
    )
    expect(refused).toBeInstanceOf(UnusableStore)
    expect(refused).toMatchObject({
      message: expect.stringMatching(reason),
      remedy: expect.stringContaining('restore'),
    })
    expect(existsSync(file) ? (await stat(file)).size : undefined).toBe(before)
    const { config, secrets } = readConfig({ WAYPOST_DATA_DIR: folder.path })
    if (before === undefined) return
    const reported = { check: 'store', state: 'problem', message: expect.stringMatching(reason) }
    expect(await examine(config, secrets)).toContainEqual(expect.objectContaining(reported))
  })
})

describe.each(engines)('/ready on %s', (engine) => {
  test('writes to the store, at most once a second', async () => {
    await using service = await openService({ engine })
    const written = () => readFact(service.services.storage.database, 'write_probe')
    expect((await service.call('GET', '/ready')).body.data).toMatchObject({ status: 'ready', store: engine })
    const first = await written()
    expect(first).toBeDefined()
    await Promise.all([service.call('GET', '/ready'), service.call('GET', '/ready')])
    expect(Number(await written()) - Number(first)).toSatisfy((later: number) => later === 0 || later >= 1_000)
  })
})

describe('the health of a store', () => {
  const failing = (failure: () => Error | undefined) => {
    let writes = 0
    const answer = async <T>(value: T): Promise<T> => {
      const error = failure()
      if (error) throw error
      return value
    }
    const store = {
      run: () => {
        writes++
        return answer(1)
      },
      get: () => answer(undefined),
    } as unknown as Database
    return { store, writes: () => writes }
  }

  test('is bad while writes fail and for a while after, and good again once they succeed', async () => {
    let now = 0
    let error: Error | undefined
    const { store, writes } = failing(() => error)
    const { database, health } = watchHealth(store, { now: () => now })
    expect(await health.problem()).toBeUndefined()
    expect(await health.problem()).toBeUndefined()
    expect(writes()).toBe(1)
    error = new StoreUnavailable('the disk is full', new Error('SECRET'))
    now += 1_000
    expect(await health.problem()).toBe('the disk is full')
    error = undefined
    now += 1_000
    expect(await health.problem()).toBe('the disk is full')
    now += 5_000
    expect(await health.problem()).toBeUndefined()
    // Failures of other writes count, even if the small test write succeeds.
    error = new StoreUnavailable('the disk failed', new Error('SECRET'))
    await expect(database.get(sql('', ''))).rejects.toThrow()
    error = undefined
    expect(await health.problem()).toBe('the disk failed')
  })

  test('stays bad after damage was found', async () => {
    let now = 0
    let error: Error | undefined = new StoreUnavailable('the database file is damaged', undefined, { isDamage: true })
    const { store } = failing(() => error)
    const { database, health } = watchHealth(store, { now: () => now })
    await expect(database.get(sql('', ''))).rejects.toThrow()
    error = undefined
    now += 3_600_000
    expect(await health.problem()).toBe('the database file is damaged')
  })
})

test('/ready is 503 once a request finds damaged pages, without further details', async () => {
  await using folder = await newFolder()
  const file = path.join(folder.path, 'waypost.db')
  {
    await using service = await openService({ dataDir: folder.path })
    for (let index = 0; index < 3; index++) await service.createGrant(`room-${index}`)
  }
  const pages = new DatabaseSync(file)
  const root = Number(pages.prepare("select rootpage from sqlite_master where name = 'grants'").get()?.rootpage)
  pages.close()
  {
    await using opened = await open(file, 'r+')
    await opened.write(Buffer.alloc(4096, 0xee), 0, 4096, (root - 1) * 4096)
  }
  const service = await openService({ dataDir: folder.path })
  try {
    const list = await service.call('GET', '/v3/grants')
    expect(list.status).toBe(503)
    const ready = await service.call('GET', '/ready')
    expect(ready.status).toBe(503)
    expect(ready.headers.get('retry-after')).toBe('5')
    expect(ready.body.error).toEqual({ type: 'api.service_unavailable', message: 'the database file is damaged' })
    const { config, secrets } = readConfig({ WAYPOST_DATA_DIR: folder.path })
    const reported = { check: 'store', state: 'problem', message: expect.stringContaining('is damaged') }
    expect(await examine(config, secrets)).toContainEqual(expect.objectContaining(reported))
  } finally {
    await service[Symbol.asyncDispose]()
  }
})
