/** Data that earlier versions stored in clear is encrypted at the first start of this one, whatever interrupts it. */
import { execFile } from 'node:child_process'
import { mkdtempDisposable, readdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { createLog } from '@waypost/platform/log'
import type { Database, Queries, Value } from '@waypost/store/engine/database'
import { openDatabase } from '@waypost/store/engine/open'
import { migrations } from '@waypost/store/migrations/migrate'
import { readFact } from '@waypost/store/tables/applications/installation'
import { lastGrantErrors } from '@waypost/store/tables/grants/grant-activity'
import { readWatch } from '@waypost/store/tables/grants/watches'
import { addSendReport, listSendReports } from '@waypost/store/tables/mail/send-reports'
import { findSendByMessageId, readSend } from '@waypost/store/tables/mail/sends'
import { findTracked, linksOf } from '@waypost/store/tables/mail/tracked-messages'
import { engines } from '@waypost/testing/engines'
import { isCheck } from '@waypost/testing/level'
import { emptyPostgres } from '@waypost/testing/peers/test-stores'
import { processEnvironment, programFile } from '@waypost/testing/programs'
import { sql } from '@waypost/testing/statement'
import { describe, expect, test } from 'vitest'
import { readConfig } from '../../../src/config.ts'
import { openService } from '../../harness.ts'
import { tablesAsText } from '../stored.ts'
import { dieAt } from './dying.ts'

const word = 'CANARY-kept-in-clear'
const [applicationId, grantId] = ['app-1', 'grant-1']
const sends = 230

/** Migrates an empty store to the previous version. */
const migrateTo = (database: Database, last: number): Promise<void> =>
  database.exclusively(async (tx, execute) => {
    await execute(
      'create table migrations (number integer primary key, name text not null, applied_at bigint not null)',
    )
    const record = sql('test.record', 'insert into migrations (number, name, applied_at) values ($1, $2, 0)')
    for (const { number, name, script } of migrations.filter((migration) => migration.number <= last)) {
      await execute(script(database.engine))
      await tx.run(record, [number, name])
    }
  })

/** Writes rows as that version did. */
async function fillAsBefore(database: Queries): Promise<void> {
  const insert = async (table: string, row: Record<string, Value>): Promise<void> => {
    const names = Object.keys(row)
    const places = names.map((_, index) => `$${index + 1}`).join(', ')
    const statement = sql(`test.${table}`, `insert into ${table} (${names.join(', ')}) values (${places})`)
    await database.run(statement, Object.values(row))
  }
  const made = { created_at: 1, updated_at: 1 }
  await insert('applications', {
    ...{ id: applicationId, environment: 'sandbox', default_workspace_id: 'w', blocked: 0, branding: '{"name":"A"}' },
    ...{ hosted_authentication: '{}', idp_settings: '{}', additional_settings: '{}', ...made },
  })
  await insert('connectors', {
    ...{ id: 'c', application_id: applicationId, provider: 'imap', name: 'c', settings: '{}', scope: '[]', ...made },
  })
  const grant = { id: grantId, provider: 'imap', email: 'a@b.test', grant_status: 'valid', scope: [], settings: {} }
  await insert('grants', {
    ...{ id: grantId, application_id: applicationId, connector_id: 'c', provider: 'imap', email_key: 'a@b.test' },
    ...{ status: 'valid', blocked: 0, workspace_id: 'w', document: JSON.stringify(grant), ...made },
  })
  const owned = { application_id: applicationId, grant_id: grantId }
  for (let n = 0; n < sends; n++) {
    await insert('sends', {
      ...{ id: `send-${n}`, ...owned, state: 'failed', message_id: `${n}@b.test`, sender: `${word}"\\é${n}@b.test` },
      ...{ recipients: JSON.stringify([`${word}${n}@c.test`]), due_at: 1, tries: 1, filing: 'none', filing_tries: 0 },
      ...{ facts: JSON.stringify({ subject: `${word} "${n}"\n` }), created_at: 1, closed_at: 9_000_000_000_000 },
      error: JSON.stringify({ code: 'send_refused', message: `550 ${word}` }),
    })
  }
  for (const recipient of [`${word}@c.test`, `${word}@d.test`, '']) {
    const document = JSON.stringify({ bounce_reason: `unknown ${word}` })
    await insert('send_reports', {
      ...{ ...owned, message_id: '1@b.test', kind: 'bounce', recipient, document, created_at: 9_000_000_000_000 },
    })
  }
  const recents = JSON.stringify([{ number: 0, ip: word, at: 1, user_agent: word }])
  const options = JSON.stringify({ opens: true, links: true, thread_replies: false, label: word })
  for (const [send_id, sender] of [
    ['send-1', `${word}@b.test`],
    ['send-2', null],
  ] as const) {
    await insert('tracked_messages', {
      ...{ send_id, ...owned, mime_id: `${send_id}@b.test`, sender, options, thread_replies: 0 },
      ...{ created_at: 9_000_000_000_000, recents: sender === null ? '[]' : recents },
    })
    for (const link_index of [0, 1]) {
      const url = `https://${word}.test/${link_index}`
      await insert('tracked_links', { send_id, link_index, ...owned, url, seal: 's', recents })
    }
  }
  await insert('watches', { ...owned, cursor: `{"f":{"${word}":[]}}`, authenticated_at: 1, told_from: 1 })
  await insert('grant_errors', {
    ...{ id: 'e', ...owned, at: 1, operation: 'messages.list', type: 'provider_error', message: `no folder ${word}` },
  })
}

/** In `npm test`, the start fails inside of its transaction. In `npm run check`, it is a process that is killed. */
async function startThatDies(transaction: number, env: Record<string, string>): Promise<void> {
  if (isCheck) {
    const killed = promisify(execFile)(process.execPath, [await programFile('dying-start'), String(transaction)], {
      env,
    })
    await expect(killed).rejects.toMatchObject({ signal: 'SIGKILL' })
    return
  }
  const fail = (): never => {
    throw new Error('the start was killed')
  }
  await expect(dieAt(transaction, readConfig({ ...env, NODE_ENV: 'test' }), fail)).rejects.toThrow(
    'the start was killed',
  )
}

describe.each(engines)('a store of the previous version on %s', (engine) => {
  test('is encrypted even if the first start is killed in the middle, and keeps its content', async () => {
    await using folder = await mkdtempDisposable(path.join(tmpdir(), 'waypost-sealing-'))
    const databaseUrl = engine === 'postgresql' ? await emptyPostgres() : undefined
    const sealed = sql<{ n: number }>('test.sealed', "select count(*) as n from sends where sealed_content like 'd1.%'")
    {
      await using database = await openDatabase(folder.path, databaseUrl, { log: createLog('silent'), lock: false })
      await migrateTo(database, 22)
      await database.transaction(fillAsBefore)
    }
    const env = {
      ...{ ...processEnvironment, WAYPOST_DATA_DIR: folder.path },
      ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
    }
    // In its third batch, which is the last of this column, and then in the first of the next one.
    for (const [dies, done] of [
      [3, 200],
      [2, sends],
    ] as const) {
      await startThatDies(dies, env)
      await using database = await openDatabase(folder.path, databaseUrl, { log: createLog('silent'), lock: false })
      expect(await database.get(sealed)).toEqual({ n: done })
      expect(await readFact(database, 'clear_values')).toBe('23')
    }

    await using service = await openService({ dataDir: folder.path, ...(databaseUrl ? { databaseUrl } : {}) })
    const { database, seals } = service.services
    expect(await readFact(database, 'clear_values')).toBeUndefined()
    for (const [table, text] of await tablesAsText(database)) {
      expect({ table, found: text.includes(word) }).toEqual({ table, found: false })
    }
    for (const file of await readdir(folder.path)) {
      const text = (await readFile(path.join(folder.path, file))).toString('latin1')
      expect({ file, found: text.includes(word) }).toEqual({ file, found: false })
    }

    for (const n of [0, 150, sends - 1]) {
      expect(await readSend(database, { applicationId, id: `send-${n}` }, seals)).toMatchObject({
        ...{ sender: `${word}"\\é${n}@b.test`, recipients: [`${word}${n}@c.test`] },
        facts: { subject: `${word} "${n}"\n` },
        error: JSON.stringify({ code: 'send_refused', message: `550 ${word}` }),
      })
    }
    const at = { applicationId, grantId, messageId: '1@b.test' }
    expect(await findSendByMessageId(database, at, at.messageId, seals)).toMatchObject({ id: 'send-1' })
    const reports = await listSendReports(database, at, seals)
    expect(reports.map(({ recipient }) => recipient)).toEqual(['', `${word}@c.test`, `${word}@d.test`])
    expect(reports[0]?.document).toEqual({ bounce_reason: `unknown ${word}` })
    const again = { ...at, kind: 'bounce' as const, recipient: `${word}@c.test`, createdAt: 1, document: {} }
    expect(await addSendReport(database, again, seals)).toBe(false)
    expect(await addSendReport(database, { ...again, recipient: 'other@c.test' }, seals)).toBe(true)
    const [tracked, own] = [await findTracked(database, 'send-1', seals), await findTracked(database, 'send-2', seals)]
    expect(tracked).toMatchObject({ sender: `${word}@b.test`, options: { label: word, opens: true } })
    expect(tracked?.opens.recents).toEqual([{ number: 0, ip: word, at: 1, user_agent: word }])
    expect(own).toMatchObject({ sender: null, opens: { recents: [] } })
    const links = await linksOf(database, { applicationId, sendId: 'send-2' }, seals)
    expect(links.map(({ url }) => url)).toEqual([`https://${word}.test/0`, `https://${word}.test/1`])
    expect(links[0]?.recents).toHaveLength(1)
    expect((await readWatch(database, at, seals))?.cursor).toBe(`{"f":{"${word}":[]}}`)
    expect((await lastGrantErrors(database, at, seals))[0]?.message).toBe(`no folder ${word}`)
  })
})
