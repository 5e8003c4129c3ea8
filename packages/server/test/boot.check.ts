/** Refused starts on PostgreSQL, and how processes end after a refusal. `boot.test.ts` has the other refusals. */
import { readFile } from 'node:fs/promises'
import { freshDatabaseUrl } from '@waypost/testing/peers/database-url'
import { queryOnce, startPostgres } from '@waypost/testing/peers/postgres'
import { describe, expect, test } from 'vitest'
import { openPostgresql } from '../../store/src/engine/postgresql.ts'
import { expectRefusal, newFolder } from './boot.ts'
import { runHere, runProcess } from './command-line.ts'

describe('a start is refused', () => {
  async function expectRefused(name: string, databaseUrl: string): Promise<void> {
    await using folder = await newFolder()
    const env = { WAYPOST_PORT: '0', WAYPOST_DATA_DIR: folder.path, DATABASE_URL: databaseUrl }
    expectRefusal(await runHere(['serve'], env), new RegExp(`PostgreSQL runs with ${name}=off: .*turn it on`))
    const doctor = await runHere(['doctor', '--json'], env)
    expect(doctor.code).toBe(1)
    const problem = { check: 'store', state: 'problem', message: `PostgreSQL runs with ${name}=off` }
    expect(JSON.parse(doctor.stdout)).toContainEqual(expect.objectContaining(problem))
    await using database = openPostgresql(env.DATABASE_URL, () => undefined)
    await expect(database.execute('select 1 from migrations')).rejects.toThrow(/does not exist/)
  }

  test('on a PostgreSQL with fsync off', async () => {
    await using postgres = await startPostgres({ settings: { fsync: 'off' } })
    await expectRefused('fsync', await postgres.createDatabase())
  })

  test('on a database with synchronous_commit off', async () => {
    const url = await freshDatabaseUrl()
    await queryOnce(url, `alter database ${new URL(url).pathname.slice(1)} set synchronous_commit = off`)
    await expectRefused('synchronous_commit', url)
  })

  test('on a PostgreSQL without the database, or with another password', async () => {
    await using folder = await newFolder()
    const url = new URL(await freshDatabaseUrl())
    url.pathname = '/nowhere'
    const env = { WAYPOST_DATA_DIR: folder.path, DATABASE_URL: url.href }
    expectRefusal(await runHere(['apps', 'list'], env), /has no database nowhere: make it \(createdb /)
    url.username = 'nobody'
    url.password = 'CANARY'
    env.DATABASE_URL = url.href
    expectRefusal(await runHere(['apps', 'list'], env), /does not (let the user nobody in|take the password)/)
  })

  // In a process, because endless attempts to make such a folder would block this one.
  test.runIf(process.platform === 'linux').for(['/proc', '/proc/waypost/data'])(
    'with %s as data folder',
    async (dataDir) => {
      const run = await runProcess(['serve'], { WAYPOST_PORT: '0', WAYPOST_DATA_DIR: dataDir })
      expectRefusal(run, /the data folder .* cannot be used: .*: give it to the user/)
    },
  )
})

test('a command prints the version and ends', async () => {
  const { version } = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8'))
  expect(await runProcess(['--version'], {})).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' })
})

test('doctor reports an empty database as empty', async () => {
  await using folder = await newFolder()
  const env = { WAYPOST_DATA_DIR: folder.path, DATABASE_URL: await freshDatabaseUrl() }
  const { code, stdout } = await runHere(['doctor', '--json'], env)
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toContainEqual(
    expect.objectContaining({ check: 'store', state: 'warning', message: 'the store is empty' }),
  )
})
