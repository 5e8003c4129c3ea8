import { contract, paramsOf, routesOf } from '@waypost/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openService, type TestService } from '../../server/test/harness.ts'
import { createWaypost, type WaypostClient, WaypostError } from '../src/index.ts'
import { adminClientOf, clientOf, fetchOf } from './service-client.ts'

let service: TestService
let admin: WaypostClient
beforeAll(async () => {
  service = await openService()
  admin = adminClientOf(service)
})
afterAll(() => service[Symbol.asyncDispose]())

/** A client of a new application that has the connector of virtual calendars. */
async function openApplication(): Promise<{ id: string; waypost: WaypostClient }> {
  const { id, key } = await service.createApplication()
  const waypost = clientOf(service, { apiKey: key })
  await waypost.connectors.create({ body: { provider: 'virtual-calendar' } })
  return { id, waypost }
}

async function createGrants(waypost: WaypostClient, count: number): Promise<string[]> {
  const ids: string[] = []
  for (let index = 0; index < count; index++) {
    const email = `person-${index}@example.com`
    const { data } = await waypost.connect.custom({ body: { provider: 'virtual-calendar', settings: { email } } })
    ids.push(data.id)
  }
  return ids
}

const failureOf = async (call: Promise<unknown>): Promise<WaypostError> => {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (error instanceof WaypostError) return error
  throw new Error('the call did not fail with a WaypostError', { cause: error })
}

describe('the shape of the client', () => {
  const waypost = createWaypost()
  const operations: Record<string, Record<string, unknown>> = waypost
  const routes = routesOf(contract)

  test('has a function for every route and nothing else', () => {
    const ids = Object.entries(operations).flatMap(([resource, of]) =>
      Object.keys(of).map((name) => `${resource}.${name}`),
    )
    expect(ids).toEqual(routes.map(({ id }) => id))
    for (const { resource, operation } of routes) expect(operations[resource]?.[operation]).toBeTypeOf('function')
  })

  test('has `all` on paged lists and nowhere else', () => {
    const paged = routes.filter(({ route }) => route.list === 'cursor' || route.list === 'offset')
    const withAll = routes.filter(({ resource, operation }) => 'all' in Object(operations[resource]?.[operation]))
    expect(withAll).toEqual(paged)
    expect(paged.every(({ route }) => route.query && 'page_token' in route.query.shape)).toBe(true)
  })

  test('has no path parameter with the name of another argument', () => {
    const names = routes.flatMap(({ route }) => paramsOf(route.path))
    expect(names.filter((name) => ['query', 'body', 'signal', 'idempotencyKey'].includes(name))).toEqual([])
  })

  test('refuses an invalid base URL at once', () => {
    expect(() => createWaypost({ baseUrl: 'waypost.example.com' })).toThrow(TypeError)
  })
})

describe('an application', () => {
  test('reads and changes itself', async () => {
    const { id, waypost } = await openApplication()
    const got = await waypost.applications.get()
    expect(got.data.application_id).toBe(id)
    expect(got.requestId).toBe(got.headers.get('x-request-id'))
    const changed = await waypost.applications.update({ body: { branding: { name: 'Acme' } } })
    expect(changed.data.branding.name).toBe('Acme')
  })

  test('lists, creates, changes and deletes redirect URIs', async () => {
    const { waypost } = await openApplication()
    const { data: made } = await waypost.redirectUris.create({ body: { url: 'https://acme.example/back' } })
    expect(made).toMatchObject({ platform: 'web', url: 'https://acme.example/back' })
    const { data: changed } = await waypost.redirectUris.update({
      id: made.id,
      body: { url: 'https://acme.example/again' },
    })
    expect((await waypost.redirectUris.get({ id: made.id })).data).toEqual(changed)
    expect(await waypost.redirectUris.list()).toMatchObject({ data: [changed], nextCursor: undefined })
    const deleted = await waypost.redirectUris.delete({ id: made.id })
    expect(Object.keys(deleted)).toEqual(['requestId', 'headers'])
    expect((await waypost.redirectUris.list()).data).toEqual([])
  })

  test('manages connectors and their credentials', async () => {
    const { waypost } = await openApplication()
    const settings = { client_id: 'client', client_secret: 'secret' }
    await waypost.connectors.create({ body: { provider: 'google', settings, scope: ['openid'] } })
    await waypost.connectors.update({ provider: 'google', body: { name: 'Ours' } })
    const { data: connector } = await waypost.connectors.get({ provider: 'google' })
    expect(connector).toMatchObject({ name: 'Ours', settings: { client_id: 'client' }, scope: ['openid'] })
    const connectors = await Array.fromAsync(waypost.connectors.list.all({ query: { limit: 1 } }))
    expect(connectors.map(({ provider }) => provider).toSorted()).toEqual(['google', 'virtual-calendar'])

    const at = { provider: 'google' }
    const { data: credential } = await waypost.credentials.create({
      ...at,
      body: { name: 'One', credential_type: 'connector', credential_data: { ...settings, client_id: 'other' } },
    })
    await waypost.credentials.update({ ...at, id: credential.id, body: { name: 'Two' } })
    expect((await waypost.credentials.get({ ...at, id: credential.id })).data.name).toBe('Two')
    expect((await waypost.credentials.list({ ...at, query: { order_by: 'asc' } })).data).toHaveLength(1)
    await waypost.credentials.delete({ ...at, id: credential.id })
    await waypost.connectors.delete(at)
    expect((await failureOf(waypost.connectors.get(at))).type).toBe('not_found_error')
  })

  test('gets what a provider requires, and the provider of an address', async () => {
    const { waypost } = await openApplication()
    const { data: guides } = await waypost.connect.guide({ query: { provider: 'virtual-calendar' } })
    expect(guides).toMatchObject([{ provider: 'virtual-calendar', connector: true }])
    const query = { email: 'ada+1@gmail.com', all_provider_types: true }
    const { data } = await waypost.providers.detect({ query })
    expect(data).toMatchObject({ email_address: 'ada+1@gmail.com', detected: true, provider: 'google' })
  })
})

describe('grants', () => {
  test('are created, read by any locator, changed and deleted', async () => {
    const { waypost } = await openApplication()
    const settings = { email: 'ada@example.com' }
    const { data: made } = await waypost.connect.custom({
      body: { provider: 'virtual-calendar', settings, external_id: 'crm/7 ?#%' },
    })
    for (const grant_id of [made.id, 'ada@example.com', 'external:crm/7 ?#%']) {
      expect((await waypost.grants.get({ grant_id })).data).toEqual(made)
    }
    const { data: changed } = await waypost.grants.update({ grant_id: made.id, body: { metadata: { key1: 'a' } } })
    expect(changed.metadata).toEqual({ key1: 'a' })
    await waypost.grants.delete({ grant_id: made.id })
    expect((await waypost.grants.list()).data).toEqual([])
  })

  test('are listed page by page, and all by an iterator', async () => {
    const { waypost } = await openApplication()
    const ids = await createGrants(waypost, 5)
    const first = await waypost.grants.list({ query: { limit: 2 } })
    expect(first.data).toHaveLength(2)
    const second = await waypost.grants.list({ query: { limit: 2, page_token: first.nextCursor } })
    expect(second.data).toHaveLength(2)
    const found: string[] = []
    for await (const grant of waypost.grants.list.all({ query: { limit: 2 } })) found.push(grant.id)
    expect(found.toSorted()).toEqual(ids.toSorted())
    const whole = await Array.fromAsync(waypost.grants.list.all())
    expect(whole.map(({ id }) => id)).toEqual(found)
    const rest = await Array.fromAsync(waypost.grants.list.all({ query: { limit: 2, offset: 1 } }))
    expect(rest.map(({ id }) => id)).toEqual(found.slice(1))
  })

  test('are not requested further after a loop ends early', async () => {
    const { waypost } = await openApplication()
    await createGrants(waypost, 3)
    const { data: key } = await admin.apiKeys.create({
      application_id: (await waypost.applications.get()).data.application_id,
      body: { name: 'counted' },
    })
    let requests = 0
    const counted = clientOf(service, {
      apiKey: key.api_key,
      fetch: (input, init) => {
        requests++
        return fetchOf(service)(input, init)
      },
    })
    for await (const _ of counted.grants.list.all({ query: { limit: 1 } })) break
    expect(requests).toBe(1)
  })

  test('the stream of notifications has no end: the iterator waits for new ones', async () => {
    const { waypost: maker, id } = await openApplication()
    const { data: key } = await admin.apiKeys.create({ application_id: id, body: { name: 'reader' } })
    const requested: URL[] = []
    const reader = clientOf(service, {
      apiKey: key.api_key,
      timeoutMs: 10_000,
      fetch: (input, init) => {
        requested.push(new URL(String(input)))
        return fetchOf(service)(input, init)
      },
    })
    const stream = reader.notifications.list.all()
    const next = stream.next()
    const [grantId] = await createGrants(maker, 1)
    expect((await next).value).toMatchObject({ type: 'grant.created', data: { object: { grant_id: grantId } } })
    // Half of the timeout of an attempt, so that it is answered in time.
    for (const { searchParams } of requested) expect(searchParams.get('wait')).toBe('5')
    expect(requested.length).toBeLessThan(5)
    await stream.return()
  })

  test('`select` and other lists are sent as repeated parameters, booleans as words', async () => {
    const { waypost } = await openApplication()
    const [grant_id = ''] = await createGrants(waypost, 1)
    const { data, headers } = await waypost.grants.get({
      grant_id,
      query: { select: ['id', 'email'], expose_aliases: false },
    })
    expect(data).toEqual({ id: grant_id, email: 'person-0@example.com' })
    expect(headers.get('x-ignored-fields')).toBeNull()
    expect((await waypost.grants.list({ query: { select: undefined, limit: undefined } })).data).toHaveLength(1)
  })

  test.for(['', '.', '..'])('the id %j never becomes another path', async (id) => {
    const { waypost } = await openApplication()
    const at = { provider: 'virtual-calendar' }
    await expect(waypost.credentials.delete({ ...at, id })).rejects.toThrow(TypeError)
    expect((await waypost.connectors.get(at)).data.provider).toBe('virtual-calendar')
  })
})

describe('an administrator', () => {
  test('creates applications and keys, and revokes keys', async () => {
    const { data: made } = await admin.adminApplications.create({ body: { name: 'Fresh' } })
    const { application_id } = made
    const { data: listed } = await admin.adminApplications.list()
    expect(listed.map((application) => application.application_id)).toContain(application_id)
    const { data: key } = await admin.apiKeys.create({ application_id, body: { name: 'First', expires_in: 7 } })
    const waypost = clientOf(service, { apiKey: key.api_key })
    expect((await waypost.applications.get()).data.application_id).toBe(application_id)
    expect((await admin.apiKeys.get({ application_id, id: key.id })).data.status).toBe('active')
    await admin.apiKeys.delete({ application_id, id: key.id })
    expect((await admin.apiKeys.list({ application_id })).data.map(({ status }) => status)).toEqual(['revoked'])
    expect(await failureOf(waypost.applications.get())).toMatchObject({ status: 401, temporary: false })
  })

  test('acts on behalf of an application', async () => {
    const { id, waypost } = await openApplication()
    const [grant_id = ''] = await createGrants(waypost, 1)
    const acting = adminClientOf(service, id)
    expect((await acting.grants.list()).data.map((grant) => grant.id)).toEqual([grant_id])
    expect((await failureOf(admin.grants.list())).validationErrors).toHaveProperty('x-waypost-application')
    const { data: revoked } = await admin.adminGrants.revoke({ application_id: id, grant_id })
    expect(revoked.grant_status).toBe('invalid')
    await admin.adminGrants.update({ application_id: id, grant_id, body: { blocked: true } })
    expect((await admin.usage.get({ application_id: id })).data.billed_grants).toBe(1)
    expect((await admin.usage.list({ query: { application_id: id } })).data).toHaveLength(1)
  })

  test('can have a password with any characters', async () => {
    const adminPassword = 'pässwörd: 日本 🗝'
    await using other = await openService({ env: { WAYPOST_ADMIN_PASSWORD: adminPassword } })
    const { data } = await adminClientOf({ ...other, adminPassword }).adminApplications.list()
    expect(data).toHaveLength(1)
  })

  test('an API key gives no access to administrator routes, and public routes need none', async () => {
    const error = await failureOf(clientOf(service).adminApplications.list())
    expect(error).toMatchObject({ type: 'api.authentication_error', status: 401 })
    expect((await clientOf(service, {}).service.health()).data.status).toBe('ok')
    expect((await clientOf(service, {}).service.ready()).data.status).toBe('ready')
  })
})

describe('errors of the service', () => {
  test('have type, status, request id and message', async () => {
    const error = await failureOf(clientOf(service).grants.get({ grant_id: 'nobody@example.com' }))
    expect(error).toMatchObject({
      name: 'WaypostError',
      type: 'grant.not_found',
      status: 404,
      message: 'No Grant found for this Grant ID',
      temporary: false,
      retryAfter: undefined,
    })
    expect(error.requestId).toMatch(/^[0-9a-f-]{36}$/)
  })

  test('name the invalid fields', async () => {
    const error = await failureOf(clientOf(service).redirectUris.create({ body: { url: '' } }))
    expect(error.type).toBe('invalid_request_error')
    expect(error.validationErrors).toHaveProperty('url')
  })
})

describe('through a port', () => {
  test('the global fetch works the same, with a base URL that ends with a slash', async () => {
    const waypost = createWaypost({ baseUrl: `${await service.listen()}/`, apiKey: service.apiKey })
    expect((await waypost.applications.get()).data.environment).toBe('sandbox')
  })

  test('a port without a listener is a network error', async () => {
    const waypost = createWaypost({ baseUrl: 'http://127.0.0.1:2', retries: 0 })
    const error = await failureOf(waypost.service.health())
    expect(error).toMatchObject({ type: 'network_error', status: undefined, requestId: undefined, temporary: true })
    expect(error.message).toBe('GET http://127.0.0.1:2/health: no connection, or it broke')
    expect(error.cause).toBeInstanceOf(Error)
  })
})
