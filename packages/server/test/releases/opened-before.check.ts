/** What an earlier release does with a store that this version has opened. */
import { execFile } from 'node:child_process'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { engines } from '@waypost/testing/engines'
import { processEnvironment } from '@waypost/testing/programs'
import { expect, test } from 'vitest'
import { readRelease } from '../../../../scripts/release/releases.ts'
import { openService } from '../harness.ts'
import { storeChannel } from '../webhooks/stored-channel.ts'
import { checkOutRelease, newestRelease } from './checkout.ts'
import { releasedStore } from './released-store.ts'
import { readFixture, restoreSqlite } from './store-fixture.ts'

const run = promisify(execFile)

test.for(engines)('the newest release still opens its store on %s after this version', async (engine, { skip }) => {
  const version = newestRelease()
  const source = await checkOutRelease(version)
  if ('missing' in source) return skip(source.missing)
  await using resources = new AsyncDisposableStack()
  const data = resources.use(await mkdtempDisposable(path.join(tmpdir(), 'waypost-back-')))
  const fixture = readFixture(readRelease(version), engine)
  const databaseUrl = engine === 'postgresql' ? resources.use(await releasedStore(fixture)).url : undefined
  if (!databaseUrl) await restoreSqlite(fixture, data.path)
  const { settings, reads } = fixture.inventory
  {
    await using service = await openService({ dataDir: data.path, databaseUrl, env: settings })
    expect((await service.call('GET', '/ready', { key: null })).status).toBe(200)
  }
  const store = databaseUrl ? { DATABASE_URL: databaseUrl } : { WAYPOST_DATA_DIR: data.path }
  const env = { ...processEnvironment, ...settings, ...store }
  const grants = reads.find((read) => read.path === '/v3/grants')?.data
  const listed = await run(process.execPath, [source.program, 'grants', 'list', '--json', '--app', 'Halls'], { env })
  const idsOf = (list: unknown) => (list as { id: string }[]).map(({ id }) => id).toSorted()
  expect(idsOf(JSON.parse(listed.stdout))).toEqual(idsOf(grants))
  const doctor = await run(process.execPath, [source.program, 'doctor', '--json'], { env })
  expect(JSON.parse(doctor.stdout)).not.toContainEqual(expect.objectContaining({ check: 'store', state: 'problem' }))
})

test.for(engines)(
  '1.2.0 does not open a store on %s with channels, whose notifications it would lose',
  async (engine, { skip }) => {
    const source = await checkOutRelease('1.2.0')
    if ('missing' in source) return skip(source.missing)
    await using resources = new AsyncDisposableStack()
    const data = resources.use(await mkdtempDisposable(path.join(tmpdir(), 'waypost-back-')))
    const fixture = readFixture(readRelease('1.2.0'), engine)
    const databaseUrl = engine === 'postgresql' ? resources.use(await releasedStore(fixture)).url : undefined
    if (!databaseUrl) await restoreSqlite(fixture, data.path)
    const { settings, applicationId } = fixture.inventory
    const store = databaseUrl ? { DATABASE_URL: databaseUrl } : { WAYPOST_DATA_DIR: data.path }
    const env = { ...processEnvironment, ...settings, ...store }
    const grantsOf = () =>
      run(process.execPath, [source.program, 'grants', 'list', '--json', '--app', 'Halls'], { env })
    {
      await using service = await openService({ dataDir: data.path, databaseUrl, env: settings })
      expect((await service.call('GET', '/ready', { key: null })).status).toBe(200)
    }
    expect(JSON.parse((await grantsOf()).stdout).length).toBeGreaterThan(0)
    {
      await using service = await openService({ dataDir: data.path, databaseUrl, env: settings })
      await storeChannel(service, { applicationId, transport: 'nats' })
    }
    await expect(grantsOf()).rejects.toThrow('needs version 1.3.0 or newer; this is 1.2.0')
  },
)
