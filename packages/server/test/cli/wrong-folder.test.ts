/** A command in a place without an installation: in a folder other than the service's, or without its settings. */
import { readdirSync } from 'node:fs'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { changes } from '@waypost/store/migrations/changes'
import { isCheck } from '@waypost/testing/level'
import { freshDatabaseUrl } from '@waypost/testing/peers/database-url'
import { queryOnce } from '@waypost/testing/peers/postgres'
import { describe, expect, test } from 'vitest'
import { commandsOf } from '../../src/cli/program/command.ts'
import { program } from '../../src/cli/table/index.ts'
import { runHere } from '../command-line.ts'
import { openService } from '../harness.ts'

const storeCommands = [
  ...commandsOf(program).filter(({ command }) => 'onStore' in command),
  ...commandsOf(program).filter(({ name }) => name === 'db migrate'),
]

/** A command line with an argument for each one that the command requires. */
const lineOf = ({ name, command }: (typeof storeCommands)[number]): string[] => [
  ...name.split(' '),
  ...(command.words ?? []).filter(({ optional }) => !optional).map(({ choices }) => choices?.[0] ?? 'x'),
]

describe('in a folder without an installation', () => {
  test.for(storeCommands)('$name reports where it searched and creates nothing', async (each) => {
    await using folder = await mkdtempDisposable(path.join(tmpdir(), 'waypost-wrong-folder-'))
    const dataDir = path.join(folder.path, 'data')
    const run = await runHere(lineOf(each), { WAYPOST_DATA_DIR: dataDir })
    expect(run).toMatchObject({ code: 1, stdout: '' })
    expect(run.stderr).toContain(`there is no installation here (${dataDir}/waypost.db does not exist)`)
    expect(run.stderr).toContain('WAYPOST_DATA_DIR or DATABASE_URL')
    expect(readdirSync(folder.path)).toEqual([])
  })

  test('an empty store file is not an installation', async () => {
    await using folder = await mkdtempDisposable(path.join(tmpdir(), 'waypost-wrong-folder-'))
    const { DatabaseSync } = await import('node:sqlite')
    new DatabaseSync(path.join(folder.path, 'waypost.db')).close()
    const run = await runHere(['keys', 'create'], { WAYPOST_DATA_DIR: folder.path })
    expect(run).toMatchObject({ code: 1, stdout: '' })
    expect(run.stderr).toContain('waypost.db is empty')
    expect(readdirSync(folder.path)).not.toContain('secret.key')
  })
})

describe.runIf(isCheck)('with a PostgreSQL database that is empty', () => {
  test('a command names the database without its password and creates nothing', async () => {
    await using folder = await mkdtempDisposable(path.join(tmpdir(), 'waypost-wrong-folder-'))
    const url = new URL(await freshDatabaseUrl())
    url.password = 'a-password-that-nobody-prints'
    const env = { DATABASE_URL: url.href, WAYPOST_DATA_DIR: path.join(folder.path, 'data') }
    for (const line of [
      ['keys', 'create'],
      ['apps', 'list', '--json'],
      ['dashboard', 'link'],
    ]) {
      const run = await runHere(line, env)
      expect(run).toMatchObject({ code: 1, stdout: '' })
      expect(run.stderr).toContain(`the PostgreSQL database ${url.host}${url.pathname} is empty`)
      expect(run.stderr).not.toContain(url.password)
    }
    expect(readdirSync(folder.path)).toEqual([])
  })

  test('db migrate creates the tables, and the first start still prints its key', async () => {
    await using folder = await mkdtempDisposable(path.join(tmpdir(), 'waypost-wrong-folder-'))
    const databaseUrl = await freshDatabaseUrl()
    const env = { DATABASE_URL: databaseUrl, WAYPOST_DATA_DIR: folder.path }
    const run = await runHere(['db', 'migrate', '--json'], env)
    expect(run).toMatchObject({ code: 0, stderr: '' })
    expect(JSON.parse(run.stdout).applied).toBe(['baseline', ...changes.map(({ name }) => name)].join(', '))
    expect((await runHere(['db', 'migrate'], env)).stdout).toContain('nothing to do')
    expect((await runHere(['keys', 'list'], env)).stderr).toContain('is empty')
    await using service = await openService({ dataDir: folder.path, databaseUrl, env: { WAYPOST_API_KEY: '' } })
    expect(service.services.administration.installation.apiKey).toMatch(/^wpk_sandbox_/)
    expect(await runHere(['keys', 'list'], env)).toMatchObject({ code: 0, stderr: '' })
  })
})

describe.runIf(isCheck)('with a PostgreSQL database of another program', () => {
  test.for([
    ['tables', 'create table orders (id integer); create table customers (id integer)', 'customers, orders'],
    [
      'its own table of migrations',
      'create table migrations (id integer, migration text, batch integer); create table a (); create table b (); create table c ()',
      'a, b, c and 1 more',
    ],
    ['a table that has the name of one of ours', 'create table grants (number integer)', 'grants'],
  ] as const)('that has %s, every start and command reports it and changes nothing', async ([, made, names]) => {
    await using folder = await mkdtempDisposable(path.join(tmpdir(), 'waypost-wrong-folder-'))
    const databaseUrl = await freshDatabaseUrl()
    await queryOnce(databaseUrl, made)
    const tables = `select relname from pg_class where relnamespace = 'public'::regnamespace order by relname`
    const before = await queryOnce(databaseUrl, tables)
    const said = `${new URL(databaseUrl).pathname.slice(1)} is a database of another program: it has the tables ${names}`
    const env = { DATABASE_URL: databaseUrl, WAYPOST_DATA_DIR: folder.path }
    for (const line of [['serve'], ['keys', 'create'], ['db', 'migrate'], ['db', 'migrate', '--plan'], ['doctor']]) {
      const { code, stdout, stderr } = await runHere(line, env)
      expect([line, code, stdout + stderr]).toEqual([line, 1, expect.stringContaining(said)])
      expect(stdout + stderr).toContain('createdb waypost')
    }
    expect(await queryOnce(databaseUrl, tables)).toEqual(before)
  })

  test('tables of extensions do not count', async () => {
    await using folder = await mkdtempDisposable(path.join(tmpdir(), 'waypost-wrong-folder-'))
    const databaseUrl = await freshDatabaseUrl()
    await queryOnce(databaseUrl, 'create table of_extension (); alter extension plpgsql add table of_extension')
    const env = { DATABASE_URL: databaseUrl, WAYPOST_DATA_DIR: folder.path }
    expect(await runHere(['db', 'migrate'], env)).toMatchObject({ code: 0 })
  })
})
