/** Restricted API keys on two nodes over one PostgreSQL: created, changed, withdrawn, and limited in every way. */
import { randomBytes, randomUUID } from 'node:crypto'
import { findKeyHolder, getApiKey } from '@waypost/store/tables/applications/api-keys'
import { countMessages } from '@waypost/store/tables/applications/credential-messages'
import { isCheck } from '@waypost/testing/level'
import { migratedDatabase } from '@waypost/testing/peers/database-url'
import { testClock } from '@waypost/testing/test-clock'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hashKey } from '../../../src/applications/api-keys.ts'
import { openService, type TestService } from '../../harness.ts'

// `npm test` has no store that nodes share: both are one.
describe('restricted keys on two nodes', () => {
  const open = new AsyncDisposableStack()
  const clock = testClock()
  let nodes: readonly [TestService, TestService]
  let application: { id: string; key: string }
  let grantId: string
  let otherId: string

  beforeAll(async () => {
    const store = isCheck ? { databaseUrl: open.use(await migratedDatabase()).url } : {}
    const env = { WAYPOST_SECRET_KEY: randomBytes(32).toString('base64'), WAYPOST_TRUSTED_PROXIES: '127.0.0.1' }
    const start = async (): Promise<TestService> => open.use(await openService({ ...store, env, overrides: { clock } }))
    const first = await start()
    nodes = [first, isCheck ? await start() : first]
    application = await nodes[0].createApplication('Agents')
    grantId = (await nodes[0].createGrant('ada@virtual.test', application.key)).id
    otherId = (await nodes[0].createGrant('ben@virtual.test', application.key)).id
  })
  afterAll(() => open.disposeAsync())

  const keys = (): string => `/v3/admin/applications/${application.id}/api-keys`
  const admin = (method: string, path: string, body?: unknown) => nodes[0].call(method, path, { admin: true, body })
  const create = async (rights: object, more: object = {}) => {
    const answer = await admin('POST', keys(), { name: 'Assistant', rights, ...more })
    expect([answer.status, answer.body.error]).toEqual([200, undefined])
    return answer.body.data
  }
  /** The statuses of a request on both nodes. */
  const onBoth = (method: string, path: string, key: string): Promise<number[]> =>
    Promise.all(nodes.map(async (node) => (await node.call(method, path, { key })).status))

  test('a key is created with its rights, shown without its secret, and listed next to others', async () => {
    const { api_key: key, ...made } = await create({ operations: ['mail.read', 'mcp'], recipients: ['Example.com'] })
    expect(key).toMatch(/^wprk_production_[a-z2-9]{8}_[\w-]{43}_[0-9a-f]{6}$/)
    expect(made).toMatchObject({
      hint: expect.stringMatching(/^wprk_production_[a-z2-9]{8}…$/),
      permissions: ['mail.read', 'mcp'],
      rights: {
        ...{ operations: ['mail.read', 'mcp'], recipients: ['Example.com'] },
        ...{ approval: ['send', 'delete', 'invite'], elicitation: true },
      },
    })
    expect((await admin('GET', `${keys()}/${made.id}`)).body.data).toEqual(made)
    const listed = (await admin('GET', keys())).body.data
    expect(listed).toContainEqual(made)
    expect(listed).toContainEqual(expect.objectContaining({ permissions: ['all'], rights: null }))
  })

  test.each([
    ['operations', { operations: [] }],
    ['operations.0', { operations: ['mail.everything'] }],
    ['grants', { operations: ['webhooks'], grants: { metadata: { team: 'one' } } }],
    ['grants', { operations: ['administration'], grants: { metadata: { team: 'one' } } }],
    ['grants', { operations: ['mail.read'], grants: { metadata: { a: '1', b: '2' } } }],
    ['grants.ids.0', { operations: ['mail.read'], grants: { ids: [randomUUID()] } }],
    ['networks.1', { operations: ['mail.read'], networks: ['10.0.0.0/8', '10.0.0.0/33'] }],
    ['networks.0', { operations: ['mail.read'], networks: ['example.com'] }],
    ['recipients.0', { operations: ['mail.send'], recipients: ['not an address'] }],
    ['messages_per_hour', { operations: ['mail.send'], messages_per_hour: 0 }],
    ['approval.0', { operations: ['mail.send'], approval: ['read'] }],
  ])('wrong rights are refused, and the error names %s', async (field, rights) => {
    const answer = await admin('POST', keys(), { name: 'Wrong', rights })
    expect(answer.status).toBe(400)
    expect(Object.keys(answer.body.error.validation_errors).join()).toContain(`rights.${field}`)
  })

  test.each([
    ['permissions', { permissions: ['mail.read'] }],
    ['right', { right: { operations: ['mail.read'] } }],
    ['messages_per_hour', { rights: { operations: ['mail.send'] }, messages_per_hour: 5 }],
    ['rights.recipient', { rights: { operations: ['mail.send'], recipient: ['example.com'] } }],
    ['rights.grant', { rights: { operations: ['mail.send'], grant: { ids: ['a'] } } }],
    ['rights.message_per_hour', { rights: { operations: ['mail.send'], message_per_hour: 5 } }],
    ['rights.grants', { rights: { operations: ['mail.send'], grants: { ids: ['a'], metadata: { team: 'one' } } } }],
  ])('a misspelled limit makes no key and changes none: %s', async (field, body) => {
    const { id } = await create({ operations: ['mail.read'] })
    const before = (await admin('GET', keys())).body.data
    for (const answer of [
      await admin('POST', keys(), { name: 'Misspelled', ...body }),
      await admin('PATCH', `${keys()}/${id}`, { name: 'Misspelled', ...body }),
    ]) {
      expect([answer.status, Object.keys(answer.body.error.validation_errors)]).toEqual([400, [field]])
    }
    expect((await admin('GET', keys())).body.data).toEqual(before)
  })

  test('name and rights change; a key with all rights keeps them, and a revoked key changes no more', async () => {
    const { id } = await create({ operations: ['mail.read'] })
    const path = `${keys()}/${id}`
    const changed = await admin('PATCH', path, {
      name: 'Reader',
      rights: { operations: ['contacts.read'], approval: [] },
    })
    expect(changed.body.data).toMatchObject({ name: 'Reader', rights: { operations: ['contacts.read'], approval: [] } })
    expect((await admin('PATCH', path, { name: 'Again' })).body.data).toMatchObject({
      name: 'Again',
      rights: { operations: ['contacts.read'] },
    })
    expect((await admin('PATCH', path, {})).status).toBe(400)
    expect((await admin('PATCH', path, { rights: null })).status).toBe(400)
    expect((await admin('PATCH', path, { rights: { operations: ['mail.read'], networks: ['x'] } })).status).toBe(400)
    const listed: { id: string; rights: object | null }[] = (await admin('GET', keys())).body.data
    const whole = listed.find(({ rights }) => rights === null) ?? { id: '' }
    const refused = await admin('PATCH', `${keys()}/${whole.id}`, { rights: { operations: ['mail.read'] } })
    expect([refused.status, refused.body.error.message]).toEqual([409, expect.stringContaining('has all rights')])
    expect((await admin('PATCH', `${keys()}/${whole.id}`, { name: 'Main' })).body.data).toMatchObject({ rights: null })
    await admin('DELETE', path)
    expect((await admin('PATCH', path, { name: 'Late' })).status).toBe(404)
    const audit = await admin('GET', `/v3/admin/audit?application_id=${application.id}&action=apiKeys.update`)
    expect(audit.body.data).toContainEqual(
      expect.objectContaining({ action: 'apiKeys.update', target: id, status: 200 }),
    )
  })

  test('a withdrawn right, grant or key takes effect on the next request on each node', async () => {
    const { id, api_key: key } = await create({ operations: ['calendar.read'] })
    const change = (rights: object) => admin('PATCH', `${keys()}/${id}`, { rights })
    const calendars = `/v3/grants/${grantId}/calendars`
    for (let round = 0; round < 3; round++) {
      await change({ operations: ['calendar.read'] })
      expect(await onBoth('GET', calendars, key)).toEqual([200, 200])
      await change({ operations: ['mail.read'] })
      expect(await onBoth('GET', calendars, key)).toEqual([403, 403])
      await change({ operations: ['calendar.read'], grants: { ids: [otherId] } })
      expect(await onBoth('GET', calendars, key)).toEqual([404, 404])
    }
    await change({ operations: ['calendar.read'] })
    expect(await onBoth('GET', calendars, key)).toEqual([200, 200])
    await admin('DELETE', `${keys()}/${id}`)
    expect(await onBoth('GET', calendars, key)).toEqual([401, 401])
  })

  test('a node of version 1.1.0 does not find the key, because it hashes it in another way', async () => {
    const { id, api_key: key } = await create({ operations: ['mail.read'] })
    const {
      storage: { database },
    } = nodes[0].services
    // The lookup of 1.1.0: the plain SHA-256 of the key.
    expect(await findKeyHolder(database, hashKey(key))).toBeUndefined()
    expect((await getApiKey(database, application.id, id))?.hash).not.toBe(hashKey(key))
    const whole = (await admin('POST', keys(), { name: 'Whole' })).body.data
    expect(await findKeyHolder(database, hashKey(whole.api_key))).toMatchObject({ key_id: whole.id })
  })

  test('the last use is recorded, and an expired key is refused', async () => {
    const { id, api_key: key } = await create({ operations: ['calendar.read'] }, { expires_in: 1 })
    expect(await onBoth('GET', '/v3/grants', key)).toEqual([200, 200])
    await nodes[0].services.telemetry.keyUse.flush()
    expect((await admin('GET', `${keys()}/${id}`)).body.data.last_used_at).toBe(Math.floor(clock.now() / 1000))
    clock.advance(86_400_001)
    expect(await onBoth('GET', '/v3/grants', key)).toEqual([401, 401])
  })

  test('a key works only from its networks, as a trusted proxy names the client', async () => {
    const { api_key: key } = await create({ operations: ['mail.read'], networks: ['203.0.113.0/24', '2001:db8::/32'] })
    const url = await nodes[0].listen()
    const from = async (address: string) => {
      const headers = { authorization: `Bearer ${key}`, 'x-forwarded-for': address }
      const answer = await fetch(`${url}/v3/grants`, { headers })
      const { error } = (await answer.json()) as { error?: { type: string } }
      return [answer.status, error?.type]
    }
    const refused = [403, 'api.network_not_allowed']
    expect(await from('203.0.113.7')).toEqual([200, undefined])
    expect(await from('2001:db8::1')).toEqual([200, undefined])
    expect(await from('::ffff:203.0.113.7')).toEqual([200, undefined])
    expect(await from('203.0.114.7')).toEqual(refused)
    // Entries that the client itself wrote before the proxy's entry do not count.
    expect(await from('203.0.113.7, 198.51.100.1')).toEqual(refused)
    expect((await nodes[1].call('GET', '/v3/grants', { key })).status).toBe(403)
  })

  test('messages per hour are counted over both nodes, and of 30 concurrent messages exactly the limit is accepted', async () => {
    const at = { applicationId: application.id, credentialId: randomUUID() }
    const now = Date.parse('2026-11-18T12:00:00Z')
    const count = (n: number, time: number, many = 1) =>
      countMessages((nodes[n % 2] ?? nodes[0]).services.storage.database, at, { count: many, max: 10, now: time })
    const counted = await Promise.all(Array.from({ length: 30 }, (_, n) => count(n, now + n)))
    expect(counted.filter((each) => each.counted)).toHaveLength(10)
    const refused = await count(0, now + 1000)
    expect(refused).toEqual({ counted: false, waitMs: expect.any(Number) })
    const wait = refused.counted ? 0 : refused.waitMs
    expect(wait).toBeGreaterThan(3_590_000)
    // No hour has more than the limit.
    expect(await count(1, now + 3_599_000)).toMatchObject({ counted: false })
    expect(await count(1, now + 1000 + wait, 11)).toMatchObject({ counted: false })
    expect(await count(1, now + 1000 + wait, 10)).toEqual({ counted: true })
  })
})
