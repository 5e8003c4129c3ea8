/** `waypost import-v2`: what it prints, how it ends, and that killing it leaves whole accounts. */
import { spawn } from 'node:child_process'
import { mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Grant } from '@waypost/contract'
import { virtualTables } from '@waypost/store/tables/calendars-contacts/virtual-tables'
import { enginesFor } from '@waypost/testing/engines'
import { isCheck } from '@waypost/testing/level'
import { migratedStore } from '@waypost/testing/peers/test-stores'
import { programFile } from '@waypost/testing/programs'
import { sql } from '@waypost/testing/statement'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Ended, runHere, runProcess } from '../command-line.ts'
import { openService, type TestService } from '../harness.ts'
import { account, event, eventsOf, linesOf, monday, read, timespan, type V2Account } from './exports.ts'

const lockNow = sql('test.lockNow', 'select id from applications where id = $1 for update nowait')

describe.each(enginesFor(import.meta.url))('the command on %s', (engine) => {
  let stack: AsyncDisposableStack
  let folder: string
  let dataDir: string
  let service: TestService
  let env: Record<string, string>
  beforeAll(async () => {
    stack = new AsyncDisposableStack()
    folder = stack.use(await mkdtempDisposable(path.join(tmpdir(), 'waypost-import-'))).path
    const store = stack.use(await migratedStore(engine))
    const { databaseUrl } = store
    dataDir = store.dataDir
    env = {
      PATH: process.env.PATH ?? '',
      WAYPOST_DATA_DIR: dataDir,
      ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}),
    }
    // A service beside the command, as a running server would be.
    service = stack.use(await openService({ engine, dataDir, ...(databaseUrl ? { databaseUrl } : {}) }))
  })
  afterAll(() => stack.disposeAsync())

  const run = (...args: string[]): Promise<Ended> => runHere(['import-v2', ...args], env)
  const fileOf = async (text: string, name = 'export.json'): Promise<string> => {
    const file = path.join(folder, name)
    await writeFile(file, text)
    return file
  }

  test('it prints a report for people, with progress beside, and exits with 0 although something was skipped', async () => {
    const accounts = [
      account('ann', { events: [event('a'), event('\u001b[31mbad', { when: {} })] }),
      account('gmail', { provider: 'gmail' }),
    ]
    const ended = await run(await fileOf(JSON.stringify({ accounts })))
    expect(ended.code).toBe(0)
    expect(ended.stderr).toContain('2 of 2 accounts: 1 events written, 1 accounts skipped')
    expect(ended.stdout).toContain('accounts        1 created, 0 updated, 0 unchanged, 1 skipped')
    expect(ended.stdout).toContain('Skipped: 2')
    expect(ended.stdout).toContain('accounts[0].events[1]')
    expect(ended.stdout).not.toContain('\u001b')
    expect(await eventsOf(service, 'ann@example.com')).toMatchObject([{ id: 'a' }])
  })

  test('--json is one JSON object, and --dry-run keeps nothing', async () => {
    const { id, key } = await service.createApplication()
    const file = await fileOf(linesOf([account('ann', { events: [event('a'), event('b', { when: {} })] })]))
    const tried = await run(file, '--app', id, '--dry-run', '--json')
    expect(tried).toMatchObject({ code: 0, stderr: '' })
    expect(JSON.parse(tried.stdout)).toMatchObject({
      application_id: id,
      dry_run: true,
      connector_created: true,
      accounts: { created: 1, skipped: 0 },
      calendars: { created: 1 },
      events: { created: 1, skipped: 1 },
      skipped: [{ account: 'ann@example.com', object: 'event', id: 'b', place: 'line 4' }],
      skipped_total: 1,
      altered: [],
      stopped: null,
    })
    expect(await read(service, '/v3/grants', key)).toEqual([])
    const real = await run(file, '--app', id, '--json')
    expect({ ...JSON.parse(real.stdout), dry_run: true }).toEqual(JSON.parse(tried.stdout))
    expect(await read(service, '/v3/grants', key)).toHaveLength(1)
  })

  test('it exits with 1 when nothing was imported, and with 2 when it was called wrongly', async () => {
    const none = await run(await fileOf(JSON.stringify({ accounts: [account('x', { provider: 'gmail' })] })), '--json')
    expect(none.code).toBe(1)
    expect(JSON.parse(none.stdout)).toMatchObject({ accounts: { skipped: 1 } })
    expect(JSON.parse(none.stderr)).toEqual({ error: 'nothing was imported' })
    expect(await run(path.join(folder, 'nowhere.json'))).toMatchObject({ code: 1, stdout: '' })
    expect(await run(await fileOf('{'), '--json')).toMatchObject({ code: 1, stdout: '' })
    expect(await run()).toMatchObject({ code: 2 })
    expect((await run('x.json', '--app', 'nobody')).stderr).toContain('no application with this id')
  })

  /** Whether another process is inside a transaction that writes. */
  const isWriting = async (app: string): Promise<boolean> => {
    try {
      if (engine === 'postgresql') await service.services.storage.database.all(lockNow, [app])
      else {
        using file = new DatabaseSync(path.join(dataDir, 'waypost.db'), { timeout: 0 })
        file.exec('begin immediate; rollback')
      }
      return false
    } catch {
      return true
    }
  }

  test.runIf(isCheck)(
    'killing it in the middle of an account leaves whole accounts only, and the next run completes them',
    async () => {
      const sizes = [30, 3_000, 20]
      const accounts: V2Account[] = sizes.map((size, index) =>
        account(`a${index}`, {
          events: Array.from({ length: size }, (_, at) => event(`e${at}`, { when: timespan(monday + at * 60) })),
        }),
      )
      const { id, key } = await service.createApplication()
      const file = await fileOf(linesOf(accounts), 'large.ndjson')
      /** How many events each account has. */
      const found = async (): Promise<Record<string, number>> => {
        const grants: Grant[] = await read(service, '/v3/grants?limit=200', key)
        const entries = grants.map(async (grant) => {
          const at = { applicationId: id, grantId: grant.id, kind: grant.provider }
          const rows = await virtualTables(service.services.storage.database, at).events.all('cal')
          return [grant.account_id, rows.length] as const
        })
        return Object.fromEntries(await Promise.all(entries))
      }
      for (let attempt = 0; attempt < 2; attempt++) {
        const child = spawn(process.execPath, [await programFile('waypost'), 'import-v2', file, '--app', id], {
          env,
          stdio: 'ignore',
        })
        const ended = new Promise((resolve) => child.on('exit', resolve))
        while ((await read(service, '/v3/grants', key)).length === 0) await sleep(5)
        // It runs for some milliseconds at a time, until it was found writing several times in a row: the large account.
        for (let times = 0; times < 4 + attempt; ) {
          child.kill('SIGSTOP')
          times = (await isWriting(id)) ? times + 1 : 0
          expect(child.exitCode).toBeNull()
          if (times === 4 + attempt) break
          child.kill('SIGCONT')
          await sleep(2)
        }
        child.kill('SIGKILL')
        await ended
        expect(await found()).toEqual({ 'acc-a0': 30 })
      }
      const rest = JSON.parse((await run(file, '--app', id, '--json')).stdout)
      expect(rest.accounts).toEqual({ created: 2, updated: 0, unchanged: 1, skipped: 0 })
      expect(await found()).toEqual({ 'acc-a0': 30, 'acc-a1': 3_000, 'acc-a2': 20 })
    },
  )

  test.runIf(isCheck)('a server that works beside it is not shut out', async () => {
    const accounts = Array.from({ length: 10 }, (_, index) =>
      account(`b${index}`, { events: Array.from({ length: 200 }, (_, at) => event(`e${at}`)) }),
    )
    const { id, key } = await service.createApplication()
    const grant = await service.createGrant('server@example.com', key)
    await service.call('POST', `/v3/grants/${grant.id}/calendars`, { key, body: { name: 'Main' } })
    let running = true
    const file = await fileOf(linesOf(accounts))
    const importing = runProcess(['import-v2', file, '--app', id, '--json'], env).finally(() => {
      running = false
    })
    const statuses = new Set<number>()
    for (let count = 0; running || count === 0; count++) {
      const body = { title: `During ${count}`, when: timespan(monday) }
      const target = `/v3/grants/${grant.id}/events?calendar_id=primary`
      statuses.add((await service.call('POST', target, { key, body })).status)
      await sleep(10)
    }
    const { code, stdout } = await importing
    expect(code).toBe(0)
    expect(JSON.parse(stdout).accounts).toMatchObject({ created: 10, skipped: 0 })
    expect([...statuses]).toEqual([200])
  })
})
