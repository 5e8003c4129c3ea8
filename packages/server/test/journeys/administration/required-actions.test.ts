/** Actions required before anything else: changing the first password, and setting up a required second factor. */
import { contract, routesOf } from '@waypost/contract'
import { enginesFor } from '@waypost/testing/engines'
import { sql } from '@waypost/testing/statement'
import { type TestClock, testClock } from '@waypost/testing/test-clock'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { mainMethod, pathOf } from '../../api/pipeline/requests.ts'
import { runHere } from '../../command-line.ts'
import { type Answer, openService, type TestService } from '../../harness.ts'
import {
  accept,
  appCode,
  bare,
  basicOf,
  cookieOf,
  goodPassword,
  invite,
  ownPage,
  type SignedInPerson,
  setUpTotp,
  signedInPerson,
  signInAs,
} from '../../people-setup.ts'
import { furnish } from '../../world/world.ts'

const hour = 3_600_000
const next = 'a heron over the weir'
const typeOf = ({ status, body }: Answer): string | number => body.error?.type ?? status
const setupRequired = 'api.second_factor_setup_required'
const changeRequired = 'api.password_change_required'

/** Calls every route for administrators with the headers of a session, and returns the error types by route id. */
async function callAll(service: TestService, headers: Record<string, string>): Promise<Map<string, string | number>> {
  const world = await furnish(service)
  const routes = routesOf(contract).filter(({ route }) => !['public', 'client'].includes(route.audience))
  const answers = new Map<string, string | number>()
  for (const named of routes) {
    const path = pathOf(named, { ...world.params(named), person_id: 'nobody', session_id: 'none' })
    const about: Record<string, string> =
      named.route.audience === 'administrator' ? {} : { 'x-waypost-application': world.applicationId }
    const body = mainMethod(named) === 'GET' ? {} : { body: { 'no such field': 1 } }
    if (named.id === 'session.delete') continue
    answers.set(
      named.id,
      typeOf(await bare(service, mainMethod(named), path, { headers: { ...headers, ...about }, ...body })),
    )
  }
  return answers
}

describe.each(enginesFor(import.meta.url))('a first password on %s', (engine) => {
  test('that the service generated allows only changing it, and expires after a day', async () => {
    const clock = testClock()
    await using service = await openService({ engine, env: { WAYPOST_ADMIN_PASSWORD: '' }, overrides: { clock } })
    const first = service.adminPassword
    const signIn = (password: string) => bare(service, 'POST', '/v3/admin/session', { body: { password } })
    const opened = await signIn(first)
    expect(opened.body.data).toMatchObject({ person: null, required_action: 'change_password' })
    const headers = { ...ownPage, cookie: cookieOf(opened) }
    const get = (path: string, sent: Record<string, string> = headers) => bare(service, 'GET', path, { headers: sent })
    for (const sent of [headers, basicOf('admin', first)]) {
      expect(typeOf(await get('/v3/admin/applications', sent))).toBe(changeRequired)
      expect(typeOf(await get('/metrics', sent))).toBe(changeRequired)
    }
    expect((await get('/v3/admin/session')).body.data.required_action).toBe('change_password')
    const change = (password: string) =>
      bare(service, 'PUT', '/v3/admin/password', {
        headers,
        body: { current_password: first, new_password: password },
      })
    expect((await change(first)).body.error.validation_errors).toEqual({
      new_password: expect.stringContaining('already'),
    })
    expect((await change(next)).status).toBe(200)
    expect((await get('/v3/admin/session')).body.data.required_action).toBeNull()
    expect((await get('/v3/admin/applications')).status).toBe(200)
    clock.advance(30 * hour)
    expect((await signIn(next)).body.data.required_action).toBeNull()
    expect((await signIn(first)).status).toBe(401)
  })

  test('that was not changed for a day is refused', async () => {
    const clock = testClock()
    await using service = await openService({ engine, env: { WAYPOST_ADMIN_PASSWORD: '' }, overrides: { clock } })
    const password = service.adminPassword
    clock.advance(24 * hour)
    expect((await bare(service, 'POST', '/v3/admin/session', { body: { password } })).status).toBe(401)
    expect((await service.call('GET', '/v3/admin/applications', { admin: true })).status).toBe(401)
  })

  test('that the operator set requires no change', async () => {
    await using service = await openService({ engine })
    const opened = await bare(service, 'POST', '/v3/admin/session', { body: { password: service.adminPassword } })
    expect(opened.body.data.required_action).toBeNull()
    expect((await service.call('GET', '/v3/admin/applications', { admin: true })).status).toBe(200)
  })
})

test("a first password counts as the operator's from the start at which the settings contain it", async () => {
  await using service = await openService({ env: { WAYPOST_ADMIN_PASSWORD: '' } })
  const env = { WAYPOST_ADMIN_PASSWORD: service.adminPassword }
  await using again = await openService({ dataDir: service.services.config.dataDir, env })
  const headers = basicOf('admin', service.adminPassword)
  expect((await bare(again, 'GET', '/v3/admin/applications', { headers })).status).toBe(200)
})

describe.each(enginesFor(import.meta.url))('a required second factor on %s', (engine) => {
  let clock: TestClock
  let service: TestService
  let owner: SignedInPerson
  beforeAll(async () => {
    clock = testClock()
    service = await openService({ engine, overrides: { clock } })
    owner = await signedInPerson(service, { email: 'owner@example.com', role: 'owner' })
  })
  afterAll(() => service[Symbol.asyncDispose]())

  const require = (roles: string[], more: object = {}) =>
    owner.call('PATCH', '/v3/admin/installation', { body: { second_factor_required_for: roles, ...more } })

  test("can be set by owners who have one, and for owners once the installation's password is off", async () => {
    const administrator = await signedInPerson(service, { email: 'climber@example.com', role: 'administrator' })
    const body = { second_factor_required_for: [] }
    expect((await administrator.call('PATCH', '/v3/admin/installation', { body })).status).toBe(403)
    expect((await owner.call('PATCH', '/v3/admin/installation', { body: {} })).status).toBe(400)
    expect((await require(['visitor'])).status).toBe(400)
    const without = await require(['viewer'])
    expect([without.status, without.body.error.message]).toEqual([409, expect.stringContaining('for yourself first')])
    await setUpTotp(owner, () => clock.now())
    expect((await require(['viewer'])).body.data.second_factor_required_for).toEqual(['viewer'])
    const bypass = await require(['owner'])
    expect([bypass.status, bypass.body.error.message]).toEqual([409, expect.stringContaining('turn off')])
    // The refused requests changed nothing.
    expect((await owner.call('GET', '/v3/admin/installation')).body.data).toMatchObject({
      second_factor_required_for: ['viewer'],
      installation_password: true,
    })
    const all = await require(['viewer', 'owner', 'administrator'], { installation_password: false })
    expect(all.body.data).toMatchObject({
      second_factor_required_for: ['owner', 'administrator', 'viewer'],
      installation_password: false,
    })
    const on = await owner.call('PATCH', '/v3/admin/installation', { body: { installation_password: true } })
    expect(on.status).toBe(409)
    expect((await require([], { installation_password: true })).body.data).toMatchObject({
      second_factor_required_for: [],
      installation_password: true,
    })
  })

  test('limits people without one to setting it up, in open sessions too', async () => {
    const viewer = await signedInPerson(service, { email: 'limited@example.com', role: 'viewer' })
    expect((await viewer.call('GET', '/v3/admin/applications')).status).toBe(200)
    expect((await require(['viewer'])).status).toBe(200)
    expect((await viewer.call('GET', '/v3/admin/session')).body.data.required_action).toBe('set_up_second_factor')
    const answers = await callAll(service, viewer.headers)
    const allowed = ['account.get', 'account.beginTotp', 'account.confirmTotp', 'session.get']
    expect(
      [...answers]
        .filter(([, type]) => type !== setupRequired)
        .map(([id]) => id)
        .toSorted(),
    ).toEqual(allowed.toSorted())
    const again = await signInAs(service, { email: viewer.email })
    expect(again.body.data.required_action).toBe('set_up_second_factor')
    const basic = basicOf(viewer.email, goodPassword)
    expect(typeOf(await bare(service, 'GET', '/v3/admin/applications', { headers: basic }))).toBe(setupRequired)
    expect(typeOf(await bare(service, 'GET', '/metrics', { headers: basic }))).toBe(setupRequired)
    expect(typeOf(await viewer.call('GET', '/dashboard/hosted-preview'))).toBe(setupRequired)
    // Others are not limited.
    const administrator = await signedInPerson(service, { email: 'free@example.com', role: 'administrator' })
    expect((await administrator.call('GET', '/v3/admin/applications')).status).toBe(200)

    const { recoveryCodes } = await setUpTotp(viewer, () => clock.now())
    expect((await viewer.call('GET', '/v3/admin/applications')).status).toBe(200)
    const removed = await viewer.call('POST', '/v3/admin/account/totp/remove', {
      body: { current_password: goodPassword },
    })
    expect([removed.status, removed.body.error.message]).toEqual([409, expect.stringContaining('your role needs')])
    const recovered = await signInAs(service, { email: viewer.email, code: recoveryCodes[0] })
    expect(recovered.body.data.required_action).toBeNull()
    await require([])
  })

  test('limits a person who is invited or gets the role until they set it up', async () => {
    await require(['administrator'])
    const { token } = await invite(service, { email: 'late@example.com', role: 'administrator' })
    expect((await accept(service, { token })).body.data.required_action).toBe('set_up_second_factor')
    const viewer = await signedInPerson(service, { email: 'promoted@example.com', role: 'viewer' })
    expect((await viewer.call('GET', '/v3/admin/applications')).status).toBe(200)
    await owner.call('PATCH', `/v3/admin/people/${viewer.id}`, { body: { role: 'administrator' } })
    expect(typeOf(await viewer.call('GET', '/v3/admin/applications'))).toBe(setupRequired)
    await require([])
  })

  test('that was lost can be removed by another owner and set up again; owners cannot remove their own', async () => {
    const other = await signedInPerson(service, { email: 'second-owner@example.com', role: 'owner' })
    await setUpTotp(other, () => clock.now())
    await require(['owner'], { installation_password: false })
    const own = await owner.call('DELETE', `/v3/admin/people/${owner.id}/totp`)
    expect([own.status, own.body.error.message]).toEqual([409, expect.stringContaining('your role needs')])
    expect((await owner.call('DELETE', `/v3/admin/people/${other.id}/totp`)).status).toBe(200)
    expect((await signInAs(service, { email: other.email })).body.data.required_action).toBe('set_up_second_factor')
    await require([], { installation_password: true })
  })
})

test("a command on the service's machine lifts a required second factor for a locked-out owner", async () => {
  const clock = testClock()
  // Commands hash passwords at full cost, and the service must use the same.
  const passwordCost = { memory: 19_456, passes: 2 }
  await using service = await openService({ engine: 'sqlite', overrides: { clock, passwordCost } })
  const owner = await signedInPerson(service, { email: 'owner@example.com', role: 'owner' })
  await setUpTotp(owner, () => clock.now())
  const body = { second_factor_required_for: ['owner', 'administrator', 'viewer'], installation_password: false }
  expect((await owner.call('PATCH', '/v3/admin/installation', { body })).status).toBe(200)
  const env = { WAYPOST_DATA_DIR: service.services.config.dataDir }
  const run = (...args: string[]) => runHere([...args, '--json'], env)
  const json = async (...args: string[]) => JSON.parse((await run(...args)).stdout)
  expect((await run('people', 'second-factor', 'captain')).code).toBe(2)
  expect(await json('people', 'second-factor', 'owner, viewer')).toEqual({
    second_factor_required_for: ['owner', 'viewer'],
  })
  expect(await json('people', 'second-factor', 'none')).toEqual({ second_factor_required_for: [] })
  expect(await json('dashboard', 'password', 'on')).toEqual({ installation_password: true })
  const refused = await run('people', 'second-factor', 'all')
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('turn off the installation password')])
  const made = await json('dashboard', 'password', 'new')
  const opened = await bare(service, 'POST', '/v3/admin/session', { body: { password: made.password } })
  expect(opened.body.data.required_action).toBe('change_password')
  const audit = await owner.call('GET', '/v3/admin/audit?actor=command')
  expect(audit.body.data.map(({ action }: { action: string }) => action)).toEqual(
    expect.arrayContaining(['installation.update', 'session.password']),
  )
})

describe.each(enginesFor(import.meta.url))('recovery codes on %s', (engine) => {
  const stored = sql<{ hash: string }>('test.codes', 'select hash from recovery_codes where person_id = $1')
  const replace = sql('test.replaceCode', 'update recovery_codes set hash = $3 where person_id = $1 and hash = $2')

  test('are stored with a salt and a slow hash, and those of an earlier version are upgraded on use', async () => {
    const clock = testClock()
    await using service = await openService({ engine, overrides: { clock } })
    const { database } = service.services.storage
    const person = await signedInPerson(service, { email: 'codes@example.com', role: 'viewer' })
    const twin = await signedInPerson(service, { email: 'twin@example.com', role: 'viewer' })
    const { recoveryCodes, secret } = await setUpTotp(person, () => clock.now())
    await setUpTotp(twin, () => clock.now())
    const hashes = async (id: string) => (await database.all(stored, [id])).map(({ hash }) => hash)
    const salts = async (id: string) => new Set((await hashes(id)).map((hash) => hash.split('.')[0]))
    expect(await hashes(person.id)).toHaveLength(10)
    for (const hash of await hashes(person.id)) expect(hash).toMatch(/^[\w+/]{22}==\.[\w+/]{43}=$/)
    expect((await salts(person.id)).intersection(await salts(twin.id)).size).toBe(0)

    // As an earlier version stored them.
    const { hashKey } = await import('../../../src/applications/api-keys.ts')
    const old = recoveryCodes.map((code) => hashKey(code.replaceAll('-', '')))
    for (const [at, hash] of (await hashes(person.id)).entries())
      await database.run(replace, [person.id, hash, old[at] ?? ''])
    const signIn = async (code: string) => (await signInAs(service, { email: person.email, code })).status
    const [first = '', second = '', third = ''] = recoveryCodes
    expect(await signIn(first)).toBe(200)
    expect(await signIn(first)).toBe(401)
    expect((await hashes(person.id)).every((hash) => hash.includes('.'))).toBe(true)
    const both = await Promise.all([signIn(second), signIn(second)])
    expect(both.toSorted()).toEqual([200, 401])
    expect(await signIn(third.toUpperCase())).toBe(200)
    expect(await hashes(person.id)).toHaveLength(7)
    clock.advance(hour)
    expect(await signIn(appCode(secret, clock.now()))).toBe(200)
  })
})
