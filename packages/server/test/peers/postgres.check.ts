import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { chmod, mkdir, mkdtempDisposable, readdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freshDatabaseUrl } from '@waypost/testing/peers/database-url'
import { findPostgres, postgresFolders } from '@waypost/testing/peers/debian'
import { type PostgresPeer, startPostgres } from '@waypost/testing/peers/postgres'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'

describe('a PostgreSQL server', () => {
  let postgres: PostgresPeer
  beforeAll(async () => {
    postgres = await startPostgres({ settings: { work_mem: '2MB' } })
  })
  afterAll(() => postgres[Symbol.asyncDispose]())

  test('answers, with the settings it was given', async () => {
    expect(await postgres.query('SHOW work_mem')).toEqual([{ work_mem: '2MB' }])
  })

  test('is durable and listens only where tests may', async () => {
    expect(await postgres.query('SHOW fsync')).toEqual([{ fsync: 'on' }])
    expect(await postgres.query('SHOW synchronous_commit')).toEqual([{ synchronous_commit: 'on' }])
    expect(await postgres.query('SHOW listen_addresses')).toEqual([{ listen_addresses: '127.0.0.1' }])
    const port = Number(new URL(postgres.url()).port)
    expect(port).toBeGreaterThanOrEqual(20_000)
    expect(port).toBeLessThan(32_000)
  })

  test('keeps fresh databases apart', async () => {
    const [one, two] = await Promise.all([postgres.createDatabase(), postgres.createDatabase()])
    await postgres.query('CREATE TABLE note (text text)', databaseOf(one))
    const tables = "SELECT tablename FROM pg_tables WHERE schemaname = 'public'"
    expect(await postgres.query(tables, databaseOf(one))).toEqual([{ tablename: 'note' }])
    expect(await postgres.query(tables, databaseOf(two))).toEqual([])
  })

  test.for(['fast', 'immediate'] as const)('comes back from a restart, %s, with committed data', async (mode) => {
    const database = databaseOf(await postgres.createDatabase())
    await postgres.query("CREATE TABLE note (text text); INSERT INTO note VALUES ('kept')", database)
    const before = await postmasterPid(postgres.folder)
    await postgres.restart(mode)
    expect(await postmasterPid(postgres.folder)).not.toBe(before)
    expect(await postgres.query('SELECT text FROM note', database)).toEqual([{ text: 'kept' }])
  })

  test('recovers after an immediate restart and loses what was not committed', async () => {
    const url = await postgres.createDatabase()
    await postgres.query('CREATE TABLE note (text text)', databaseOf(url))
    const client = new Client({ connectionString: url })
    const broken = new Promise<void>((resolve) => client.once('end', resolve))
    client.on('error', () => {})
    await client.connect()
    await client.query("BEGIN; INSERT INTO note VALUES ('lost')")
    await postgres.restart('immediate')
    await broken
    expect(await postgres.query('SELECT text FROM note', databaseOf(url))).toEqual([])
    expect(await readFile(join(postgres.folder, 'server.log'), 'utf8')).toContain('automatic recovery in progress')
  })

  test('refuses connections while it is stopped and answers when started again', async () => {
    await postgres.stop()
    await expect(postgres.query('SELECT 1')).rejects.toThrow('ECONNREFUSED')
    await postgres.start()
    expect(await postgres.query('SELECT 1 AS one')).toEqual([{ one: 1 }])
  })
})

describe('what a PostgreSQL server leaves behind', () => {
  test('no process and no folder once disposed', async () => {
    const postgres = await startPostgres()
    const pid = await postmasterPid(postgres.folder)
    expect(isAlive(pid)).toBe(true)
    await postgres[Symbol.asyncDispose]()
    expect(isAlive(pid)).toBe(false)
    expect(existsSync(postgres.folder)).toBe(false)
  })

  test.for(['SIGINT', 'SIGTERM', 'SIGKILL'] as const)(
    'no process and no folder after %s to its owner',
    async (signal) => {
      const module = new URL('../../../testing/src/peers/postgres.ts', import.meta.url).href
      const script = `const { startPostgres } = await import('${module}'); console.log((await startPostgres()).folder)`
      const owner = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
      const [output] = await once(owner.stdout.setEncoding('utf8'), 'data')
      const folder = String(output).trim()
      const pid = await postmasterPid(folder)
      owner.kill(signal)
      await vi.waitFor(() => expect([isAlive(pid), existsSync(folder)]).toEqual([false, false]), 10_000)
    },
  )

  test('no folder when it could not start, and an error with the log', async () => {
    await using root = await mkdtempDisposable(join(tmpdir(), 'waypost-start-'))
    await chmod(root.path, 0o711)
    vi.stubEnv('TMPDIR', root.path)
    const attempt = startPostgres({ settings: { shared_buffers: 'plenty' } })
    await expect(attempt).rejects.toThrow('invalid value for parameter "shared_buffers": "plenty"')
    expect(await readdir(root.path)).toEqual([])
    vi.unstubAllEnvs()
  })
})

test('each fresh database of the shared server is its own and empty', async () => {
  const [one, two] = await Promise.all([freshDatabaseUrl(), freshDatabaseUrl()])
  expect(one).not.toBe(two)
  const client = new Client({ connectionString: one })
  await client.connect()
  const { rows } = await client.query("SELECT current_database() AS name, current_setting('fsync') AS fsync")
  await client.end()
  expect(rows).toEqual([{ name: databaseOf(one), fsync: 'on' }])
})

describe('finding PostgreSQL', () => {
  test('PATH comes first, then the newest version of Debian', async () => {
    await using root = await mkdtempDisposable(join(tmpdir(), 'waypost-find-'))
    for (const name of ['9', '15', '17', 'common']) await mkdir(join(root.path, name))
    const versions = ['17', '15', '9'].map((name) => join(root.path, name, 'bin'))
    expect(postgresFolders('/usr/local/bin::/usr/bin', root.path)).toEqual(['/usr/local/bin', '/usr/bin', ...versions])
  })

  test('a version before 15 or one without initdb is passed over', async () => {
    await using root = await mkdtempDisposable(join(tmpdir(), 'waypost-find-'))
    const old = await fakePostgres(join(root.path, 'old'), '14.12', ['initdb', 'postgres'])
    const partial = await fakePostgres(join(root.path, 'partial'), '17.1', ['postgres'])
    const good = await fakePostgres(join(root.path, 'good'), '16.3', ['initdb', 'postgres'])
    expect(findPostgres([old, partial, good])).toEqual({
      initdb: join(good, 'initdb'),
      postgres: join(good, 'postgres'),
    })
    expect(findPostgres([old, partial])).toBeUndefined()
  })

  test('a machine without PostgreSQL has none', () => {
    expect(findPostgres(postgresFolders('/nowhere', '/nowhere/postgresql'))).toBeUndefined()
  })
})

async function fakePostgres(folder: string, version: string, programs: string[]): Promise<string> {
  await mkdir(folder)
  for (const program of programs) {
    await writeFile(join(folder, program), `#!/bin/sh\necho '${program} (PostgreSQL) ${version}'\n`)
    await chmod(join(folder, program), 0o755)
  }
  return folder
}

function databaseOf(url: string): string {
  return new URL(url).pathname.slice(1)
}

async function postmasterPid(folder: string): Promise<number> {
  return Number.parseInt(await readFile(join(folder, 'data', 'postmaster.pid'), 'utf8'), 10)
}

/** An orphan that ended but that pid 1 has not reaped yet, a zombie, counts as gone. */
function isAlive(pid: number): boolean {
  try {
    return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ')
  } catch {
    return false
  }
}
