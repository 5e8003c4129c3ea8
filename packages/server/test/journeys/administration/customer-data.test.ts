/** Customer data that administrators read: audited, and switched off by the operator. */

import { contract, routesOf } from '@waypost/contract'
import { insertAudit, listAudit, purgeAudit } from '@waypost/store/tables/applications/audit'
import { enginesFor } from '@waypost/testing/engines'
import { sql } from '@waypost/testing/statement'
import { type TestClock, testClock } from '@waypost/testing/test-clock'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isCustomerData } from '../../../src/applications/rights.ts'
import { openService, type TestService } from '../../harness.ts'

interface Entry {
  action: string
  target: string | null
  grant_id: string | null
  kind: string
  status: number
  at: number
}

const own = { 'sec-fetch-site': 'same-origin' }

describe.each(enginesFor(import.meta.url))('a read of customer data on %s', (engine) => {
  let clock: TestClock
  let service: TestService
  let grant: string
  let sandbox: Record<string, string>
  beforeAll(async () => {
    clock = testClock()
    service = await openService({ engine, overrides: { clock } })
    grant = (await service.createGrant('ada@one.test')).id
    await service.call('POST', `/v3/grants/${grant}/calendars`, { body: { name: 'Work' } })
    sandbox = { 'x-waypost-application': service.services.administration.installation.sandboxId }
  })
  afterAll(() => service[Symbol.asyncDispose]())

  const reads = async (query = ''): Promise<Entry[]> =>
    (await service.call('GET', `/v3/admin/audit?limit=200&kind=read${query}`, { admin: true })).body.data
  const read = (path: string, headers: Record<string, string> = {}) =>
    service.call('GET', path, {
      ...(headers.cookie ? { key: null } : { admin: true }),
      headers: { ...sandbox, ...headers },
    })

  test('is audited with its grant, once for the same object in ten minutes', async () => {
    const before = clock.now()
    for (let times = 0; times < 3; times++) {
      expect((await read(`/v3/grants/${grant}/calendars`)).status).toBe(200)
      expect((await read(`/v3/grants/${grant}/calendars/primary`)).status).toBe(200)
    }
    clock.advance(1000)
    const entry = { grant_id: grant, kind: 'read', status: 200, application_id: sandbox['x-waypost-application'] }
    const expected = [
      { ...entry, action: 'calendars.get', target: 'primary', actor: 'password', address: 'local' },
      { ...entry, action: 'calendars.list', target: grant },
    ]
    expect(await reads()).toMatchObject(expected)
    expect((await reads())[0]?.at).toBe(Math.floor(before / 1000))
    expect(await reads(`&grant_id=${grant}`)).toMatchObject(expected)
    expect(await reads('&grant_id=another')).toEqual([])
    clock.advance(599_000)
    await read(`/v3/grants/${grant}/calendars`)
    expect(await reads()).toHaveLength(3)
  })

  test("is audited for each session, with the grant's id even if the request used its address", async () => {
    const before = (await reads()).length
    const cookies = []
    for (const _ of [1, 2]) {
      const body = { password: service.adminPassword }
      const answer = await service.call('POST', '/v3/admin/session', { key: null, headers: own, body })
      cookies.push((answer.headers.get('set-cookie') ?? '').split(';', 1)[0] ?? '')
    }
    for (const cookie of [...cookies, ...cookies]) {
      expect((await read('/v3/grants/ada@one.test/calendars', { ...own, cookie })).status).toBe(200)
    }
    const after = await reads()
    expect(after.slice(0, after.length - before)).toMatchObject([
      { actor: 'session', action: 'calendars.list', grant_id: grant },
      { actor: 'session', action: 'calendars.list', grant_id: grant },
    ])
  })

  test('is audited if it was refused, but not for an API key or for other data', async () => {
    const before = (await reads()).length
    await read(`/v3/grants/${grant}/events/none?calendar_id=primary`)
    await service.call('GET', `/v3/grants/${grant}/events/none?calendar_id=primary`)
    await service.call('GET', `/v3/grants/${grant}/calendars`)
    await read('/v3/connectors')
    await read(`/v3/grants/${grant}`)
    await read(`/v3/grants/${grant}/templates`)
    const after = await reads()
    expect(after.slice(0, after.length - before)).toMatchObject([{ action: 'events.get', target: 'none', status: 404 }])
  })

  test('fails if it cannot be audited, and is audited when repeated', async () => {
    const { database } = service.services.storage
    const before = (await reads()).length
    const path = `/v3/grants/${grant}/events?calendar_id=primary`
    await database.run(sql('', 'alter table audit rename to audit_away'))
    const refused = await read(path)
    await database.run(sql('', 'alter table audit_away rename to audit'))
    expect(refused.status).toBeGreaterThanOrEqual(500)
    expect(refused.body).not.toHaveProperty('data')
    expect(await reads()).toHaveLength(before)
    expect((await Promise.all([read(path), read(path)])).map(({ status }) => status)).toEqual([200, 200])
    expect(await reads()).toHaveLength(before + 1)
  })

  test('replaces only other reads in the audit', async () => {
    const { database } = service.services.storage
    const row = { actor: 'session', address: 'x', action: 'messages.get', application_id: null, target: null } as const
    for (let index = 0; index < 20; index++) {
      const at = clock.now() + index
      await insertAudit(database, { ...row, id: `read-${index}`, at, status: 200, kind: 'read', grant_id: grant })
    }
    const changes = (await listAudit(database, { kind: 'change' }, { order: 'desc', limit: 1000 })).rows
    await purgeAudit(database, { before: 0, entries: changes.length, refused: 10, reads: 5 })
    expect((await listAudit(database, { kind: 'change' }, { order: 'desc', limit: 1000 })).rows).toEqual(changes)
    const left = (await listAudit(database, { kind: 'read' }, { order: 'desc', limit: 1000 })).rows
    expect(left.map(({ id }) => id)).toEqual(['read-19', 'read-18', 'read-17', 'read-16', 'read-15'])
  })
})

test('an installation without customer data refuses every such route to administrators, and none to a key', async () => {
  await using service = await openService({ env: { WAYPOST_CUSTOMER_DATA: 'off' } })
  const { id: grant } = await service.createGrant('ada@one.test')
  const headers = { 'x-waypost-application': service.services.administration.installation.sandboxId }
  expect((await service.call('GET', `/v3/grants/${grant}/calendars`)).status).toBe(200)
  for (const named of routesOf(contract)) {
    const { method, path, audience } = named.route
    if (audience !== 'grant' && audience !== 'application') continue
    const at = path.replace(':grant_id', grant).replaceAll(/:\w+/g, 'x')
    const body = method === 'GET' ? {} : { body: {} }
    const { status, body: said } = await service.call(method, at, { admin: true, headers, ...body })
    const isRefused = status === 403 && said.error?.message.includes('customer data')
    expect(isRefused, `${named.id}: ${status}`).toBe(isCustomerData(named))
  }
  const { body } = await service.call('GET', '/v3/admin/audit?kind=read&limit=1', { admin: true })
  expect(body.data).toMatchObject([{ status: 403 }])
})
