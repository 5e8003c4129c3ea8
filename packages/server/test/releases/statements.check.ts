/** The statements of the newest release work on the schema of this version, so that its nodes run next to new ones. */
import { execFile } from 'node:child_process'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { compareVersions } from '@waypost/platform/versions'
import { changes } from '@waypost/store/migrations/changes'
import { migrate } from '@waypost/store/migrations/migrate'
import { freshDatabaseUrl, migratedDatabase } from '@waypost/testing/peers/database-url'
import { migratedStore } from '@waypost/testing/peers/test-stores'
import pg from 'pg'
import { expect, test } from 'vitest'
import { openPostgresql } from '../../../store/src/engine/postgresql.ts'
import { checkOutRelease, newestRelease } from './checkout.ts'

const program = fileURLToPath(new URL('./list-statements.ts', import.meta.url))

interface Declared {
  name: string
  text: string
  locks: string[]
}

async function statementsOf(folder: string): Promise<Declared[]> {
  const { stdout } = await promisify(execFile)(process.execPath, [program, folder], { maxBuffer: 64 * 2 ** 20 })
  return JSON.parse(stdout)
}

/** The names of statements that PostgreSQL does not accept. */
async function refusedByPostgresql(url: string, statements: readonly Declared[]): Promise<string[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const refused: string[] = []
  for (const { name, text, locks } of statements) {
    const whole = locks.length > 0 ? `${text} for no key update` : text
    const isAccepted = await client.query(`prepare tried as ${whole}`).then(
      () => true,
      () => false,
    )
    if (isAccepted) await client.query('deallocate tried')
    else refused.push(name)
  }
  await client.end()
  return refused
}

function refusedBySqlite(file: string, statements: readonly Declared[]): string[] {
  const database = new DatabaseSync(file, { readOnly: true })
  const refused = statements.filter(({ text }) => {
    try {
      database.prepare(text)
      return false
    } catch {
      return true
    }
  })
  database.close()
  return refused.map(({ name }) => name)
}

test('all statements of the newest release are accepted by a store of this version', async ({ skip }) => {
  const release = await checkOutRelease(newestRelease())
  if ('missing' in release) return skip(release.missing)
  const statements = await statementsOf(release.folder)
  expect(statements.length).toBeGreaterThan(400)
  await using current = await migratedDatabase()
  const url = await freshDatabaseUrl()
  {
    await using database = openPostgresql(url, () => undefined)
    const ofRelease = changes.filter(({ version }) => compareVersions(version, newestRelease()) <= 0)
    await migrate(database, 1_760_000_000_000, { changes: ofRelease })
  }
  // Some are written for SQLite alone.
  expect(await refusedByPostgresql(current.url, statements)).toEqual(await refusedByPostgresql(url, statements))
  await using store = await migratedStore('sqlite')
  const foreign = new Set(refusedBySqlite(path.join(store.dataDir, 'waypost.db'), statements))
  const nowhere = (await refusedByPostgresql(current.url, statements)).filter((name) => foreign.has(name))
  // The catalog of Citus exists only with its extension.
  expect(nowhere.filter((name) => name !== '' && !name.startsWith('citus.'))).toEqual([])
})
