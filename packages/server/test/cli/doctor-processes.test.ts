import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { isCheck } from '@waypost/testing/level'
import { freshDatabaseUrl } from '@waypost/testing/peers/database-url'
import { expect, test } from 'vitest'
import { openPostgresql } from '../../../store/src/engine/postgresql.ts'
import { openSqlite } from '../../../store/src/engine/sqlite.ts'
import { processFindings } from '../../src/cli/doctor/servers.ts'
import { readConfig } from '../../src/config.ts'
import { runHere } from '../command-line.ts'

test.runIf(isCheck)(
  'doctor adds up the connections of all processes, and warns above the limit of PostgreSQL',
  async () => {
    const url = await freshDatabaseUrl()
    await using database = openPostgresql(url, () => undefined)
    const findings = (env: Record<string, string>) =>
      processFindings(database, readConfig({ DATABASE_URL: url, ...env }).config)
    expect(await findings({ WAYPOST_WORKERS: '2' })).toMatchObject([
      { state: 'ok', message: expect.stringContaining('2 processes with up to 12 connections to PostgreSQL each: 24') },
    ])
    expect(await findings({ WAYPOST_WORKERS: '64', WAYPOST_DATABASE_CONNECTIONS: '500' })).toMatchObject([
      { state: 'warning', remedy: expect.stringContaining('WAYPOST_WORKERS') },
    ])
  },
)

test('doctor reports that SQLite has one process', async () => {
  await using folder = await mkdtempDisposable(path.join(tmpdir(), 'waypost-doctor-'))
  await using database = openSqlite(path.join(folder.path, 'waypost.db'))
  const { config } = readConfig({ WAYPOST_WORKERS: 'auto' })
  expect(await processFindings(database, config)).toMatchObject([
    { state: 'warning', message: expect.stringContaining('one process') },
  ])
})

test('a number of processes on SQLite is refused with the remedy', async () => {
  const { code, stderr } = await runHere(['serve'], { WAYPOST_WORKERS: '2' })
  expect(code).toBe(1)
  expect(stderr).toContain(
    'WAYPOST_WORKERS=2 needs PostgreSQL, because one process uses a SQLite store: set DATABASE_URL',
  )
})

test.each(['0', '65', 'many'])('WAYPOST_WORKERS=%s is refused', (value) => {
  const env = { WAYPOST_WORKERS: value, DATABASE_URL: 'postgres://waypost@127.0.0.1/waypost' }
  expect(() => readConfig(env)).toThrow(/WAYPOST_WORKERS is ".*": it takes a whole number from 1 to 64, or auto/)
})
