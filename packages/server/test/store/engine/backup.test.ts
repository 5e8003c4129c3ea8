/** `waypost backup` and `waypost restore`, as an operator runs them. */
import { copyFileSync, existsSync, mkdirSync, readdirSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { createKeyFile } from '@waypost/platform/crypto/key-ring'
import { lockForServing } from '@waypost/store/engine/server-lock'
import { expect, test } from 'vitest'
import { runHere } from '../../command-line.ts'
import { openService, type TestService } from '../../harness.ts'

const newFolder = () => mkdtempDisposable(path.join(tmpdir(), 'waypost-backup-'))

async function book(service: TestService, grant: string, title: string): Promise<void> {
  const body = { title, when: { start_time: 1_798_790_400, end_time: 1_798_794_000 } }
  const answer = await service.call('POST', `/v3/grants/${grant}/events?calendar_id=primary`, { body })
  expect(answer.status).toBe(200)
}

const titlesOf = async (service: TestService, grant: string): Promise<string[]> => {
  const query = 'calendar_id=primary&start=1798700000&end=1798900000&limit=200'
  const { body } = await service.call('GET', `/v3/grants/${grant}/events?${query}`)
  return body.data.map(({ title }: { title: string }) => title)
}

test('a backup during writes contains everything acknowledged before, and works after a restore', async () => {
  await using from = await newFolder()
  await using to = await newFolder()
  const dataDir = path.join(from.path, 'data')
  const restored = path.join(to.path, 'data')
  let copy: string
  let key: string
  {
    await using service = await openService({ dataDir })
    key = service.apiKey
    const { id } = await service.createGrant('room-7')
    await service.call('POST', `/v3/grants/${id}/calendars`, { body: { name: 'Bookings' } })
    for (const title of ['one', 'two', 'three']) await book(service, id, title)
    let goesOn = true
    const writing = (async () => {
      for (let count = 0; goesOn; count++) await book(service, id, `later ${count}`)
    })()
    const run = await runHere(['backup', `${to.path}/copies/`, '--json'], { WAYPOST_DATA_DIR: dataDir })
    goesOn = false
    await writing
    expect(run).toMatchObject({ code: 0, stderr: '' })
    const made = JSON.parse(run.stdout)
    expect(made).toMatchObject({ applications: 1, grants: 1 })
    expect(path.basename(made.file)).toMatch(/^waypost-\d{4}-\d\d-\d\dT\d{6}Z\.db$/)
    expect(statSync(made.file).mode & 0o777).toBe(0o600)
    expect(readdirSync(path.dirname(made.file))).toEqual([path.basename(made.file)])
    copy = made.file
  }
  const env = { WAYPOST_DATA_DIR: restored }
  const without = await runHere(['restore', copy], env)
  expect(without).toMatchObject({ code: 1, stderr: expect.stringMatching(/secret\.key does not open the backup/) })
  expect(existsSync(path.join(restored, 'waypost.db'))).toBe(false)
  copyKey(dataDir, restored)
  const checked = await runHere(['restore', copy, '--check'], env)
  expect(checked).toMatchObject({ code: 0, stderr: expect.stringContaining('the key opens it') })
  expect(existsSync(path.join(restored, 'waypost.db'))).toBe(false)
  expect(await runHere(['restore', copy], env)).toMatchObject({ code: 0 })
  await using again = await openService({ dataDir: restored, env: { WAYPOST_API_KEY: key } })
  const titles = await titlesOf(again, 'room-7')
  expect(titles).toEqual(expect.arrayContaining(['one', 'two', 'three']))
})

function copyKey(from: string, to: string): void {
  const made = path.join(to, 'secret.key')
  mkdirSync(to, { recursive: true })
  copyFileSync(path.join(from, 'secret.key'), made)
}

test('a restore changes nothing while a server runs, and keeps what it replaces', async () => {
  await using folder = await newFolder()
  const dataDir = path.join(folder.path, 'data')
  const env = { WAYPOST_DATA_DIR: dataDir }
  const copy = path.join(folder.path, 'copy.db')
  {
    await using service = await openService({ dataDir })
    await service.createGrant('room-7')
    expect(await runHere(['backup', copy], env)).toMatchObject({ code: 0 })
    const noted = new DatabaseSync(path.join(dataDir, 'waypost.db'), { readOnly: true })
    expect(noted.prepare("select value from installation where name = 'last_backup_at'").get()).toBeDefined()
    noted.close()
    expect(await runHere(['backup', copy], env)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('is there already'),
    })
    using _served = lockForServing(path.join(dataDir, 'waypost.db'))
    const running = await runHere(['restore', copy, '--replace'], env)
    expect(running).toMatchObject({ code: 1, stderr: expect.stringContaining('another Waypost server is using') })
  }
  expect(await runHere(['restore', copy], env)).toMatchObject({ code: 2, stderr: expect.stringContaining('--replace') })
  const run = await runHere(['restore', copy, '--replace', '--json'], env)
  expect(run.code).toBe(0)
  const former = JSON.parse(run.stdout).former_store
  expect(new DatabaseSync(former, { readOnly: true }).prepare('select count(*) as n from grants').get()?.n).toBe(1)
})

test('an invalid backup is refused with the reason', async () => {
  await using folder = await newFolder()
  const dataDir = path.join(folder.path, 'data')
  const env = { WAYPOST_DATA_DIR: dataDir }
  const copy = path.join(folder.path, 'copy.db')
  await (await openService({ dataDir }))[Symbol.asyncDispose]()
  expect(await runHere(['backup', copy], env)).toMatchObject({ code: 0 })
  const restore = async (file: string, settings: Record<string, string> = env): Promise<string> => {
    const { code, stderr, stdout } = await runHere(['restore', file, '--replace'], settings)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).not.toMatch(/\n\s+at /)
    return stderr
  }
  expect(await restore(path.join(folder.path, 'nothing.db'))).toContain('is not there')
  const text = path.join(folder.path, 'text.db')
  writeFileSync(text, 'not a database'.repeat(100))
  expect(await restore(text)).toContain('is no SQLite database')
  const cut = path.join(folder.path, 'cut.db')
  copyFileSync(copy, cut)
  truncateSync(cut, statSync(cut).size - 4096)
  expect(await restore(cut)).toContain('is cut short')
  const newer = path.join(folder.path, 'newer.db')
  copyFileSync(copy, newer)
  new DatabaseSync(newer).exec("insert into migrations values (999, 'of the future', 0)")
  expect(await restore(newer)).toContain('written by a newer version')
  const other = path.join(folder.path, 'other')
  mkdirSync(other)
  createKeyFile(path.join(other, 'secret.key'))
  expect(await restore(copy, { WAYPOST_DATA_DIR: other })).toContain('does not open the backup')
  expect(existsSync(path.join(other, 'waypost.db'))).toBe(false)
  const nowhere = await runHere(['backup', copy], { WAYPOST_DATA_DIR: path.join(folder.path, 'nowhere') })
  expect(nowhere).toMatchObject({ code: 1, stderr: expect.stringContaining('there is no store in') })
  const postgresql = { ...env, DATABASE_URL: 'postgres://u:secret@127.0.0.1/x' }
  for (const command of ['backup', 'restore']) {
    const { code, stderr } = await runHere([command, copy], postgresql)
    expect(code).toBe(2)
    expect(stderr).toMatch(/the store is PostgreSQL: .*pg_(dump|restore)/)
    expect(stderr).not.toContain('secret@')
  }
})
