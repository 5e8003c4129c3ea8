/** Jobs that failed in all their attempts: retained, reported, retried and discarded. */

import { enginesFor } from '@waypost/testing/engines'
import { sql } from '@waypost/testing/statement'
import { type TestClock, testClock } from '@waypost/testing/test-clock'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { purgeExpired } from '../../src/housekeeping.ts'
import { JobDeferred, runDueJobs } from '../../src/outbox/runner.ts'
import { openService, type TestService } from '../harness.ts'
import { signedInPerson } from '../people-setup.ts'
import { addJob, addLastTry, failJob, runnerOf } from './failed-job-setup.ts'

const waiting = sql<{ id: string; kind: string; payload: string; attempts: number }>(
  'test.jobs',
  'select id, kind, payload, attempts from outbox order by created_at, id',
)
const dueTimes = sql<{ due_at: number }>('test.dueTimes', 'select due_at from outbox')
const rename = sql('test.renameJob', 'update outbox set kind = $2 where id = $1')
const takeOver = sql('test.takeOverJob', `update outbox set owner = 'another node' where id = $1`)
const stored = sql<{ payload: string; sealed_message: string }>(
  'test.failedJob',
  'select payload, sealed_message from failed_jobs where id = $1',
)
const empty = ['failed_jobs', 'outbox', 'installation'].map((table) =>
  sql(
    `test.empty.${table}`,
    table === 'installation'
      ? `delete from installation where name like 'failed_job_told%'`
      : `delete from ${table} where id <> ''`,
  ),
)

describe.each(enginesFor(import.meta.url))('failed jobs on %s', (engine) => {
  let clock: TestClock
  let service: TestService
  let application: { id: string; key: string }
  beforeAll(async () => {
    clock = testClock()
    service = await openService({ engine, overrides: { clock } })
    application = await service.createApplication('Jobs')
  })
  afterAll(() => service[Symbol.asyncDispose]())
  beforeEach(async () => {
    for (const statement of empty) await service.services.storage.database.run(statement)
  })

  const jobs = () => service.services.storage.database.all(waiting)
  const list = async (query = '') =>
    (await service.call('GET', `/v3/admin/failed-jobs${query}`, { admin: true })).body.data
  const path = (rest: string) => `/v3/admin/applications/${application.id}/failed-jobs${rest}`
  const post = (rest: string, body?: object) => service.call('POST', path(rest), { admin: true, body })

  test('a job is tried ten times over a day, and then stored as failed with its error', async () => {
    await addJob(service, { id: 'job-1', applicationId: application.id, grantId: 'grant-1', payload: '{"to":"x"}' })
    const created = Math.floor(clock.now() / 1000)
    const runner = runnerOf(service)
    for (let attempt = 1; attempt < 10; attempt++) {
      expect(await runDueJobs(runner)).toBe(1)
      expect(await list()).toEqual([])
      clock.advance(6 * 3_600_000)
    }
    expect(await runDueJobs(runner)).toBe(1)
    expect(await jobs()).toEqual([])
    const [failed, ...others] = await list()
    expect(others).toEqual([])
    expect(failed).toEqual({
      ...{ id: 'job-1', application_id: application.id, grant_id: 'grant-1', kind: 'mail.send', attempts: 10 },
      ...{ created_at: created, failed_at: Math.floor(clock.now() / 1000), error: 'Error' },
      message: 'the relay refused smtp://…@relay.test:25',
      purpose: expect.stringContaining('Send a mail of the service'),
      remedy: expect.stringContaining('WAYPOST_SMTP_URL'),
    })
    const row = await service.services.storage.database.get(stored, ['job-1'])
    expect(row?.payload).toBe('{"to":"x"}')
    expect(row?.sealed_message).not.toContain('relay')
    clock.advance(86_400_000)
    expect(await runDueJobs(runner)).toBe(0)
  })

  test('a job of a kind that this version does not know is left to nodes that do, and loses no attempt', async () => {
    await addJob(service, { id: 'job-2', applicationId: application.id })
    await service.services.storage.database.run(rename, ['job-2', 'future.kind'])
    expect(await runDueJobs(runnerOf(service))).toBe(0)
    expect(await jobs()).toEqual([expect.objectContaining({ id: 'job-2', kind: 'future.kind', attempts: 0 })])
  })

  test('a job that another node has taken over is not recorded as failed', async () => {
    await addLastTry(service, { id: 'job-3', applicationId: application.id })
    const { handlers, ...runner } = runnerOf(service)
    const lost = async (): Promise<void> => {
      await service.services.storage.database.run(takeOver, ['job-3'])
      throw new Error('too late')
    }
    await runDueJobs({ ...runner, handlers: { ...handlers, 'mail.send': lost } })
    expect(await list()).toEqual([])
    expect(await jobs()).toHaveLength(1)
  })

  test('a deferred job never fails', async () => {
    await addLastTry(service, { id: 'job-4', applicationId: application.id })
    const { handlers, ...runner } = runnerOf(service)
    const waits = async (): Promise<void> => {
      throw new JobDeferred(1_000)
    }
    for (let turn = 0; turn < 3; turn++) {
      await runDueJobs({ ...runner, handlers: { ...handlers, 'mail.send': waits } })
      clock.advance(1_000)
    }
    expect(await list()).toEqual([])
    expect(await jobs()).toEqual([expect.objectContaining({ attempts: 9 })])
  })

  test('a pause that is no whole number of milliseconds makes a job due then, and fails no other job of the batch', async () => {
    const clock: TestClock = testClock(1_700_000_000_123.7)
    await using odd = await openService({ engine, overrides: { clock } })
    const { id: applicationId } = await odd.createApplication('Odd')
    const pauses = [1_000.25, 1_999.999, 0.5, 1 / 3]
    for (const [index] of pauses.entries()) await addJob(odd, { id: `odd-${index}`, applicationId })
    await addJob(odd, { id: 'whole', applicationId })
    const began = odd.services.storage.clock.now()
    const { handlers, ...runner } = runnerOf(odd)
    let turn = 0
    const waits = async (): Promise<void> => {
      const pause = pauses[turn++]
      if (pause !== undefined) throw new JobDeferred(pause)
    }
    const running = { ...runner, handlers: { ...handlers, 'mail.send': waits } }
    expect(await runDueJobs(running)).toBe(5)
    const left = await odd.services.storage.database.all(dueTimes)
    expect(left.map(({ due_at }) => due_at - began).sort((a, b) => a - b)).toEqual([1, 1, 1_001, 2_000])
    clock.advance(1_000)
    expect(await runDueJobs(running)).toBe(2)
    clock.advance(1)
    expect(await runDueJobs(running)).toBe(1)
    clock.advance(999)
    expect(await runDueJobs(running)).toBe(1)
  })

  test('a retried job runs again with all its attempts and the same payload', async () => {
    await failJob(service, { id: 'job-5', applicationId: application.id, payload: '{"to":"guest"}' })
    expect((await post('/job-5/retry')).status).toBe(200)
    expect(await list()).toEqual([])
    expect(await jobs()).toEqual([{ id: 'job-5', kind: 'mail.send', payload: '{"to":"guest"}', attempts: 0 }])
    const payloads: string[] = []
    const { handlers, ...runner } = runnerOf(service)
    const work = async (payload: string): Promise<void> => void payloads.push(payload)
    await runDueJobs({ ...runner, handlers: { ...handlers, 'mail.send': work } })
    expect(payloads).toEqual(['{"to":"guest"}'])
    expect([await jobs(), await list()]).toEqual([[], []])
    const again = await post('/job-5/retry')
    expect([again.status, again.body.error?.message]).toEqual([
      404,
      expect.stringContaining('no failed job with this id'),
    ])
  })

  test('jobs of a kind are retried together, and a discarded job is gone', async () => {
    for (const id of ['a', 'b']) await failJob(service, { id, applicationId: application.id })
    for (const id of ['c', 'd']) await failJob(service, { id, applicationId: application.id, kind: 'provider.revoke' })
    expect((await post('/retry', { kind: 'mail.send' })).body.data).toEqual({ retried: 2, more: false })
    expect((await list()).map(({ id }: { id: string }) => id).toSorted()).toEqual(['c', 'd'])
    expect((await service.call('DELETE', path('/c'), { admin: true })).status).toBe(200)
    expect((await service.call('DELETE', path('/c'), { admin: true })).status).toBe(404)
    expect((await list()).map(({ id }: { id: string }) => id)).toEqual(['d'])
    expect((await post('/retry', {})).body.data).toEqual({ retried: 1, more: false })
    expect((await jobs()).map(({ id }) => id).toSorted()).toEqual(['a', 'b', 'd'])
  })

  test('more than a hundred jobs are retried in steps', async () => {
    const runner = runnerOf(service)
    for (let index = 0; index < 130; index++)
      await addLastTry(service, { id: `many-${index}`, applicationId: application.id })
    while ((await runDueJobs(runner)) > 0);
    expect((await post('/retry', {})).body.data).toEqual({ retried: 100, more: true })
    expect((await post('/retry', {})).body.data).toEqual({ retried: 30, more: false })
    expect(await jobs()).toHaveLength(130)
  })

  test('the list has pages and filters', async () => {
    const other = await service.createApplication('Other jobs')
    for (const id of ['1', '2', '3']) {
      await failJob(service, { id, applicationId: application.id, grantId: `grant-${id}` })
      clock.advance(1_000)
    }
    await failJob(service, { id: '4', applicationId: other.id, kind: 'provider.revoke' })
    const ids = async (query: string) => (await list(query)).map(({ id }: { id: string }) => id)
    expect(await ids('')).toEqual(['4', '3', '2', '1'])
    expect(await ids('?kind=provider.revoke')).toEqual(['4'])
    expect(await ids(`?application_id=${application.id}&kind=mail.send`)).toEqual(['3', '2', '1'])
    expect(await ids('?grant_id=grant-2')).toEqual(['2'])
    const first = await service.call('GET', '/v3/admin/failed-jobs?limit=3', { admin: true })
    expect(first.body.data).toHaveLength(3)
    expect(await ids(`?limit=3&page_token=${encodeURIComponent(first.body.next_cursor)}`)).toEqual(['1'])
  })

  test('people see and change the jobs of their applications only, viewers change none, and changes are audited', async () => {
    const other = await service.createApplication('Hidden')
    await failJob(service, { id: 'mine', applicationId: application.id })
    await failJob(service, { id: 'theirs', applicationId: other.id })
    const one = { applications: [application.id] }
    const administrator = await signedInPerson(service, { email: 'a@jobs.test', role: 'administrator', ...one })
    const viewer = await signedInPerson(service, { email: 'v@jobs.test', role: 'viewer', ...one })
    for (const person of [administrator, viewer]) {
      const seen = (await person.call('GET', '/v3/admin/failed-jobs')).body.data
      expect(seen.map(({ id }: { id: string }) => id)).toEqual(['mine'])
    }
    const hidden = `/v3/admin/applications/${other.id}/failed-jobs/theirs`
    expect((await administrator.call('POST', `${hidden}/retry`)).status).toBe(404)
    expect((await administrator.call('DELETE', hidden)).status).toBe(404)
    // An id of another application looks like a missing id.
    expect((await administrator.call('DELETE', path('/theirs'))).status).toBe(404)
    expect((await viewer.call('DELETE', path('/mine'))).status).toBe(403)
    expect((await viewer.call('POST', path('/mine/retry'))).status).toBe(403)
    expect((await administrator.call('POST', path('/mine/retry'))).status).toBe(200)
    const audit = await service.call('GET', '/v3/admin/audit?action=failedJobs.retry&outcome=done&target=mine', {
      admin: true,
    })
    expect(audit.body.data).toEqual([
      expect.objectContaining({ person_id: administrator.id, application_id: application.id, target: 'mine' }),
    ])
  })

  test('are counted in the overview, the health and the metrics', async () => {
    await failJob(service, { id: 'counted-1', applicationId: application.id, kind: 'itip.receive' })
    await failJob(service, { id: 'counted-2', applicationId: application.id, kind: 'itip.receive' })
    const overview = await service.call('GET', `/v3/admin/applications/${application.id}/overview`, { admin: true })
    expect(overview.body.data.problems).toContainEqual(
      expect.objectContaining({
        ...{ code: 'jobs_failed', severity: 'trouble' },
        message: expect.stringContaining('2 background jobs failed permanently'),
      }),
    )
    expect((await service.call('GET', '/v3/admin/health', { admin: true })).body.data.failed_jobs).toBe(2)
    const samples = async (name: string) => {
      const family = (await service.services.telemetry.metrics.families()).find((each) => each.name === name)
      const all = family && 'samples' in family.values ? [...family.values.samples] : []
      return all.filter(([labels]) => labels[0] === 'itip.receive')
    }
    expect(await samples('waypost_jobs_failed_total')).toEqual([[['itip.receive'], 2]])
    await expect.poll(() => samples('waypost_failed_jobs')).toEqual([[['itip.receive'], 2]])
  })

  test('are deleted with their grant, and after thirty days', async () => {
    const grant = await service.createGrant('gone@jobs.test', application.key)
    await failJob(service, { id: 'of grant', applicationId: application.id, grantId: grant.id })
    await failJob(service, { id: 'old', applicationId: application.id })
    expect((await service.call('DELETE', `/v3/grants/${grant.id}`, { key: application.key })).status).toBe(200)
    expect((await list()).map(({ id }: { id: string }) => id)).toEqual(['old'])
    clock.advance(29 * 86_400_000)
    await purgeExpired(service.services)
    expect(await list()).toHaveLength(1)
    clock.advance(2 * 86_400_000)
    await purgeExpired(service.services)
    expect(await list()).toEqual([])
  })

  describe('mails to the operator', () => {
    const operatorMail = { to: [] as string[], dashboardUrl: 'https://waypost.test/dashboard' }
    const mails = async () =>
      (await jobs()).filter(({ kind }) => kind === 'mail.send').map(({ payload }) => JSON.parse(payload))

    test('go to the owners, at most once per kind and day, with a link to the dashboard', async () => {
      await signedInPerson(service, { email: 'owner@jobs.test', role: 'owner' })
      const fail = (id: string, kind: 'provider.revoke' | 'itip.receive') =>
        failJob(service, { id, applicationId: application.id, kind }, { operatorMail })
      await fail('told-1', 'provider.revoke')
      const [mail, ...others] = await mails()
      expect(others).toEqual([])
      expect(mail).toMatchObject({ to: 'owner@jobs.test', subject: 'Waypost: a job failed (provider.revoke)' })
      expect(mail.text).toContain('https://waypost.test/dashboard/failed-jobs')
      expect(mail.text).not.toContain('relay')
      await service.services.storage.database.run(empty[1] ?? waiting)
      await fail('told-2', 'provider.revoke')
      expect(await mails()).toEqual([])
      await fail('told-3', 'itip.receive')
      expect(await mails()).toHaveLength(1)
      await service.services.storage.database.run(empty[1] ?? waiting)
      clock.advance(86_400_001)
      await fail('told-4', 'provider.revoke')
      expect(await mails()).toHaveLength(1)
    })

    test('go to the addresses of WAYPOST_OPERATOR_EMAIL instead, if it is set', async () => {
      const to = ['ops@jobs.test', 'night@jobs.test']
      await failJob(
        service,
        { id: 'set', applicationId: application.id, kind: 'itip.receive' },
        { operatorMail: { ...operatorMail, to } },
      )
      expect((await mails()).map((mail) => mail.to).toSorted()).toEqual(to.toSorted())
    })

    test('cause no further mails when they fail themselves', async () => {
      const to = ['ops@jobs.test']
      const runner = runnerOf(service, { operatorMail: { ...operatorMail, to } })
      await failJob(service, { id: 'first', applicationId: application.id }, { operatorMail: { ...operatorMail, to } })
      const [notice] = await jobs()
      expect(notice).toMatchObject({ kind: 'mail.send' })
      for (let attempt = 1; attempt <= 10; attempt++) {
        await runDueJobs(runner)
        clock.advance(86_400_001)
      }
      expect(await jobs()).toEqual([])
      expect((await list()).map(({ id }: { id: string }) => id).toSorted()).toEqual(['first', notice?.id].toSorted())
    })
  })
})
