/** Hosted sign-in with our own form: mail accounts on a real server. */

import { createEgress } from '@waypost/platform/egress/egress'
import { sharedDovecot } from '@waypost/testing/peers/dovecot'
import type { Mailbox, MailServer } from '@waypost/testing/peers/mail-server'
import { sql } from '@waypost/testing/statement'
import { testClock } from '@waypost/testing/test-clock'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Answer, openService, type TestService } from '../../harness.ts'
import { trade } from './hosted-google.ts'
import { authUrl, fieldsOf, newClient, resultOf, type Seen, type Visitor, visitorOf } from './hosted-visitor.ts'

let server: MailServer
let service: TestService
const clock = testClock()
beforeAll(async () => {
  server = await sharedDovecot()
  service = await openService({
    overrides: {
      clock,
      egress: createEgress({ mode: 'private', ca: [server.ca] }),
      findService: async (name) =>
        ({
          '_imaps._tcp.own.test': { host: 'mail.own.test', port: 993 },
          '_submission._tcp.own.test': { host: 'mail.own.test', port: 587 },
          '_imap._tcp.away.test': { host: 'mail.elsewhere.test', port: 143 },
        })[name],
      findMailExchangers: async (domain) => (domain === 'hosted.test' ? ['in1-smtp.messagingengine.com'] : []),
    },
  })
})
afterAll(async () => {
  await service?.[Symbol.asyncDispose]()
  await server?.[Symbol.asyncDispose]()
})

let client: { id: string; key: string }
let mailbox: Mailbox
let visitor: Visitor
beforeEach(async () => {
  client = await newClient(service)
  await service.call('POST', '/v3/connectors', { key: client.key, body: { provider: 'imap' } })
  mailbox = await server.addUser()
  visitor = visitorOf(service)
  // Attempts are counted per minute.
  clock.advance(60_000)
})

/** The form for an address. */
async function formFor(query: Record<string, string> = {}): Promise<{ page: string; seen: Seen }> {
  const begun = await visitor.get(authUrl(client.id, { provider: 'imap', login_hint: mailbox.user, ...query }))
  const page = new URL(begun.location ?? '', 'http://x').pathname
  return { page, seen: await visitor.get(begun.location ?? '') }
}
const servers = (): Record<string, string> => ({
  imap_host: server.host,
  imap_port: String(server.imapsPort),
  smtp_host: server.host,
  smtp_port: String(server.smtpPort),
})
const filled = (seen: Seen, more: Record<string, string> = {}): Record<string, string> => ({
  ...fieldsOf(seen.text),
  ...servers(),
  imap_password: mailbox.password,
  ...more,
})
const call = (method: string, path: string): Promise<Answer> => service.call(method, path, { key: client.key })

describe('the form', () => {
  test('is the target of GET /v3/connect/custom for browsers, with the same query', async () => {
    const query = authUrl(client.id, { provider: 'imap', login_hint: mailbox.user, state: 's' })
      .replace('/v3/connect/auth', '/v3/connect/custom')
      .replace(/response_type=code&?/, '')
    expect(query).not.toContain('response_type')
    const browser = { accept: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8' }
    const ask = (headers: Record<string, string>) => service.app.request(query, { headers })
    const led = await ask(browser)
    expect(led.status).toBe(302)
    const begun = await visitor.get(led.headers.get('location') ?? '')
    const seen = await visitor.get(begun.location ?? '')
    const done = await visitor.post(new URL(begun.location ?? '', 'http://x').pathname, filled(seen))
    expect(resultOf(done.location)).toMatchObject({ code: expect.any(String), state: 's' })
    // Applications get what each provider requires. A request without credentials learns that a key is missing.
    expect((await ask({ ...browser, authorization: `Bearer ${client.key}` })).status).toBe(200)
    expect((await ask({ accept: '*/*' })).status).toBe(401)
    expect((await ask({})).headers.get('content-type')).toBe('application/json')
  })

  test('of an application at its limit is refused before the password is checked, except for an existing grant', async () => {
    const settings = { imap_username: mailbox.user, imap_password: mailbox.password, ...servers() }
    const body = { provider: 'imap', settings }
    expect((await service.call('POST', '/v3/connect/custom', { key: client.key, body })).status).toBe(201)
    const full = sql('test.full', 'update applications set grant_limit = 1 where id = $1')
    await service.services.storage.database.run(full, [client.id])
    const known = await formFor()
    const done = await visitor.post(known.page, filled(known.seen))
    expect(resultOf(done.location)).toMatchObject({ code: expect.any(String) })
    mailbox = await server.addUser()
    const { page, seen } = await formFor()
    const refused = await visitor.post(page, filled(seen, { imap_password: 'wrong' }))
    expect(resultOf(refused.location)).toMatchObject({ error: 'grant.access_denied', error_code: '403' })
  })

  test('signs in to a mailbox and redirects back with a code', async () => {
    const { page, seen } = await formFor({ state: 's', access_type: 'offline' })
    expect(seen.status).toBe(200)
    const done = await visitor.post(page, filled(seen))
    expect(done.status).toBe(200)
    expect(done.headers.get('content-security-policy')).toContain("form-action 'self'")
    const { code = '', state } = resultOf(done.location)
    expect(state).toBe('s')
    expect((await call('GET', '/v3/grants')).body.data).toEqual([])
    const answer = await trade(service, client, code)
    expect(answer.body).toMatchObject({ email: mailbox.user, provider: 'imap', scope: '' })
    await server.deliver(mailbox.user, 'Subject: Hello\n\nText')
    const messages = await service.call('GET', '/v3/grants/me/messages', { key: answer.body.access_token })
    expect(messages.body.data).toMatchObject([{ subject: 'Hello' }])
    expect((await call('GET', '/v3/grants')).body.data).toMatchObject([
      { grant_status: 'valid', state: 's', scope: [] },
    ])
    // The sign-in is complete: the form cannot be submitted again.
    expect((await visitor.post(page, filled(seen))).status).toBe(400)
  })

  test('reports a wrong password, keeps all fields but the password, and accepts the right one', async () => {
    const { page, seen } = await formFor()
    const wrong = await visitor.post(page, filled(seen, { imap_password: 'wrong-CANARY' }))
    expect(wrong.status).toBe(422)
    expect(wrong.location).toBeUndefined()
    expect(wrong.text).toContain('role="alert"')
    expect(wrong.text).toContain('The password was not accepted.')
    expect(wrong.text).toMatch(/<title>Error: /)
    expect(wrong.text).toContain('aria-invalid="true"')
    expect(wrong.text).not.toContain('wrong-CANARY')
    expect(service.logs()).not.toContain('wrong-CANARY')
    const retained = fieldsOf(wrong.text)
    expect(retained).toMatchObject({ ...servers(), imap_password: '', email: mailbox.user })
    const right = await visitor.post(page, { ...retained, imap_password: mailbox.password })
    expect(resultOf(right.location).code).toEqual(expect.any(String))
  })

  test.each([
    ['a server that is not there', { imap_host: 'no-such-host.invalid' }, 'field-imap_host-wrong'],
    ['a port that is none', { imap_port: '99999' }, 'field-imap_port-wrong'],
    ['no password', { imap_password: '' }, 'field-imap_password-wrong'],
    ['no server', { imap_host: '' }, 'field-imap_host-wrong'],
  ])('points to %s', async (_what, more, place) => {
    const { page, seen } = await formFor()
    const shown = await visitor.post(page, filled(seen, more))
    expect(shown.status).toBe(422)
    expect(shown.text).toContain(place)
  })

  test('requests the address first if it is not given', async () => {
    const begun = await visitor.get(authUrl(client.id))
    const page = new URL(begun.location ?? '', 'http://x').pathname
    const seen = await visitor.get(begun.location ?? '')
    expect(seen.text).toContain('What is the address of your account?')
    const wrong = await visitor.post(page, { ...fieldsOf(seen.text), email: 'nobody' })
    expect([wrong.status, wrong.text.includes('This is not an e-mail address')]).toEqual([422, true])
    const given = await visitor.post(page, { ...fieldsOf(seen.text), email: mailbox.user })
    expect(given.status).toBe(303)
    const form = await visitor.get(given.location ?? '')
    const done = await visitor.post(page, filled(form))
    expect(resultOf(done.location).code).toEqual(expect.any(String))
    expect(form.text).toContain('Use another address')
  })

  test.each([
    [
      'ada@aol.com',
      { imap_host: 'imap.aol.com', smtp_host: 'smtp.aol.com', smtp_port: '465' },
      'Create this password at AOL',
    ],
    ['ada@gmail.com', { imap_host: 'imap.gmail.com', smtp_port: '587' }, 'https://myaccount.google.com/apppasswords'],
    ['ada@hosted.test', { imap_host: 'imap.fastmail.com' }, 'Fastmail'],
    [
      'ada@own.test',
      { imap_host: 'mail.own.test', smtp_host: 'mail.own.test', smtp_port: '587' },
      '<details class="more"><summary>',
    ],
    [
      'ada@away.test',
      { imap_host: 'mail.elsewhere.test', imap_port: '143' },
      'Your domain names these servers, but they are outside that domain.',
    ],
    ['ada@unknown.test', { imap_host: '', smtp_host: '' }, 'We do not know the servers of this address'],
  ])('shows the known settings of %s', async (email, expected, text) => {
    const { seen } = await formFor({ login_hint: email })
    expect(fieldsOf(seen.text)).toMatchObject(expected)
    expect(seen.text).toContain(text)
  })

  test('uses the chosen vendor for an address that does not identify one', async () => {
    const { page } = await formFor({ login_hint: 'ada@unknown.test' })
    const seen = await visitor.get(`${page}?provider=imap&vendor=yandex`)
    expect(fieldsOf(seen.text)).toMatchObject({ imap_host: 'imap.yandex.com', vendor: 'yandex' })
    const strange = await visitor.get(`${page}?provider=imap&vendor=__proto__`)
    expect(fieldsOf(strange.text)).toMatchObject({ imap_host: '' })
  })

  test.each([[{ options: 'smtp_required' }], [{ smtp_required: 'true' }]])(
    'with %j requires a way to send',
    async (query) => {
      const { page, seen } = await formFor(query)
      const without = await visitor.post(page, filled(seen, { smtp_host: '' }))
      expect([without.status, without.text.includes('field-smtp_host-wrong')]).toEqual([422, true])
      expect(resultOf((await visitor.post(page, filled(seen))).location).code).toEqual(expect.any(String))
    },
  )

  test('accepts an account without sending if no scope needs it', async () => {
    const { page, seen } = await formFor()
    const done = await visitor.post(page, filled(seen, { smtp_host: '' }))
    const { grant_id: id } = (await trade(service, client, resultOf(done.location).code ?? '')).body
    expect((await call('GET', `/v3/grants/${id}`)).body.data.settings.smtp_host).toBeUndefined()
  })

  test('accepts an account whose user name is not its address', async () => {
    const { page, seen } = await formFor({ login_hint: 'sales@acme.test' })
    const done = await visitor.post(page, filled(seen, { imap_username: mailbox.user }))
    const answer = await trade(service, client, resultOf(done.location).code ?? '')
    expect(answer.body.email).toBe('sales@acme.test')
    const claims = JSON.parse(Buffer.from(answer.body.id_token.split('.')[1], 'base64url').toString())
    // The user could have entered any address.
    expect(claims).toMatchObject({ email: 'sales@acme.test', email_verified: false })
  })
})

describe("a request that is not from this browser's form", () => {
  test.each([
    ['no token', (fields: Record<string, string>) => ({ ...fields, csrf: '' }), {}],
    ['another token', (fields: Record<string, string>) => ({ ...fields, csrf: 'A'.repeat(43) }), {}],
    ['another site', (fields: Record<string, string>) => fields, { 'sec-fetch-site': 'cross-site' }],
    ['another action', (fields: Record<string, string>) => ({ ...fields, action: 'constructor' }), {}],
  ])('with %s is refused', async (_what, change, headers: Record<string, string>) => {
    const { page, seen } = await formFor()
    const refused = await visitor.post(page, change(filled(seen)), headers)
    expect([refused.status, refused.location]).toEqual([400, undefined])
    expect((await visitorOf(service).post(page, filled(seen))).status).toBe(400)
    expect(resultOf((await visitor.post(page, filled(seen))).location).code).toEqual(expect.any(String))
  })

  test('a body that is too large is refused', async () => {
    const { page, seen } = await formFor()
    expect((await visitor.post(page, filled(seen, { more: 'x'.repeat(20_000) }))).status).toBe(413)
  })
})

describe('guessing', () => {
  test('ends after ten attempts of one sign-in', async () => {
    const { page, seen } = await formFor()
    for (let count = 0; count < 10; count++) {
      clock.advance(60_000)
      expect((await visitor.post(page, filled(seen, { imap_password: `no${count}` }))).status).toBe(422)
    }
    clock.advance(60_000)
    const last = await visitor.post(page, filled(seen))
    expect(resultOf(last.location)).toMatchObject({ error: 'access_denied' })
    expect((await visitor.get(page)).status).toBe(400)
  })

  test('is limited for an account across all sign-ins', async () => {
    for (let count = 0; count < 10; count++) {
      const { page, seen } = await formFor()
      expect((await visitor.post(page, filled(seen, { imap_password: `no${count}` }))).status).toBe(422)
    }
    const { page, seen } = await formFor()
    const slowed = await visitor.post(page, filled(seen))
    expect(slowed.status).toBe(429)
    expect(slowed.text).toContain('wait')
    clock.advance(60_000)
    expect(resultOf((await visitor.post(page, filled(seen))).location).code).toEqual(expect.any(String))
  })
})

describe('an address that has a grant', () => {
  const connected = async (): Promise<string> => {
    const { page, seen } = await formFor()
    const done = await visitor.post(page, filled(seen))
    return (await trade(service, client, resultOf(done.location).code ?? '')).body.grant_id
  }

  test('keeps working while a new sign-in is not finished', async () => {
    const id = await connected()
    await server.changePassword(mailbox.user, 'new-password')
    const { page, seen } = await formFor()
    expect(seen.text).not.toContain('Use another address')
    const before = (await call('GET', `/v3/grants/${id}`)).body.data
    const done = await visitor.post(page, filled(seen, { imap_password: 'new-password' }))
    expect((await call('GET', `/v3/grants/${id}`)).body.data).toEqual(before)
    const answer = await trade(service, client, resultOf(done.location).code ?? '')
    expect(answer.body.grant_id).toBe(id)
    expect((await call('GET', `/v3/grants/${id}/messages`)).status).toBe(200)
  })

  test('is not assigned to a user with a mail server of their own', async () => {
    await connected()
    const other = await server.addUser()
    const { page, seen } = await formFor()
    const taken = await visitor.post(page, filled(seen, { imap_username: other.user, imap_password: other.password }))
    expect(resultOf(taken.location)).toMatchObject({ error: 'grant.reauth_email_invalid' })
  })

  test('of another provider is not replaced', async () => {
    await service.createGrant(mailbox.user, client.key)
    const { page, seen } = await formFor()
    const refused = await visitor.post(page, filled(seen))
    expect(resultOf(refused.location)).toMatchObject({ error: 'conflict', error_code: '409' })
  })
})
