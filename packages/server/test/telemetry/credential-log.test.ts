/** The request log of restricted API keys and agents, on both stores. */

import { listCredentialRequests, trimCredentialRequests } from '@waypost/store/tables/applications/credential-requests'
import { engines } from '@waypost/testing/engines'
import { type TestClock, testClock } from '@waypost/testing/test-clock'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { purgeExpired } from '../../src/housekeeping.ts'
import { type CredentialAnswer, createCredentialLog } from '../../src/telemetry/credential-log.ts'
import { openService, type TestService } from '../harness.ts'

const day = 86_400_000

describe.each(engines)('on %s', (engine) => {
  let clock: TestClock
  let service: TestService
  let applicationId: string
  beforeAll(async () => {
    clock = testClock()
    service = await openService({ engine, overrides: { clock } })
    applicationId = (await service.call('GET', '/v3/applications')).body.data.application_id
  })
  afterAll(() => service[Symbol.asyncDispose]())

  const answer = (credentialId: string, more: Partial<CredentialAnswer> = {}): CredentialAnswer => ({
    ...{ applicationId, credentialId, requestId: crypto.randomUUID(), method: 'GET', operation: 'messages.list' },
    ...{ tool: undefined, status: 200, error: undefined, grantId: undefined, ...more },
  })
  const rowsOf = async (credentialId: string, limit = 100) =>
    (await listCredentialRequests(service.services.storage.database, { applicationId, credentialId }, { limit })).rows

  test('an administrator reads the requests of a key, newest first, in pages, by outcome, status and grant', async () => {
    const keys = `/v3/admin/applications/${applicationId}/api-keys`
    const { id } = (await service.call('POST', keys, { admin: true, body: { name: 'Logged' } })).body.data
    const { credentialLog } = service.services.telemetry
    credentialLog.answered(answer(id, { requestId: 'a' }))
    clock.advance(2_000)
    credentialLog.answered(answer(id, { requestId: 'b', status: 403, error: 'missing_right', grantId: 'g' }))
    clock.advance(2_000)
    credentialLog.answered(answer(id, { requestId: 'c', method: 'MCP', tool: 'find_messages', grantId: 'g' }))
    const read = async (query = '') =>
      (await service.call('GET', `${keys}/${id}/requests${query}`, { admin: true })).body
    const first = await read('?limit=2')
    expect(first.data.map((each: { id: string }) => each.id)).toEqual(['c', 'b'])
    expect(first.data[1]).toMatchObject({ operation: 'messages.list', tool: null, status: 403, error: 'missing_right' })
    expect(first.data[0]).toMatchObject({ method: 'MCP', tool: 'find_messages', grant_id: 'g', error: null })
    const next = await read(`?limit=2&page_token=${first.next_cursor}`)
    expect(next.data.map((each: { id: string }) => each.id)).toEqual(['a'])
    const idsOf = async (query: string) => (await read(query)).data.map((each: { id: string }) => each.id)
    expect(await idsOf('?outcome=failed')).toEqual(['b'])
    expect(await idsOf('?outcome=succeeded')).toEqual(['c', 'a'])
    expect(await idsOf('?status=200&grant_id=g')).toEqual(['c'])
    const missing = await service.call('GET', `${keys}/nothing/requests`, { admin: true })
    expect(missing.status).toBe(404)
  })

  test('requests are deleted after 30 days, and with their grant', async () => {
    const { credentialLog } = service.services.telemetry
    const { id: grantId } = await service.createGrant('logged@one.test')
    credentialLog.answered(answer('old'))
    await credentialLog.flush()
    clock.advance(20 * day)
    credentialLog.answered(answer('old', { requestId: 'of no grant' }))
    credentialLog.answered(answer('old', { requestId: 'of the grant', grantId }))
    await credentialLog.flush()
    clock.advance(11 * day)
    await purgeExpired(service.services)
    expect((await rowsOf('old')).map(({ id }) => id)).toEqual(['of the grant', 'of no grant'])
    await service.call('DELETE', `/v3/grants/${grantId}`)
    expect((await rowsOf('old')).map(({ id }) => id)).toEqual(['of no grant'])
  })

  test('only the newest requests of a credential are kept', async () => {
    const { database } = service.services.storage
    await database.execute(`insert into credential_requests
      (credential_id, at, id, application_id, method, operation, status)
      with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 10500)
      select 'busy', n, 'request-' || n, '${applicationId}', 'GET', 'messages.list', 200 from numbers`)
    const log = createCredentialLog(database, { clock, log: service.services.storage.log })
    log.answered(answer('busy', { requestId: 'newest' }))
    log.answered(answer('other'))
    await log.flush()
    const { rows } = await listCredentialRequests(
      database,
      { applicationId, credentialId: 'busy' },
      { after: [0, 503, ''], limit: 10 },
    )
    expect(rows.map(({ id }) => id)).toEqual(['request-502'])
    expect((await rowsOf('busy', 1)).map(({ id }) => id)).toEqual(['newest'])
    expect(await rowsOf('other')).toHaveLength(1)
    expect(await trimCredentialRequests(database, { applicationId, credentialId: 'busy' }, 9_999)).toBe(1)
  })

  test('a store that fails costs no memory beyond the limit, and the requests are written later', async () => {
    const { database, log } = service.services.storage
    let isDown = true
    const run: typeof database.run = async (statement, values) => {
      if (isDown) throw new Error('down')
      return database.run(statement, values)
    }
    const limited = createCredentialLog({ ...database, run }, { clock, log, maxHeld: 3 })
    for (let count = 0; count < 5; count++) limited.answered(answer('limited', { requestId: `request-${count}` }))
    await limited.flush()
    limited.answered(answer('limited', { requestId: 'late' }))
    isDown = false
    await limited.flush()
    expect((await rowsOf('limited')).map(({ id }) => id).sort()).toEqual(['request-0', 'request-1', 'request-2'])
  })
})
