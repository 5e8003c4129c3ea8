/** The common behavior of all paths: ids, headers, addresses, origins and access. */
import { gunzipSync } from 'node:zlib'
import { type Contract, contract, methodsOf, type NamedRoute, removed, routesOf } from '@waypost/contract'
import { StoreUnavailable } from '@waypost/store/engine/database'
import { enginesFor } from '@waypost/testing/engines'
import { sql } from '@waypost/testing/statement'
import { testClock } from '@waypost/testing/test-clock'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { type Answer, type CallOptions, openService, type TestService } from '../../harness.ts'
import { bodies, bodyOf, queries } from '../../world/samples.ts'
import { furnish, type Tenant } from '../../world/world.ts'
import { expectSound, isAdministrators, mainMethod, pathOf, routeOf, routes } from './requests.ts'

interface Told {
  content: { 'application/json': { schema: Record<string, unknown> } }
}
interface Operation {
  responses: Record<string, Told | { $ref: string }>
}
interface OpenApi {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, unknown>; responses: Record<string, Told> }
}

/** Checks a response against the published document: its status, its body, and that all its fields are documented. */
function expectPublished(openapi: OpenApi, method: string, path: string, answer: Answer): void {
  const plain = path
    .replace(/\?.*$/s, '')
    .replace(/\/{2,}/g, '/')
    .replace(/(?<=.)\/$/, '')
    .replace('callback-uris', 'redirect-uris')
  const named = routes.find(
    ({ route }) =>
      methodsOf(route).some((known) => known === method) &&
      new RegExp(`^${route.path.replace(/:[a-z_]+/g, '[^/]+')}$`).test(plain),
  )
  if (!named) return
  const at = { path: named.route.path.replace(/:([a-z_]+)/g, '{$1}'), method: method.toLowerCase() }
  const schema = publishedSchema(openapi, { ...at, status: answer.status })
  expect(schema, `${named.id} answers ${answer.status}, which the document does not name`).toBeDefined()
  if (!schema || /[?&]select=/.test(path)) return
  const parsed = schema.safeParse(answer.body)
  expect(parsed.error?.issues, `${named.id} ${JSON.stringify(answer.body)}`).toBeUndefined()
}

/** The parsed schemas, by the text of the document: building one takes longer than all requests of a test. */
const publishedSchemas = new Map<string, z.ZodType>()

/** The published schema of a response. The schema of a success allows no undocumented field. */
function publishedSchema(
  openapi: OpenApi,
  { path, method, status }: { path: string; method: string; status: number },
): z.ZodType | undefined {
  const reported = openapi.paths[path]?.[method]?.responses[String(status)]
  // Errors of many operations are defined once, in the components.
  const response =
    reported && '$ref' in reported ? openapi.components.responses[reported.$ref.replace(/.*\//, '')] : reported
  if (!response) return undefined
  const { schema } = response.content['application/json']
  const key = `${status < 400} ${JSON.stringify(schema)}`
  const known = publishedSchemas.get(key)
  if (known) return known
  const $defs = Object.fromEntries(namesIn(schema, openapi).map((name) => [name, openapi.components.schemas[name]]))
  const local = JSON.parse(JSON.stringify({ ...schema, $defs }).replaceAll('#/components/schemas/', '#/$defs/'))
  const made = z.fromJSONSchema(status < 400 ? closed(local) : local)
  publishedSchemas.set(key, made)
  return made
}

/** The names of the components that a schema refers to, directly or through others. */
function namesIn(schema: unknown, openapi: OpenApi, found = new Set<string>()): string[] {
  for (const [, name = ''] of JSON.stringify(schema).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
    if (found.has(name)) continue
    found.add(name)
    namesIn(openapi.components.schemas[name], openapi, found)
  }
  return [...found]
}

type Schema = Parameters<typeof z.fromJSONSchema>[0]

/** A schema whose objects allow only the fields that they name. */
function closed(schema: Schema): Schema {
  return JSON.parse(JSON.stringify(schema), (_, part) =>
    part?.type === 'object' && part.properties ? { additionalProperties: false, ...part } : part,
  )
}

describe('the API', () => {
  let service: TestService
  let world: Tenant
  let openapi: OpenApi
  beforeAll(async () => {
    service = await openService({ overrides: { findMailExchangers: async () => ['mx.example.test'] } })
    openapi = (await service.call('GET', '/openapi.json')).body
    world = await furnish(service)
  })
  afterAll(() => service[Symbol.asyncDispose]())

  const call = async (method: string, path: string, options: CallOptions = {}): Promise<Answer> => {
    const answer = await service.call(method, path, { key: world.key, ...options })
    if (answer.headers.get('content-type') === 'application/json' && method !== 'HEAD') {
      if (path !== '/openapi.json') expectSound(answer, `${method} ${path}`)
      expectPublished(openapi, method, path, answer)
    }
    return answer
  }
  /** The redirect URIs have their own routes. */
  const goodBody = (named: NamedRoute): unknown => {
    if (!bodies[named.id]) return undefined
    const body = bodyOf(named, world)
    return named.id === 'applications.update' ? { ...body, callback_uris: undefined } : body
  }
  /** A valid request of a route. */
  const good = (id: string, options: CallOptions & { query?: string; method?: string } = {}): Promise<Answer> => {
    const named = routeOf(id)
    const query = new URLSearchParams(queries[id]).toString()
    const path = `${pathOf(named, world.params(named))}?${query}${options.query ? `&${options.query}` : ''}`
    return call(options.method ?? mainMethod(named), path, {
      body: goodBody(named),
      admin: isAdministrators(named),
      ...options,
    })
  }

  test('every answer has its own id, the same in header and body', async () => {
    const requested = [
      await good('grants.list'),
      await good('grants.list'),
      await call('GET', '/v3/nothing'),
      await call('POST', '/v3/grants'),
      await call('GET', '/v3/grants', { key: null, headers: { 'x-request-id': 'mine' } }),
      await call('GET', '/health', { key: null }),
    ]
    expect(new Set(requested.map((answer) => answer.body.request_id)).size).toBe(requested.length)
  })

  test('answers are not cached, and browsers do not guess their type', async () => {
    const requested = [
      await good('grants.list'),
      await good('apiKeys.create'),
      await call('GET', '/v3/nothing'),
      await call('POST', '/v3/grants'),
      await call('GET', '/send'),
      await call('GET', '/v3/grants', { key: null }),
    ]
    for (const answer of requested) {
      expect(answer.headers.get('cache-control')).toBe('no-store')
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    }
  })

  test.for(['/v3/grants/', '//v3/grants', '///v3/grants/', '/v3/grants/?limit=1', '//v3/grants/?limit=1'])(
    '%s is /v3/grants',
    async (path) => {
      expect((await call('GET', path)).body.data).toHaveLength(1)
    },
  )

  test.for(['/v3//grants', '/v3/grants//', '//v3/grants//?limit=1', '/v3/grants//calendars', '/v3/connectors//creds'])(
    '%s, which lacks an id, matches no other route',
    async (path) => {
      expect((await call('GET', path)).status).toBe(404)
    },
  )

  test('a path segment is decoded once', async () => {
    const email = 'a%2F%20b/c@virtual.test'
    const made = await call('POST', '/v3/connect/custom', {
      body: { provider: 'virtual-calendar', settings: { email } },
    })
    const found = await call('GET', `/v3/grants/${encodeURIComponent(email)}`)
    expect(found.body.data).toEqual(made.body.data)
    expect((await call('GET', `/v3/grants/${encodeURIComponent(encodeURIComponent(email))}`)).status).toBe(404)
    await call('DELETE', `/v3/grants/${made.body.data.id}`)
  })

  test('both Accept headers of clients are answered with JSON', async () => {
    for (const accept of ['application/json, application/gzip', 'application/json', '*/*', 'text/html']) {
      expect((await call('GET', '/v3/grants', { headers: { accept } })).status).toBe(200)
    }
  })

  test.for([
    'application/json',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'Application/JSON',
    ' application/json ; x=y',
  ])('a body as "%s" is read', async (type) => {
    const answer = await call('PATCH', '/v3/applications', {
      body: { domain: 'a.test' },
      headers: { 'content-type': type },
    })
    expect(answer.body.data.domain).toBe('a.test')
  })

  test('a body without Content-Type is read as JSON', async () => {
    const response = await service.app.request('/v3/applications', {
      method: 'PATCH',
      headers: { authorization: `Bearer ${world.key}` },
      body: new TextEncoder().encode('{"domain":"b.test"}'),
    })
    expect(await response.json()).toMatchObject({ data: { domain: 'b.test' } })
  })

  describe('compression', () => {
    const ask = (path: string, encoding: string) =>
      service.app.request(path, { headers: { authorization: `Bearer ${world.key}`, 'accept-encoding': encoding } })

    test.for(['gzip', 'gzip, deflate, br', 'br;q=1.0, gzip;q=0.8', 'GZIP', 'gzip;q=0.001'])(
      '%s compresses a long response',
      async (encoding) => {
        const response = await ask('/v3/grants', encoding)
        expect(response.headers.get('content-encoding')).toBe('gzip')
        expect(response.headers.get('vary')).toBe('Accept-Encoding')
        expect(response.headers.get('content-type')).toBe('application/json')
        const text = gunzipSync(await response.arrayBuffer()).toString()
        expect(text.length).toBeGreaterThanOrEqual(200)
        expect(JSON.parse(text)).toMatchObject({
          request_id: response.headers.get('x-request-id'),
          data: [{ email: 'room@virtual.test' }],
        })
      },
    )

    test.for(['', 'identity', 'br', 'deflate', 'gzip;q=0', 'gzip; q=0.0, br', 'identity, gzip;q=0.000'])(
      '"%s" does not',
      async (encoding) => {
        const response = await ask('/v3/grants', encoding)
        expect(response.headers.has('content-encoding')).toBe(false)
        expect(await response.json()).toMatchObject({ data: [{ email: 'room@virtual.test' }] })
      },
    )

    test('an answer below 200 bytes is not compressed, a long error is', async () => {
      const brief = await ask('/v3/grants?email=nobody', 'gzip')
      expect(brief.headers.has('content-encoding')).toBe(false)
      expect((await brief.text()).length).toBeLessThan(200)
      const long = await ask('/v3/grants?limit=0&offset=-1&sort_by=x&order_by=y', 'gzip')
      expect([long.status, long.headers.get('content-encoding')]).toEqual([400, 'gzip'])
    })

    test('clients over the wire read it', async () => {
      const address = await service.listen()
      for (const path of ['/v3/grants', '/openapi.json']) {
        const response = await fetch(address + path, { headers: { authorization: `Bearer ${world.key}` } })
        expect(response.headers.get('content-encoding')).toBe('gzip')
        expect(await response.json()).toBeTruthy()
      }
    })
  })

  test('the OpenAPI document has an ETag, and is not sent to a client that has it', async () => {
    const first = await service.app.request('/openapi.json', { headers: { 'accept-encoding': 'gzip' } })
    const etag = first.headers.get('etag') ?? ''
    expect([first.status, first.headers.get('content-encoding'), first.headers.get('vary')]).toEqual([
      200,
      'gzip',
      'Accept-Encoding',
    ])
    expect(JSON.parse(gunzipSync(await first.arrayBuffer()).toString())).toEqual(openapi)
    const again = await service.app.request('/openapi.json', {
      headers: { 'accept-encoding': 'gzip', 'if-none-match': etag },
    })
    expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', etag])
  })

  const updates = routes.filter(({ id, route }) => ['PATCH', 'PUT'].includes(route.method) && bodies[id])
  test.for(updates.map((named) => named.id))('PUT and PATCH are the same for %s', async (id) => {
    const [patched, put] = [await good(id, { method: 'PATCH' }), await good(id, { method: 'PUT' })]
    expect([patched.status, put.status]).toEqual([200, 200])
    expect({ ...put.body.data, updated_at: 0 }).toEqual({ ...patched.body.data, updated_at: 0 })
    const nothing = await good(id, { method: 'PUT', body: {}, query: 'select=id' })
    expect([200, 400]).toContain(nothing.status)
  })

  test('a callback-uris path is the redirect-uris path', async () => {
    const { id } = world.params(routeOf('redirectUris.get'))
    const [one, other] = [await call('GET', `/v3/applications/callback-uris/${id}`), await good('redirectUris.get')]
    expect(one.body.data).toEqual(other.body.data)
  })

  test('select returns the named fields and ignores unknown names', async () => {
    const one = await good('grants.get', { query: 'select=id,email,nothing,constructor,__proto__' })
    expect(one.body.data).toEqual({ id: expect.any(String), email: 'room@virtual.test' })
    const list = await good('grants.list', { query: 'select=id&select=provider' })
    expect(list.body.data).toEqual([{ id: expect.any(String), provider: 'virtual-calendar' }])
    const changed = await good('grants.update', { query: 'select=metadata' })
    expect(changed.body.data).toEqual({ metadata: { key: 'value' } })
    expect((await good('grants.get', { query: 'select=nothing' })).body.data).toEqual({})
    expect(Object.keys((await good('grants.get', { query: 'select=' })).body.data).length).toBeGreaterThan(10)
    expect((await good('applications.get', { query: 'select=region' })).body.data).toEqual({ region: 'us' })
  })

  test('names that the schema does not have are ignored and reported', async () => {
    const query = await good('grants.list', { query: 'colour=red&toString=1&constructor=2' })
    expect([query.status, query.headers.get('x-ignored-fields')]).toEqual([200, 'colour, toString, constructor'])
    const body = await good('grants.update', { query: 'a=1', body: { metadata: {}, 'b ü\n': 1, valueOf: 2 } })
    expect([body.status, body.headers.get('x-ignored-fields')]).toEqual([200, 'a, b%20%C3%BC%0A, valueOf'])
    expect((await good('grants.list')).headers.has('x-ignored-fields')).toBe(false)
    const many = await good('grants.update', {
      body: Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`${'界'.repeat(100)}${n}`, 1])),
    })
    expect(many.status).toBe(200)
    expect(many.headers.get('x-ignored-fields')?.length).toBeLessThan(4000)
  })

  test('read-only fields cannot be set by sending them back', async () => {
    const before = (await good('grants.get')).body.data
    const forged = {
      ...before,
      id: 'other',
      grant_status: 'invalid',
      provider: 'google',
      blocked: true,
      created_at: 1,
      updated_at: 1,
      account_id: 'other',
      application_id: 'other',
      webhook_secret: 'other',
    }
    const answer = await good('grants.update', { body: forged })
    expect(answer.body.data).toEqual(before)
    expect(answer.headers.get('x-ignored-fields')).toContain('grant_status')
    const own = (await good('applications.get')).body.data
    const forgedOwn = {
      ...own,
      application_id: 'other',
      environment: 'sandbox',
      region: 'eu',
      blocked: true,
      organization_id: 'other',
      created_at: 1,
      callback_uris: undefined,
    }
    const changed = (await good('applications.update', { body: forgedOwn })).body.data
    expect({ ...changed, updated_at: 0 }).toEqual({ ...own, updated_at: 0 })
  })

  test('a list of ids is read from commas, from repetition, and from both', async () => {
    const name = sql('test.account', 'update grants set account_id = $1 where id = $2')
    const ids: string[] = []
    for (const account of ['one', 'two', 'three']) {
      const grant = await service.createGrant(`${account}@virtual.test`, world.key)
      await service.services.storage.database.run(name, [account, grant.id])
      ids.push(grant.id)
    }
    const found = async (query: string) =>
      (await good('grants.list', { query: `${query}&order_by=asc` })).body.data.map((grant: { id: string }) =>
        ids.indexOf(grant.id),
      )
    expect((await found('account_ids=one,two')).sort()).toEqual([0, 1])
    expect((await found('account_ids=one&account_ids=three')).sort()).toEqual([0, 2])
    expect((await found('account_ids=one,two&account_ids=three')).sort()).toEqual([0, 1, 2])
    expect((await found('account_id=two&account_ids=three')).sort()).toEqual([1, 2])
    expect(await found('account_ids=nobody')).toEqual([])
    for (const id of ids) await call('DELETE', `/v3/grants/${id}`)
  })

  test('a method that a path does not have is 405, and the answer lists its methods', async () => {
    const takes: [string, string, string][] = [
      ['PUT', '/v3/grants', 'GET'],
      ['POST', `/v3/grants/${world.grantId}`, 'DELETE, GET, PATCH, PUT'],
      ['GET', '/v3/providers/detect', 'POST'],
      ['DELETE', '/v3/applications', 'GET, PATCH, PUT'],
      ['PATCH', '/v3/applications/callback-uris', 'GET, POST'],
      ['POST', '/openapi.json', 'GET'],
      ['PROPFIND', '/v3/connectors', 'GET, POST'],
    ]
    for (const [method, path, allow] of takes) {
      const answer = await call(method, path)
      expect([answer.status, answer.body.error.type]).toEqual([405, 'invalid_request_error'])
      expect(answer.headers.get('allow')?.split(', ').sort().join(', ')).toBe(allow)
    }
  })

  test.for(removed.flatMap(({ paths, instead }) => paths.map((path) => [path, instead] as const)))(
    'the removed endpoint %s is 404 and names its replacement',
    async ([path, instead]) => {
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
        const at = path.replace(/:[a-z_]+/g, 'any').replace('*', 'a/b')
        const answer = await call(method, at, { key: null })
        expect([answer.status, answer.body.error.type]).toEqual([404, 'not_found_error'])
        expect(answer.body.error.message).toContain(instead)
      }
    },
  )

  test('the served routes are the routes of the document', () => {
    const documented = Object.entries(openapi.paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${path.replace(/\{([a-z_]+)\}/g, ':$1')}`),
    )
    const declared = routesOf(contract as Contract)
    const aliases = new Set(declared.flatMap(({ route }) => route.aliases ?? []))
    const gone = new Set(removed.flatMap(({ paths }) => paths))
    const beside = new Set([
      '/openapi.json',
      '/llms.txt',
      '/metrics',
      '/t/o/:name',
      '/t/c/:name',
      '/.well-known/jwks.json',
      '/v3/connect/callback',
      '/v3/connect/login/:name',
      '/v3/contact-pictures/:name',
      '/uploads/:name',
      '/v3/push/:kind/:path',
      '/*',
      '*',
    ])
    const served = service.app.routes
      .filter(({ method }) => method !== 'ALL')
      .filter(
        ({ path }) =>
          !aliases.has(path) &&
          !gone.has(path) &&
          !beside.has(path) &&
          !/^\/(?:account|book|dashboard|docs|mcp|oauth|\.well-known)\b/.test(path),
      )
      .map(({ method, path }) => `${method} ${path}`)
    // A page may be asked before the route of the same path.
    expect([...new Set(served)].sort()).toEqual(documented.sort())
    for (const alias of aliases) expect(service.app.routes.some(({ path }) => path === alias)).toBe(true)
  })

  test('every route answers a valid request as documented', async () => {
    world = await furnish(service)
    const last = (id: string): number => ['credentials.delete', 'connectors.delete'].indexOf(id)
    // Of a token, a session, a simulator, a person: these requests have none of them.
    const ofPeople = ['account.get', 'people.get', 'people.invite', 'people.delete', 'people.removeTotp']
    const ofTheirKeys = ['people.keys', 'people.revokeKeys']
    const ofServiceAccounts = ['serviceAccounts.get', 'serviceAccounts.delete']
    const lacking = new Set([
      ...ofPeople,
      ...ofTheirKeys,
      ...ofServiceAccounts,
      'connect.tokenInfo',
      'session.get',
      'session.end',
      'connectorSetup.simulate',
      // Pages of version 2, which never existed here.
      'schedulingRedirects.find',
      // Its grant was deleted before, and its session with it.
      'schedulingSessions.delete',
      // These connect to a broker first. The tests of channels start brokers.
      ...['pubsubChannels.create', 'snsChannels.create', 'natsChannels.create', 'amqpChannels.create'],
    ])
    const known = routes.filter(
      ({ id, route }) => route.audience !== 'grant' && (!route.body || bodies[id]) && !lacking.has(id),
    )
    const order = known.toSorted(
      (a, b) => last(a.id) - last(b.id) || Number(a.route.method === 'DELETE') - Number(b.route.method === 'DELETE'),
    )
    const wrong: string[] = []
    for (const named of order) {
      const answer = await good(named.id)
      if (answer.status !== (named.route.status ?? 200)) wrong.push(`${named.id} ${JSON.stringify(answer.body)}`)
    }
    expect(wrong).toEqual([])
    world = await furnish(service)
  })
})

describe('under a base address with a path', () => {
  let service: TestService
  beforeAll(async () => {
    service = await openService({ env: { WAYPOST_BASE_URL: 'http://127.0.0.1:1234/prefix/' } })
  })
  afterAll(() => service[Symbol.asyncDispose]())

  test.for(['/prefix/v3/connectors', '//prefix//v3/connectors/', '/prefix/v3/connectors/?limit=2', '/v3/connectors'])(
    '%s is served',
    async (path) => {
      const answer = await service.call('GET', path)
      expect([answer.status, answer.body.data.length]).toEqual([200, 2])
    },
  )

  test('parameters, methods and removed endpoints are found behind it', async () => {
    expect((await service.call('GET', '/prefix/v3/connectors/google')).body.data.provider).toBe('google')
    const wrong = await service.call('PUT', '/prefix/v3/connectors')
    expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'GET, POST'])
    expect((await service.call('GET', '/prefix/send')).body.error.message).toContain('messages/send')
    expect((await service.call('GET', '/prefix/health', { key: null })).status).toBe(200)
    expect((await service.call('GET', '/prefix')).status).toBe(404)
    expect((await service.call('GET', '/prefixed/v3/connectors')).status).toBe(404)
    expect((await service.call('GET', '/openapi.json')).body.servers).toEqual([{ url: 'http://127.0.0.1:1234/prefix' }])
  })
})

describe('a browser of another origin', () => {
  let service: TestService
  beforeAll(async () => {
    service = await openService()
  })
  afterAll(() => service[Symbol.asyncDispose]())

  const preflight = (origin: string, path = '/v3/grants') =>
    service.call('OPTIONS', path, { key: null, headers: { origin, 'access-control-request-method': 'POST' } })
  const simple = (origin: string, options: CallOptions = {}) =>
    service.call('GET', '/v3/grants', { ...options, headers: { origin } })

  const expectAllowed = async (origin: string): Promise<void> => {
    const before = await preflight(origin)
    expect(before.status).toBe(204)
    expect(before.headers.get('access-control-allow-origin')).toBe(origin)
    expect(before.headers.get('access-control-allow-methods')).toBe('GET, POST, PUT, PATCH, DELETE')
    const allowed = before.headers.get('access-control-allow-headers')?.split(', ') ?? []
    for (const name of [
      'authorization',
      'content-type',
      'idempotency-key',
      'x-nylas-connect',
      'x-nylas-application-public-id',
      'x-nylas-web-elements-version',
      'x-source',
    ]) {
      expect(allowed).toContain(name)
    }
    expect(before.headers.has('access-control-allow-credentials')).toBe(false)
    for (const answer of [await simple(origin), await simple(origin, { key: null })]) {
      expect(answer.headers.get('access-control-allow-origin')).toBe(origin)
      expect(answer.headers.get('access-control-expose-headers')).toContain('x-request-id')
      expect(answer.headers.get('vary')).toContain('Origin')
    }
  }
  const expectForbidden = async (origin: string): Promise<void> => {
    for (const answer of [await preflight(origin), await preflight(origin, '/v3/nothing'), await simple(origin)]) {
      expect(answer.headers.has('access-control-allow-origin')).toBe(false)
      expect(answer.headers.get('vary')).toContain('Origin')
    }
    expect((await preflight(origin)).body.error.message).toContain('idp_settings.origins')
  }
  const setOrigins = (origins: string) =>
    service.call('PATCH', '/v3/applications', { body: { idp_settings: { origins } } })

  test('may call the routes of booking pages from any origin, and sends no cookies', async () => {
    const path = '/v3/scheduling/ui-settings'
    const requested = await preflight('https://anywhere.test', path)
    expect(requested.status).toBe(204)
    const guest = await service.call('GET', path, { key: null, headers: { origin: 'https://anywhere.test' } })
    expect(guest.status).toBe(400)
    for (const { headers } of [requested, guest]) {
      expect(headers.get('access-control-allow-origin')).toBe('*')
      expect(headers.has('access-control-allow-credentials')).toBe(false)
    }
    await expectForbidden('https://anywhere.test')
  })

  test('may call while idp_settings.origins has its origin', async () => {
    await expectForbidden('https://spa.test')
    await setOrigins('https://spa.test, http://localhost:5173 ,https://SPA2.test:443/')
    for (const origin of ['https://spa.test', 'http://localhost:5173', 'https://spa2.test']) await expectAllowed(origin)
    for (const origin of [
      'https://spa.test:8443',
      'http://spa.test',
      'https://a.spa.test',
      'https://spa.test.evil.test',
      'null',
      '*',
      'x',
    ]) {
      await expectForbidden(origin)
    }
    await setOrigins('')
    await expectForbidden('https://spa.test')
  })

  test('may call while a js redirect URI has its origin', async () => {
    const at = '/v3/applications/redirect-uris'
    const js = (origin: string) => ({ url: 'https://js.test/back', platform: 'js', settings: { origin } })
    const { id } = (await service.call('POST', at, { body: js('https://js.test') })).body.data
    await expectAllowed('https://js.test')
    await service.call('PATCH', `${at}/${id}`, { body: js('https://js2.test') })
    await expectForbidden('https://js.test')
    await expectAllowed('https://js2.test')
    await service.call('DELETE', `${at}/${id}`)
    await expectForbidden('https://js2.test')
    await service.call('PATCH', '/v3/applications', { body: { callback_uris: [js('https://js3.test')] } })
    await expectAllowed('https://js3.test')
    await service.call('PATCH', '/v3/applications', { body: { callback_uris: [] } })
    await expectForbidden('https://js3.test')
  })

  test('receives Vary for both origin and encoding when the answer is compressed', async () => {
    await setOrigins('https://spa.test')
    const answer = await service.app.request('/v3/connectors', {
      headers: { authorization: `Bearer ${service.apiKey}`, origin: 'https://spa.test', 'accept-encoding': 'gzip' },
    })
    expect(answer.headers.get('vary')).toBe('Origin, Accept-Encoding')
  })
})

describe('internal failures', () => {
  const logged = (service: TestService, requestId: string) =>
    service
      .logs()
      .split('\n')
      .filter((line) => line.includes(requestId))
      .map((line) => JSON.parse(line))

  test('are 500 without detail, and the log has the cause under the request id', async () => {
    const failing = async () => {
      throw new Error('the resolver fell over', { cause: new TypeError('deep inside') })
    }
    await using service = await openService({ overrides: { findMailExchangers: failing } })
    const answer = await service.call('POST', '/v3/providers/detect?email=a@unknown.test')
    expectSound(answer)
    expect([answer.status, answer.body.error]).toEqual([500, { type: 'api.internal_error', message: 'internal error' }])
    const lines = logged(service, answer.body.request_id)
    expect(lines).toMatchObject([
      {
        level: 'error',
        route: 'providers.detect',
        status: 500,
        error: { message: 'the resolver fell over', cause: { message: 'deep inside' } },
      },
    ])
  })

  test('a thrown value that is not an Error is 500 too', async () => {
    const throwing = async () => {
      throw 'a string'
    }
    await using service = await openService({ overrides: { findMailExchangers: throwing } })
    const answer = await service.call('POST', '/v3/providers/detect?email=a@unknown.test')
    expect([answer.status, answer.body.error.type]).toEqual([500, 'api.internal_error'])
  })

  test('a page that fails is 500 in the same shape, and is logged once', async () => {
    await using service = await openService()
    vi.spyOn(service.services.telemetry.metrics, 'families').mockRejectedValue(new Error('no figures'))
    const answer = await service.call('GET', '/metrics')
    expectSound(answer)
    expect(answer.status).toBe(500)
    expect(answer.body.error.message).toBe('internal error')
    expect(logged(service, answer.body.request_id)).toMatchObject([
      { level: 'error', error: { message: 'no figures' } },
    ])
    expect(service.logs().match(/no figures/g)?.length).toBeLessThanOrEqual(2)
  })

  test('live pages are counted by their pattern, not by their path', async () => {
    await using service = await openService()
    const visits = [await service.app.request('/dashboard/grants'), await service.app.request('/dashboard/webhooks')]
    const metrics = String((await service.call('GET', '/metrics')).body)
    expect(metrics).toContain(`{route="/dashboard/:name",status="${visits[0]?.status}"} 2`)
  })

  test('a store that does not answer is 503 with Retry-After', async () => {
    await using service = await openService()
    vi.spyOn(service.services.storage.database, 'get').mockRejectedValue(
      new StoreUnavailable('gone', new Error('ECONNREFUSED')),
    )
    const answer = await service.call('GET', '/v3/grants')
    expectSound(answer)
    expect([answer.status, answer.body.error.type]).toEqual([503, 'api.service_unavailable'])
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(answer.body.error.message).not.toContain('ECONNREFUSED')
    expect((await service.call('GET', '/health', { key: null })).status).toBe(200)
  })

  test('a stopping node is not ready', async () => {
    await using service = await openService()
    expect((await service.call('GET', '/ready', { key: null })).status).toBe(200)
    service.services.runtime.stop()
    expect((await service.call('GET', '/ready', { key: null })).status).toBe(503)
  })

  describe('a handler that never ends', () => {
    afterEach(() => void vi.useRealTimers())

    test('is 504 after 90 seconds, and its signal aborts', async () => {
      const requested = Promise.withResolvers<AbortSignal>()
      const never = (_: string, signal: AbortSignal) => {
        requested.resolve(signal)
        return new Promise<string[]>(() => undefined)
      }
      await using service = await openService({ overrides: { findMailExchangers: never } })
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
      const answered = service.call('POST', '/v3/providers/detect?email=a@slow.test')
      const signal = await requested.promise
      vi.advanceTimersByTime(89_999)
      await Promise.resolve()
      expect(signal.aborted).toBe(false)
      vi.advanceTimersByTime(1)
      const answer = await answered
      expectSound(answer)
      expect([answer.status, answer.body.error.type]).toEqual([504, 'provider_error'])
      expect(signal.aborted).toBe(true)
      expect(vi.getTimerCount()).toBe(0)
    })
  })
})

describe('access', () => {
  const clock = testClock()
  let service: TestService
  let world: Tenant
  beforeAll(async () => {
    service = await openService({ overrides: { clock } })
    world = await furnish(service)
  })
  afterAll(() => service[Symbol.asyncDispose]())
  const basic = (password: string, user = 'admin') => `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`

  test('no administrator route opens for an API key or without a credential', async () => {
    for (const named of routes.filter(isAdministrators)) {
      for (const key of [world.key, service.apiKey, null]) {
        const path = pathOf(named, world.params(named))
        const answer = await service.call(mainMethod(named), path, { key, body: bodyOf(named, world) })
        expectSound(answer)
        expect([answer.status, answer.body.error.type], named.id).toEqual([401, 'api.authentication_error'])
      }
    }
  })

  test('no application route opens without a credential', async () => {
    for (const named of routes.filter(({ route }) => route.audience === 'application' || route.audience === 'grant')) {
      const path = pathOf(named, world.params(named))
      const answer = await service.call(mainMethod(named), path, { key: null, body: bodyOf(named, world) })
      expectSound(answer)
      expect([answer.status, answer.body.error.type], named.id).toEqual([401, 'token.unauthorized_access'])
    }
  })

  test('an application route opens for the administrator who names the application', async () => {
    const as = (headers: Record<string, string>) => service.call('GET', '/v3/grants', { admin: true, headers })
    const named = await as({ 'x-waypost-application': world.applicationId })
    expect(named.body.data).toMatchObject([{ email: 'room@virtual.test' }])
    const unnamed = await as({})
    expect([unnamed.status, unnamed.body.error.type]).toEqual([400, 'invalid_request_error'])
    expect(unnamed.body.error.message).toContain('x-waypost-application')
    expect((await as({ 'x-waypost-application': 'nobody' })).status).toBe(404)
  })

  test('after ten wrong passwords in a minute, the right one is refused too', async () => {
    const tries = (password: string, path = '/v3/admin/applications') =>
      service.call('GET', path, {
        key: null,
        headers: { authorization: basic(password), 'x-waypost-application': world.applicationId },
      })
    clock.advance(60_000 - (clock.now() % 60_000))
    for (let n = 1; n <= 9; n++) expect((await tries(`guess-${n}`)).status).toBe(401)
    expect((await tries(service.adminPassword)).status).toBe(200)
    expect((await tries('guess-10')).status).toBe(401)
    const verify = vi.spyOn(service.services.administration.administrator, 'verify')
    for (const answer of [
      await tries('guess-11'),
      await tries(service.adminPassword),
      await tries('guess-12', '/v3/grants'),
    ]) {
      expectSound(answer)
      expect([answer.status, answer.body.error.type]).toEqual([429, 'rate_limit_error'])
      expect(answer.headers.get('retry-after')).toBe('60')
    }
    expect(verify).not.toHaveBeenCalled()
    verify.mockRestore()
    expect((await service.call('GET', '/v3/grants', { key: world.key })).status).toBe(200)
    clock.advance(60_000)
    expect((await tries(service.adminPassword)).status).toBe(200)
  })

  test('a right password among many concurrent guesses is refused', async () => {
    clock.advance(60_000)
    const guesses = Array.from({ length: 30 }, (_, n) => (n === 25 ? service.adminPassword : `guess-${n}`))
    const answers = await Promise.all(
      guesses.map((password) =>
        service.call('GET', '/v3/admin/applications', { key: null, headers: { authorization: basic(password) } }),
      ),
    )
    expect(answers.map((answer) => answer.status).filter((status) => status === 200)).toEqual([])
    clock.advance(60_000)
  })

  test('a password may contain colons and any letters', async () => {
    await using other = await openService({ env: { WAYPOST_ADMIN_PASSWORD: 'a:b:ü界 c' } })
    const ask = (password: string) =>
      other.call('GET', '/v3/admin/applications', { key: null, headers: { authorization: basic(password) } })
    expect([(await ask('a:b:ü界 c')).status, (await ask('a')).status]).toEqual([200, 401])
  })
})

describe.for(enginesFor(import.meta.url))('concurrent changes on %s', (engine) => {
  let service: TestService
  let world: Tenant
  beforeAll(async () => {
    service = await openService({ engine })
    world = await furnish(service)
  })
  afterAll(() => service[Symbol.asyncDispose]())
  const patch = (path: string, body: unknown, admin = false) =>
    service.call('PATCH', path, { key: world.key, admin, body })

  test('are all stored', async () => {
    for (let n = 0; n < 10; n++) {
      const grant = `/v3/grants/${world.grantId}`
      await Promise.all([
        patch('/v3/connectors/google', { name: `name ${n}` }),
        patch('/v3/connectors/google', { scope: [`scope-${n}`] }),
        patch('/v3/applications', { branding: { name: `brand ${n}` } }),
        patch('/v3/applications', { domain: `d${n}.test` }),
        patch(`/v3/admin/applications/${world.applicationId}`, { blocked: false }, true),
        patch(grant, { metadata: { n: String(n) } }),
        patch(grant, { external_id: `external-${n}` }),
        patch(`/v3/admin/applications/${world.applicationId}/grants/${world.grantId}`, { blocked: n % 2 === 0 }, true),
      ])
      const read = async (path: string) => (await service.call('GET', path, { key: world.key })).body.data
      expect(await read('/v3/connectors/google')).toMatchObject({ name: `name ${n}`, scope: [`scope-${n}`] })
      expect(await read('/v3/applications')).toMatchObject({ branding: { name: `brand ${n}` }, domain: `d${n}.test` })
      expect(await read(grant)).toMatchObject({
        metadata: { n: String(n) },
        external_id: `external-${n}`,
        blocked: n % 2 === 0,
      })
    }
  })

  test('to one name have one winner, and the others receive a conflict', async () => {
    const names = ['a', 'b', 'c', 'd']
    const made = async (path: string, body: unknown) =>
      (await service.call('POST', path, { key: world.key, body })).body.data.id
    const credentials: string[] = []
    const uris: string[] = []
    for (const name of names) {
      credentials.push(
        await made('/v3/connectors/google/creds', {
          name,
          credential_type: 'connector',
          credential_data: { client_id: name, client_secret: name },
        }),
      )
      uris.push(await made('/v3/applications/redirect-uris', { url: `https://${name}.test/` }))
    }
    const renamed = await Promise.all(
      credentials.map((id) => patch(`/v3/connectors/google/creds/${id}`, { name: 'same' })),
    )
    const moved = await Promise.all(
      uris.map((id) => patch(`/v3/applications/redirect-uris/${id}`, { url: 'https://same.test/' })),
    )
    for (const answers of [renamed, moved])
      expect(answers.map((answer) => answer.status).sort()).toEqual([200, 409, 409, 409])
  })

  test('of redirect URIs keep every origin', async () => {
    const origins = Array.from({ length: 12 }, (_, n) => `https://origin-${n}.test`)
    await Promise.all(
      origins.map((origin) =>
        service.call('POST', '/v3/applications/redirect-uris', {
          key: world.key,
          body: { url: `${origin}/back`, platform: 'js', settings: { origin } },
        }),
      ),
    )
    for (const origin of origins) {
      const answer = await service.call('OPTIONS', '/v3/grants', { key: null, headers: { origin } })
      expect(answer.status, origin).toBe(204)
    }
  })
})

test('an origin that another application registered may not read the answers to this one', async () => {
  await using service = await openService()
  const other = await service.createApplication()
  const origin = 'https://other.test'
  await service.call('PATCH', '/v3/applications', { key: other.key, body: { idp_settings: { origins: origin } } })
  const allowed = async (key: string) =>
    (await service.call('GET', '/v3/applications', { key, headers: { origin } })).headers.get(
      'access-control-allow-origin',
    )
  expect(await allowed(other.key)).toBe(origin)
  expect(await allowed(service.apiKey)).toBeNull()
})

test('the metrics report how many jobs wait', async () => {
  await using service = await openService()
  expect((await service.call('GET', '/metrics')).body).toMatch(/^waypost_outbox_jobs 0$/m)
})
