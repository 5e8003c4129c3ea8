/** Applications, connectors and grants as clients see them, on both stores. */
import { randomBytes, randomUUID } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { firstSecond, lastSecond, providerKinds } from '@waypost/contract'
import { ApiError } from '@waypost/platform/api-error'
import type { Provider } from '@waypost/providers/provider'
import { providers } from '@waypost/providers/registry'
import { getGrant, updateGrant } from '@waypost/store/tables/grants/grants'
import { enginesFor } from '@waypost/testing/engines'
import { freshDatabaseUrl } from '@waypost/testing/peers/database-url'
import { sql } from '@waypost/testing/statement'
import { testClock } from '@waypost/testing/test-clock'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { purgeExpired } from '../../../src/housekeeping.ts'
import { runHere } from '../../command-line.ts'
import { type Answer, openService, type TestService } from '../../harness.ts'

const hour = 3_600_000
const day = 24 * hour
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const segment = (locator: string): string => `/v3/grants/${encodeURIComponent(locator)}`

/** An application of a service, with the calls that tests make on its behalf. */
interface Tenant {
  id: string
  key: string
  get(path: string): Promise<Answer>
  post(path: string, body?: unknown): Promise<Answer>
  patch(path: string, body: unknown): Promise<Answer>
  put(path: string, body: unknown): Promise<Answer>
  delete(path: string): Promise<Answer>
  /** Custom authentication of a virtual account. */
  connect(email: string, extra?: object): Promise<Answer>
  /** The same, for tests that only need the grant. */
  grant(email: string, extra?: object): Promise<{ id: string; email: string; created_at: number; updated_at: number }>
  /** The ids in a list of grants. */
  ids(query?: string): Promise<string[]>
}

function tenantOf(service: TestService, { id, key }: { id: string; key: string }): Tenant {
  const call = (method: string, path: string, body?: unknown) => service.call(method, path, { key, body })
  const connect = (email: string, extra: object = {}) =>
    call('POST', '/v3/connect/custom', { provider: 'virtual-calendar', settings: { email }, ...extra })
  return {
    id,
    key,
    get: (path) => call('GET', path),
    post: (path, body) => call('POST', path, body),
    patch: (path, body) => call('PATCH', path, body),
    put: (path, body) => call('PUT', path, body),
    delete: (path) => call('DELETE', path),
    connect,
    async grant(email, extra) {
      const answer = await connect(email, extra)
      expect(answer.body).toMatchObject({ data: { grant_status: 'valid' } })
      return answer.body.data
    },
    async ids(query = '') {
      const answer = await call('GET', `/v3/grants?${query}`)
      expect(answer.status, JSON.stringify(answer.body)).toBe(200)
      return answer.body.data.map((grant: { id: string }) => grant.id)
    },
  }
}

/** An IMAP server that accepts every password but one, waits on request, and counts sign-ins. */
function fakeImap() {
  const state = { visits: 0, wait: Promise.resolve() }
  const imap: Provider = {
    kind: 'imap',
    authenticate: async (settings) => {
      state.visits++
      await state.wait
      if (settings.imap_password === 'wrong') {
        throw new ApiError('authentication_failed', undefined, { providerError: { code: 'AUTHENTICATIONFAILED' } })
      }
      const { imap_password, ...open } = settings
      return {
        email: String(settings.imap_username),
        name: 'Ann Example',
        providerUserId: 'u-1',
        scope: [],
        settings: open,
        credentials: { imap_password },
      }
    },
  }
  return { imap, state }
}

const imapBody = (username: string, extra: object = {}) => ({
  provider: 'imap',
  settings: { imap_username: username, imap_password: 'CANARY-password', imap_host: 'imap.x.test' },
  ...extra,
})

describe.each(enginesFor(import.meta.url))('on %s', (engine) => {
  const clock = testClock(Date.parse('2026-11-10T12:00:00.500Z'))
  const { imap, state: imapState } = fakeImap()
  let service: TestService
  /** An application in which nothing is ever created, for refused requests. */
  let bare: Tenant

  beforeAll(async () => {
    service = await openService({
      engine,
      overrides: {
        clock,
        providers: { ...providers, imap },
        findMailExchangers: async (domain) => exchanges[domain] ?? [],
      },
    })
    bare = await newTenant()
  })
  afterAll(async () => {
    await service[Symbol.asyncDispose]()
  })

  const exchanges: Record<string, string[]> = {
    'workspace.test': ['aspmx.l.google.com', 'alt1.aspmx.l.google.com'],
    'tenant.test': ['tenant-test.mail.protection.outlook.com.'],
    'fast.test': ['in1-smtp.messagingengine.com'],
    'own.test': ['mail.own.test'],
    'trick.test': ['mail.notgoogle.com', 'google.com.evil.test'],
  }

  /** A new application with a connector for virtual accounts. */
  async function newTenant(): Promise<Tenant> {
    const tenant = tenantOf(service, await service.createApplication())
    expect((await tenant.post('/v3/connectors', { provider: 'virtual-calendar' })).status).toBe(201)
    return tenant
  }
  const admin = (method: string, path: string, body?: unknown) => service.call(method, path, { admin: true, body })
  const ofAdmin = (tenant: Tenant, path = '') => `/v3/admin/applications/${tenant.id}${path}`
  const billed = async (tenant: Tenant): Promise<number> =>
    (await admin('GET', ofAdmin(tenant, '/usage'))).body.data.billed_grants

  describe('an address', () => {
    test('has one grant per application, however many requests authenticate it concurrently', async () => {
      const tenant = await newTenant()
      const answers = await Promise.all(Array.from({ length: 20 }, () => tenant.connect('ann@x.test')))
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201))
      expect(new Set(answers.map(({ body }) => body.data.id)).size).toBe(1)
      expect(await tenant.ids('limit=200')).toEqual([answers[0]?.body.data.id])
      expect((await admin('GET', ofAdmin(tenant))).body.data.grant_count).toBe(1)
      expect(await billed(tenant)).toBe(1)
    })

    test('is the same in any case, with surrounding spaces, composed or decomposed', async () => {
      const tenant = await newTenant()
      const grant = await tenant.grant('Zo\u00eb@x.test')
      for (const same of ['zo\u00eb@X.TEST', '  Zo\u00eb@x.test ', 'zoe\u0308@x.test', '\u00a0ZOE\u0308@X.test']) {
        expect((await tenant.grant(same)).id).toBe(grant.id)
      }
      // The grant has the address as it was first given.
      expect((await tenant.get(segment(grant.id))).body.data.email).toBe('Zo\u00eb@x.test')
    })

    test('that only looks the same is a different one', async () => {
      const tenant = await newTenant()
      const alike = [
        'a@x.test',
        'a@x.test.',
        'a+b@x.test',
        'ａ@x.test',
        'а@x.test',
        '"a b"@x',
        'a@x/../..',
        '%2e%2e%2f',
      ]
      const ids = new Set<string>()
      for (const address of alike) ids.add((await tenant.grant(address)).id)
      expect(ids.size).toBe(alike.length)
      for (const address of alike) {
        const found = await tenant.get(segment(address))
        expect(found.body.data).toMatchObject({ email: address })
        expect((await tenant.get(segment(`email:${address}`))).body.data.id).toBe(found.body.data.id)
      }
    })

    test('can have a grant in every application', async () => {
      const [one, two] = [await newTenant(), await newTenant()]
      const grants = [await one.grant('ann@x.test'), await two.grant('ann@x.test')]
      expect(grants[0]?.id).not.toBe(grants[1]?.id)
      expect(await one.ids('email=ann@x.test')).toEqual([grants[0]?.id])
    })

    test('with a grant of another provider is refused, and the error names the grant', async () => {
      const tenant = await newTenant()
      await tenant.post('/v3/connectors', { provider: 'imap' })
      const grant = await tenant.grant('ann@x.test')
      const refused = await tenant.post('/v3/connect/custom', imapBody('Ann@X.test'))
      expect(refused).toMatchObject({ status: 409, body: { error: { type: 'conflict' } } })
      expect(refused.body.error.message).toContain(grant.id)
      expect(refused.body.error.message).toContain('virtual-calendar')
      await tenant.delete(segment(grant.id))
      const taken = await tenant.post('/v3/connect/custom', imapBody('Ann@X.test'))
      expect(taken).toMatchObject({ status: 201, body: { data: { provider: 'imap', name: 'Ann Example' } } })
    })

    test.each([
      ['me', 'reserved word'],
      ['ME', 'reserved word'],
      [' me ', 'reserved word'],
      ['1B4E28BA-2fa1-4d3b-a3f5-ef19b5a7633b', 'grant id'],
      ['grant:x', 'must not start with'],
      ['Email:a@x.test', 'must not start with'],
      ['external:1', 'must not start with'],
      ['', 'empty'],
      ['   ', 'empty'],
      ['a\r\nb', 'control characters'],
      ['a\u0085b', 'control characters'],
    ])('must not read as another locator: %j', async (email, reason) => {
      const refused = await bare.connect(email)
      expect(refused).toMatchObject({ status: 400, body: { error: { type: 'invalid_request_error' } } })
      expect(refused.body.error.message).toContain('settings.email')
      expect(refused.body.error.message).toContain(reason)
      expect(await bare.ids()).toEqual([])
    })
  })

  test('an address of more than 256 characters is refused, and one of 256 is not', async () => {
    const tenant = await newTenant()
    expect((await tenant.connect('x'.repeat(256))).status).toBe(201)
    const refused = await tenant.connect('x'.repeat(257))
    expect(refused).toMatchObject({ status: 400, body: { error: { type: 'invalid_request_error' } } })
    expect(refused.body.error.message).toContain('settings.email')
  })

  test('JSON with a NUL character is refused, at any position', async () => {
    const tenant = await newTenant()
    const grant = await tenant.grant('ann@x.test')
    const answers = [
      await tenant.connect('a\0b'),
      await tenant.patch(segment(grant.id), { external_id: 'a\0b' }),
      await tenant.patch(segment(grant.id), { metadata: { 'a\0': 'b' } }),
    ]
    for (const refused of answers) {
      expect(refused).toMatchObject({ status: 400, body: { error: { type: 'api.invalid_request_payload' } } })
    }
  })

  describe('custom authentication', () => {
    test('requires a connector, and names the missing one', async () => {
      const tenant = tenantOf(service, await service.createApplication())
      const refused = await tenant.connect('ann@x.test')
      expect(refused).toMatchObject({ status: 400, body: { error: { type: 'invalid_request_error' } } })
      expect(refused.body.error.message).toContain('virtual-calendar')
      expect(refused.body.error.message).toContain('POST /v3/connectors')
    })

    test('requires a provider that exists', async () => {
      const tenant = await newTenant()
      const missing = await tenant.post('/v3/connect/custom', { settings: { email: 'a' } })
      expect(missing).toMatchObject({ status: 400, body: { error: { type: 'grant.provider_required' } } })
      const unknown = await tenant.post('/v3/connect/custom', { provider: 'fax', settings: {} })
      expect(unknown.status).toBe(400)
      for (const kind of Object.keys(providerKinds)) expect(unknown.body.error.message).toContain(kind)
    })

    test('names missing settings', async () => {
      const tenant = await newTenant()
      await tenant.post('/v3/connectors', { provider: 'imap' })
      const refused = await tenant.post('/v3/connect/custom', { provider: 'imap', settings: { imap_host: 'h' } })
      expect(refused.status).toBe(400)
      expect(refused.body.error.validation_errors).toMatchObject({ 'settings.imap_username': 'is required' })
      const settings = { imap_host: 'h', imap_username: 'a@example.com' }
      const without = await tenant.post('/v3/connect/custom', { provider: 'imap', settings })
      expect(without.body.error.validation_errors).toEqual({
        'settings.imap_password': 'is required, or imap_access_token',
      })
      expect((await tenant.post('/v3/connect/custom', { provider: 'imap' })).body.error.message).toContain('settings')
    })

    test("stores nothing when the provider refuses, and returns the provider's message", async () => {
      const tenant = await newTenant()
      await tenant.post('/v3/connectors', { provider: 'imap' })
      const settings = { imap_username: 'ann@x.test', imap_password: 'wrong' }
      const refused = await tenant.post('/v3/connect/custom', { provider: 'imap', settings })
      expect(refused).toMatchObject({
        status: 400,
        body: {
          error: { type: 'grant.invalid_authentication', provider_error: { code: 'AUTHENTICATIONFAILED' } },
        },
      })
      expect(await tenant.ids()).toEqual([])
      expect(await billed(tenant)).toBe(0)
    })

    test('never returns, lists or logs a secret', async () => {
      const tenant = await newTenant()
      await tenant.post('/v3/connectors', { provider: 'imap' })
      const made = await tenant.post('/v3/connect/custom', imapBody('ann@x.test'))
      expect(made.body.data.settings).toEqual({ imap_username: 'ann@x.test', imap_host: 'imap.x.test' })
      const listed = await tenant.get('/v3/grants')
      expect(JSON.stringify([made.body, listed.body])).not.toContain('CANARY-password')
      expect(service.logs()).not.toContain('CANARY-password')
    })

    test('stores state and external id; a repetition updates them, and a provider without scopes has none', async () => {
      const tenant = await newTenant()
      await tenant.post('/v3/connectors', { provider: 'imap' })
      const first = await tenant.post(
        '/v3/connect/custom',
        imapBody('ann@x.test', { state: 's1', scope: ['mail'], external_id: 'user-1' }),
      )
      expect(first.body.data).toMatchObject({ state: 's1', scope: [], external_id: 'user-1', metadata: {} })
      const second = await tenant.post('/v3/connect/custom', imapBody('ann@x.test', { state: 's2' }))
      expect(second.body.data).toMatchObject({ id: first.body.data.id, state: 's2', external_id: 'user-1' })
    })

    test('refuses an external id of another grant, and names that grant', async () => {
      const tenant = await newTenant()
      const ann = await tenant.grant('ann@x.test', { external_id: 'user-1' })
      const refused = await tenant.connect('ben@x.test', { external_id: 'user-1' })
      expect(refused).toMatchObject({ status: 409, body: { error: { type: 'conflict' } } })
      expect(refused.body.error.message).toContain(ann.id)
      expect((await tenant.grant('ann@x.test', { external_id: 'user-1' })).id).toBe(ann.id)
      const racing = await Promise.all(
        Array.from({ length: 10 }, (_, number) => tenant.connect(`racer-${number}`, { external_id: 'user-2' })),
      )
      expect(racing.filter(({ status }) => status === 201)).toHaveLength(1)
      expect(racing.filter(({ status }) => status === 409)).toHaveLength(9)
    })

    test('uses the named credential, in the settings or next to them, or else the active one', async () => {
      const tenant = await newTenant()
      await tenant.post('/v3/connectors', { provider: 'imap' })
      const credential = async (name: string): Promise<string> => {
        const data = { client_id: name, client_secret: 's' }
        const body = { name, credential_type: 'connector', credential_data: data }
        return (await tenant.post('/v3/connectors/imap/creds', body)).body.data.id
      }
      const [active, other] = [await credential('active'), await credential('other')]
      await tenant.patch('/v3/connectors/imap', { active_credential_id: active })
      const plain = await tenant.post('/v3/connect/custom', imapBody('ann@x.test'))
      expect(plain.body.data.credential_id).toBe(active)
      const named = await tenant.post('/v3/connect/custom', imapBody('ben@x.test', { credential_id: other }))
      expect(named.body.data.credential_id).toBe(other)
      const visits = imapState.visits
      const unknown = await tenant.post('/v3/connect/custom', imapBody('cat@x.test', { credential_id: randomUUID() }))
      expect(unknown.status).toBe(400)
      expect(unknown.body.error.message).toContain('credential_id')
      expect(imapState.visits).toBe(visits)
    })

    test('creates no grant if its connector is deleted during the provider request', async () => {
      const tenant = await newTenant()
      await tenant.post('/v3/connectors', { provider: 'imap' })
      let release = (): void => undefined
      const visits = imapState.visits
      imapState.wait = new Promise((resolve) => {
        release = resolve
      })
      const pending = tenant.post('/v3/connect/custom', imapBody('ann@x.test'))
      await expect.poll(() => imapState.visits).toBe(visits + 1)
      expect((await tenant.delete('/v3/connectors/imap')).status).toBe(200)
      release()
      const refused = await pending
      expect(refused.status).toBe(400)
      expect(refused.body.error.message).toContain('imap')
      expect(await tenant.ids()).toEqual([])
    })

    test("is described for every provider, with the application's setup", async () => {
      const tenant = await newTenant()
      const guide = await tenant.get('/v3/connect/custom')
      const kinds = Object.keys(providerKinds)
      expect(guide.body.data.map(({ provider }: { provider: string }) => provider)).toEqual(kinds)
      for (const item of guide.body.data) {
        expect(item).toMatchObject({
          title: expect.any(String),
          available: Object.hasOwn(providers, item.provider),
          connector: item.provider === 'virtual-calendar',
        })
        const required = item.settings.filter((field: { required: boolean }) => field.required)
        const names = required.map(({ name }: { name: string }) => name)
        const isOfOAuth = ['google', 'microsoft', 'yahoo'].includes(item.provider)
        expect(Object.keys(item.example.settings)).toEqual(isOfOAuth ? ['refresh_token'] : names)
        expect(Object.keys(item.example.settings).length).toBeGreaterThan(0)
        expect(item.example.provider).toBe(item.provider)
      }
      const one = await tenant.get('/v3/connect/custom?provider=imap')
      expect(one.body.data).toHaveLength(1)
      expect(one.body.data[0].settings).toContainEqual({ name: 'imap_username', required: true, description: '' })
      expect((await tenant.get('/v3/connect/custom?provider=fax')).status).toBe(400)
    })
  })

  describe('the list of grants', () => {
    let tenant: Tenant
    /**
     * Five grants, a second apart. The first two are authenticated again later, in reverse order; the third is
     * invalid.
     */
    const grants: { id: string; email: string; created_at: number; updated_at: number }[] = []
    const all = () => grants.map(({ id }) => id)
    const at = (index: number) => grants[index] ?? { id: '', email: '', created_at: 0, updated_at: 0 }
    let workspace: string
    let connector: string

    beforeAll(async () => {
      tenant = await newTenant()
      for (const name of ['ann', 'ben', 'cat', 'dan', 'eve']) {
        grants.push(await tenant.grant(`${name}@x.test`))
        clock.advance(1000)
      }
      for (const name of ['ben', 'ann']) {
        await tenant.grant(`${name}@x.test`)
        clock.advance(1000)
      }
      await admin('POST', ofAdmin(tenant, `/grants/${at(2).id}/revoke`))
      // Only hosted sign-in and migration write these two fields, so the test writes them directly.
      await service.services.storage.database.transaction(async (tx) => {
        const record = await getGrant(tx, tenant.id, at(3).id)
        if (!record) throw new Error('the fourth grant is missing')
        const grant = { ...record.grant, ip: '192.0.2.7', account_id: 'old-account' }
        await updateGrant(tx, { ...record, grant })
      })
      workspace = (await tenant.get('/v3/applications')).body.data.default_workspace_id
      connector = (await tenant.get('/v3/connectors/virtual-calendar')).body.data.id
    })

    test('is sorted by creation, newest first, by default', async () => {
      const [ann, ben, cat, dan, eve] = all()
      const newest = [eve, dan, cat, ben, ann]
      const authenticated = [ann, ben, eve, dan, cat]
      for (const [query, expected] of [
        ['', newest],
        ['sort_by=created_at&order_by=desc', newest],
        ['order_by=asc', all()],
        ['orderBy=asc', all()],
        ['sort_by=updated_at', authenticated],
        ['sortBy=updated_at', authenticated],
        ['sort_by=updatedAt', authenticated],
        ['sortBy=updatedAt&orderBy=asc', [...authenticated].reverse()],
      ] as const) {
        expect({ query, ids: await tenant.ids(query) }).toEqual({ query, ids: expected })
      }
    })

    test('accepts every filter, with every name that clients use', async () => {
      const valid = [at(4).id, at(3).id, at(1).id, at(0).id]
      for (const [query, expected] of [
        ['email=BEN@x.test', [at(1).id]],
        ['email=%20ben%40x.test%20', [at(1).id]],
        ['email=nobody@x.test', []],
        ['grant_status=valid', valid],
        ['grantStatus=valid', valid],
        ['status=valid', valid],
        ['grant_status=invalid', [at(2).id]],
        ['grantStatus=invalid', [at(2).id]],
        ['status=invalid', [at(2).id]],
        ['ip=192.0.2.7', [at(3).id]],
        ['ip=192.0.2.8', []],
        ['account_id=old-account', [at(3).id]],
        ['account_ids=other,old-account', [at(3).id]],
        ['account_ids=other&account_ids=old-account', [at(3).id]],
        ['account_ids=other', []],
        ['provider=virtual-calendar', [...all()].reverse()],
        ['provider=imap', []],
        [`workspace_id=${workspace}`, [...all()].reverse()],
        [`workspace_id=${randomUUID()}`, []],
        [`connector_id=${connector}`, [...all()].reverse()],
        [`connector_id=${randomUUID()}`, []],
        ['grant_status=valid&email=cat@x.test', []],
        [`grant_status=invalid&provider=virtual-calendar&connector_id=${connector}`, [at(2).id]],
      ] as const) {
        expect({ query, ids: await tenant.ids(query) }).toEqual({ query, ids: expected })
      }
    })

    test('includes both ends of a time span', async () => {
      const time = at(2).created_at
      expect(await tenant.ids(`since=${time}`)).toEqual([at(4).id, at(3).id, at(2).id])
      expect(await tenant.ids(`before=${time}`)).toEqual([at(2).id, at(1).id, at(0).id])
      expect(await tenant.ids(`since=${time}&before=${time}`)).toEqual([at(2).id])
      expect(await tenant.ids(`since=${time + 1}&before=${time}`)).toEqual([])
      expect(await tenant.ids(`since=${firstSecond}&before=${lastSecond}`)).toHaveLength(5)
      for (const beyond of [`since=${firstSecond - 1}`, `before=${lastSecond + 1}`]) {
        expect((await tenant.get(`/v3/grants?${beyond}`)).status).toBe(400)
      }
    })

    test('returns limit and offset', async () => {
      const page = async (query: string) => (await tenant.get(`/v3/grants?${query}`)).body
      expect(await page('')).toMatchObject({ limit: 10, offset: 0 })
      expect(await page('limit=2&offset=1')).toMatchObject({
        limit: 2,
        offset: 1,
        data: [{ id: at(3).id }, { id: at(2).id }],
      })
      expect(await page('limit=5000')).toMatchObject({ limit: 200 })
      const far = await tenant.get('/v3/grants?offset=10001')
      expect(far.status).toBe(400)
      expect(far.body.error.validation_errors.offset).toContain('page_token')
      const beyond = await page('offset=99')
      expect(beyond).toMatchObject({ limit: 10, offset: 99, data: [] })
      expect(beyond.next_cursor).toBeUndefined()
    })

    test('has a cursor exactly if more grants follow', async () => {
      for (const [query, more] of [
        ['limit=4', true],
        ['limit=5', false],
        ['limit=6', false],
        ['limit=2&offset=2', true],
        ['limit=2&offset=3', false],
        ['limit=1&grant_status=invalid', false],
      ] as const) {
        const { body } = await tenant.get(`/v3/grants?${query}`)
        expect({ query, more: typeof body.next_cursor === 'string' }).toEqual({ query, more })
      }
    })

    test('is the same by cursor and by offset, in every order', async () => {
      for (const filter of ['', 'order_by=asc', 'sort_by=updated_at', 'sortBy=updatedAt&orderBy=asc', 'status=valid']) {
        const whole = await tenant.ids(`${filter}&limit=200`)
        for (const limit of [1, 2, 3]) {
          const byCursor: string[] = []
          const byOffset: string[] = []
          let cursor = ''
          do {
            const { body } = await tenant.get(`/v3/grants?${filter}&limit=${limit}${cursor && `&page_token=${cursor}`}`)
            expect(body.offset).toBe(byCursor.length)
            byCursor.push(...body.data.map(({ id }: { id: string }) => id))
            cursor = body.next_cursor ?? ''
          } while (cursor)
          for (let offset = 0; offset < whole.length; offset += limit) {
            byOffset.push(...(await tenant.ids(`${filter}&limit=${limit}&offset=${offset}`)))
          }
          expect({ filter, limit, byCursor, byOffset }).toEqual({ filter, limit, byCursor: whole, byOffset: whole })
        }
      }
    })

    test('accepts a cursor with another limit and selection, and with nothing else changed', async () => {
      const first = await tenant.get('/v3/grants?limit=1&order_by=asc')
      const cursor: string = first.body.next_cursor
      const next = (query: string, who = tenant) => who.get(`/v3/grants?${query}&page_token=${cursor}`)
      expect((await next('limit=3&order_by=asc')).body.data.map(({ id }: { id: string }) => id)).toEqual(
        all().slice(1, 4),
      )
      expect((await next('order_by=asc&select=id')).body.data).toEqual(
        all()
          .slice(1)
          .map((id) => ({ id })),
      )
      const other = await newTenant()
      for (const refused of [
        await next('limit=1'),
        await next('limit=1&order_by=desc'),
        await next('limit=1&order_by=asc&grant_status=valid'),
        await next('limit=1&order_by=asc', other),
        await tenant.get(`/v3/connectors?page_token=${cursor}`),
        await tenant.get(`/v3/grants?order_by=asc&page_token=${cursor.slice(0, -2)}`),
        await tenant.get('/v3/grants?page_token=made-up'),
      ]) {
        expect(refused).toMatchObject({ status: 400, body: { error: { type: 'invalid_request_error' } } })
        expect(refused.body.error.validation_errors).toHaveProperty('page_token')
      }
    })

    test('has no duplicates or gaps while grants are added', async () => {
      const busy = await newTenant()
      for (let number = 0; number < 6; number++) await busy.grant(`old-${number}`)
      const old = await busy.ids('order_by=desc')
      const first = await busy.get('/v3/grants?limit=3')
      clock.advance(1000)
      await busy.grant('new')
      const second = await busy.get(`/v3/grants?limit=3&page_token=${first.body.next_cursor}`)
      const walked = [...first.body.data, ...second.body.data].map(({ id }: { id: string }) => id)
      expect(walked).toEqual(old)
    })

    test('contains a new grant immediately, with every matching filter', async () => {
      const fresh = await newTenant()
      await Promise.all(
        Array.from({ length: 20 }, async (_, number) => {
          const { id } = await fresh.grant(`user-${number}@x.test`)
          expect(await fresh.ids(`email=user-${number}@x.test`)).toEqual([id])
          expect(await fresh.ids('limit=200&grant_status=valid&provider=virtual-calendar')).toContain(id)
        }),
      )
    })

    test('returns only the selected fields', async () => {
      const listed = await tenant.get('/v3/grants?select=id,email&select=grant_status,nonsense&limit=1')
      expect(listed.body.data).toEqual([{ id: at(4).id, grant_status: 'valid', email: 'eve@x.test' }])
      const one = await tenant.get(`${segment(at(0).id)}?select=email`)
      expect(one.body.data).toEqual({ email: 'ann@x.test' })
    })

    test.each([
      'limit=0',
      'limit=-1',
      'limit=1.5',
      'limit=abc',
      'limit=',
      'limit=1&limit=2',
      'offset=-1',
      'offset=x',
      'sort_by=email',
      'order_by=up',
      'grant_status=broken',
      'status=unverified',
      'since=yesterday',
      'before=1e9',
      'email=a&email=b',
    ])('refuses %s and names the field', async (query) => {
      const refused = await tenant.get(`/v3/grants?${query}`)
      expect(refused).toMatchObject({ status: 400, body: { error: { type: 'invalid_request_error' } } })
      expect(refused.body.error.message).toContain(query.split('=')[0])
    })
  })

  describe('a grant is found', () => {
    test('by id, address, prefix and external id', async () => {
      const tenant = await newTenant()
      const { id } = await tenant.grant('Ann.Lee@x.test', { external_id: 'User/42 é' })
      for (const path of [
        segment(id),
        segment(id.toUpperCase()),
        segment(`grant:${id}`),
        segment(`grant:${id.toUpperCase()}`),
        '/v3/grants/Ann.Lee@x.test',
        '/v3/grants/ann.lee%40X.TEST',
        segment(' ann.lee@x.test '),
        segment('email:ANN.LEE@x.test'),
        segment('external:User/42 é'),
        `//v3/grants/${id}/`,
      ]) {
        const found = await tenant.get(path)
        expect({ path, status: found.status, id: found.body.data?.id }).toEqual({ path, status: 200, id })
      }
      for (const path of [
        segment(randomUUID()),
        segment('nobody@x.test'),
        segment('external:user/42 é'),
        segment('User/42 é'),
        segment(`email:${id}`),
        segment(`external:${id}`),
        segment('grant:Ann.Lee@x.test'),
        segment('grant:'),
        segment('email:'),
        segment('ME'),
        '/v3/grants/me%00',
        '/v3/grants/%20',
        '/v3/grants/%ZZ',
        '/v3/grants/%ff',
        segment('x'.repeat(600)),
      ]) {
        const missing = await tenant.get(path)
        expect({ path, status: missing.status, type: missing.body.error?.type }).toEqual({
          path,
          status: 404,
          type: 'grant.not_found',
        })
      }
    })

    test('by "me" only with an access token', async () => {
      const tenant = await newTenant()
      await tenant.grant('ann@x.test')
      for (const method of ['GET', 'DELETE'] as const) {
        const refused = await service.call(method, '/v3/grants/me', { key: tenant.key })
        expect(refused).toMatchObject({ status: 401, body: { error: { type: 'token.unauthorized_access' } } })
      }
      expect((await tenant.patch('/v3/grants/me', { scope: [] })).status).toBe(401)
    })

    test('by its identifier even if that resembles a path', async () => {
      const tenant = await newTenant()
      for (const email of ['..', '.', 'a/b?c=d#e', '%40', 'a%2Fb', '%', '*', ':id', 'grants', '-', '🦉']) {
        const { id } = await tenant.grant(email)
        // Every client's URL parser resolves two of them before sending; the prefix prevents that.
        const paths =
          email === '.' || email === '..' ? [segment(`email:${email}`)] : [segment(email), segment(`email:${email}`)]
        for (const path of paths) expect((await tenant.get(path)).body).toMatchObject({ data: { id, email } })
      }
    })
  })

  describe('changing a grant', () => {
    test('replaces settings, scope, metadata and external id, and keeps absent fields', async () => {
      const tenant = await newTenant()
      const grant = await tenant.grant('ann@x.test')
      clock.advance(5000)
      const first = await tenant.patch(segment(grant.id), {
        scope: ['one', 'two'],
        metadata: { key1: 'on site', colour: 'red' },
        external_id: 'user-1',
      })
      expect(first.body.data).toEqual({
        ...grant,
        scope: ['one', 'two'],
        metadata: { key1: 'on site', colour: 'red' },
        external_id: 'user-1',
      })
      const second = await tenant.put(segment('ann@x.test'), { metadata: { colour: 'blue' } })
      expect(second.body.data).toEqual({ ...first.body.data, metadata: { colour: 'blue' } })
      const third = await tenant.patch(segment('external:user-1'), { external_id: null, scope: [] })
      expect(third.body.data).toMatchObject({ external_id: null, scope: [], metadata: { colour: 'blue' } })
      const fourth = await tenant.patch(segment(grant.id), { settings: { email: 'ANN@x.test' } })
      expect(fourth.body.data).toMatchObject({ settings: { email: 'ANN@x.test' }, email: 'ann@x.test' })
      expect((await tenant.get(segment(grant.id))).body.data).toEqual(fourth.body.data)
      // The time of the last successful authentication does not change.
      expect(fourth.body.data.updated_at).toBe(grant.updated_at)
      expect((await tenant.patch(segment(grant.id), {})).body.data).toEqual(fourth.body.data)
    })

    test('cannot change the address, and refuses an external id of another grant', async () => {
      const tenant = await newTenant()
      const ann = await tenant.grant('ann@x.test')
      const ben = await tenant.grant('ben@x.test', { external_id: 'user-2' })
      for (const email of ['ben@x.test', 'new@x.test', 'me']) {
        const refused = await tenant.patch(segment(ann.id), { settings: { email } })
        expect(refused.status).toBe(400)
        expect(refused.body.error.message).toContain('settings.email')
      }
      const taken = await tenant.patch(segment(ann.id), { external_id: 'user-2' })
      expect(taken.status).toBe(409)
      expect(taken.body.error.message).toContain(ben.id)
      expect((await tenant.get(segment(ann.id))).body.data).toEqual(ann)
    })

    test('ignores read-only fields, and says so', async () => {
      const tenant = await newTenant()
      const { body } = await tenant.get(segment((await tenant.grant('ann@x.test')).id))
      const forged = {
        ...body.data,
        id: randomUUID(),
        provider: 'google',
        grant_status: 'invalid',
        email: 'evil@x.test',
        name: 'Evil',
        blocked: true,
        created_at: 1,
        updated_at: 1,
        account_id: 'evil',
        application_id: randomUUID(),
        'ü\n': 1,
      }
      const answer = await tenant.patch(segment(body.data.id), forged)
      expect(answer.body.data).toEqual(body.data)
      const ignored = answer.headers.get('x-ignored-fields')?.split(', ')
      expect(ignored).toEqual(
        expect.arrayContaining(['id', 'grant_status', 'email', 'blocked', 'created_at', 'application_id', '%C3%BC%0A']),
      )
      for (const known of ['settings', 'scope', 'metadata', 'external_id']) expect(ignored).not.toContain(known)
    })

    test.each([
      ['metadata that is null', { metadata: null }],
      ['metadata that is not text', { metadata: { a: 1 } }],
      ['a metadata key of 41 letters', { metadata: { ['k'.repeat(41)]: 'v' } }],
      ['a metadata value of 501 letters', { metadata: { k: 'v'.repeat(501) } }],
      ['51 pairs', { metadata: Object.fromEntries(Array.from({ length: 51 }, (_, number) => [`k${number}`, 'v'])) }],
      ['a scope that is no list', { scope: 'mail' }],
      ['an empty scope', { scope: [''] }],
      ['a scope of two lines', { scope: ['a\nb'] }],
      ['an empty external id', { external_id: '' }],
      ['an external id that rings', { external_id: 'a\u0007' }],
      ['an external id of 257 letters', { external_id: 'x'.repeat(257) }],
      ['settings that are no object', { settings: 'none' }],
    ])('refuses %s', async (_, body) => {
      const tenant = await newTenant()
      const grant = await tenant.grant('ann@x.test')
      const refused = await tenant.patch(segment(grant.id), body)
      expect(refused).toMatchObject({ status: 400, body: { error: { type: 'invalid_request_error' } } })
      expect(refused.body.error.message).toContain(Object.keys(body)[0])
      expect((await tenant.get(segment(grant.id))).body.data).toEqual(grant)
    })

    test('loses no concurrent change', async () => {
      const tenant = await newTenant()
      const { id } = await tenant.grant('ann@x.test')
      for (let round = 0; round < 10; round++) {
        const tag = `round-${round}`
        const changes = [{ metadata: { tag } }, { scope: [tag] }, { external_id: tag }]
        await Promise.all(changes.map((change) => tenant.patch(segment(id), change)))
        const { body } = await tenant.get(segment(id))
        expect(body.data).toMatchObject({ metadata: { tag }, scope: [tag], external_id: tag })
      }
    })

    test('never makes a concurrently revoked grant valid', async () => {
      const tenant = await newTenant()
      for (let round = 0; round < 10; round++) {
        const { id } = await tenant.grant('ann@x.test')
        await Promise.all([
          tenant.patch(segment(id), { metadata: { round: String(round) } }),
          admin('POST', ofAdmin(tenant, `/grants/${id}/revoke`)),
          admin('PATCH', ofAdmin(tenant, `/grants/${id}`), { blocked: round % 2 === 0 }),
        ])
        const { body } = await tenant.get(segment(id))
        expect(body.data).toMatchObject({
          grant_status: 'invalid',
          blocked: round % 2 === 0,
          metadata: { round: String(round) },
        })
      }
    })

    test('and deleting it concurrently leave billing and list consistent', async () => {
      const tenant = await newTenant()
      for (let round = 0; round < 10; round++) {
        const { id } = await tenant.grant('ann@x.test')
        const [authenticated, deleted, changed] = await Promise.all([
          tenant.connect('ann@x.test'),
          tenant.delete(segment(id)),
          tenant.patch(segment(id), { metadata: { a: 'b' } }),
        ])
        expect([authenticated.status, deleted.status]).toEqual([201, 200])
        expect([200, 404]).toContain(changed.status)
        const left = await tenant.ids()
        // Either the deletion came last, or the address has a new grant.
        expect(left).toEqual(authenticated.body.data.id === id ? [] : [authenticated.body.data.id])
        expect(await billed(tenant)).toBe(left.length)
      }
    })
  })

  describe('a deleted grant', () => {
    test('is not found by any name, releases its external id, and is no longer billed', async () => {
      const tenant = await newTenant()
      const { id } = await tenant.grant('ann@x.test', { external_id: 'user-1' })
      expect(await billed(tenant)).toBe(1)
      const deleted = await tenant.delete(segment('ANN@x.test'))
      expect(deleted).toMatchObject({ status: 200, body: { request_id: expect.stringMatching(uuid) } })
      expect(Object.keys(deleted.body)).toEqual(['request_id'])
      for (const locator of [id, 'ann@x.test', 'external:user-1', `grant:${id}`]) {
        expect((await tenant.get(segment(locator))).status).toBe(404)
        expect((await tenant.patch(segment(locator), { scope: [] })).status).toBe(404)
        expect((await tenant.delete(segment(locator))).status).toBe(404)
      }
      expect(await tenant.ids()).toEqual([])
      expect(await billed(tenant)).toBe(0)
      expect((await admin('POST', ofAdmin(tenant, `/grants/${id}/revoke`))).status).toBe(404)

      const again = await tenant.grant('ann@x.test', { external_id: 'user-1' })
      expect(again.id).not.toBe(id)
      expect((await tenant.get(segment(id))).status).toBe(404)
      expect(await billed(tenant)).toBe(1)
    })
  })

  describe('a revoked grant', () => {
    test('is invalid, keeps its data, is billed, and becomes valid with the same id when it authenticates', async () => {
      const tenant = await newTenant()
      const grant = await tenant.grant('ann@x.test', { external_id: 'user-1' })
      await tenant.patch(segment(grant.id), { metadata: { name: 'Ann' }, scope: ['calendar'] })
      clock.advance(10_000)
      const revoke = () => admin('POST', ofAdmin(tenant, `/grants/${grant.id}/revoke`))
      const revoked = await revoke()
      expect(revoked).toMatchObject({ status: 200, body: { data: { id: grant.id, grant_status: 'invalid' } } })
      const retained = await tenant.get(segment('ann@x.test'))
      expect(retained.body.data).toMatchObject({
        grant_status: 'invalid',
        metadata: { name: 'Ann' },
        scope: ['calendar'],
        external_id: 'user-1',
        updated_at: grant.updated_at,
      })
      expect(await tenant.ids('grant_status=invalid')).toEqual([grant.id])
      expect(await tenant.ids('grant_status=valid')).toEqual([])
      expect(await billed(tenant)).toBe(1)
      // Revoking twice is not an error.
      expect((await revoke()).status).toBe(200)

      clock.advance(10_000)
      const again = await tenant.connect('ANN@x.test')
      expect(again.body.data).toMatchObject({
        id: grant.id,
        grant_status: 'valid',
        created_at: grant.created_at,
        updated_at: grant.updated_at + 20,
        metadata: { name: 'Ann' },
        external_id: 'user-1',
      })
      expect(await tenant.ids('grant_status=valid')).toEqual([grant.id])
      expect(await billed(tenant)).toBe(1)
    })

    test('is logged once, with the name of its notification', async () => {
      const tenant = await newTenant()
      const { id } = await tenant.grant('ann@x.test')
      await admin('POST', ofAdmin(tenant, `/grants/${id}/revoke`))
      await admin('POST', ofAdmin(tenant, `/grants/${id}/revoke`))
      await tenant.grant('ann@x.test')
      await tenant.delete(segment(id))
      const reported = service
        .logs()
        .split('\n')
        .filter((line) => line.includes(id) && line.includes('"event"'))
        .map((line) => JSON.parse(line).event)
      expect(reported).toEqual(['grant.created', 'grant.expired', 'grant.updated', 'grant.deleted'])
    })

    test('can only be revoked by the administrator', async () => {
      const tenant = await newTenant()
      const { id } = await tenant.grant('ann@x.test')
      const refused = await tenant.post(ofAdmin(tenant, `/grants/${id}/revoke`))
      expect(refused).toMatchObject({ status: 401, body: { error: { type: 'api.authentication_error' } } })
      expect((await tenant.get(segment(id))).body.data.grant_status).toBe('valid')
    })
  })

  describe('blocking', () => {
    test('a grant sets a flag that only unblocking removes', async () => {
      const tenant = await newTenant()
      const { id } = await tenant.grant('ann@x.test')
      const block = (blocked: boolean) => admin('PATCH', ofAdmin(tenant, `/grants/${id}`), { blocked })
      expect((await block(true)).body.data).toMatchObject({ blocked: true, grant_status: 'valid' })
      expect((await tenant.connect('ann@x.test')).body.data).toMatchObject({ id, blocked: true })
      expect((await tenant.get(segment(id))).body.data.blocked).toBe(true)
      expect((await block(false)).body.data.blocked).toBe(false)
      expect((await tenant.get(segment(id))).body.data.blocked).toBe(false)
      expect((await admin('PATCH', ofAdmin(tenant, `/grants/${id}`), {})).status).toBe(400)
    })

    test('an application refuses its keys with 423 until it is unblocked', async () => {
      const tenant = await newTenant()
      const { id } = await tenant.grant('ann@x.test')
      expect((await admin('PATCH', ofAdmin(tenant), { blocked: true })).body.data.blocked).toBe(true)
      for (const path of ['/v3/grants', segment(id), '/v3/applications']) {
        expect(await tenant.get(path)).toMatchObject({ status: 423, body: { error: { type: 'api.resource_blocked' } } })
      }
      expect((await tenant.delete(segment(id))).status).toBe(423)
      expect(await billed(tenant)).toBe(1)
      await admin('PATCH', ofAdmin(tenant), { blocked: false })
      expect((await tenant.get(segment(id))).status).toBe(200)
    })
  })

  test('unknown settings of a provider are named, and scopes if it has none', async () => {
    const tenant = await newTenant()
    const ignored = ({ headers }: { headers: Headers }) => headers.get('x-ignored-fields')
    expect(ignored(await tenant.post('/v3/connectors', { provider: 'imap', settings: { port: 1 } }))).toBe(
      'settings.port',
    )
    const settings = { client_id: 'c', client_secret: 's' }
    expect(ignored(await tenant.post('/v3/connectors', { provider: 'google', settings }))).toBeNull()
    expect(ignored(await tenant.patch('/v3/connectors/google', { settings: { ...settings, tenant: 'x' } }))).toBe(
      'settings.tenant',
    )
    const body = { provider: 'virtual-calendar', scope: ['x'], settings: { email: 'a@x.test', name: 'A' }, nonsense: 1 }
    const made = await tenant.post('/v3/connect/custom', body)
    expect([made.status, ignored(made)]).toEqual([201, 'settings.name, scope, nonsense'])
    const changed = await tenant.patch(segment(made.body.data.id), { settings: { colour: 1 } })
    expect([changed.status, ignored(changed)]).toEqual([200, 'settings.colour'])
    const uri = { url: 'https://x.test', platform: 'js', settings: { origin: 'https://x.test', colour: 1 } }
    expect(ignored(await tenant.post('/v3/applications/redirect-uris', uri))).toBe('settings.colour')
  })

  describe('deleting a connector', () => {
    test('invalidates its grants immediately and removes them after 72 hours, unless they authenticate again', async () => {
      const tenant = await newTenant()
      await tenant.post('/v3/connectors', { provider: 'imap' })
      const [ann, ben] = [await tenant.grant('ann@x.test'), await tenant.grant('ben@x.test')]
      const mail = await tenant.post('/v3/connect/custom', imapBody('mail@x.test'))
      expect((await tenant.delete('/v3/connectors/virtual-calendar')).status).toBe(200)
      expect((await tenant.get('/v3/connectors/virtual-calendar')).status).toBe(404)
      expect((await tenant.ids('grant_status=invalid&order_by=asc')).sort()).toEqual([ann.id, ben.id].sort())
      expect(await tenant.ids('grant_status=valid')).toEqual([mail.body.data.id])
      expect((await tenant.connect('ann@x.test')).status).toBe(400)

      clock.advance(72 * hour - 1)
      await purgeExpired(service.services)
      expect(await tenant.ids()).toHaveLength(3)
      expect(await billed(tenant)).toBe(3)
      const connector = await tenant.post('/v3/connectors', { provider: 'virtual-calendar' })
      expect((await tenant.grant('ann@x.test')).id).toBe(ann.id)

      clock.advance(1)
      await purgeExpired(service.services)
      expect((await tenant.get(segment(ben.id))).status).toBe(404)
      expect((await tenant.get(segment(ann.id))).body.data.grant_status).toBe('valid')
      expect(await tenant.ids(`connector_id=${connector.body.data.id}`)).toEqual([ann.id])
      expect(await billed(tenant)).toBe(2)
      clock.advance(100 * day)
      await purgeExpired(service.services)
      expect((await tenant.ids()).sort()).toEqual([ann.id, mail.body.data.id].sort())
    })

    test('deletes its credentials, and not those of others', async () => {
      const tenant = await newTenant()
      const client = { client_id: 'c', client_secret: 's' }
      for (const provider of ['google', 'microsoft']) {
        await tenant.post('/v3/connectors', { provider, settings: client })
        await tenant.post(`/v3/connectors/${provider}/creds`, {
          name: 'second',
          credential_type: 'connector',
          credential_data: client,
        })
      }
      await tenant.delete('/v3/connectors/google')
      await tenant.post('/v3/connectors', { provider: 'google', settings: client })
      expect((await tenant.get('/v3/connectors/google/creds')).body.data).toEqual([])
      expect((await tenant.get('/v3/connectors/microsoft/creds')).body.data).toHaveLength(1)
    })
  })

  describe('a credential', () => {
    const draft = (name: string, secret = 's') => ({
      name,
      credential_type: 'connector',
      credential_data: { client_id: 'c', client_secret: secret },
    })
    const creds = '/v3/connectors/imap/creds'

    test('is deleted with its own grants, immediately', async () => {
      const tenant = await newTenant()
      await tenant.post('/v3/connectors', { provider: 'imap' })
      const one = await tenant.post(creds, draft('one'))
      const two = await tenant.post(creds, draft('two', 't'))
      const first = await tenant.post('/v3/connect/custom', imapBody('ann@x.test', { credential_id: one.body.data.id }))
      const second = await tenant.post(
        '/v3/connect/custom',
        imapBody('ben@x.test', { credential_id: two.body.data.id }),
      )
      expect((await tenant.delete(`${creds}/${one.body.data.id}`)).status).toBe(200)
      expect((await tenant.get(segment(first.body.data.id))).body.data.grant_status).toBe('invalid')
      expect((await tenant.get(segment(second.body.data.id))).body.data.grant_status).toBe('valid')
      // There is no grace period, so nothing is removed later.
      clock.advance(100 * day)
      await purgeExpired(service.services)
      expect(await tenant.ids()).toHaveLength(2)
      const again = await tenant.post('/v3/connect/custom', imapBody('ann@x.test'))
      expect(again.body.data).toMatchObject({ id: first.body.data.id, grant_status: 'valid', credential_id: null })
    })

    test('cannot be deleted while it is the active one of its connector', async () => {
      const tenant = await newTenant()
      await tenant.post('/v3/connectors', { provider: 'imap' })
      const { body } = await tenant.post(creds, draft('one'))
      const activate = (id: string | null) => tenant.patch('/v3/connectors/imap', { active_credential_id: id })
      expect((await activate(body.data.id)).body.data.active_credential_id).toBe(body.data.id)
      expect((await tenant.delete(`${creds}/${body.data.id}`)).status).toBe(400)
      expect((await activate(randomUUID())).status).toBe(400)
      expect((await activate(null)).body.data.active_credential_id).toBeNull()
      expect((await tenant.delete(`${creds}/${body.data.id}`)).status).toBe(200)
    })

    test('is returned, not created again, when an identical one is created', async () => {
      const tenant = await newTenant()
      await tenant.post('/v3/connectors', { provider: 'imap' })
      const made = await Promise.all(Array.from({ length: 8 }, () => tenant.post(creds, draft('one'))))
      expect(made.map(({ status }) => status)).toEqual(made.map(() => 201))
      expect(new Set(made.map(({ body }) => body.data.id)).size).toBe(1)
      const other = await tenant.post(creds, draft('one', 'other'))
      expect(other).toMatchObject({ status: 409, body: { error: { type: 'conflict' } } })
      await tenant.post(creds, draft('two'))
      const renamed = await tenant.patch(`${creds}/${made[0]?.body.data.id}`, { name: 'two' })
      expect(renamed.status).toBe(409)
    })

    test.each([
      { credential_type: 'connector', credential_data: { client_id: 'c' }, field: 'credential_data.client_secret' },
      { credential_type: 'serviceaccount', credential_data: {}, field: 'credential_data.private_key' },
      { credential_type: 'password', credential_data: {}, field: 'credential_type' },
    ])('must have what its type requires: $field', async ({ field, ...rest }) => {
      const tenant = await newTenant()
      await tenant.post('/v3/connectors', { provider: 'imap' })
      const refused = await tenant.post(creds, { name: 'one', ...rest })
      expect(refused.status).toBe(400)
      expect(refused.body.error.validation_errors).toHaveProperty([field])
    })
  })

  describe('a connector', () => {
    test('is one per provider, even if many are created concurrently', async () => {
      const tenant = tenantOf(service, await service.createApplication())
      const made = await Promise.all(
        Array.from({ length: 10 }, () => tenant.post('/v3/connectors', { provider: 'virtual-calendar' })),
      )
      expect(made.filter(({ status }) => status === 201)).toHaveLength(1)
      expect(made.filter(({ status }) => status === 409)).toHaveLength(9)
    })

    test('keeps its secret if a change omits it, and replaces everything else', async () => {
      const tenant = await newTenant()
      const secret = `CANARY-${randomUUID()}`
      const settings = { client_id: 'c', client_secret: secret, topic_name: 'projects/p/topics/t' }
      const made = await tenant.post('/v3/connectors', { provider: 'google', settings, scopes: ['a', 'b'] })
      expect(made.body.data).toMatchObject({
        settings: { client_id: 'c', topic_name: 'projects/p/topics/t' },
        scope: ['a', 'b'],
      })
      const changed = await tenant.put('/v3/connectors/google', { settings: { client_id: 'd' } })
      expect(changed.body.data).toMatchObject({ settings: { client_id: 'd' }, scope: ['a', 'b'] })
      expect(changed.body.data.settings).not.toHaveProperty('topic_name')
      expect(JSON.stringify([made.body, changed.body])).not.toContain(secret)
      expect(service.logs()).not.toContain(secret)
      for (const [body, field] of [
        [{ provider: 'microsoft' }, 'settings.client_id'],
        [{ provider: 'microsoft', settings: { client_id: 'c' } }, 'settings.client_secret'],
        [{ provider: 'fax' }, 'provider'],
        [{ name: 'x' }, 'provider'],
      ] as const) {
        const refused = await tenant.post('/v3/connectors', body)
        expect(refused.status).toBe(400)
        expect(refused.body.error.message).toContain(field)
      }
      const tenantless = await tenant.post('/v3/connectors', {
        provider: 'microsoft',
        settings: { client_id: 'c', client_secret: 's' },
      })
      expect(tenantless.body.data.settings).toEqual({ client_id: 'c', tenant: 'common' })
    })
  })

  describe('an API key', () => {
    const keysOf = (tenant: Tenant) => ofAdmin(tenant, '/api-keys')

    test('is shown once, and gives access to its application until it is revoked', async () => {
      const tenant = await newTenant()
      const made = await admin('POST', keysOf(tenant), { name: 'Second', expires_in: null })
      const { api_key: key, ...rest } = made.body.data
      expect(made.status).toBe(200)
      expect(key).toMatch(/^wpk_production_[a-z0-9]{8}_[\w-]{43}_[0-9a-f]{6}$/)
      expect(rest).toMatchObject({
        application_id: tenant.id,
        name: 'Second',
        permissions: ['all'],
        status: 'active',
        expires_at: null,
        expires_in: null,
        last_used_at: null,
      })
      expect((await service.call('GET', '/v3/applications', { key })).body.data.application_id).toBe(tenant.id)
      const listed = await admin('GET', keysOf(tenant))
      expect(listed.body.data).toContainEqual(rest)
      expect((await admin('GET', `${keysOf(tenant)}/${rest.id}`)).body.data).toEqual(rest)
      expect(JSON.stringify(listed.body)).not.toContain(key)
      expect(service.logs()).not.toContain(key)

      expect((await admin('DELETE', `${keysOf(tenant)}/${rest.id}`)).status).toBe(200)
      expect(await service.call('GET', '/v3/applications', { key })).toMatchObject({
        status: 401,
        body: { error: { type: 'token.unauthorized_access' } },
      })
      expect((await admin('GET', `${keysOf(tenant)}/${rest.id}`)).body.data.status).toBe('revoked')
      expect((await admin('DELETE', `${keysOf(tenant)}/${rest.id}`)).status).toBe(404)
      expect((await tenant.get('/v3/applications')).status).toBe(200)
    })

    test('expires at its time, to the millisecond', async () => {
      const tenant = await newTenant()
      const {
        id,
        api_key: key,
        expires_at,
      } = (await admin('POST', keysOf(tenant), { name: 'Short', expires_in: 2 })).body.data
      expect(expires_at).toBe(Math.floor((clock.now() + 2 * day) / 1000))
      const state = async () => (await admin('GET', `${keysOf(tenant)}/${id}`)).body.data
      expect(await state()).toMatchObject({ status: 'active', expires_in: 2 })
      clock.advance(2 * day - 1)
      expect(await state()).toMatchObject({ status: 'active', expires_in: 1 })
      expect((await service.call('GET', '/v3/grants', { key })).status).toBe(200)
      clock.advance(1)
      expect((await service.call('GET', '/v3/grants', { key })).status).toBe(401)
      expect(await state()).toMatchObject({ status: 'expired', expires_in: 0 })
    })

    test('has the time of its last use, once that was written', async () => {
      const tenant = await newTenant()
      const { id, api_key: key } = (await admin('POST', keysOf(tenant), { name: 'Used' })).body.data
      const lastUsed = async () => (await admin('GET', `${keysOf(tenant)}/${id}`)).body.data.last_used_at
      await service.services.telemetry.keyUse.flush()
      expect(await lastUsed()).toBeNull()
      clock.advance(5000)
      await service.call('GET', '/v3/grants', { key })
      await service.services.telemetry.keyUse.flush()
      expect(await lastUsed()).toBe(Math.floor(clock.now() / 1000))
    })

    test('is required, complete, and only as a bearer token', async () => {
      const tenant = await newTenant()
      const basic = `Basic ${Buffer.from(`admin:${tenant.key}`).toString('base64')}`
      for (const authorization of [
        '',
        tenant.key,
        `Bearer ${tenant.key}x`,
        `Bearer ${tenant.key.slice(0, -1)}`,
        'Bearer ',
        basic,
      ]) {
        const refused = await service.call('GET', '/v3/grants', { key: null, headers: { authorization } })
        expect({ authorization, status: refused.status }).toEqual({ authorization, status: 401 })
      }
      expect((await service.call('GET', '/v3/grants', { key: null })).headers.get('www-authenticate')).toBe('Bearer')
      expect((await service.call('GET', `/v3/grants?api_key=${tenant.key}`, { key: null })).status).toBe(401)
      for (const [method, path] of [
        ['GET', '/v3/admin/applications'],
        ['POST', '/v3/admin/applications'],
        ['GET', keysOf(tenant)],
        ['GET', '/v3/admin/usage'],
      ] as const) {
        const refused = await service.call(method, path, {
          key: tenant.key,
          body: method === 'POST' ? { name: 'x' } : undefined,
        })
        expect(refused).toMatchObject({ status: 401, body: { error: { type: 'api.authentication_error' } } })
      }
    })

    test('is not created from an invalid request', async () => {
      const tenant = await newTenant()
      for (const body of [{}, { name: '' }, { name: 'x', expires_in: 0 }, { name: 'x', expires_in: 1.5 }]) {
        expect((await admin('POST', keysOf(tenant), body)).status).toBe(400)
      }
      expect((await admin('POST', `/v3/admin/applications/${randomUUID()}/api-keys`, { name: 'x' })).status).toBe(404)
    })
  })

  describe('an application', () => {
    test('has no limit of grants if the administrator created it', async () => {
      const made = await admin('POST', '/v3/admin/applications', { name: 'Acme', environment: 'staging' })
      expect(made).toMatchObject({
        status: 201,
        body: { data: { environment: 'staging', grant_limit: null, grant_count: 0, branding: { name: 'Acme' } } },
      })
      const tenant = await newTenant()
      const answers = await Promise.all(Array.from({ length: 12 }, (_, number) => tenant.connect(`user-${number}`)))
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201))
      expect((await admin('GET', ofAdmin(tenant))).body.data).toMatchObject({ grant_limit: null, grant_count: 12 })
      expect((await admin('POST', '/v3/admin/applications', { name: 'x', environment: 'sandbox' })).status).toBe(400)
    })

    test('keeps the fields that a change omits, and replaces nested objects as a whole', async () => {
      const tenant = await newTenant()
      const change = (body: unknown) => tenant.patch('/v3/applications', body)
      await change({
        branding: { name: 'Acme', description: 'Mail', website_url: 'https://acme.test' },
        hosted_authentication: { title: 'Hello', alignment: 'center' },
        idp_settings: { origins: 'https://a.test, http://localhost:3000', issuers: 'https://id.test' },
        domain: 'mail.acme.test',
        additional_settings: { allow_query_param_in_redirect_uri: true, login_url: 'https://secret-login.test' },
      })
      const { body } = await change({ branding: { name: 'Acme 2' }, idp_settings: { issuers: 'https://id2.test' } })
      expect(body.data).toMatchObject({
        branding: { name: 'Acme 2' },
        hosted_authentication: { title: 'Hello', alignment: 'center' },
        idp_settings: { issuers: 'https://id2.test' },
        domain: 'mail.acme.test',
      })
      expect(body.data.branding).not.toHaveProperty('description')
      expect(body.data.idp_settings).not.toHaveProperty('origins')
      expect(JSON.stringify(body)).not.toMatch(/additional_settings|secret-login/)
      expect((await change({ domain: '' })).body.data).not.toHaveProperty('domain')
      // The settings that are never returned still apply.
      expect((await tenant.post('/v3/applications/redirect-uris', { url: 'https://a.test/cb?x=1' })).status).toBe(200)
      const before = (await tenant.get('/v3/applications')).body.data
      const forged = { application_id: randomUUID(), environment: 'sandbox', blocked: true, grant_limit: 1 }
      const answer = await change(forged)
      expect({ ...answer.body.data, updated_at: 0 }).toEqual({ ...before, updated_at: 0 })
      expect(answer.headers.get('x-ignored-fields')?.split(', ').sort()).toEqual(Object.keys(forged).sort())
    })

    test('has its list of callback URIs replaced: kept, changed, created, removed', async () => {
      const tenant = await newTenant()
      const replace = (callback_uris: unknown) => tenant.patch('/v3/applications', { callback_uris })
      const first = await replace([{ url: 'https://a.test/1' }, { url: 'https://a.test/2' }])
      const uris: { id: string; url: string }[] = first.body.data.callback_uris
      const one = uris.find(({ url }) => url.endsWith('1'))
      const second = await replace([{ id: one?.id, url: 'https://a.test/1b' }, { url: 'https://a.test/3' }])
      const after: { id: string; url: string }[] = second.body.data.callback_uris
      expect(after.map(({ url }) => url).sort()).toEqual(['https://a.test/1b', 'https://a.test/3'])
      expect(after.find(({ url }) => url.endsWith('1b'))?.id).toBe(one?.id)
      expect((await tenant.get('/v3/applications/callback-uris')).body.data).toEqual(after)
      // With one invalid item, nothing changes.
      for (const bad of [[{ url: 'http://evil.test' }], [{ id: randomUUID(), url: 'https://a.test/4' }]]) {
        const refused = await replace([{ url: 'https://a.test/9' }, ...bad])
        expect([400, 404]).toContain(refused.status)
      }
      expect((await tenant.get('/v3/applications')).body.data.callback_uris).toEqual(after)
      expect((await replace([])).body.data.callback_uris).toEqual([])
    })

    test.each([
      'http://a.test',
      'https://a.test/path',
      'https://a.test?x=1',
      'https://a.test/#x',
      'https://user@a.test',
      'a.test',
      '*',
      'https://good.test,ftp://a.test',
      'javascript:alert(1)',
    ])('rejects an origin such as %s', async (origins) => {
      const refused = await bare.patch('/v3/applications', { idp_settings: { origins } })
      expect(refused.status).toBe(400)
      expect(refused.body.error.validation_errors).toHaveProperty(['idp_settings.origins'])
    })

    test('allows browsers from its origins, and from its js callback URIs, to call the API', async () => {
      const tenant = await newTenant()
      const preflight = async (origin: string) =>
        (await service.call('OPTIONS', '/v3/grants', { key: null, headers: { origin } })).headers.get(
          'access-control-allow-origin',
        )
      const [first, second] = [`https://${randomUUID()}.test`, `https://${randomUUID()}.test`]
      expect(await preflight(first)).toBeNull()
      await tenant.patch('/v3/applications', { idp_settings: { origins: `${first}/` } })
      const uri = await tenant.post('/v3/applications/redirect-uris', {
        url: `${second}/cb`,
        platform: 'js',
        settings: { origin: second },
      })
      expect([await preflight(first), await preflight(second)]).toEqual([first, second])
      await tenant.delete(`/v3/applications/redirect-uris/${uri.body.data.id}`)
      await tenant.patch('/v3/applications', { idp_settings: {} })
      expect([await preflight(first), await preflight(second)]).toEqual([null, null])
    })
  })

  describe('a redirect URI', () => {
    const at = '/v3/applications/redirect-uris'
    const android = { package_name: 'test.acme', sha1_certificate_fingerprint: 'AA:BB' }

    test.each([
      { url: 'https://acme.test/callback' },
      { url: 'https://acme.test' },
      { url: 'https://acme.test:8443/a/b', platform: 'desktop' },
      { url: 'http://localhost:3000/callback' },
      { url: 'http://127.0.0.1/callback', platform: 'desktop' },
      { url: 'https://acme.test/js', platform: 'js', settings: { origin: 'https://acme.test' } },
      { url: 'acme://signed-in', platform: 'ios', settings: { bundle_id: 'test.acme' } },
      { url: 'test.acme.app://x/y', platform: 'android', settings: android },
      { url: 'https://acme.test/app', platform: 'ios', settings: { bundle_id: 'test.acme' } },
    ])('is accepted: %j', async (draft) => {
      const tenant = await newTenant()
      const made = await tenant.post(at, draft)
      expect(made).toMatchObject({ status: 200, body: { data: { platform: 'web', settings: {}, ...draft } } })
      expect((await tenant.get(`${at}/${made.body.data.id}`)).body.data).toEqual(made.body.data)
      expect((await tenant.post(at, draft)).status).toBe(409)
    })

    test.each([
      [{ url: 'http://acme.test/callback' }, 'url'],
      [{ url: 'http://localhost.evil.test/callback' }, 'url'],
      [{ url: 'http://127.0.0.1.evil.test/' }, 'url'],
      [{ url: '/callback' }, 'url'],
      [{ url: '//acme.test/callback' }, 'url'],
      [{ url: 'acme.test/callback' }, 'url'],
      [{ url: 'acme://signed-in' }, 'url'],
      [{ url: 'acme://signed-in', platform: 'desktop' }, 'url'],
      [{ url: 'javascript:alert(1)' }, 'url'],
      [{ url: 'javascript://x/%0aalert(1)', platform: 'ios', settings: { bundle_id: 'b' } }, 'url'],
      [{ url: 'data://text/html,x', platform: 'android', settings: android }, 'url'],
      [{ url: 'file:///etc/passwd', platform: 'ios', settings: { bundle_id: 'b' } }, 'url'],
      [{ url: 'http://acme.test/x', platform: 'ios', settings: { bundle_id: 'b' } }, 'url'],
      [{ url: 'https://acme.test/callback?next=1' }, 'url'],
      [{ url: 'https://acme.test/callback?' }, 'url'],
      [{ url: 'https://acme.test/callback#x' }, 'url'],
      [{ url: 'https://acme.test/callback#' }, 'url'],
      [{ url: 'https://user@evil.test/' }, 'url'],
      [{ url: 'https://acme.test:secret@evil.test/' }, 'url'],
      [{ url: 'https://acme.test/\r\nset-cookie: x=1' }, 'url'],
      [{ url: ' https://acme.test/' }, 'url'],
      [{ url: 'https://' }, 'url'],
      [{ url: '' }, 'url'],
      [{}, 'url'],
      [{ url: 'https://acme.test/', platform: 'fridge' }, 'platform'],
      [{ url: 'https://acme.test/', platform: 'js' }, 'settings.origin'],
      [
        { url: 'https://acme.test/', platform: 'js', settings: { origin: 'https://acme.test/path' } },
        'settings.origin',
      ],
      [{ url: 'acme://x', platform: 'ios' }, 'settings.bundle_id'],
      [
        { url: 'acme://x', platform: 'android', settings: { package_name: 'p' } },
        'settings.sha1_certificate_fingerprint',
      ],
    ])('is refused: %j', async (draft, field) => {
      const refused = await bare.post(at, draft)
      expect(refused).toMatchObject({ status: 400, body: { error: { type: 'invalid_request_error' } } })
      expect(refused.body.error.message).toContain(`${field}:`)
      expect((await bare.get(at)).body.data).toEqual([])
    })

    test('may have a query only while the application allows it', async () => {
      const tenant = await newTenant()
      const allow = (allow_query_param_in_redirect_uri: boolean) =>
        tenant.patch('/v3/applications', { additional_settings: { allow_query_param_in_redirect_uri } })
      await allow(true)
      const made = await tenant.post(at, { url: 'https://acme.test/callback?tenant=1' })
      expect(made.status).toBe(200)
      await allow(false)
      expect((await tenant.post(at, { url: 'https://acme.test/callback?tenant=2' })).status).toBe(400)
    })

    test('keeps the settings that a change omits, and is validated as a whole', async () => {
      const tenant = await newTenant()
      const { body } = await tenant.post(at, { url: 'acme://x', platform: 'android', settings: { ...android } })
      const one = `${at}/${body.data.id}`
      expect((await tenant.patch(one, { url: 'acme://y' })).body.data).toEqual({ ...body.data, url: 'acme://y' })
      expect((await tenant.patch(one, { platform: 'web' })).status).toBe(400)
      expect((await tenant.patch(one, { settings: {} })).status).toBe(400)
      const spelled = { package_name: 'p', sha_1_certificate_fingerprint: 'CC' }
      expect((await tenant.put(one, { settings: spelled })).body.data.settings).toEqual({
        package_name: 'p',
        sha1_certificate_fingerprint: 'CC',
      })
      await tenant.post(at, { url: 'https://acme.test/taken' })
      expect((await tenant.patch(one, { url: 'https://acme.test/taken' })).status).toBe(409)
    })

    test('can have 2048 bytes in any script, and no more on any store', async () => {
      const tenant = await newTenant()
      // Letters that do not compress, because a store may compress before it measures.
      const letters = (count: number) =>
        Array.from({ length: count }, (_, index) => String.fromCodePoint(0x4e00 + ((index * 7919) % 20_000))).join('')
      const start = 'https://acme.test/'
      expect((await tenant.post(at, { url: start + letters(Math.floor((2048 - start.length) / 3)) })).status).toBe(200)
      expect((await tenant.post(at, { url: start + randomBytes(1015).toString('hex') })).status).toBe(200)
      expect((await tenant.post(at, { url: start + 'x'.repeat(2048) })).status).toBe(400)
      const refused = await tenant.post(at, { url: start + letters(2000) })
      expect(refused.status).toBe(400)
      expect(refused.body.error.message).toContain('url: must not be longer than 2048 bytes')
      const long = Array.from({ length: 100 }, () => randomUUID()).join('.')
      const origins = await tenant.patch('/v3/applications', { idp_settings: { origins: `https://${long}.test` } })
      expect(origins.status).toBe(400)
      const platform = { platform: 'js', settings: { origin: `https://${long.slice(0, 400)}.test` } }
      expect((await tenant.post(at, { url: `${start}js`, ...platform })).status).toBe(400)
    })
  })

  describe('detection', () => {
    const detect = async (tenant: Tenant, email: string, query = '') =>
      tenant.post(`/v3/providers/detect?email=${encodeURIComponent(email)}${query}`)

    test.each([
      ['someone@gmail.com', { provider: 'google' }],
      ['Someone@GoogleMail.COM', { provider: 'google' }],
      ['someone@hotmail.co.uk', { provider: 'microsoft' }],
      ['someone@outlook.com', { provider: 'microsoft' }],
      ['someone@me.com', { provider: 'icloud' }],
      ['someone@ymail.com', { provider: 'yahoo' }],
      ['someone@aol.com', { provider: 'imap', type: 'aol' }],
      ['someone@gmx.de', { provider: 'imap', type: 'gmx' }],
      ['someone@workspace.test', { provider: 'google' }],
      ['someone@tenant.test', { provider: 'microsoft' }],
      ['someone@fast.test', { provider: 'imap', type: 'fastmail' }],
      ['someone@own.test', { provider: 'imap' }],
      ['someone@trick.test', { provider: 'imap' }],
      ["o'dd.na+me@gmail.com", { provider: 'google' }],
      ['a@b@gmail.com', undefined],
    ])('recognizes %s among all providers', async (email, expected) => {
      const answer = await detect(bare, email, '&all_provider_types=true')
      if (!expected) expect(answer.status).toBe(400)
      else expect(answer.body.data).toEqual({ email_address: email, detected: true, ...expected })
    })

    test('returns only providers with a connector unless all are requested', async () => {
      const tenant = await newTenant()
      const hidden = { email_address: 'someone@own.test', detected: false }
      for (const query of ['', '&all_provider_types=false']) {
        expect((await detect(tenant, 'someone@own.test', query)).body.data).toEqual(hidden)
      }
      await tenant.post('/v3/connectors', { provider: 'imap' })
      expect((await detect(tenant, 'someone@own.test')).body.data).toMatchObject({ detected: true, provider: 'imap' })
      expect((await detect(tenant, 'someone@gmail.com')).body.data.detected).toBe(false)
      const sandbox = await service.call('POST', '/v3/providers/detect?email=someone@gmail.com')
      expect(sandbox.body.data).toMatchObject({ detected: true, provider: 'google' })
    })

    test('finds nothing for a domain without mail', async () => {
      const tenant = await newTenant()
      const answer = await detect(tenant, 'someone@nowhere.test', '&all_provider_types=true')
      expect(answer).toMatchObject({ status: 200, body: { data: { detected: false } } })
      expect(answer.body.data).not.toHaveProperty('provider')
    })

    test.each([
      ['nothing', ''],
      ['a name', 'nobody'],
      ['a domain alone', '@gmail.com'],
      ['a name alone', 'a@'],
      ['a domain without a dot', 'a@b'],
      ['a space', 'a b@gmail.com'],
      ['a line end', 'a@gmail.com\n'],
      ['more than 320 letters', `${'x'.repeat(320)}@a.test`],
    ])('refuses %s', async (_, email) => {
      const refused = await detect(bare, email)
      expect(refused).toMatchObject({ status: 400, body: { error: { type: 'invalid_request_error' } } })
      expect(refused.body.error.message).toContain('email')
    })

    test('requires an address, and valid flags', async () => {
      const tenant = await newTenant()
      expect((await tenant.post('/v3/providers/detect')).body.error.message).toContain('email')
      expect((await detect(tenant, 'a@gmail.com', '&all_provider_types=maybe')).status).toBe(400)
    })
  })
})

describe.each(enginesFor(import.meta.url))('the sandbox on %s', (engine) => {
  test('has at most five grants, however many are created concurrently', async () => {
    await using service = await openService({ engine })
    await service.call('POST', '/v3/connectors', { body: { provider: 'virtual-calendar' } })
    const sandbox = tenantOf(service, { id: '', key: service.apiKey })
    const answers = await Promise.all(Array.from({ length: 20 }, (_, number) => sandbox.connect(`user-${number}`)))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(5)
    for (const refused of answers.filter(({ status }) => status !== 201)) {
      expect(refused).toMatchObject({ status: 403, body: { error: { type: 'grant.access_denied' } } })
      expect(refused.body.error.message).toContain('5 grants')
      expect(refused.body.error.message).toContain('waypost apps create')
    }
    const ids = await sandbox.ids()
    expect(ids).toHaveLength(5)

    // At the limit, existing grants can still authenticate again.
    const { body } = await sandbox.get(segment(ids[0] ?? ''))
    expect((await sandbox.connect(body.data.email)).body.data.id).toBe(ids[0])

    // One place is free, and twenty requests compete for it.
    await sandbox.delete(segment(ids[1] ?? ''))
    const late = await Promise.all(Array.from({ length: 20 }, (_, number) => sandbox.connect(`late-${number}`)))
    expect(late.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(late.filter(({ status }) => status === 403)).toHaveLength(19)
    expect(await sandbox.ids()).toHaveLength(5)
  })

  test('exists from the start, with connectors for two providers, and reveals no secret', async () => {
    await using service = await openService({
      engine,
      env: {
        WAYPOST_GOOGLE_CLIENT_ID: 'google-client',
        WAYPOST_GOOGLE_CLIENT_SECRET: 'CANARY-google-secret',
        WAYPOST_MICROSOFT_CLIENT_ID: 'microsoft-client',
        WAYPOST_MICROSOFT_CLIENT_SECRET: 'CANARY-microsoft-secret',
        WAYPOST_MICROSOFT_TENANT: 'acme.test',
        WAYPOST_REGION: 'eu',
      },
    })
    const listed = await service.call('GET', '/v3/connectors')
    const settings = Object.fromEntries(
      listed.body.data.map((item: { provider: string; settings: unknown }) => [item.provider, item.settings]),
    )
    expect(settings).toEqual({
      google: { client_id: 'google-client' },
      microsoft: { client_id: 'microsoft-client', tenant: 'acme.test' },
    })
    for (const item of listed.body.data) expect(item.scope.length).toBeGreaterThan(3)
    const application = await service.call('GET', '/v3/applications')
    expect(application.body.data).toMatchObject({ environment: 'sandbox', region: 'eu', branding: { name: 'Sandbox' } })
    const all = await service.call('GET', '/v3/admin/applications', { admin: true })
    expect(all.body.data).toHaveLength(1)
    expect(all.body.data[0]).toMatchObject({ grant_limit: 5, grant_count: 0 })
    const keys = await service.call('GET', `/v3/admin/applications/${all.body.data[0].application_id}/api-keys`, {
      admin: true,
    })
    expect(keys.body.data).toHaveLength(1)
    const reported = JSON.stringify([listed.body, application.body, all.body, keys.body]) + service.logs()
    expect(reported).not.toMatch(/CANARY/)
  })

  test('has connectors with fixed scopes that cannot be deleted', async () => {
    await using service = await openService({ engine })
    const before = await service.call('GET', '/v3/connectors/google')
    expect(before.body.data.settings).toEqual({})
    for (const body of [{ scope: ['openid'] }, { scopes: ['openid'] }, { name: 'x', scope: [] }]) {
      const refused = await service.call('PATCH', '/v3/connectors/google', { body })
      expect(refused).toMatchObject({ status: 403, body: { error: { type: 'forbidden' } } })
    }
    expect((await service.call('DELETE', '/v3/connectors/microsoft')).status).toBe(403)
    expect((await service.call('GET', '/v3/connectors/google')).body.data).toEqual(before.body.data)
    const named = await service.call('PATCH', '/v3/connectors/google', {
      body: { settings: { client_id: 'mine', client_secret: 's' } },
    })
    expect(named.body.data).toMatchObject({ settings: { client_id: 'mine' }, scope: before.body.data.scope })
  })

  test('is created once: the first start prints its key, and a second start on the same store prints none', async () => {
    const databaseUrl = engine === 'postgresql' ? await freshDatabaseUrl() : undefined
    const env = { WAYPOST_API_KEY: '', WAYPOST_ADMIN_PASSWORD: '' }
    await using first = await openService({ engine, databaseUrl, env })
    const { apiKey: key = '', adminPassword, sandboxId, organizationId } = first.services.administration.installation
    expect(key).toMatch(/^wpk_sandbox_[a-z0-9]{8}_[\w-]{43}_[0-9a-f]{6}$/)
    expect(adminPassword).toMatch(/^[\w-]{43}$/)
    await using second = await openService({ engine, databaseUrl, env, dataDir: first.services.config.dataDir })
    expect(second.services.administration.installation).toEqual({ sandboxId, organizationId, passwordIsSet: false })
    const seen = await second.call('GET', '/v3/applications', { key })
    expect(seen.body.data).toMatchObject({ application_id: sandboxId, organization_id: organizationId })
    expect((await second.call('GET', '/v3/connectors', { key })).body.data).toHaveLength(2)
    const basic = `Basic ${Buffer.from(`admin:${adminPassword}`).toString('base64')}`
    const headers = { authorization: basic }
    const next = { current_password: adminPassword, new_password: 'a heron over the weir' }
    expect((await second.call('PUT', '/v3/admin/password', { key: null, headers, body: next })).status).toBe(200)
    headers.authorization = `Basic ${Buffer.from(`admin:${next.new_password}`).toString('base64')}`
    const all = await second.call('GET', '/v3/admin/applications', { key: null, headers })
    expect(all.body.data).toHaveLength(1)
    expect(first.logs() + second.logs()).not.toContain(key)
  })
})

describe.each(enginesFor(import.meta.url))('a store on %s', (engine) => {
  test('contains no key, password or provider secret in readable form', async () => {
    const { imap } = fakeImap()
    await using service = await openService({
      engine,
      env: { WAYPOST_GOOGLE_CLIENT_SECRET: 'CANARY-google-secret' },
      overrides: { providers: { ...providers, imap } },
    })
    const tenant = tenantOf(service, await service.createApplication())
    await tenant.post('/v3/connectors', { provider: 'imap' })
    await tenant.post('/v3/connect/custom', imapBody('ann@x.test'))
    await tenant.post('/v3/connectors/imap/creds', {
      name: 'second',
      credential_type: 'connector',
      credential_data: { client_id: 'c', client_secret: 'CANARY-client-secret' },
    })
    const made = await service.call('POST', `/v3/admin/applications/${tenant.id}/api-keys`, {
      admin: true,
      body: { name: 'kept answer' },
      headers: { 'idempotency-key': 'one' },
    })
    const { database } = service.services.storage
    const catalogue =
      engine === 'sqlite'
        ? "select name from sqlite_master where type = 'table'"
        : "select table_name as name from information_schema.tables where table_schema = 'public'"
    const tables = await database.all(sql<{ name: string }>('', catalogue))
    expect(tables.length).toBeGreaterThan(8)
    let dump = ''
    for (const { name } of tables) dump += JSON.stringify(await database.all(sql('', `select * from ${name}`)))
    expect(dump).toContain('ann@x.test')
    for (const secret of [service.apiKey, service.adminPassword, tenant.key, made.body.data.api_key]) {
      expect(dump).not.toContain(secret)
      expect(dump).not.toContain(Buffer.from(secret).toString('base64').slice(0, 20))
    }
    expect(dump).not.toMatch(/CANARY/)
  })

  test('is read again by every node: a key that one node revokes is immediately invalid on the other', async () => {
    const databaseUrl = engine === 'postgresql' ? await freshDatabaseUrl() : undefined
    await using one = await openService({ engine, databaseUrl })
    await using other = await openService({ engine, databaseUrl, dataDir: one.services.config.dataDir })
    const tenant = await one.createApplication()
    const keys = `/v3/admin/applications/${tenant.id}/api-keys`
    /** The other node handles a request in a separate task, as it would over a port. */
    const statusAtOther = async (key: string): Promise<number> => {
      await nextTurn()
      return (await other.call('GET', '/v3/grants', { key })).status
    }
    for (let round = 0; round < 5; round++) {
      const { id, api_key: key } = (await one.call('POST', keys, { admin: true, body: { name: 'key' } })).body.data
      expect(await statusAtOther(key)).toBe(200)
      expect((await one.call('DELETE', `${keys}/${id}`, { admin: true })).status).toBe(200)
      expect(await statusAtOther(key)).toBe(401)
    }
    await one.call('PATCH', `/v3/admin/applications/${tenant.id}`, { admin: true, body: { blocked: true } })
    expect(await statusAtOther(tenant.key)).toBe(423)
  })
})

describe.each(enginesFor(import.meta.url))('usage on %s', (engine) => {
  test('counts every verified grant until it is deleted, by month, for administrators and for the command', async () => {
    const databaseUrl = engine === 'postgresql' ? await freshDatabaseUrl() : undefined
    const clock = testClock()
    const start = new Date(clock.now())
    // The command uses the machine's clock, so these months are in its past.
    const months = [0, 1, 2].map((back) =>
      new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() - back, 1)).toISOString().slice(0, 7),
    )
    const firstOf = (back: number) => Date.UTC(start.getUTCFullYear(), start.getUTCMonth() - back, 1)
    clock.advance(firstOf(2) + hour - clock.now())
    const { imap } = fakeImap()
    await using service = await openService({
      engine,
      databaseUrl,
      overrides: { clock, providers: { ...providers, imap } },
    })
    const tenant = tenantOf(service, await service.createApplication('Acme'))
    for (const provider of ['virtual-calendar', 'imap']) await tenant.post('/v3/connectors', { provider })

    const gone = await tenant.grant('gone')
    await tenant.delete(segment(gone.id))
    const retained = await tenant.grant('kept')
    clock.advance(firstOf(1) + hour - clock.now())
    const revoked = await tenant.post('/v3/connect/custom', imapBody('revoked@x.test'))
    await service.call('POST', `/v3/admin/applications/${tenant.id}/grants/${revoked.body.data.id}/revoke`, {
      admin: true,
    })
    const short = await tenant.grant('short')
    clock.advance(firstOf(0) - clock.now() - 1000)
    await tenant.delete(segment(short.id))
    clock.advance(2000)
    await tenant.grant('kept')
    expect((await tenant.get(segment(retained.id))).status).toBe(200)

    const expected = {
      application_id: tenant.id,
      name: 'Acme',
      billed_grants: 2,
      by_provider: { 'virtual-calendar': 1, imap: 1 },
    }
    const byMonth = [
      { month: months[0], billed_grants: 2, by_provider: { 'virtual-calendar': 1, imap: 1 } },
      { month: months[1], billed_grants: 3, by_provider: { 'virtual-calendar': 2, imap: 1 } },
      { month: months[2], billed_grants: 2, by_provider: { 'virtual-calendar': 2 } },
    ]
    const one = await service.call('GET', `/v3/admin/applications/${tenant.id}/usage`, { admin: true })
    expect(one.body.data).toMatchObject(expected)
    expect(one.body.data.months).toHaveLength(12)
    expect(one.body.data.months.slice(0, 3)).toEqual(byMonth)
    expect(one.body.data.months.slice(3).every((month: { billed_grants: number }) => month.billed_grants === 0)).toBe(
      true,
    )
    const listed = await service.call('GET', `/v3/admin/usage?application_id=${tenant.id}`, { admin: true })
    expect(listed.body.data).toEqual([one.body.data])
    const whole = await service.call('GET', '/v3/admin/usage', { admin: true })
    expect(whole.body.data.map(({ name }: { name: string }) => name).sort()).toEqual(['Acme', 'Sandbox'])

    const env: Record<string, string> = {
      WAYPOST_DATA_DIR: service.services.config.dataDir,
      ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}),
    }
    const command = (...words: string[]) => runHere(['grants', 'usage', ...words], env)
    const [printed, all, table] = await Promise.all([
      command('--json', '--app', tenant.id),
      command('--json'),
      command(),
    ])
    expect(JSON.parse(printed.stdout)).toEqual([one.body.data])
    expect(JSON.parse(all.stdout)).toEqual(whole.body.data)
    expect(table.stdout).toMatch(/APPLICATION_ID +NAME +BILLED_GRANTS/)
    expect(table.stdout).toMatch(/Acme +2 /)
  })
})
