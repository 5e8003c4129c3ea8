/** The audit: every change by an administrator, sign-ins, failed sign-ins, and commands. */

import { insertAudit, listAudit, purgeAudit } from '@waypost/store/tables/applications/audit'
import { enginesFor } from '@waypost/testing/engines'
import { type TestClock, testClock } from '@waypost/testing/test-clock'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { keysCreate, keysRevoke } from '../../../src/cli/applications.ts'
import { dashboardLink } from '../../../src/cli/people.ts'
import { purgeExpired } from '../../../src/housekeeping.ts'
import { type CallOptions, openService, type TestService } from '../../harness.ts'

const own = { 'sec-fetch-site': 'same-origin' }
const year = 365 * 86_400_000

interface Entry {
  actor: string
  action: string
  application_id: string | null
  target: string | null
  status: number
  address: string | null
}

describe.each(enginesFor(import.meta.url))('the audit on %s', (engine) => {
  let clock: TestClock
  let service: TestService
  beforeAll(async () => {
    clock = testClock()
    service = await openService({ engine, overrides: { clock } })
  })
  afterAll(() => service[Symbol.asyncDispose]())

  const entries = async (query = ''): Promise<Entry[]> =>
    (await service.call('GET', `/v3/admin/audit?limit=200${query}`, { admin: true })).body.data
  /** The entries that the work writes, newest first. */
  const during = async (work: () => Promise<unknown>): Promise<Entry[]> => {
    const before = (await entries()).length
    await work()
    const after = await entries()
    return after.slice(0, after.length - before)
  }
  const signIn = async () => {
    const body = { password: service.adminPassword }
    const answer = await service.call('POST', '/v3/admin/session', { key: null, headers: own, body })
    return { ...own, cookie: (answer.headers.get('set-cookie') ?? '').split(';', 1)[0] ?? '' }
  }

  test('has changes of a session, with application and object', async () => {
    const headers = await signIn()
    const call = (method: string, path: string, options: CallOptions = {}) =>
      service.call(method, path, { key: null, ...options, headers: { ...headers, ...options.headers } })
    let id = ''
    let key = ''
    const written = await during(async () => {
      const made = await call('POST', '/v3/admin/applications', { body: { name: 'Audited' } })
      id = made.body.data.application_id
      key = (await call('POST', `/v3/admin/applications/${id}/api-keys`, { body: { name: 'k' } })).body.data.id
      await call('DELETE', `/v3/admin/applications/${id}/api-keys/${key}`)
      await call('POST', '/v3/connectors', {
        headers: { 'x-waypost-application': id },
        body: { provider: 'virtual-calendar' },
      })
      await call('GET', `/v3/admin/applications/${id}`)
    })
    const by = { actor: 'session', address: 'local', application_id: id }
    expect(written).toMatchObject([
      { ...by, action: 'connectors.create', status: 201, target: expect.any(String) },
      { ...by, action: 'apiKeys.delete', status: 200, target: key },
      { ...by, action: 'apiKeys.create', status: 200, target: key },
      { ...by, action: 'adminApplications.create', status: 201 },
    ])
    expect(await entries(`&application_id=${id}`)).toEqual(written)
    expect(await entries(`&application_id=${id}&action=apiKeys.delete`)).toEqual([written[1]])
  })

  test('has refused requests, and requests with Basic credentials', async () => {
    const nowhere = '/v3/admin/applications/6f1c7a52-8d1f-4b53-9a8f-0d7d7d1b1c11/api-keys'
    const written = await during(async () => {
      await service.call('POST', nowhere, { admin: true, body: { name: 'k' } })
      await service.call('POST', nowhere, { admin: true, body: {} })
    })
    expect(written).toMatchObject([
      { actor: 'password', action: 'apiKeys.create', status: 400 },
      { actor: 'password', action: 'apiKeys.create', status: 404 },
    ])
  })

  test('has sign-ins and failed ones, without passwords', async () => {
    const written = await during(async () => {
      await signIn()
      const body = { password: 'CANARY-wrong-password' }
      await service.call('POST', '/v3/admin/session', { key: null, headers: own, body })
      const authorization = `Basic ${btoa('admin:CANARY-wrong-password')}`
      await service.call('GET', '/v3/admin/usage', { key: null, headers: { authorization } })
    })
    expect(written).toMatchObject([
      { actor: 'password', action: 'session.create', status: 401, address: 'local' },
      { actor: 'session', action: 'session.create', status: 401, address: 'local' },
      { actor: 'session', action: 'session.create', status: 200, address: 'local' },
    ])
    expect(JSON.stringify(await entries())).not.toContain('CANARY')
    expect(service.logs()).not.toContain('CANARY-wrong-password')
  })

  test('has a repeated request once', async () => {
    const body = { name: 'Once' }
    const written = await during(async () => {
      for (let turn = 0; turn < 3; turn++) {
        const headers = { 'idempotency-key': 'the same' }
        expect((await service.call('POST', '/v3/admin/applications', { admin: true, headers, body })).status).toBe(201)
      }
    })
    expect(written).toHaveLength(1)
  })

  test('has no requests of an application itself', async () => {
    const written = await during(() => service.createGrant('somebody@own.test'))
    expect(written).toEqual([])
  })

  test('has changes by commands', async () => {
    const lines: string[] = []
    const output = {
      json: true,
      write: (text: string) => void lines.push(text),
      progress: () => undefined,
      notice: () => undefined,
    }
    const { services } = service
    const written = await during(async () => {
      await keysCreate(services, { words: ['by hand'], options: {} }, output)
      const { id } = JSON.parse(lines[0] ?? '')
      await keysRevoke(services, { words: [id], options: {} }, output)
      await expect(keysRevoke(services, { words: [id], options: {} }, output)).rejects.toThrow('already revoked')
      await dashboardLink(services, { words: [], options: {} }, output)
    })
    const by = { actor: 'command', address: null, status: 200 }
    const application_id = services.administration.installation.sandboxId
    const { id: target } = JSON.parse(lines[0] ?? '')
    expect(written).toMatchObject([
      { ...by, action: 'dashboard.link', application_id: null, target: null },
      { ...by, action: 'apiKeys.delete', application_id, target },
      { ...by, action: 'apiKeys.create', application_id, target },
    ])
    const { link } = JSON.parse(lines[2] ?? '')
    expect(link).toMatch(/\/dashboard#link=[\w-]{43}$/)
    const body = { link: link.split('#link=')[1] }
    const opened = await service.call('POST', '/v3/admin/session', { key: null, headers: own, body })
    expect(opened.status).toBe(200)
  })

  test('is listed page by page', async () => {
    const all = await entries()
    const seen: Entry[] = []
    let token = ''
    for (;;) {
      const page = await service.call('GET', `/v3/admin/audit?limit=3${token}`, { admin: true })
      seen.push(...page.body.data)
      if (!page.body.next_cursor) break
      token = `&page_token=${page.body.next_cursor}`
    }
    expect(seen).toEqual(all)
  })

  test('is retained for a year, and failed sign-ins displace no other entries', async () => {
    const { database } = service.services.storage
    const row = {
      actor: 'session',
      address: 'x',
      action: 'session.create',
      application_id: null,
      target: null,
    } as const
    const now = clock.now()
    for (let index = 0; index < 30; index++) {
      await insertAudit(database, { ...row, id: `refused-${index}`, at: now + index, status: 401 })
    }
    await insertAudit(database, { ...row, id: 'old', at: now - year - 1, status: 200 })
    await insertAudit(database, { ...row, id: 'not so old', at: now - year + 60_000, status: 200 })
    await purgeExpired(service.services)
    const ids = async () => (await listAudit(database, {}, { order: 'desc', limit: 1000 })).rows.map(({ id }) => id)
    expect(await ids()).not.toContain('old')
    expect(await ids()).toContain('not so old')
    await purgeAudit(database, { before: 0, entries: 1000, refused: 10, reads: 10 })
    const left = await ids()
    expect(left.filter((id) => id.startsWith('refused-'))).toHaveLength(10)
    expect(left).toContain('not so old')
    await purgeAudit(database, { before: 0, entries: 5, refused: 10, reads: 10 })
    expect(await ids()).toEqual(left.slice(0, 5))
  })
})
