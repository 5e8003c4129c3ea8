/** `waypost jobs …`. */

import { enginesFor } from '@waypost/testing/engines'
import { migratedStore } from '@waypost/testing/peers/test-stores'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runHere } from '../command-line.ts'
import { openService, type TestService } from '../harness.ts'
import { failJob } from './failed-job-setup.ts'

describe.each(enginesFor(import.meta.url))('waypost jobs on %s', (engine) => {
  const stack = new AsyncDisposableStack()
  let service: TestService
  let env: Record<string, string>
  let application: { id: string }
  beforeAll(async () => {
    const { dataDir, databaseUrl } = stack.use(await migratedStore(engine))
    const store: Record<string, string> = databaseUrl ? { DATABASE_URL: databaseUrl } : {}
    env = { WAYPOST_DATA_DIR: dataDir, ...store }
    service = stack.use(await openService({ engine, dataDir, ...(databaseUrl ? { databaseUrl } : {}) }))
    application = await service.createApplication('Jobs')
    const other = await service.createApplication('Other')
    for (const id of ['one', 'two']) await failJob(service, { id, applicationId: application.id })
    await failJob(service, { id: 'three', applicationId: other.id, kind: 'itip.receive' })
    await failJob(service, { id: 'four', applicationId: other.id })
  })
  afterAll(() => stack.disposeAsync())

  const run = (...args: string[]) => runHere(['jobs', ...args], env)
  async function json(...args: string[]) {
    const { code, stdout, stderr } = await run(...args, '--json')
    expect([code, stderr]).toEqual([0, ''])
    return JSON.parse(stdout)
  }
  const ids = async (...args: string[]): Promise<string[]> =>
    (await json('list', ...args)).map(({ id }: { id: string }) => id).toSorted()

  test('list shows failed jobs of all applications or of one, with the reason', async () => {
    expect(await ids()).toEqual(['four', 'one', 'three', 'two'])
    expect(await ids('--app', application.id)).toEqual(['one', 'two'])
    expect(await ids('--kind', 'itip.receive')).toEqual(['three'])
    const { stdout } = await run('list')
    expect(stdout).toContain('the relay refused smtp://…@relay.test:25')
    expect(stdout).not.toContain('hunter2')
  })

  test('retry and discard accept one job, the jobs of a kind, or all, and nothing else', async () => {
    expect(await json('retry', 'one')).toEqual({ retried: 1 })
    expect(await json('discard', 'two')).toEqual({ discarded: 1 })
    expect(await ids()).toEqual(['four', 'three'])
    expect(await json('retry', '--kind', 'mail.send')).toEqual({ retried: 1 })
    expect(await json('discard', '--all', '--app', application.id)).toEqual({ discarded: 0 })
    expect(await json('discard', '--all')).toEqual({ discarded: 1 })
    expect(await run('list')).toMatchObject({ code: 0, stdout: expect.stringContaining('No failed jobs.') })
    const { body } = await service.call('GET', '/v3/admin/audit?action=failedJobs.*&actor=command', { admin: true })
    expect(new Set(body.data.map(({ action }: { action: string }) => action))).toEqual(
      new Set(['failedJobs.retry', 'failedJobs.retryAll', 'failedJobs.discard']),
    )
  })

  test('an invalid call says what to do', async () => {
    expect(await run('retry')).toMatchObject({ stderr: expect.stringContaining('set one of JOB_ID, --kind or --all') })
    expect(await run('retry', 'one', '--all')).toMatchObject({ stderr: expect.stringContaining('set one of') })
    const missing = await run('discard', 'nothing')
    expect(missing.code).not.toBe(0)
    expect(missing.stderr).toContain('run "waypost jobs list" for all')
  })
})
