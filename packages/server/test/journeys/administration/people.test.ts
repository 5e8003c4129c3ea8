/** People who administer the service: invited by a link, with their own password and second factor. */
import { createWaypost } from '@waypost/sdk'
import { enginesFor } from '@waypost/testing/engines'
import { type TestClock, testClock } from '@waypost/testing/test-clock'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openService, type TestService } from '../../harness.ts'
import {
  accept,
  appCode,
  bare,
  basicOf,
  cookieOf,
  goodPassword,
  invite,
  ownPage,
  setUpTotp,
  signedInPerson,
  signInAs,
} from '../../people-setup.ts'

const day = 86_400_000
const minute = 60_000

describe.each(enginesFor(import.meta.url))('people on %s', (engine) => {
  let clock: TestClock
  let service: TestService
  beforeAll(async () => {
    clock = testClock()
    service = await openService({ engine, overrides: { clock } })
    await signedInPerson(service, { email: 'first-owner@example.com', role: 'owner' })
  })
  afterAll(() => service[Symbol.asyncDispose]())

  test('an invited person chooses a name and a password, and signs in with them', async () => {
    const { person, token } = await invite(service, { email: 'Ada@Example.com', role: 'administrator' })
    expect(person).toMatchObject({
      email: 'ada@example.com',
      name: 'ada@example.com',
      state: 'invited',
      has_password: false,
      invitation_expires_at: Math.floor((clock.now() + 7 * day) / 1000),
    })
    const reported = await bare(service, 'POST', '/v3/admin/invitation', { body: { token } })
    expect(reported.body.data).toMatchObject({ email: 'ada@example.com', role: 'administrator', needs_code: false })
    const accepted = await accept(service, { token, name: 'Ada Okafor' })
    expect(accepted.status).toBe(200)
    expect(accepted.body.data).toMatchObject({
      person: { id: person.id, name: 'Ada Okafor', email: 'ada@example.com', role: 'administrator' },
      rights: { role: 'administrator', applications: 'all', customer_data: true },
    })
    const headers = { cookie: cookieOf(accepted) }
    expect((await bare(service, 'GET', '/v3/admin/session', { headers })).body.data).toEqual(accepted.body.data)
    const again = await signInAs(service, { email: ' ADA@example.com'.trim() })
    expect(again.body.data.person.id).toBe(person.id)
    const own = await bare(service, 'GET', '/v3/admin/account', { headers })
    expect(own.body.data).toMatchObject({ state: 'active', has_password: true, has_totp: false })
    const client = createWaypost({
      baseUrl: await service.listen(),
      admin: { email: 'ada@example.com', password: goodPassword },
    })
    expect((await client.account.get()).data.name).toBe('Ada Okafor')
    expect((await client.adminApplications.list()).data).toHaveLength(1)
  })

  test('an invitation works once, for seven days, and until it is renewed', async () => {
    const { person, token } = await invite(service, { email: 'once@example.com', role: 'viewer' })
    const both = await Promise.all([accept(service, { token }), accept(service, { token })])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 404])
    expect((await accept(service, { token })).status).toBe(404)

    const second = await invite(service, { email: 'renewed@example.com', role: 'viewer' })
    const path = `/v3/admin/people/${second.person.id}/invitation`
    const renewed = await service.call('POST', path, { admin: true })
    expect(renewed.status).toBe(201)
    expect((await accept(service, { token: second.token })).status).toBe(404)
    clock.advance(7 * day)
    const late = renewed.body.data.invitation_link.split('#invitation=')[1]
    expect((await accept(service, { token: late })).status).toBe(404)
    expect(
      (await service.call('GET', `/v3/admin/people/${second.person.id}`, { admin: true })).body.data,
    ).toMatchObject({ state: 'invited', invitation_expires_at: null })
    expect(person.state).toBe('invited')
    expect((await accept(service, { token: 'x'.repeat(43) })).status).toBe(404)
  })

  test('a reset link sets a new password, ends existing sessions, and keeps the second factor', async () => {
    const person = await signedInPerson(service, { email: 'reset@example.com', role: 'administrator' })
    const { secret } = await setUpTotp(person, () => clock.now())
    const link = await service.call('POST', `/v3/admin/people/${person.id}/invitation`, { admin: true })
    const token = link.body.data.invitation_link.split('#invitation=')[1]
    const body = { token, password: 'quite-another-otter-7' }
    expect((await accept(service, body)).body.error.type).toBe('api.second_factor_required')
    clock.advance(minute)
    const done = await accept(service, { ...body, code: appCode(secret, clock.now()) })
    expect(done.status).toBe(200)
    expect((await person.call('GET', '/v3/admin/session')).status).toBe(401)
    expect((await signInAs(service, { email: person.email, code: '000000' })).body.error.message).toBe(
      'wrong address or password',
    )
  })

  test('an address cannot be invited twice, and a role or id that a person forges for themselves changes nothing', async () => {
    await invite(service, { email: 'twice@example.com', role: 'viewer' })
    const again = await service.call('POST', '/v3/admin/people', {
      admin: true,
      body: { email: 'TWICE@example.com', role: 'owner' },
    })
    expect(again.status).toBe(409)
    const viewer = await signedInPerson(service, { email: 'climber@example.com', role: 'viewer' })
    const rename = (body: object) => viewer.call('PATCH', '/v3/admin/account', { body: { name: 'Climber', ...body } })
    const forged = await rename({ role: 'owner', applications: 'all', id: 'x', blocked: false })
    expect([forged.status, forged.body.error.message]).toEqual([
      400,
      expect.stringMatching(/^role: "role" is not a field/),
    ])
    expect((await rename({})).body.data).toMatchObject({ name: 'Climber', role: 'viewer', id: viewer.id })
    const { token } = await invite(service, { email: 'forger@example.com', role: 'viewer' })
    const accepted = await accept(service, { token, role: 'owner', email: 'first-owner@example.com' })
    expect(accepted.body.data.person).toMatchObject({ role: 'viewer', email: 'forger@example.com' })
  })

  test('address and password work as HTTP Basic credentials, but not with a second factor', async () => {
    const person = await signedInPerson(service, { email: 'basic@example.com', role: 'administrator' })
    const headers = basicOf(person.email, goodPassword)
    const list = () => service.call('GET', '/v3/admin/applications', { key: null, headers })
    expect((await list()).status).toBe(200)
    await setUpTotp(person, () => clock.now())
    const refused = await list()
    expect([refused.status, refused.body.error.type]).toEqual([401, 'api.second_factor_required'])
    const wrong = await service.call('GET', '/v3/admin/applications', {
      key: null,
      headers: basicOf(person.email, 'wrong'),
    })
    expect(wrong.body.error.type).toBe('api.authentication_error')
  })

  test('a code works once, in its time step and the adjacent ones, and a recovery code works once', async () => {
    const person = await signedInPerson(service, { email: 'codes@example.com', role: 'administrator' })
    const { secret, recoveryCodes } = await setUpTotp(person, () => clock.now())
    expect(recoveryCodes).toHaveLength(10)
    const { email } = person
    const used = appCode(secret, clock.now())
    const typeOf = async (body: object) => {
      const answer = await signInAs(service, { email, ...body })
      return answer.status === 200 ? 'in' : answer.body.error.type
    }
    const needed = 'api.second_factor_required'
    expect(await typeOf({})).toBe(needed)
    // The code that confirmed the setup is used up.
    expect(await typeOf({ code: used })).toBe(needed)
    clock.advance(minute)
    const next = appCode(secret, clock.now())
    const both = await Promise.all([typeOf({ code: next }), typeOf({ code: next })])
    expect(both.toSorted()).toEqual([needed, 'in'].toSorted())
    expect(await typeOf({ code: appCode(secret, clock.now() - 30_000) })).toBe(needed)
    expect(await typeOf({ code: appCode(secret, clock.now() + 30_000) })).toBe('in')
    expect(await typeOf({ code: appCode(secret, clock.now() + 90_000) })).toBe(needed)
    const [first = ''] = recoveryCodes
    expect(await typeOf({ code: ` ${first.toUpperCase()} ` })).toBe('in')
    expect(await typeOf({ code: first })).toBe(needed)
    expect((await person.call('GET', '/v3/admin/account')).body.data.recovery_codes_left).toBe(9)
  })

  test("another person's code fails, and wrong codes are limited, but a recovery code still works", async () => {
    const one = await signedInPerson(service, { email: 'one@example.com', role: 'administrator' })
    const two = await signedInPerson(service, { email: 'two@example.com', role: 'administrator' })
    const { recoveryCodes } = await setUpTotp(one, () => clock.now())
    const { secret, recoveryCodes: others } = await setUpTotp(two, () => clock.now())
    clock.advance(minute)
    const tries = async (code: string) => (await signInAs(service, { email: one.email, code })).status
    expect(await tries(appCode(secret, clock.now()))).toBe(401)
    expect(await tries(others[0] ?? '')).toBe(401)
    for (let turn = 0; turn < 9; turn++) {
      clock.advance(minute)
      expect(await tries('000000')).toBe(401)
    }
    clock.advance(minute)
    expect(await tries('000000')).toBe(429)
    expect(await tries(recoveryCodes[0] ?? '')).toBe(200)
  })

  test('changing a second factor requires the password, and a session is not enough', async () => {
    const person = await signedInPerson(service, { email: 'factor@example.com', role: 'viewer' })
    const post = (path: string, body: object) => person.call('POST', `/v3/admin/account/${path}`, { body })
    expect((await post('totp', { current_password: 'wrong' })).status).toBe(400)
    expect((await post('totp/confirm', { code: '123456' })).status).toBe(409)
    await post('totp', { current_password: goodPassword })
    expect((await post('totp/confirm', { code: '000000' })).status).toBe(400)
    // Not confirmed yet: the password alone is still enough.
    expect((await signInAs(service, { email: person.email })).status).toBe(200)
    await setUpTotp(person, () => clock.now())
    const renewed = await post('recovery-codes', { current_password: goodPassword })
    expect(renewed.body.data.recovery_codes).toHaveLength(10)
    expect((await post('totp/remove', { current_password: 'wrong' })).status).toBe(400)
    expect((await post('totp/remove', { current_password: goodPassword })).status).toBe(200)
    expect((await signInAs(service, { email: person.email })).status).toBe(200)
    expect((await post('recovery-codes', { current_password: goodPassword })).status).toBe(409)
  })

  test('owners can remove a lost second factor of a person', async () => {
    const person = await signedInPerson(service, { email: 'lost@example.com', role: 'viewer' })
    await setUpTotp(person, () => clock.now())
    expect((await service.call('DELETE', `/v3/admin/people/${person.id}/totp`, { admin: true })).status).toBe(200)
    expect((await person.call('GET', '/v3/admin/session')).status).toBe(401)
    expect((await signInAs(service, { email: person.email })).status).toBe(200)
  })

  test('a person changes their own password, and their other sessions end', async () => {
    const person = await signedInPerson(service, { email: 'change@example.com', role: 'viewer' })
    const other = cookieOf(await signInAs(service, { email: person.email }))
    const put = (body: object) => person.call('PUT', '/v3/admin/password', { body })
    const next = 'nine-herons-by-the-lock'
    expect((await put({ current_password: 'wrong', new_password: next })).status).toBe(400)
    expect((await put({ current_password: goodPassword, new_password: 'password1' })).status).toBe(400)
    expect((await put({ current_password: goodPassword, new_password: next })).status).toBe(200)
    expect((await person.call('GET', '/v3/admin/session')).status).toBe(200)
    expect((await bare(service, 'GET', '/v3/admin/session', { headers: { cookie: other } })).status).toBe(401)
    expect((await signInAs(service, { email: person.email })).status).toBe(401)
    expect((await signInAs(service, { email: person.email, password: next })).status).toBe(200)
    // The password of the installation is unchanged.
    expect((await service.call('GET', '/v3/admin/applications', { admin: true })).status).toBe(200)
  })

  test('people are found by text, role and state, page by page', async () => {
    const list = async (query: string) => (await service.call('GET', `/v3/admin/people?${query}`, { admin: true })).body
    await invite(service, { email: 'zoe.search@example.com', name: 'Zoë Ünal', role: 'viewer' })
    const { data } = await list('search=zoe.s')
    expect(data.map((each: { email: string }) => each.email)).toEqual(['zoe.search@example.com'])
    expect((await list('search=UNFOUND')).data).toEqual([])
    expect((await list('role=owner')).data.map((each: { role: string }) => each.role)).toEqual(['owner'])
    expect((await list('state=blocked')).data).toEqual([])
    const emails: string[] = []
    let cursor = ''
    do {
      const page = await list(`limit=3${cursor && `&page_token=${encodeURIComponent(cursor)}`}`)
      emails.push(...page.data.map((each: { email: string }) => each.email))
      cursor = page.next_cursor ?? ''
    } while (cursor !== '')
    expect(emails.length).toBeGreaterThan(8)
    expect(new Set(emails).size).toBe(emails.length)
    expect(emails.length).toBe((await list('limit=200')).data.length)
  })

  test('a page of another site can neither accept an invitation nor sign in', async () => {
    const { token } = await invite(service, { email: 'csrf@example.com', role: 'viewer' })
    for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { ...ownPage, origin: 'https://evil.example' }]) {
      expect((await accept(service, { token }, headers)).status).toBe(403)
      expect((await signInAs(service, { email: 'first-owner@example.com' }, headers)).status).toBe(403)
    }
  })
})
