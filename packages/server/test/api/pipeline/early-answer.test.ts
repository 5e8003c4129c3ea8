/** Pages of grants that are read while the store is asked who holds the key. */
import { describe, expect, test } from 'vitest'
import type { HttpRequest } from '../../../src/api/http/http.ts'
import { requestFrom, responseFrom, webRequest } from '../../../src/api/http/web-http.ts'
import type { Statement, Value } from '../../../src/store/engine/database.ts'
import { enginesFor, openService, type TestService } from '../../harness.ts'

/** A client that keeps its connection open. */
function connect({ app, apiKey }: TestService) {
  const connection = {}
  return async (key = apiKey, query = 'limit=5') => {
    const request = webRequest(`/v3/grants?${query}`, { headers: { authorization: `Bearer ${key}` } })
    const connected: HttpRequest = { ...requestFrom(request), connection }
    const response = responseFrom(await app.answer(connected))
    const body: { data?: { id: string; email: string; metadata?: unknown }[] } = JSON.parse(await response.text())
    return { status: response.status, body, emails: body.data?.map(({ email }) => email) }
  }
}

/** Takes down what is asked of the store for a page, and what it was answered, in their order. */
function watchStore({ services: { database } }: TestService): string[] {
  const seen: string[] = []
  const get = database.get.bind(database)
  database.get = async <T>(statement: Statement<T>, parameters?: readonly Value[]) => {
    const what = /^api_keys\.holder$|^grants\.page/.exec(statement.name)?.[0]
    if (what) seen.push(what)
    const found = await get(statement, parameters)
    if (what) seen.push(`${what} answered`)
    return found
  }
  return seen
}

describe('on PostgreSQL', () => {
  test('key and page are asked for together from the second request of a connection on', async () => {
    await using service = await openService({ engine: 'postgresql' })
    await service.createGrant('Room A')
    const list = connect(service)
    const seen = watchStore(service)
    expect((await list()).emails).toEqual(['Room A'])
    expect(seen).toEqual(['api_keys.holder', 'api_keys.holder answered', 'grants.page', 'grants.page answered'])
    seen.length = 0
    expect((await list()).emails).toEqual(['Room A'])
    expect(seen.slice(0, 2)).toEqual(['api_keys.holder', 'grants.page'])
    expect(seen).toHaveLength(4)
    // Another connection knows nothing.
    seen.length = 0
    await connect(service)()
    expect(seen.slice(0, 2)).toEqual(['api_keys.holder', 'api_keys.holder answered'])
  })

  test('what was read for a key that is refused is not told, and not read a second time', async () => {
    await using service = await openService({ engine: 'postgresql' })
    await service.createGrant('Room A')
    const { id, key } = await service.createApplication()
    await service.createGrant('Room B', key)
    const list = connect(service)
    for (let n = 0; n < 2; n++) expect((await list(key)).emails).toEqual(['Room B'])
    const keys = await service.call('GET', `/v3/admin/applications/${id}/api-keys`, { admin: true })
    await service.call('DELETE', `/v3/admin/applications/${id}/api-keys/${keys.body.data[0].id}`, { admin: true })
    const seen = watchStore(service)
    const refused = await list(key)
    expect([refused.status, refused.emails]).toEqual([401, undefined])
    expect(seen).toContain('grants.page')
    seen.length = 0
    expect((await list(key)).status).toBe(401)
    expect(seen).toEqual(['api_keys.holder', 'api_keys.holder answered'])
  })

  test('an application that is blocked is told nothing of what was read', async () => {
    await using service = await openService({ engine: 'postgresql' })
    const { id, key } = await service.createApplication()
    await service.createGrant('Room B', key)
    const list = connect(service)
    for (let n = 0; n < 2; n++) expect((await list(key)).emails).toEqual(['Room B'])
    await service.call('PATCH', `/v3/admin/applications/${id}`, { admin: true, body: { blocked: true } })
    const refused = await list(key)
    expect([refused.status, refused.emails]).toEqual([423, undefined])
  })
})

describe.each(enginesFor(import.meta.url))('on %s', (engine) => {
  test('keys that share a connection, as behind a proxy, have each their own pages', async () => {
    await using service = await openService({ engine })
    await service.createGrant('Room A')
    const { key } = await service.createApplication()
    await service.createGrant('Room B', key)
    const list = connect(service)
    for (let n = 0; n < 3; n++) {
      expect((await list()).emails).toEqual(['Room A'])
      expect((await list(key)).emails).toEqual(['Room B'])
      expect((await list(key)).emails).toEqual(['Room B'])
      expect((await list('nobody')).status).toBe(401)
    }
    const together = await Promise.all([list(), list(key), list(), list(key), list('nobody')])
    expect(together.map(({ emails }) => emails?.[0])).toEqual(['Room A', 'Room B', 'Room A', 'Room B', undefined])
  })

  test('every page holds what was committed before it was asked for', async () => {
    await using service = await openService({ engine })
    const { id } = await service.createGrant('Room A')
    const lists = [connect(service), connect(service), connect(service)]
    for (let n = 0; n < 20; n++) {
      await service.call('PATCH', `/v3/grants/${id}`, { body: { metadata: { key1: `${n}` } } })
      const pages = await Promise.all(lists.map((list) => list()))
      for (const { body } of pages) expect(body.data?.[0]?.metadata).toEqual({ key1: `${n}` })
    }
  })

  test('what is wrong with a query is told to who may ask, and to nobody else', async () => {
    await using service = await openService({ engine })
    const list = connect(service)
    await list()
    expect((await list(service.apiKey, 'limit=none')).status).toBe(400)
    expect((await list(service.apiKey, 'page_token=none')).status).toBe(400)
    expect((await list('nobody', 'limit=none')).status).toBe(401)
    expect((await list()).status).toBe(200)
  })
})
