/** Whatever a client sends, the answer is JSON, names what is wrong, and is never our fault. */
import type { Server } from 'node:http'
import { connect } from 'node:net'
import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { bodyObject, limits, type NamedRoute, takesList } from '@waypost/contract'
import { codePoint } from '@waypost/testing/code-points'
import { enginesFor } from '@waypost/testing/engines'
import { isFull, runs } from '@waypost/testing/level'
import { testClock } from '@waypost/testing/test-clock'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Answer, type CallOptions, openService, type TestService } from '../../harness.ts'
import { bodyOf, queries } from '../../world/samples.ts'
import { furnish, type Tenant } from '../../world/world.ts'
import { exchange, nextRequest, type RawAnswer } from '../http/raw-http.ts'
import {
  expectNoFault,
  expectSound,
  isAdministrators,
  isFile,
  leavesOf,
  mainMethod,
  naughty,
  pathOf,
  routeOf,
  routes,
  valueAt,
  withValue,
} from './requests.ts'

const withBody = routes.filter((named) => named.route.body)
const parametersOf = ({ route }: NamedRoute): string[] => Object.keys(route.query?.shape ?? {})
/**
 * Routes that read one object before they look for a grant and ask its provider. Those of OAuth have errors of their own.
 * Lists: `list-body.test.ts`.
 */
const reading = withBody.filter(
  ({ route }) => route.audience !== 'grant' && route.audience !== 'client' && !takesList(route),
)
const search = (query: Record<string, string>): string => `?${new URLSearchParams(query)}`

const malformed = ['%00', 'a%00b', '%ED%A0%80', '%c3%28', '%', '%zz', '%u0041', '%2F', '%25%30%30', '%EF%BF%BD']
const numbers = [1.5, -1, 2 ** 31, 2 ** 53 - 1, 1e21]
const nothing = '00000000-0000-4000-8000-000000000000'
const [unauthorized, invalid, missing] = ['token.unauthorized_access', 'invalid_request_error', 'not_found_error']
const google = { settings: { client_id: 'id', client_secret: 'secret' } }
const virtual = { provider: 'virtual-calendar' }

type Refused = readonly [what: string, request: string, status: number, type: string, message: RegExp, CallOptions?]

/** Requests of an application, with its key unless they say otherwise, and the errors that answer them. */
const refused: readonly Refused[] = [
  ['no credential', 'GET /v3/grants', 401, unauthorized, /./, { key: null }],
  ['an unknown key', 'GET /v3/grants', 401, unauthorized, /./, { key: 'wpk_nobody' }],
  ...['Digest abc', 'Bearer', 'Bearer a b'].map(
    (authorization): Refused => [
      ...([`the credential ${authorization}`, 'GET /v3/grants', 401, unauthorized, /./] as const),
      { key: null, headers: { authorization } },
    ],
  ),
  ['a key in the query', 'GET /v3/grants?api_key=:key&access_token=:key', 401, unauthorized, /Auth/, { key: null }],
  ['an administrator route', 'GET /v3/admin/applications', 401, 'api.authentication_error', /administrator/],
  ...['GET', 'PATCH', 'DELETE'].flatMap((method): Refused[] => {
    const options = method === 'PATCH' ? { body: {} } : {}
    return [
      ['an unknown grant', `${method} /v3/grants/nobody@virtual.test`, 404, 'grant.not_found', /Grant/, options],
      ['"me" without a token', `${method} /v3/grants/me`, 401, unauthorized, /"me"/, options],
      ...['connectors/zoom', `connectors/google/creds/${nothing}`, `applications/redirect-uris/${nothing}`].map(
        (path): Refused => ['an unknown object', `${method} /v3/${path}`, 404, missing, /./, options],
      ),
    ]
  }),
  ['an unknown application', `GET /v3/admin/applications/${nothing}`, 404, missing, /./, { admin: true }],
  ['an unknown path', 'GET /v3/nothing?secret=1', 404, missing, /GET \/v3\/nothing; .*openapi/],
  ...(
    [
      ['connectors', { provider: 'google', ...google }, /provider: .*google/],
      ['applications/redirect-uris', { url: 'https://virtual.test/first' }, /url: https:\/\/virtual.test\/first/],
      [
        'connectors/google/creds',
        {
          name: 'virtual first',
          credential_type: 'connector',
          credential_data: { client_id: 'x', client_secret: 'x' },
        },
        /name: .*"virtual first"/,
      ],
      [
        'connect/custom',
        { ...virtual, external_id: 'virtual-room', settings: { email: 'two@virtual.test' } },
        /external_id/,
      ],
    ] as const
  ).map(([path, body, message]): Refused => ['a duplicate', `POST /v3/${path}`, 409, 'conflict', message, { body }]),
  ...(
    [
      ['grant.provider_required', /provider/, { settings: {} }],
      [invalid, /^provider: .*google/, { provider: 'none', settings: {} }],
      [invalid, /^settings: is required/, virtual],
      [invalid, /^settings.email: is required/, { ...virtual, settings: {} }],
    ] as const
  ).map(
    ([type, message, body]): Refused => ['a missing field', 'POST /v3/connect/custom', 400, type, message, { body }],
  ),
]

/** Queries that are refused, by the parameter that the error names. */
const badQueries: Record<string, string> = {
  limit: 'limit=0 limit=-1 limit=ten limit=1.5 limit= limit=99999999999999999999 limit=1&limit=999 limit=1&limit=1',
  'limit[]': 'limit[]=1 limit%5B%5D=1',
  offset: 'offset=-1 offset=a offset=1&offset=2',
  page_token: 'page_token=nonsense page_token=a&page_token=b',
  sort_by: 'sort_by=email sort_by=constructor',
  order_by: 'order_by=up',
  since: 'since=yesterday',
  before: 'before=1e3',
  email: 'email= email=a&email=b email=%00',
  status: 'status=valid&status=invalid',
  grant_status: 'grant_status=gone',
  ip: `ip=${'1'.repeat(1025)}`,
  'a[__proto__][x]': 'a[__proto__][x]=1',
  '__proto__[x]': '__proto__[x]=1',
  'constructor[prototype][x]': 'constructor[prototype][x]=1',
}

/** Bodies that are not one JSON object. */
const badBodies: Record<string, string | Uint8Array> = {
  'empty text': ' ',
  'no JSON': 'hello',
  'cut short': '{"a":',
  'more after the end': '{} {}',
  'a trailing comma': '{"a":1,}',
  'single quotes': "{'a':1}",
  'a comment': '{"a":1/*x*/}',
  'a leading zero': '{"a":01}',
  'a bare word': '{"a":NaN}',
  'a plus sign': '{"a":+1}',
  'a hex number': '{"a":0x1}',
  'half a number': '{"a":1.}',
  'a raw newline in a text': '{"a":"\n"}',
  'an unknown escape': '{"a":"\\x41"}',
  'a byte order mark': '\ufeff{}',
  'an array': '[]',
  'a text': '"a"',
  'a number': '1',
  null: 'null',
  'half a million brackets': '['.repeat(500_000),
  '33 levels': `{"a":${'['.repeat(32)}${']'.repeat(32)}}`,
  '10,001 keys': `{${Array.from({ length: 10_001 }, (_, n) => `"k${n}":1`).join(',')}}`,
  'a key twice': '{"a":1,"a":2}',
  'a key twice in another spelling': '{"a":1,"\\u0061":2}',
  'a number that is not finite': '{"a":1e999}',
  'a number that would lose digits': '{"a":12345678901234567890}',
  NUL: '{"a":"\\u0000"}',
  'NUL in a key': '{"\\u0000":1}',
  'half a surrogate pair': '{"a":"\\ud800"}',
  'the other half': '{"a":"\\udc00\\ud800"}',
  'half a surrogate pair in a key': '{"\\udfff":1}',
  'the key __proto__': '{"__proto__":{"x":1}}',
  '__proto__ in escapes': '{"\\u005f\\u005fproto__":{"x":1}}',
  '__proto__ further in': '{"settings":{"a":[{"__proto__":{"x":1}}]}}',
  'constructor.prototype': '{"constructor":{"prototype":{"x":1}}}',
  'bytes that are not UTF-8': Buffer.from('7b22ff223a317d', 'hex'),
  'a surrogate in bytes': Buffer.from('7b2261223a22eda080227d', 'hex'),
  'an overlong slash': Buffer.from('7b22c0af223a317d', 'hex'),
  'UTF-16': Buffer.from('{"a":1}', 'utf16le'),
  'a raw NUL': Buffer.from('7b007d', 'hex'),
}

const badTypes = [
  ...['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'],
  ...['text/json', 'application/jsonp', 'x'],
]
const tenMegabytes = Buffer.alloc(10 * 1024 * 1024)
const badEncodings: readonly (readonly [string, Uint8Array])[] = [
  ['gzip', gzipSync('{"name":"a"}')],
  ['gzip', gzipSync(tenMegabytes, { level: 1 })],
  ['gzip', Buffer.concat([gzipSync('{"name":'), gzipSync('"a"}')])],
  ['br', brotliCompressSync(Buffer.from('{"name":"a"}'))],
  ['zstd', zstdCompressSync(tenMegabytes)],
  ['deflate', gzipSync('x')],
  ['gzip, gzip', gzipSync(gzipSync('{}'))],
  ['unheard-of', Buffer.from('{}')],
]

const expectError = (answer: Answer, status: number, type: string, message: RegExp | string, about = ''): void => {
  expectSound(answer, about)
  expect([answer.status, answer.body.error?.type], about).toEqual([status, type])
  expect(answer.body.error.message, about).toMatch(message)
}

describe.for(enginesFor(import.meta.url))('on %s', (engine) => {
  const clock = testClock()
  let service: TestService
  let world: Tenant
  beforeAll(async () => {
    service = await openService({ engine, overrides: { clock, findMailExchangers: async () => ['mx.example.test'] } })
    world = await furnish(service)
  })
  afterAll(() => service[Symbol.asyncDispose]())

  /** A request of the application: a method and a path. */
  const call = (request: string, options: CallOptions = {}): Promise<Answer> => {
    const [method = '', path = ''] = request.replaceAll(':key', world.key).split(' ')
    return service.call(method, path, { key: world.key, ...options })
  }
  const good = (named: NamedRoute) => bodyOf(named, world)
  const addressOf = (named: NamedRoute, query = search(queries[named.id] ?? {})): string =>
    `${pathOf(named, world.params(named))}${query}`

  /** A request of a route, good unless it is told otherwise. */
  const send = (named: NamedRoute, spoilt: { address?: string; body?: unknown } = {}): Promise<Answer> => {
    const { address = addressOf(named), body = good(named) } = spoilt
    const options = named.route.method === 'GET' || named.id === 'providers.detect' ? {} : { body }
    return service.call(mainMethod(named), address, { key: world.key, admin: isAdministrators(named), ...options })
  }

  /** A body as bytes, or compressed: what `call` does not write. */
  async function sendBytes(named: NamedRoute, body: Uint8Array | string, headers: Record<string, string> = {}) {
    const authorization = authorizationOf(isAdministrators(named) ? 'administrator' : 'application', service, world)
    const response = await service.app.request(addressOf(named), {
      method: mainMethod(named),
      headers: { authorization, 'content-type': 'application/json', ...headers },
      body,
    })
    return { status: response.status, headers: response.headers, body: await response.json() }
  }

  /** Some of a list, others each time: there are hundreds of places, over which each of the list is tried many times. */
  const turns = new Map<readonly unknown[], number>()
  const some = <T>(list: readonly T[], count: number): T[] => {
    const turn = turns.get(list) ?? 0
    turns.set(list, turn + 1)
    return list.filter((_, index) => (index + turn) % Math.ceil(list.length / count) === 0)
  }
  // PostgreSQL is the one that can be hurt by what it is given, SQLite takes nearly everything.
  const count = engine === 'postgresql' ? 5 : 3
  const texts = (): string[] => some(naughty, isFull ? count : Math.ceil(count / 2))

  describe('the table of errors', () => {
    test.for(refused)('%s: %s is %i', async ([, request, status, type, message, options]) => {
      const answer = await call(request, options)
      expectError(answer, status, type, message)
      if (options?.key !== undefined) expect(answer.headers.get('www-authenticate')).toBe('Bearer')
    })

    test.for(
      Object.entries(badQueries).flatMap(([name, list]) => list.split(' ').map((query) => [query, name] as const)),
    )('the query ?%s is 400 and names the parameter', async ([query, name]) => {
      const answer = await call(`GET /v3/grants?${query}`)
      expectError(answer, 400, invalid, /./)
      expect(Object.keys(answer.body.error.validation_errors)).toEqual([name])
      expect(answer.body.error.message.startsWith(`${name}: `)).toBe(true)
      expect(Reflect.get({}, 'x')).toBeUndefined()
    })

    test('every scalar parameter of every route is refused when it is repeated', async () => {
      for (const named of routes.filter(({ route }) => route.audience !== 'grant' && route.audience !== 'client')) {
        for (const [name, schema] of Object.entries(named.route.query?.shape ?? {})) {
          if (schema.safeParse(['a', 'b']).success) continue
          const answer = await send(named, { address: `${addressOf(named)}&${name}=1&${name}=2` })
          expectError(answer, 400, invalid, `${name}: must be given once`)
        }
      }
    })

    test.for(Object.entries(badBodies))('a body with %s is refused by every route that takes one', async ([, body]) => {
      // The long ones cost much, and the routes share their reader.
      const requested = reading.filter((_, index) => isFull || body.length < 50_000 || index % 8 === 0)
      for (const named of requested) {
        expectError(await sendBytes(named, body), 400, 'api.invalid_request_payload', /./, named.id)
      }
      expect(Reflect.get({}, 'x')).toBeUndefined()
    })

    test.for(badTypes)('a body as %s is 415', async (type) => {
      for (const named of reading) {
        expectError(await sendBytes(named, '{}', { 'content-type': type }), 415, invalid, /^Content-Type: /, named.id)
      }
    })

    test.for(badEncodings)('a body compressed as %s is 415 and is not decompressed', async ([encoding, body]) => {
      for (const named of reading) {
        const answer = await sendBytes(named, body, { 'content-encoding': encoding })
        expectError(answer, 415, invalid, /^Content-Encoding: /, named.id)
      }
    })

    test('names such as constructor and toString are ordinary names', async () => {
      const metadata = { constructor: 'a', toString: 'b', hasOwnProperty: 'c', valueOf: 'd' }
      const answer = await call(`PATCH /v3/grants/${world.grantId}`, { body: { metadata } })
      expect(answer.body.data.metadata).toEqual(metadata)
      expect(`${{}}`).toBe('[object Object]')
    })

    test('an application without a connector is told how to create one', async () => {
      const { key } = await service.createApplication('Bare')
      const body = { ...virtual, settings: { email: 'a' } }
      expectError(await call('POST /v3/connect/custom', { key, body }), 400, invalid, /POST \/v3\/connectors/)
    })

    test('the sandbox has its limits', async () => {
      const { apiKey: key } = service
      for (let n = 1; n <= limits.sandboxGrants; n++) await service.createGrant(`sandbox-${n}@virtual.test`)
      const custom = (email: string) =>
        call('POST /v3/connect/custom', { key, body: { ...virtual, settings: { email } } })
      const sixth = await custom('sandbox-6@virtual.test')
      expectError(sixth, 403, 'grant.access_denied', /5 grants.*waypost apps create/)
      expect((await custom('sandbox-5@virtual.test')).status).toBe(201)
      const scope = await call('PATCH /v3/connectors/google', { key, body: { scope: ['x'] } })
      expectError(scope, 403, 'forbidden', /^scope/)
      expectError(await call('DELETE /v3/connectors/google', { key }), 403, 'forbidden', /stay/)
    })

    test('a blocked application is 423 until it is unblocked', async () => {
      const { id, key } = await service.createApplication('Blocked')
      const block = (blocked: boolean) => call(`PATCH /v3/admin/applications/${id}`, { admin: true, body: { blocked } })
      await block(true)
      expectError(await call('GET /v3/grants', { key }), 423, 'api.resource_blocked', /blocked/)
      await block(false)
      expect((await call('GET /v3/grants', { key })).status).toBe(200)
    })

    test('several bad fields are listed together', async () => {
      const body = { provider: 'nobody', name: 4, scope: 'x', scopes: [1], active_credential_id: '' }
      const answer = await call('POST /v3/connectors', { body })
      expectError(answer, 400, invalid, /^provider: /)
      const fields = ['active_credential_id', 'name', 'provider', 'scope', 'scopes.0']
      expect(Object.keys(answer.body.error.validation_errors).sort()).toEqual(fields)
    })

    test('a very long name is shortened in the error', async () => {
      const body = { metadata: { ['k'.repeat(100_000)]: 'v' } }
      const answer = await call(`PATCH /v3/grants/${world.grantId}`, { body })
      expectError(answer, 400, invalid, /^metadata/)
      expect(JSON.stringify(answer.body).length).toBeLessThan(2000)
    })

    describe('a cursor', () => {
      const first = async () => String((await call('GET /v3/connectors?limit=1')).body.next_cursor)
      const expectRefused = async (path: string, options?: CallOptions): Promise<void> =>
        expectError(await call(`GET /v3/${path}`, options), 400, invalid, /^page_token: /)

      test('is refused if any byte is changed', async () => {
        const token = await first()
        expect((await call(`GET /v3/connectors?limit=1&page_token=${token}`)).status).toBe(200)
        const changed = [...token].flatMap((old, at) =>
          ['A', 'B', 'Q', '-', '=']
            .filter((letter) => letter !== old)
            .map((letter) => `${token.slice(0, at)}${letter}${token.slice(at + 1)}`),
        )
        const cut = [token.slice(1), token.slice(0, -1), `${token}A`, `${token}=`, `${token}.`, 'A'.repeat(1000)]
        for (const spoilt of [...changed, ...cut]) await expectRefused(`connectors?page_token=${spoilt}`)
      })

      test('is refused with another application, another list or other filters', async () => {
        const token = await first()
        await expectRefused(`connectors?page_token=${token}`, { key: service.apiKey })
        for (const list of ['grants', 'connectors/google/creds']) await expectRefused(`${list}?page_token=${token}`)
        await call('POST /v3/connect/custom', { body: { ...virtual, settings: { email: 'three@virtual.test' } } })
        const { body } = await call('GET /v3/grants?limit=1&provider=virtual-calendar')
        const next = `page_token=${body.next_cursor}`
        await expectRefused(`grants?limit=1&${next}`)
        await expectRefused(`grants?limit=1&provider=google&${next}`)
        const same = await call(`GET /v3/grants?limit=2&select=id&provider=virtual-calendar&${next}`)
        expect(same.status).toBe(200)
      })
    })
  })

  test('the sample requests contain every field of every body', () => {
    for (const named of withBody) {
      const fields = Object.keys(bodyObject(named.route)?.shape ?? {})
      const [item = {}] = [good(named)].flat()
      expect(Object.keys(item).sort(), named.id).toEqual(fields.sort())
    }
  })

  test('an accepted text is returned unchanged', async () => {
    const taken = naughty.filter((text) => text !== '' && !/\p{Cc}/u.test(text) && text.length <= 256)
    for (const text of taken) {
      const branding = { name: text, description: text }
      const changed = await call('PATCH /v3/applications', { body: { branding } })
      expect(changed.body.data.branding, text).toEqual(branding)
      const metadata = { [text === '__proto__' ? 'key' : text.slice(0, 40).toWellFormed()]: text }
      const retained = await call(`PATCH /v3/grants/${world.grantId}`, { body: { metadata, external_id: text } })
      expect(retained.body.data, text).toMatchObject({ metadata, external_id: text })
      const found = await call(`GET /v3/grants/${encodeURIComponent(`external:${text}`)}`)
      expect(found.body.data?.id, text).toBe(world.grantId)
    }
  })

  test('naughty strings in every path parameter find nothing', async () => {
    for (const named of routes) {
      for (const [name] of named.route.path.matchAll(/(?<=:)[a-z_]+/g)) {
        for (const text of [...texts().map(encodeURIComponent), ...some(malformed, 3), 'a'.repeat(8192)]) {
          const path = pathOf(named, { ...world.params(named), [name]: text })
          const answer = await send(named, { address: `${path}${search(queries[named.id] ?? {})}` })
          expectNoFault(answer, `${named.id} ${path}`)
          if (text !== '') expect(answer.status, path).toBeGreaterThanOrEqual(400)
        }
      }
    }
  })

  /** Sends the body of a route with one place changed to each of some values. */
  async function spoilBody(named: NamedRoute, valuesFor: (meant: unknown) => readonly unknown[]): Promise<void> {
    for (const place of leavesOf(good(named))) {
      for (const value of valuesFor(valueAt(good(named), place))) {
        const answer = await send(named, { body: withValue(good(named), place, value) })
        expectNoFault(answer, `${named.id} ${place.join('.')} ${JSON.stringify(value)}`)
      }
    }
  }
  /** Sends requests of all routes with one parameter of the query set to each of some values. */
  async function spoilQueries(values: () => readonly unknown[]): Promise<void> {
    for (const named of routes) {
      for (const name of parametersOf(named)) {
        for (const value of values()) {
          const address = addressOf(named, search({ ...queries[named.id], [name]: String(value) }))
          expectNoFault(await send(named, { address }), `${named.id} ${name}=${JSON.stringify(value)}`)
        }
      }
    }
  }

  test.for(withBody.map((named) => named.id))('naughty strings in every field of %s are taken or refused', (id) =>
    spoilBody(routeOf(id), (meant) => (['string', 'object'].includes(typeof meant) ? texts() : [])),
  )

  test('naughty strings in every query parameter of every route are accepted or refused', () => spoilQueries(texts))

  test('fractions and numbers out of bounds, in every field and query parameter, are accepted or refused', async () => {
    for (const named of withBody) {
      await spoilBody(named, (meant) => some(numbers, typeof meant === 'number' ? numbers.length : 1))
    }
    await spoilQueries(() => some(numbers, 2))
  })

  test('a long locator with an Idempotency-Key finds no grant', async () => {
    // Random letters: PostgreSQL could compress others into an index that takes them.
    const long = Array.from({ length: 8192 }, () => Math.floor(Math.random() * 36).toString(36)).join('')
    for (const method of ['PATCH', 'DELETE']) {
      const options = { headers: { 'idempotency-key': `${'k'.repeat(240)}${method}` }, body: {} }
      const first = await call(`${method} /v3/grants/${long}`, options)
      expect([first.status, first.body.error.type]).toEqual([404, 'grant.not_found'])
      const again = await call(`${method} /v3/grants/${long}`, options)
      expect(again.headers.get('idempotent-response')).toBe('true')
    }
  })

  test('any request of any route with one invalid part receives a valid answer', async () => {
    await fc.assert(
      fc.asyncProperty(spoiltRequest(world), async ({ target, method, headers, as, body }) => {
        const response = await service.app.request(target, {
          method,
          headers: { ...headers, authorization: authorizationOf(as, service, world) },
          ...(body === undefined || method === 'GET' || method === 'HEAD' ? {} : { body }),
        })
        // What the API of others has, and this one has not, is answered 501.
        if (response.status !== 501) expect(response.status).toBeLessThan(500)
        const text = await response.text()
        if (isFile(response)) return
        expect(response.headers.get('content-type')).toBe('application/json')
        expect(response.headers.get('x-request-id')).toBeTruthy()
        if (method === 'HEAD') expect(text).toBe('')
        else expectSound({ status: response.status, headers: response.headers, body: JSON.parse(text) })
      }),
      // The store matters little here.
      { numRuns: runs(engine === 'sqlite' ? 600 : 200) },
    )
  })

  // The last: the sessions of the application expire with the key.
  test('a revoked or expired key is 401 at once', async () => {
    const keys = `/v3/admin/applications/${world.applicationId}/api-keys`
    const make = (body: object) => call(`POST ${keys}`, { admin: true, body: { name: 'a', ...body } })
    const [made, brief] = [await make({}), await make({ expires_in: 1 })]
    const ask = (of: Answer) => call('GET /v3/grants', { key: of.body.data.api_key })
    expect([(await ask(made)).status, (await ask(brief)).status]).toEqual([200, 200])
    await call(`DELETE ${keys}/${made.body.data.id}`, { admin: true })
    expectError(await ask(made), 401, unauthorized, 'Bearer token invalid')
    clock.advance(86_400_000)
    expectError(await ask(brief), 401, unauthorized, 'Bearer token invalid')
  })
})

const authorizationOf = (as: string, service: TestService, world: Tenant): string =>
  as === 'application'
    ? `Bearer ${world.key}`
    : as === 'administrator'
      ? `Basic ${Buffer.from(`admin:${service.adminPassword}`).toString('base64')}`
      : as

/** One of some values. Each is chosen as often as the number before it says. */
const mostly = <T>(...choices: [weight: number, arbitrary: fc.Arbitrary<T>][]): fc.Arbitrary<T> =>
  fc.oneof(...choices.map(([weight, arbitrary]) => ({ weight, arbitrary })))

/** A good request of a random route in which path, query, body, method or headers are then spoilt. */
function spoiltRequest(world: Tenant) {
  const { constantFrom, constant } = fc
  const oddities = [null, false, 0, -1, 1.5, 2 ** 53 - 1, '', [], {}, [[]], [null], { a: { b: [1] } }, 'x'.repeat(5000)]
  const anyText = fc.string({ unit: codePoint })
  const odd: fc.Arbitrary<unknown> = fc.oneof(
    constantFrom(...oddities),
    constantFrom(...naughty),
    anyText,
    fc.jsonValue(),
  )
  const text = fc.oneof(constantFrom(...naughty), fc.string(), anyText)
  const encoded = fc.oneof(
    text.map((value) => encodeURIComponent(value.toWellFormed())),
    constantFrom('%', '%00', '%zz', '%ED%A0%80', '..', '.', '*', ':id', '%2f', ';a=b', '@', '$', "'"),
  )
  const oddHeaders = fc.record(
    {
      'content-type': constantFrom('application/json', 'application/json; charset=utf-8', 'text/plain', 'x', ''),
      'content-encoding': constantFrom('gzip', 'identity', ''),
      'idempotency-key': constantFrom('one', 'two', 'k'.repeat(256), 'k'.repeat(257)),
      'x-waypost-application': constantFrom(world.applicationId, 'none', ''),
      origin: constantFrom('https://app.test', 'null', 'x'),
      accept: constantFrom('text/html', 'application/json, application/gzip', ''),
    },
    { requiredKeys: [] },
  )
  const spoiltBody = (good: object) => {
    const field = constantFrom(...Object.keys(good))
    const place = constantFrom(...leavesOf(good))
    return mostly(
      [4, fc.tuple(place, odd).map(([at, value]) => JSON.stringify(withValue(good, at, value)))],
      [2, fc.tuple(field, odd).map(([at, value]) => JSON.stringify(withValue(good, [at], value)))],
      [1, field.map((name) => JSON.stringify({ ...good, [name]: undefined }))],
      [1, fc.oneof(fc.string(), fc.json(), constantFrom('{', '[]', 'null', '{"a":1,"a":2}', '\ufeff{}'))],
      [2, constant(JSON.stringify(good))],
    )
  }
  return constantFrom(...routes).chain((named) => {
    const good = bodyOf(named, world)
    const names = parametersOf(named)
    const at = pathOf(named, world.params(named))
    const path = mostly(
      // What stands is not deleted: the requests after it shall find it.
      [named.route.method === 'DELETE' ? 0 : 8, constant(at)],
      [
        2,
        fc
          .array(encoded, { minLength: 3, maxLength: 3 })
          .map(([...segments]) => named.route.path.replace(/:[a-z_]+/g, () => segments.shift() ?? '')),
      ],
      [1, encoded.map((segment) => `${at}/${segment}`)],
    )
    const pair = fc.tuple(
      names.length > 0 ? fc.oneof(constantFrom(...names), encoded) : encoded,
      fc.oneof(encoded, fc.integer().map(String), constantFrom('true', 'asc', 'created_at', 'id,name', '1')),
    )
    return fc.record({
      method: mostly(
        [5, constant(mainMethod(named))],
        [1, constantFrom('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'PROPFIND', 'FOO')],
      ),
      target: fc.tuple(path, fc.array(pair, { maxLength: 3 })).map(([to, pairs]) => {
        const query = [...Object.entries(queries[named.id] ?? {}), ...pairs].map((each) => each.join('='))
        return query.length === 0 ? to : `${to}?${query.join('&')}`
      }),
      body: good ? spoiltBody(good) : constantFrom(undefined, '{}', '{', 'text'),
      as: mostly(
        [8, constant(isAdministrators(named) ? 'administrator' : 'application')],
        [1, constantFrom('administrator', 'application', 'Bearer', 'Bearer x', 'Basic', 'Digest x')],
      ),
      headers: mostly<Record<string, string>>([3, constant({ 'content-type': 'application/json' })], [1, oddHeaders]),
    })
  })
}

describe('over a socket', () => {
  let service: TestService
  let address: string
  let authorization: string
  beforeAll(async () => {
    service = await openService()
    address = await service.listen()
    authorization = `Host: waypost.test\r\nAuthorization: Bearer ${service.apiKey}\r\n`
  })
  afterAll(() => service[Symbol.asyncDispose]())

  const raw = (...parts: (string | Uint8Array | number)[]) => exchange(address, parts)
  const post = (headers: string, ...body: (string | Uint8Array)[]) =>
    raw(`POST /v3/connectors HTTP/1.1\r\n${authorization}${headers}\r\n\r\n`, ...body)
  const get = (line: string, headers = '') => raw(`${line}\r\n${authorization}${headers}\r\n`)

  const expectJson = (answer: RawAnswer | undefined, status: number): void => {
    expect(answer?.status).toBe(status)
    expect(answer?.headers.get('content-type')).toBe('application/json')
    expect(JSON.parse(answer?.body ?? '')).toEqual({
      request_id: answer?.headers.get('x-request-id'),
      error: expect.objectContaining({ type: expect.any(String), message: expect.any(String) }),
    })
  }
  const faults = async (): Promise<string[]> => {
    const metrics = await service.call('GET', '/metrics')
    return String(metrics.body).match(/^waypost_http_requests_total.*status="5\d\d".*$/gm) ?? []
  }

  test.for([
    [
      'Content-Length and Transfer-Encoding',
      'Content-Length: 4\r\nTransfer-Encoding: chunked',
      '0\r\n\r\nGET /health HTTP/1.1\r\nHost: x\r\n\r\n',
    ],
    [
      'Transfer-Encoding and Content-Length',
      'Transfer-Encoding: chunked\r\nContent-Length: 4',
      '0\r\n\r\nGET /health HTTP/1.1\r\nHost: x\r\n\r\n',
    ],
    ['two lengths', 'Content-Length: 2\r\nContent-Length: 3', '{}}'],
    ['a length with a sign', 'Content-Length: +2', '{}'],
    ['a length that is no number', 'Content-Length: 2x', '{}'],
    ['a length beyond all numbers', 'Content-Length: 99999999999999999999999', '{}'],
    ['Transfer-Encoding: xchunked', 'Transfer-Encoding: xchunked', '0\r\n\r\n'],
    ['chunked that is not last', 'Transfer-Encoding: chunked, identity', '0\r\n\r\n'],
    ['a folded header', 'X-A: b\r\n c\r\nContent-Length: 2', '{}'],
    ['a folded Transfer-Encoding', 'Transfer-Encoding:\r\n chunked', '0\r\n\r\n'],
    ['a space before the colon', 'Content-Length : 2', '{}'],
    ['a bare CR', 'X-A: b\rContent-Length: 2', '{}'],
    ['NUL in a header', 'X-A: b\0c\r\nContent-Length: 2', '{}'],
    ['a chunk size that is no number', 'Transfer-Encoding: chunked', 'ZZ\r\n{}\r\n0\r\n\r\n'],
    ['a negative chunk size', 'Transfer-Encoding: chunked', '-2\r\n{}\r\n0\r\n\r\n'],
    ['a chunk longer than its size', 'Transfer-Encoding: chunked', '1\r\n{}\r\n0\r\n\r\n'],
    ['a huge chunk extension', 'Transfer-Encoding: chunked', `2;${'a'.repeat(20_000)}\r\n{}\r\n0\r\n\r\n`],
  ])('%s is answered once, with 400, and the connection ends', async ([, headers, body]) => {
    const { answers, closed } = await post(headers, body)
    expect(answers).toHaveLength(1)
    expectJson(answers[0], 400)
    expect(closed).toBe(true)
  })

  test.for([
    ['a method that does not exist', 'FOO /health HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a method in small letters', 'get /health HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a target without a slash', 'GET health HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['bytes above ASCII in the target', 'GET /v3/grants/\xff\xfe HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a NUL in the target', 'GET /v3/grants/\0 HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a version of the future', 'GET /health HTTP/9.9\r\nHost: x\r\n\r\n'],
    ['HTTP/2 without asking', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['lines that end with LF', 'GET /health HTTP/1.1\nHost: x\n\n'],
    ['TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
  ])('%s is 400 and the connection ends', async ([, text]) => {
    const { answers, closed } = await raw(text)
    expectJson(answers[0], 400)
    expect(closed).toBe(true)
  })

  test.for([
    ['..', '/v3/grants/../applications'],
    ['.', '/v3/grants/./x'],
    ['%2e%2e', '/v3/grants/%2e%2e/applications'],
    ['%2E%2e at the end', '/v3/grants/%2E%2e'],
    ['.%2e', '/v3/connectors/google/.%2e'],
    ['%2e.', '/v3/connectors/google/%2e.'],
    ['%2e', '/v3/grants/%2e/calendars'],
    ['%2e%2e before the version', '/%2e%2e/v3/applications'],
    ['%2e%2e in an absolute target', 'http://waypost.test/v3/grants/%2e%2e/applications'],
    ['a backslash', '/v3\\applications'],
    ['..\\', '/v3/grants/..\\applications'],
    ['a fragment', '/v3/applications#/x'],
  ])('%s in a path is refused, and never another route', async ([, target]) => {
    const { answers, closed } = await get(`GET ${target} HTTP/1.1`)
    expect(answers).toHaveLength(1)
    expectJson(answers[0], 400)
    expect(answers[0]?.body).not.toContain('application_id')
    expect(closed).toBe(true)
  })

  test.for([
    '/v3/grants/..%2fapplications',
    '/v3/grants%2f..%2fapplications',
    '/v3%2fapplications',
    '/v3/grants/..%5capplications',
    '/v3/grants/%252e%252e/applications',
    '/v3/grants/%c0%ae%c0%ae/applications',
    '/v3/grants/..;/applications',
    '/v3/grants//applications',
    '/v3/applications%00',
  ])('%s is taken as it stands, and finds nothing', async (target) => {
    const { answers } = await get(`GET ${target} HTTP/1.1`)
    expectJson(answers[0], 404)
  })

  test.for([
    ['Host', 'Host: other.test\r\nContent-Length: 2'],
    ['host, the same', 'host: waypost.test\r\nContent-Length: 2'],
    ['Authorization', 'Authorization: Bearer other\r\nContent-Length: 2'],
    ['Idempotency-Key', 'Idempotency-Key: a\r\nidempotency-key: b\r\nContent-Length: 2'],
    ['X-Waypost-Application', 'X-Waypost-Application: a\r\nX-Waypost-Application: b\r\nContent-Length: 2'],
    ['Content-Type', 'Content-Type: application/json\r\nContent-Type: text/plain\r\nContent-Length: 2'],
    ['Transfer-Encoding', 'Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked'],
    ['Content-Length', 'Content-Length: 2\r\nContent-Length: 2'],
  ])('a second %s is 400, and the connection ends', async ([, headers]) => {
    const { answers, closed } = await post(headers, '{}')
    expectJson(answers[0], 400)
    expect(closed).toBe(true)
  })

  test.for([
    ['none', ''],
    ['an empty one', 'Host:\r\n'],
    ['one with a user', 'Host: user@waypost.test\r\n'],
    ['one with a path', 'Host: waypost.test/v3/applications?\r\n'],
    ['one with a space', 'Host: waypost.test evil.test\r\n'],
    ['two in one', 'Host: waypost.test, evil.test\r\n'],
    ['one with a fragment', 'Host: waypost.test#\r\n'],
    ['one with a port that is none', 'Host: waypost.test:x\r\n'],
    ['a backslash', 'Host: waypost.test\\evil\r\n'],
    ['half an IPv6 address', 'Host: [::1\r\n'],
  ])('as Host, %s is 400', async ([, host]) => {
    const { answers } = await raw(`GET /v3/grants HTTP/1.1\r\n${host}Authorization: Bearer ${service.apiKey}\r\n\r\n`)
    expectJson(answers[0], 400)
  })

  test.for([
    'waypost.test',
    'waypost.test:3000',
    '127.0.0.1:3000',
    '[::1]:3000',
    'WAYPOST_1.test',
    'xn--mnchen-3ya.test',
  ])('the Host %s is one', async (host) => {
    const { answers } = await raw(`GET /health HTTP/1.1\r\nHost: ${host}\r\n\r\n`)
    expect(answers[0]?.status).toBe(200)
  })

  test('a header that is too large is 431', async () => {
    for (const line of ['GET /health HTTP/1.1', `GET /v3/grants/${'a'.repeat(40_000)} HTTP/1.1`]) {
      const { answers, closed } = await get(line, `X-A: ${'a'.repeat(40_000)}\r\n`)
      expectJson(answers[0], 431)
      expect(closed).toBe(true)
    }
  })

  test('a path of 8 KB finds nothing', async () => {
    const { answers } = await get(`GET /v3/grants/${'a'.repeat(8192)} HTTP/1.1`)
    expectJson(answers[0], 404)
  })

  test.for(['TRACE', 'PROPFIND', 'QUERY', 'LOCK'])('%s is 405 and echoes nothing', async (method) => {
    const { answers } = await get(`${method} /v3/connectors HTTP/1.1`, 'X-Secret: hush\r\n')
    expectJson(answers[0], 405)
    expect(answers[0]?.headers.get('allow')).toBe('GET, POST')
    expect(answers[0]?.body).not.toMatch(/hush|Bearer/)
  })

  test('CONNECT closes the connection without an answer', async () => {
    const { answers, closed } = await raw('CONNECT example.test:443 HTTP/1.1\r\nHost: example.test:443\r\n\r\n')
    expect([answers, closed]).toEqual([[], true])
  })

  test('HEAD has the headers of GET and no body', async () => {
    for (const [path, status] of [
      ['/v3/connectors', 200],
      ['/v3/nothing', 404],
      ['/v3/providers/detect', 405],
    ] as const) {
      const { answers } = await get(`HEAD ${path} HTTP/1.1`)
      expect(answers[0]).toMatchObject({ status, body: '' })
      expect(answers[0]?.headers.get('content-type')).toBe('application/json')
      expect(answers[0]?.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
    }
  })

  test.for(['%', '%zz', '%e0%80', '%ED%A0%80', '%00', '%C0%AF', '%u0041'])(
    'the path segment %s finds nothing',
    async (segment) => {
      const { answers } = await get(`GET /v3/grants/${segment} HTTP/1.1`)
      expectJson(answers[0], 404)
    },
  )

  test.for(['email=%00', 'email=a%00b', 'x[y]=1'])('the query %s is 400', async (query) => {
    const { answers } = await get(`GET /v3/grants?${query} HTTP/1.1`)
    expectJson(answers[0], 400)
  })

  describe('a body of two megabytes is 413', () => {
    const size = 2 * 1024 * 1024
    const chunk = Buffer.concat([Buffer.from('10000\r\n'), Buffer.alloc(0x10000, 'a'), Buffer.from('\r\n')])

    test('with its length declared, sent or not', async () => {
      const sent = await post(`Content-Length: ${size}`, Buffer.alloc(size, 'a'))
      expectJson(sent.answers[0], 413)
      const unsent = await post(`Content-Length: ${size}`)
      expectJson(unsent.answers[0], 413)
    })

    test('in chunks, ended or not', async () => {
      const whole = await post('Transfer-Encoding: chunked', ...Array(32).fill(chunk), '0\r\n\r\n')
      expectJson(whole.answers[0], 413)
      const endless = await post('Transfer-Encoding: chunked', ...Array(20).fill(chunk))
      expectJson(endless.answers[0], 413)
    })

    test('and the next request on the connection is answered', async () => {
      const parts = [
        `POST /v3/connectors HTTP/1.1\r\n${authorization}Content-Length: ${size}\r\n\r\n`,
        Buffer.alloc(size, 'a'),
      ]
      const { answers } = await exchange(address, [...parts, 'GET /health HTTP/1.1\r\nHost: x\r\n\r\n'], { until: 2 })
      expect(answers.map((answer) => answer.status)).toEqual([413, 200])
    })

    test('but one byte below the limit is read', async () => {
      const exact = Buffer.from(`{"provider":"${'a'.repeat(limits.bodyBytes - 15)}"}`)
      expect(exact.length).toBe(limits.bodyBytes)
      const { answers } = await post(`Content-Length: ${exact.length}`, exact)
      expectJson(answers[0], 400)
      const more = await post(`Content-Length: ${exact.length + 1}`, exact, ' ')
      expectJson(more.answers[0], 413)
    })
  })

  test('a client that disconnects within its body causes no server error', async () => {
    for (const headers of ['Content-Length: 100', 'Transfer-Encoding: chunked']) {
      const { hostname, port } = new URL(address)
      const socket = connect(Number(port), hostname)
      const request = nextRequest()
      const begun = `POST /v3/connectors HTTP/1.1\r\n${authorization}${headers}\r\n\r\n5\r\n{"a"`
      socket.write(begun)
      const { socket: taken } = await request
      await vi.waitFor(() => expect(taken.bytesRead).toBe(begun.length))
      socket.destroy()
    }
    await vi.waitFor(() =>
      expect(service.logs().match(/"refused":"invalid_request"/g)?.length).toBeGreaterThanOrEqual(2),
    )
    expect(await faults()).toEqual([])
  })

  describe('a client that is slow', () => {
    /** The server itself, caught when it takes a request. */
    const caught = async (): Promise<Server> => {
      const request = nextRequest()
      await fetch(`${address}/health`)
      return (await request).server
    }

    test('is disconnected: headers and bodies have a time limit', async () => {
      const server = await caught()
      expect(server.headersTimeout).toBeGreaterThan(0)
      expect(server.headersTimeout).toBeLessThanOrEqual(60_000)
      expect(server.requestTimeout).toBeGreaterThan(0)
      // Uploads of large files have an hour; bodies that are held in memory have a minute.
      expect(server.requestTimeout).toBeLessThanOrEqual(3_600_000)
      const usual = { headersTimeout: server.headersTimeout, requestTimeout: server.requestTimeout }
      // Node looks for slow connections at an interval that is set when the server begins to listen.
      Object.assign(server, { headersTimeout: 200, requestTimeout: 400, connectionsCheckingInterval: 50 })
      server.emit('listening')
      const headers = raw('GET /health HTTP/1.1\r\n', 100, 'X-A: a\r\n', 100, 'X-B: b\r\n', 100, 'X-C: c\r\n')
      const body = raw(
        `POST /v3/connectors HTTP/1.1\r\n${authorization}Content-Length: 20\r\n\r\n{`,
        100,
        '"',
        100,
        'a',
      )
      const silent = raw('')
      for (const slow of await Promise.all([headers, body])) {
        expectJson(slow.answers[0], 408)
        expect(slow.closed).toBe(true)
      }
      expect((await silent).closed).toBe(true)
      Object.assign(server, { ...usual, connectionsCheckingInterval: 30_000 })
      server.emit('listening')
      expect(await faults()).toEqual([])
    })
  })
})
