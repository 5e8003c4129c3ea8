/** `waypost grants export`: files that other programs read, killed and continued, with accounts that fail. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { isCheck } from '@waypost/testing/level'
import { processEnvironment, programFile } from '@waypost/testing/programs'
import ICAL from 'ical.js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { seededGoogle } from '../../../simulators/src/index.ts'
import { runHere } from '../command-line.ts'
import { mboxMessages, zipEntries } from '../exports/readers.ts'
import { openService } from '../harness.ts'

const stack = new AsyncDisposableStack()
let env: Record<string, string>
let folder: string
let google: Awaited<ReturnType<typeof seededGoogle>>
const ids = { ada: '', room: '', broken: '' }
const messages = 230

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'waypost-export-'))
  stack.defer(() => rm(folder, { recursive: true, force: true }))
  google = stack.use(await seededGoogle())
  const dataDir = path.join(folder, 'data')
  env = {
    WAYPOST_DATA_DIR: dataDir,
    WAYPOST_GOOGLE_URL: google.url,
    WAYPOST_GOOGLE_CLIENT_ID: google.client.id,
    WAYPOST_GOOGLE_CLIENT_SECRET: google.client.secret,
  }
  await using service = await openService({ dataDir, env })
  const connect = async (email: string): Promise<string> => {
    const body = { provider: 'google', settings: { refresh_token: `simulated-refresh-token-of-${email}` } }
    return (await service.call('POST', '/v3/connect/custom', { body })).body.data.id
  }
  const { mail } = google.account('ada@example.com')
  for (let place = 0; place < messages; place += 1) {
    const text = `Subject: export ${place}\r\nFrom: ann@people.test\r\n\r\nFrom me\r\n`
    mail.deliver(text, { labels: ['INBOX'], at: 1_790_000_000_000 + place * 1000 })
  }
  ids.ada = await connect('ada@example.com')
  ids.broken = await connect('grace@example.com')
  ids.room = (await service.createGrant('room-7')).id
  await service.call('POST', `/v3/grants/${ids.room}/calendars`, { body: { name: '../Bookings/é' } })
  const soon = Math.floor(Date.now() / 3_600_000) * 3600
  for (const body of [{ when: { time: soon } }, { when: { time: soon }, recurrence: ['RRULE:FREQ=DAILY;COUNT=9'] }]) {
    await service.call('POST', `/v3/grants/${ids.room}/events?calendar_id=primary`, { body })
  }
  const revoked = await service.call(
    'POST',
    `/v3/admin/applications/${service.services.administration.installation.sandboxId}/grants/${ids.broken}/revoke`,
    { admin: true },
  )
  expect(revoked.status).toBeLessThan(300)
})
afterAll(() => stack.disposeAsync())

const run = (...args: string[]) => runHere(['grants', 'export', ...args], env)
const bytesOf = (...names: string[]): Buffer => readFileSync(path.join(folder, ...names))
const positionOf = (out: string, id: string) => JSON.parse(String(bytesOf(out, id, 'export.json')))

test('an account becomes files that other programs read, with a summary', async () => {
  const { code, stdout, stderr } = await run(ids.ada, '--out', path.join(folder, 'one'), '--json')
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const { accounts } = JSON.parse(stdout)
  expect(accounts).toMatchObject([{ grant_id: ids.ada, email: 'ada@example.com', status: 'complete', problems: [] }])
  const read = mboxMessages(bytesOf('one', ids.ada, 'mail.mbox'))
  expect(read).toHaveLength(accounts[0].messages)
  const subjects = new Set(read.map(({ subject }) => subject))
  for (let place = 0; place < messages; place += 1) expect(subjects).toContain(`export ${place}`)
  expect(String(bytesOf('one', ids.ada, 'contacts.vcf')).match(/^BEGIN:VCARD/gm)).toHaveLength(accounts[0].contacts)
  const calendars = readdirSync(path.join(folder, 'one', ids.ada)).filter((name) => name.endsWith('.ics'))
  const events = calendars.flatMap((name) =>
    new ICAL.Component(ICAL.parse(String(bytesOf('one', ids.ada, name)))).getAllSubcomponents('vevent'),
  )
  expect(events.length).toBeGreaterThan(0)
  // A second export into the same folder would mix with the first.
  const again = await run(ids.ada, '--out', path.join(folder, 'one'))
  expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('--resume')])
})

test('of several accounts, one that fails is reported at the end, and the others are complete', async () => {
  const { code, stdout, stderr } = await run('--all', '--format', 'ndjson', '--out', path.join(folder, 'all'))
  expect(code).toBe(1)
  expect(stderr).toContain('1 of 3 accounts failed: grace@example.com')
  expect(stdout).toMatch(/grace@example\.com +failed/)
  expect(stdout).toMatch(/ada@example\.com +complete/)
  expect(stdout).toContain('room-7: left out: mail.ndjson: not_supported_by_provider')
  const names = readdirSync(path.join(folder, 'all', ids.room)).filter((name) => name.startsWith('calendar-'))
  for (const name of names) expect(name).toMatch(/^calendar-\d\d(-[a-z0-9-]+)?\.ndjson$/)
  const lines = names.flatMap((name) =>
    String(bytesOf('all', ids.room, name))
      .split('\n')
      .filter(Boolean),
  )
  expect(lines.map((line) => JSON.parse(line).object)).toEqual(['event', 'event'])
  // What is complete is not read again.
  const sizes = bytesOf('all', ids.ada, 'mail.ndjson').length
  const again = await run('--all', '--out', path.join(folder, 'all'), '--resume')
  expect([again.code, bytesOf('all', ids.ada, 'mail.ndjson').length]).toEqual([1, sizes])
})

const mailTo = (name: string, format: string): string[] => [
  ...[ids.ada, '--data', 'mail', '--format', format],
  ...['--out', path.join(folder, name)],
]

/** Calls `then` when an export asks for its second page of messages. */
function atSecondPage(then: () => void): void {
  const stop = google.observe(({ path, query }) => {
    if (!path.endsWith('/messages') || !query.has('pageToken')) return
    stop()
    then()
  })
}

/** Of the complete export, which the first test has made. */
let complete: (string | null)[] | undefined
const subjectsOfAll = (): (string | null)[] => {
  complete ??= mboxMessages(bytesOf('one', ids.ada, 'mail.mbox')).map(({ subject }) => subject)
  return complete
}

/** Continues an export, to which half a page is appended, and reads all of it. */
async function expectContinued(name: string, format: string): Promise<void> {
  const out = path.join(folder, name)
  expect(positionOf(name, ids.ada).tasks[0].pages).toBeGreaterThan(0)
  const left = format === 'mbox' ? 'mail.mbox' : 'mail-00002.zip.part'
  appendFileSync(path.join(out, ids.ada, left), 'From half a page\nSubject: ha')
  expect((await run(...mailTo(name, format), '--resume')).code).toBe(0)
  const subjects =
    format === 'mbox'
      ? mboxMessages(bytesOf(name, ids.ada, 'mail.mbox')).map(({ subject }) => subject)
      : readdirSync(path.join(out, ids.ada))
          .filter((file) => file.endsWith('.zip'))
          .flatMap((file) => [...zipEntries(bytesOf(name, ids.ada, file))])
          .filter(([file]) => file.endsWith('.eml'))
          .map(([, source]) => /^Subject: (.*?)\r?$/m.exec(String(source))?.[1])
  expect(subjects.toSorted()).toEqual(subjectsOfAll().toSorted())
}

test.for(['mbox', 'eml'])('an export of %s that fails continues, and has every message once', async (format) => {
  const name = `failed-${format}`
  atSecondPage(() => google.fail({ path: /\/messages$/ }, { status: 400, reason: 'failedPrecondition' }))
  expect((await run(...mailTo(name, format))).code).toBe(1)
  await expectContinued(name, format)
})

test.runIf(isCheck).for(['mbox', 'eml'])('an export of %s that is killed continues, and has all', async (format) => {
  const name = `killed-${format}`
  const file = await programFile('waypost')
  const child = spawn(process.execPath, [file, 'grants', 'export', ...mailTo(name, format)], {
    env: { ...processEnvironment, ...env },
    stdio: 'ignore',
  })
  atSecondPage(() => child.kill('SIGKILL'))
  expect(await once(child, 'close')).toEqual([null, 'SIGKILL'])
  await expectContinued(name, format)
})

test('wrong words and folders that cannot be written are refused with the reason', async () => {
  expect(await run('--out', folder)).toMatchObject({ code: 2, stderr: expect.stringContaining('--all') })
  expect(await run(ids.ada)).toMatchObject({ code: 2, stderr: expect.stringContaining('--out FOLDER is missing') })
  expect(await run(ids.ada, '--out', folder, '--data', 'files')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('files is none of'),
  })
  expect(await run(ids.ada, '--out', folder, '--format', 'pst')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('pst is none of'),
  })
  const file = path.join(folder, 'a-file')
  appendFileSync(file, 'x')
  const refused = await run(ids.ada, '--out', file)
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('a-file')])
})

test('a full disk ends the export with the reason, and it continues when there is space', async () => {
  const out = path.join(folder, 'full')
  mkdirSync(path.join(out, ids.ada), { recursive: true })
  const file = path.join(out, ids.ada, 'mail.mbox')
  // Every write to this device fails with ENOSPC.
  symlinkSync('/dev/full', file)
  const args = [ids.ada, '--data', 'mail', '--out', out]
  const refused = await run(...args)
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('no space left on the disk')])
  rmSync(file)
  expect((await run(...args, '--resume')).code).toBe(0)
  expect(mboxMessages(bytesOf('full', ids.ada, 'mail.mbox')).length).toBeGreaterThan(messages)
})
