/** Sessions of people: listed, ended, checked at every request; and the last owner, who always remains. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { enginesFor } from '@waypost/testing/engines'
import { migratedDatabase } from '@waypost/testing/peers/database-url'
import { type TestClock, testClock } from '@waypost/testing/test-clock'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeLink } from '../../../src/applications/admin-sessions.ts'
import { openService, type TestService } from '../../harness.ts'
import {
  bare,
  basicOf,
  cookieOf,
  goodPassword,
  invite,
  ownPage,
  type SignedInPerson,
  signedInPerson,
  signInAs,
} from '../../people-setup.ts'

interface Listed {
  id: string
  person: { id: string } | null
  current: boolean
}

describe.each(enginesFor(import.meta.url))('sessions of people on %s', (engine) => {
  let clock: TestClock
  let service: TestService
  /** Another node on the same store, if the store is shared. */
  let second: TestService
  let owner: SignedInPerson
  const held = new AsyncDisposableStack()

  beforeAll(async () => {
    clock = testClock()
    const url = engine === 'postgresql' ? held.use(await migratedDatabase()).url : undefined
    const place = { engine, overrides: { clock }, ...(url ? { databaseUrl: url } : {}) }
    service = held.use(await openService(place))
    second = url ? held.use(await openService({ ...place, dataDir: service.services.config.dataDir })) : service
    owner = await signedInPerson(service, { email: 'owner@example.com', role: 'owner' })
  })
  afterAll(() => held.disposeAsync())

  const listed = async (person: SignedInPerson, query = ''): Promise<Listed[]> =>
    (await person.call('GET', `/v3/admin/sessions${query}`)).body.data
  const onOther = (person: SignedInPerson) => bare(second, 'GET', '/v3/admin/session', { headers: person.headers })

  test('everybody sees their own with its origin, and owners see all and can end each', async () => {
    const viewer = await signedInPerson(service, { email: 'listed@example.com', role: 'viewer' })
    await signInAs(service, { email: viewer.email }, { 'user-agent': `Browser/1\u0085${'x'.repeat(400)}` })
    const own = await listed(viewer)
    expect(own).toHaveLength(2)
    expect(own.map(({ person }) => person?.id)).toEqual([viewer.id, viewer.id])
    expect(own.filter(({ current }) => current)).toHaveLength(1)
    expect(own.find(({ current }) => !current)).toMatchObject({
      way: 'password',
      user_agent: expect.stringMatching(/^Browser\/1 x{246}$/),
      seen_at: Math.floor(clock.now() / 1000),
    })
    expect((await viewer.call('GET', '/v3/admin/sessions?everybody=true')).status).toBe(403)
    expect((await viewer.call('GET', `/v3/admin/sessions?person_id=${owner.id}`)).status).toBe(403)
    const owners = await listed(owner)
    const foreign = await viewer.call('DELETE', `/v3/admin/sessions/${owners[0]?.id}`)
    expect(foreign.status).toBe(404)
    expect((await listed(owner, '?everybody=true&limit=200')).length).toBeGreaterThan(2)
    const theirs = await listed(owner, `?person_id=${viewer.id}`)
    expect(theirs.map(({ id }) => id).toSorted()).toEqual(own.map(({ id }) => id).toSorted())
    const current = own.find((each) => each.current)?.id
    expect((await owner.call('DELETE', `/v3/admin/sessions/${current}`)).status).toBe(200)
    expect((await onOther(viewer)).status).toBe(401)
    expect((await owner.call('DELETE', `/v3/admin/sessions/${current}`)).status).toBe(404)
  })

  test('signing out everywhere ends only the sessions of that person', async () => {
    const viewer = await signedInPerson(service, { email: 'everywhere@example.com', role: 'viewer' })
    const other = cookieOf(await signInAs(service, { email: viewer.email }))
    expect((await viewer.call('DELETE', '/v3/admin/sessions')).status).toBe(200)
    expect((await bare(service, 'GET', '/v3/admin/session', { headers: { cookie: other } })).status).toBe(401)
    expect((await owner.call('GET', '/v3/admin/session')).status).toBe(200)
  })

  test("every sign-in gets a new token, and ends the browser's previous session", async () => {
    const viewer = await signedInPerson(service, { email: 'fixed@example.com', role: 'viewer' })
    const planted = `waypost=${'a'.repeat(43)}`
    const fresh = cookieOf(await signInAs(service, { email: viewer.email }, { cookie: planted }))
    expect(fresh).not.toBe(planted)
    expect((await bare(service, 'GET', '/v3/admin/session', { headers: { cookie: planted } })).status).toBe(401)
    await signInAs(service, { email: viewer.email }, { cookie: viewer.headers.cookie ?? '' })
    expect((await viewer.call('GET', '/v3/admin/session')).status).toBe(401)
  })

  test('a changed role applies from the next request, on every node', async () => {
    const person = await signedInPerson(service, { email: 'role@example.com', role: 'administrator' })
    const change = (body: object) => owner.call('PATCH', `/v3/admin/people/${person.id}`, { body })
    const create = () =>
      bare(second, 'POST', '/v3/admin/applications', { headers: person.headers, body: { name: 'Made' } })
    expect((await create()).status).toBe(201)
    await change({ role: 'viewer' })
    expect((await create()).status).toBe(403)
    expect((await onOther(person)).body.data.rights).toMatchObject({ role: 'viewer', customer_data: false })
    const { sandboxId } = service.services.administration.installation
    await change({ role: 'administrator', applications: [sandboxId] })
    expect((await create()).status).toBe(403)
    expect((await onOther(person)).body.data.rights.applications).toEqual([sandboxId])
    expect((await change({ applications: ['nowhere'] })).status).toBe(400)
    expect((await change({ role: 'owner', applications: [sandboxId] })).status).toBe(400)
    expect((await change({ role: 'owner' })).body.data.applications).toBe('all')
    await change({ role: 'viewer' })
  })

  test('a blocked or removed person loses access immediately, on every node and in every way', async () => {
    const person = await signedInPerson(service, { email: 'blocked@example.com', role: 'administrator' })
    const path = `/v3/admin/people/${person.id}`
    expect((await owner.call('PATCH', path, { body: { blocked: true } })).body.data.state).toBe('blocked')
    expect((await onOther(person)).status).toBe(401)
    const refused = await signInAs(second, { email: person.email })
    const unknown = await signInAs(second, { email: 'nobody@example.com' })
    expect([refused.status, refused.body.error]).toEqual([401, unknown.body.error])
    const basic = { key: null, headers: basicOf(person.email, goodPassword) }
    expect((await second.call('GET', '/v3/admin/applications', basic)).status).toBe(401)
    expect((await owner.call('POST', `${path}/invitation`)).status).toBe(409)
    await owner.call('PATCH', path, { body: { blocked: false } })
    expect((await signInAs(service, { email: person.email })).status).toBe(200)
    const again = cookieOf(await signInAs(service, { email: person.email }))
    expect((await owner.call('DELETE', path)).status).toBe(200)
    expect((await bare(second, 'GET', '/v3/admin/session', { headers: { cookie: again } })).status).toBe(401)
    expect((await signInAs(service, { email: person.email })).status).toBe(401)
    const { data } = (await owner.call('GET', `/v3/admin/audit?person_id=${person.id}`)).body
    expect(data.length).toBeGreaterThan(0)
    expect(data[0]).toMatchObject({ person_id: person.id, person_name: person.email, action: 'session.create' })
  })

  test('a blocked invitation cannot be accepted', async () => {
    const { person, token } = await invite(service, { email: 'never@example.com', role: 'owner' })
    await owner.call('PATCH', `/v3/admin/people/${person.id}`, { body: { blocked: true } })
    const body = { token, password: goodPassword }
    expect((await bare(service, 'POST', '/v3/admin/invitation/accept', { body })).status).toBe(404)
  })

  test('the last owner who can sign in cannot be removed, and an invited owner does not count', async () => {
    await invite(service, { email: 'not-yet@example.com', role: 'owner' })
    const path = `/v3/admin/people/${owner.id}`
    for (const requested of [
      { method: 'PATCH', body: { role: 'administrator' } },
      { method: 'PATCH', body: { blocked: true } },
      { method: 'DELETE' },
    ]) {
      const { method, ...options } = requested
      expect((await owner.call(method, path, options)).status).toBe(409)
      expect((await service.call(method, path, { admin: true, ...options })).status).toBe(409)
    }
    expect((await owner.call('GET', path)).body.data).toMatchObject({ role: 'owner', state: 'active' })
    expect((await owner.call('GET', '/v3/admin/session')).status).toBe(200)
  })

  test('owners who remove, block and demote each other concurrently leave one owner', async () => {
    for (let round = 0; round < 4; round++) {
      const others: SignedInPerson[] = []
      for (const name of ['a', 'b', 'c']) {
        others.push(await signedInPerson(service, { email: `${name}${round}@race.example.com`, role: 'owner' }))
      }
      const all = [owner, ...others]
      const ways = [
        { method: 'DELETE' },
        { method: 'PATCH', body: { blocked: true } },
        { method: 'PATCH', body: { role: 'viewer' } },
      ]
      const answers = await Promise.all(
        all.map((person, at) => {
          const { method, ...options } = ways[(at + round) % ways.length] ?? { method: 'DELETE' }
          const from = at % 2 === 0 ? service : second
          return from.call(method, `/v3/admin/people/${person.id}`, { admin: true, ...options })
        }),
      )
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 409])
      const { data } = (await service.call('GET', '/v3/admin/people?role=owner&state=active', { admin: true })).body
      expect(data).toHaveLength(1)
      const survivor = all.find(({ id }) => id === data[0].id)
      if (!survivor) throw new Error('nobody is left')
      owner = survivor
    }
  })

  test("the installation's password can be switched off once an owner can sign in, and its sessions end", async () => {
    const before = cookieOf(
      await bare(service, 'POST', '/v3/admin/session', { body: { password: service.adminPassword } }),
    )
    const patch = (on: boolean) =>
      owner.call('PATCH', '/v3/admin/installation', { body: { installation_password: on } })
    expect((await patch(false)).body.data).toEqual({
      installation_password: false,
      password_of_settings: true,
      second_factor_required_for: [],
    })
    const ways = await service.call('GET', '/v3/admin/session/ways', { key: null })
    expect(ways.body.data.installation_password).toBe(false)
    expect((await bare(second, 'GET', '/v3/admin/session', { headers: { cookie: before } })).status).toBe(401)
    expect((await second.call('GET', '/v3/admin/applications', { admin: true })).status).toBe(401)
    const body = { password: service.adminPassword }
    expect((await bare(service, 'POST', '/v3/admin/session', { body })).status).toBe(401)
    const link = await makeLink(service.services.storage.database, clock.now())
    const byLink = await bare(service, 'POST', '/v3/admin/session', { body: { link } })
    expect(byLink.body.data).toMatchObject({ person: null, rights: { role: 'owner' } })
    const headers = { ...ownPage, cookie: cookieOf(byLink) }
    expect((await service.call('GET', '/v3/admin/people', { key: null, headers })).status).toBe(200)
    expect((await patch(true)).body.data.installation_password).toBe(true)
    expect((await service.call('GET', '/v3/admin/applications', { admin: true })).status).toBe(200)
  })

  test('a sign-in that started before a password change gets no session', async () => {
    const person = await signedInPerson(service, { email: 'overtaken@example.com', role: 'viewer' })
    const put = person.call('PUT', '/v3/admin/password', {
      body: { current_password: goodPassword, new_password: 'nine-herons-by-the-lock' },
    })
    const signing = Promise.all(Array.from({ length: 6 }, () => signInAs(second, { email: person.email })))
    expect((await put).status).toBe(200)
    await nextTurn()
    for (const answer of await signing) {
      if (answer.status !== 200) continue
      const headers = { cookie: cookieOf(answer) }
      // Started before the change, and ended by it.
      expect((await bare(service, 'GET', '/v3/admin/session', { headers })).status).toBe(401)
    }
    expect((await signInAs(service, { email: person.email })).status).toBe(401)
  })
})

test("the installation's password stays on without an owner who can sign in", async () => {
  await using service = await openService()
  await invite(service, { email: 'invited@example.com', role: 'owner' })
  const off = { admin: true, body: { installation_password: false } }
  expect((await service.call('PATCH', '/v3/admin/installation', off)).status).toBe(409)
  expect((await service.call('GET', '/v3/admin/applications', { admin: true })).status).toBe(200)
})

test('only owners can end all sessions of a person, or of everybody', async () => {
  await using service = await openService()
  const owner = await signedInPerson(service, { email: 'ender@example.com', role: 'owner' })
  const one = await signedInPerson(service, { email: 'ended@example.com', role: 'administrator' })
  const other = await signedInPerson(service, { email: 'bystander@example.com', role: 'administrator' })
  const end = (person: typeof owner, query: string) => person.call('DELETE', `/v3/admin/sessions?${query}`)
  expect((await end(other, `person_id=${one.id}`)).status).toBe(403)
  expect((await end(other, 'everybody=true')).status).toBe(403)
  expect((await end(owner, 'person_id=nobody')).status).toBe(404)
  const ended = await end(owner, `person_id=${one.id}`)
  expect([ended.status, ended.headers.get('set-cookie')]).toEqual([200, null])
  const statuses = () =>
    Promise.all([owner, one, other].map(async (each) => (await each.call('GET', '/v3/admin/session')).status))
  expect(await statuses()).toEqual([200, 401, 200])
  expect((await end(owner, 'everybody=true')).status).toBe(200)
  expect(await statuses()).toEqual([401, 401, 401])
})
