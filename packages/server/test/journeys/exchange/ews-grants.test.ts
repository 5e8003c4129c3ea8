/** Connecting mailboxes on Exchange servers: sign-in, the mailbox's identity, errors, and the hosted form. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { createEgress } from '@waypost/platform/egress/egress'
import { freePort } from '@waypost/testing/peers/daemon'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { ExchangeSimulator, SimulatedExchangeAccount } from '../../../../simulators/src/index.ts'
import { expectStatus, type Fields, type Json } from '../../conformance/accounts.ts'
import { type Answer, openService, type TestService } from '../../harness.ts'
import { createExchangeGrant, type ExchangePeer, openExchange, openExchangeService } from '../../peers/exchange.ts'
import { trade } from '../sign-in/hosted-google.ts'
import { authUrl, fieldsOf, newClient, resultOf, visitorOf } from '../sign-in/hosted-visitor.ts'

let peer: ExchangePeer
let exchange: ExchangeSimulator
let service: TestService
beforeAll(async () => {
  peer = await openExchange()
  exchange = peer.simulator
  service = await openExchangeService(exchange)
})
afterAll(async () => {
  await service?.[Symbol.asyncDispose]()
  await peer?.[Symbol.asyncDispose]()
})

const password = 'CANARY-simulated-password'
let number = 0
let client: { id: string; key: string }
let ada: SimulatedExchangeAccount
beforeEach(async () => {
  client = await newClient(service)
  expectStatus(await call('POST', '/v3/connectors', { provider: 'ews' }), 201)
  number += 1
  const username = `ada${number}`
  const aliases = [`countess${number}@people.test`]
  ada = exchange.addAccount({ email: `${username}@people.test`, password, name: 'Ada Lovelace', username, aliases })
  exchange.clearCalls()
})

const call = (method: string, path: string, body?: unknown): Promise<Answer> =>
  service.call(method, path, { key: client.key, ...(body === undefined ? {} : { body }) })
const connect = (settings: Fields, more: Fields = {}): Promise<Answer> =>
  call('POST', '/v3/connect/custom', { provider: 'ews', settings, ...more })
const good = (): Fields => ({ ews_username: ada.email, ews_password: password, ews_host: 'mail.people.test' })
const connected = async (settings = good(), more: Fields = {}): Promise<Json> =>
  expectStatus(await connect(settings, more), 201).body.data
/** Expects an account to be refused for a reason, with nothing stored. */
async function expectRefused(
  answer: Answer,
  expected: { reason: string; field: string; words?: RegExp },
): Promise<void> {
  expectStatus(answer, 400)
  const { reason, field, message } = answer.body.error
  expect({ reason, field }).toEqual({ reason: expected.reason, field: `settings.${expected.field}` })
  expect(message).toMatch(new RegExp(`^settings\\.${expected.field}: `))
  if (expected.words) expect(message).toMatch(expected.words)
  expect(JSON.stringify(answer.body) + service.logs()).not.toContain('CANARY')
  expect((await call('GET', '/v3/grants')).body.data).toEqual([])
}

describe('a mailbox', () => {
  test('is connected with its user name and password, and its grant has its server and no secret', async () => {
    const grant = await connected()
    expect(grant).toMatchObject({
      provider: 'ews',
      email: ada.email,
      name: 'Ada Lovelace',
      grant_status: 'valid',
      scope: ['ews.messages', 'ews.calendars', 'ews.contacts'],
      settings: { email: ada.email, ews_username: ada.email, ews_host: 'mail.people.test' },
    })
    expect(JSON.stringify(grant) + service.logs()).not.toContain(password)
    expectStatus(await call('GET', `/v3/grants/${grant.id}/contacts`), 200)
  })

  test('is found by Autodiscover if no server is given', async () => {
    const { ews_host: _, ...rest } = good()
    const grant = await connected(rest)
    expect(grant.settings.ews_host).toMatch(/./)
    expectStatus(await call('GET', `/v3/grants/${grant.id}/contacts`), 200)
  })

  test('is identified by its primary address, whatever the user name', async () => {
    const name = `EXCHANGE\\${ada.username}`
    const grant = await connected({ ...good(), ews_username: name, email: ada.aliases[0] })
    expect(grant).toMatchObject({ email: ada.email, settings: { email: ada.email, ews_username: name } })
    expect(await connected()).toMatchObject({ id: grant.id })
    const unnamed = await connect({ ...good(), ews_username: name })
    expect(expectStatus(unnamed, 400).body.error.validation_errors).toHaveProperty(['settings.email'])
  })

  test("cannot be connected with another person's address, whatever rights the user has there", async () => {
    const grace = exchange.addAccount({ email: `grace${number}@people.test`, password: 'other' })
    grace.shareWith(ada.email)
    const shared = await connect({ ...good(), email: grace.email })
    await expectRefused(shared, { reason: 'mailbox_failed', field: 'email', words: /shared_from/ })
    const nobody = await connect({ ...good(), email: 'nobody@people.test' })
    await expectRefused(nobody, { reason: 'mailbox_failed', field: 'email', words: /no mailbox/ })
  })

  test('has its settings validated by name', async () => {
    for (const [settings, field] of [
      [{ ews_password: 'p' }, 'settings.ews_username'],
      [{ ews_username: ada.email }, 'settings.ews_password'],
      [{ ...good(), ews_port: '70000' }, 'settings.ews_port'],
      [{ ...good(), ews_host: '', ews_port: 443 }, 'settings.ews_host'],
      [{ ...good(), ews_host: 'https://mail.people.test/' }, 'settings.ews_host'],
      [{ ...good(), ews_path: 'EWS' }, 'settings.ews_path'],
      [{ ...good(), ews_host: 'outlook.office365.com' }, 'settings.ews_host'],
      [{ ...good(), email: 'ada' }, 'settings.email'],
      [{ ...good(), ews_impersonation: true }, 'settings.email'],
    ] as [Fields, string][]) {
      const answer = expectStatus(await connect(settings), 400)
      expect(answer.body.error.validation_errors, JSON.stringify(settings)).toHaveProperty([field])
    }
    expect(exchange.calls).toEqual([])
    const text = await connected({ ...good(), ews_port: '8443' })
    expect(text.settings).toMatchObject({ ews_port: 8443 })
  })
})

describe('an account that cannot be connected gets the reason, and nothing is stored,', () => {
  test('with a wrong password, which is tried no more often than necessary', async () => {
    let shown = 0
    const unobserve = exchange.observe(({ requestHeaders }) => {
      // The third message of NTLM answers the challenge.
      if (/^(Basic |NTLM TlRMTVNTUAAD)/.test(requestHeaders.get('authorization') ?? '')) shown += 1
    })
    const answer = await connect({ ...good(), ews_password: 'CANARY-wrong' })
    unobserve()
    expect(shown).toBe(2)
    await expectRefused(answer, { reason: 'credentials_failed', field: 'ews_password', words: /DOMAIN\\name/ })
  })

  test.each([
    ['locked', 'account_locked', 'ews_username'],
    ['disabled', 'account_disabled', 'ews_username'],
    ['passwordExpired', 'password_expired', 'ews_password'],
    ['mustChangePassword', 'password_expired', 'ews_password'],
  ] as const)('if it is %s', async (problem, reason, field) => {
    ada.refuseSignIn(problem)
    await expectRefused(await connect(good()), { reason, field })
  })

  describe('if another kind of server responds', () => {
    type Said = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>
    let say: Said
    let odd: TestService
    const server = createServer((request, response) => {
      void say(request, response)
    })
    beforeAll(async () => {
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      const { port } = server.address() as AddressInfo
      odd = await openService({ env: { WAYPOST_EWS_URL: `http://127.0.0.1:${port}`, WAYPOST_EGRESS: 'private' } })
      await odd.call('POST', '/v3/connectors', { body: { provider: 'ews' } })
    })
    afterAll(async () => {
      await odd[Symbol.asyncDispose]()
      server.closeAllConnections()
      server.close()
    })

    const page = (status: number, body: string, headers: Record<string, string> = {}): Said => {
      return (_, response) => void response.writeHead(status, { 'content-type': 'text/html', ...headers }).end(body)
    }
    const fault = (code: string): Said => {
      const body = `<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><s:Fault><faultcode>s:Client</faultcode><faultstring>No.</faultstring><detail><e:ResponseCode xmlns:e="http://schemas.microsoft.com/exchange/services/2006/errors">${code}</e:ResponseCode></detail></s:Fault></s:Body></s:Envelope>`
      return page(500, body, { 'content-type': 'text/xml' })
    }
    const tryOdd = (): Promise<Answer> => {
      const settings = { ews_username: ada.email, ews_password: 'CANARY-p', ews_host: 'mail.people.test' }
      return odd.call('POST', '/v3/connect/custom', { body: { provider: 'ews', settings } })
    }
    const login = '<!doctype html><title>Sign in</title><form>'

    test.each([
      ['a web site', page(200, '<!doctype html><title>Welcome</title>'), 'service_failed', 'ews_host'],
      ['nothing of that path', page(404, 'Not found'), 'service_failed', 'ews_host'],
      [
        'the login page of a proxy',
        page(302, '', { location: 'https://sso.people.test/' }),
        'service_failed',
        'ews_host',
      ],
      ['its page itself', page(440, login), 'service_failed', 'ews_host'],
      ['JSON', page(200, '{}', { 'content-type': 'application/json' }), 'service_failed', 'ews_host'],
      ['a server that blocks EWS', page(403, 'Forbidden'), 'access_failed', 'ews_username'],
      ['a server that locked the account', page(456, ''), 'account_locked', 'ews_username'],
      ['a server with Kerberos alone', page(401, '', { 'www-authenticate': 'Bearer' }), 'method_failed', 'ews_host'],
      ['a server that is too old', fault('ErrorInvalidServerVersion'), 'version_failed', 'ews_host'],
      ['a user without mailbox', fault('ErrorNonExistentMailbox'), 'mailbox_failed', 'ews_username'],
      ['a password that has expired', fault('ErrorPasswordExpired'), 'password_expired', 'ews_password'],
      ['an account that is disabled', fault('ErrorAccountDisabled'), 'account_disabled', 'ews_username'],
      ['no right to impersonate', fault('ErrorImpersonateUserDenied'), 'impersonation_failed', 'ews_impersonation'],
    ] as [string, Said, string, string][])('%s', async (_, said, reason, field) => {
      say = said
      const answer = await tryOdd()
      expect([answer.status, answer.body.error]).toMatchObject([400, { reason, field: `settings.${field}` }])
      expect(answer.body.error.message).toMatch(new RegExp(`^settings\\.${field}: \\S`))
      expect(JSON.stringify(answer.body) + odd.logs()).not.toContain('CANARY')
      expect((await odd.call('GET', '/v3/grants')).body.data).toEqual([])
    })

    test('a host without the web service is searched with Autodiscover', async () => {
      const requested: string[] = []
      const elsewhere = 'https://ews.people.test/other/Exchange.asmx'
      const answer = `<Autodiscover><Response><Account><Action>settings</Action><Protocol><Type>EXPR</Type><EwsUrl>${elsewhere}</EwsUrl></Protocol></Account></Response></Autodiscover>`
      say = async (request, response) => {
        const { authorization } = request.headers
        requested.push(`${request.url}${authorization ? ' with the password' : ''}`)
        if (request.url === '/EWS/Exchange.asmx') return page(404, 'Not found')(request, response)
        if (!authorization) return page(401, '', { 'www-authenticate': 'Basic realm="x"' })(request, response)
        if (request.url !== '/other/Exchange.asmx') return page(200, answer)(request, response)
        const headers = { authorization, 'content-type': 'text/xml' }
        const passed = await fetch(exchange.ewsUrl, { method: 'POST', headers, body: await buffer(request) })
        page(passed.status, await passed.text(), { 'content-type': 'text/xml' })(request, response)
      }
      const settings = { ews_username: ada.email, ews_password: password, ews_host: 'autodiscover.hoster.test' }
      const made = await odd.call('POST', '/v3/connect/custom', { body: { provider: 'ews', settings } })
      expect(expectStatus(made, 201).body.data.settings).toEqual({
        email: ada.email,
        ews_username: ada.email,
        ews_host: 'ews.people.test',
        ews_path: '/other/Exchange.asmx',
      })
      expect(requested).toContain('/autodiscover/autodiscover.xml with the password')
      expect(requested).not.toContain('/EWS/Exchange.asmx with the password')
      expectStatus(await odd.call('DELETE', `/v3/grants/${made.body.data.id}`), 200)
    })

    test("a server failure is not reported as the user's mistake", async () => {
      say = page(503, 'busy')
      const answer = await tryOdd()
      expect(answer).toMatchObject({ status: 504, body: { error: { type: 'provider_error' } } })
      expect(answer.body.error.validation_errors).toBeUndefined()
    })
  })

  test('if nothing responds, or the certificate is invalid', async () => {
    const port = await freePort()
    const resolve = async (host: string) => {
      if (host === 'nowhere.test') throw new Error('no such name')
      return [{ address: '127.0.0.1', family: 4 as const }]
    }
    await using plain = await openService({ overrides: { egress: createEgress({ mode: 'private', resolve }) } })
    await plain.call('POST', '/v3/connectors', { body: { provider: 'ews' } })
    const at = async (ews_host: string, ews_port: number): Promise<Json> => {
      const settings = { ews_username: 'ada@people.test', ews_password: 'CANARY-p', ews_host, ews_port }
      const answer = await plain.call('POST', '/v3/connect/custom', { body: { provider: 'ews', settings } })
      return expectStatus(answer, 400).body.error
    }
    const { port: open } = new URL(exchange.url)
    const answers = await Promise.all([
      at('mail.test', port),
      at('nowhere.test', 443),
      // Does not speak TLS.
      at('mail.test', Number(open)),
    ])
    expect(answers).toMatchObject([
      { reason: 'connect_failed', field: 'settings.ews_host' },
      { reason: 'host_failed', field: 'settings.ews_host' },
      { reason: 'tls_failed', field: 'settings.ews_host' },
    ])
    expect(plain.logs()).not.toContain('CANARY')
  })
})

describe('scopes', () => {
  test("are those requested, or the connector's, or all, in one spelling", async () => {
    expect(await connected(good(), { scope: ['ews.calendar', 'ews.contacts'] })).toMatchObject({
      scope: ['ews.calendars', 'ews.contacts'],
    })
    expectStatus(await call('PATCH', '/v3/connectors/ews', { scopes: ['ews.contacts'] }), 200)
    expect(await connected()).toMatchObject({ scope: ['ews.contacts'] })
    const wrong = expectStatus(await connect(good(), { scope: ['Mail.Read'] }), 400)
    expect(wrong.body.error.message).toMatch(/^scope: must be of ews\.messages/)
    const tested = expectStatus(await call('POST', '/v3/connectors/ews/test'), 200).body.data
    expect(tested).toMatchObject({ ok: true, redirect_uri: null })
    expectStatus(await call('PATCH', '/v3/connectors/ews', { scope: ['ews.mail'] }), 200)
    expect((await call('POST', '/v3/connectors/ews/test')).body.data).toMatchObject({ ok: false })
  })

  test('that are missing close their endpoints before a request to the server', async () => {
    const { id } = await connected(good(), { scope: ['ews.calendars'] })
    exchange.clearCalls()
    const refused = expectStatus(await call('GET', `/v3/grants/${id}/contacts`), 403)
    expect(refused.body.error).toMatchObject({ type: 'insufficient_scopes', message: /ews\.contacts/ })
    expect(exchange.calls).toEqual([])
  })
})

describe('a service account', () => {
  const service = (mayImpersonate: boolean): SimulatedExchangeAccount =>
    exchange.addAccount({ email: `service${number}@people.test`, password: 'CANARY-service', mayImpersonate })
  const instead = (): Fields => ({
    ...{ ews_username: `EXCHANGE\\service${number}`, ews_password: 'CANARY-service', ews_host: 'mail.people.test' },
    ...{ email: ada.email, ews_impersonation: true },
  })

  test('works on the mailbox that it impersonates, and on no other', async () => {
    service(true)
    const grant = await connected(instead())
    expect(grant).toMatchObject({ email: ada.email, name: 'Ada Lovelace', settings: { ews_impersonation: true } })
    const made = await call('POST', `/v3/grants/${grant.id}/contacts`, { given_name: 'Made for Ada' })
    expectStatus(made, 200)
    const own = await connected({ ...good(), email: ada.email })
    expect(own).toMatchObject({ id: grant.id, settings: expect.not.objectContaining({ ews_impersonation: true }) })
    const listed = expectStatus(await call('GET', `/v3/grants/${own.id}/contacts`), 200).body.data
    expect(listed).toMatchObject([{ given_name: 'Made for Ada' }])
  })

  test('is refused without the role, and for an unknown mailbox', async () => {
    service(false)
    await expectRefused(await connect(instead()), { reason: 'impersonation_failed', field: 'ews_impersonation' })
    const { email } = exchange.addAccount({
      email: `other${number}@people.test`,
      password: 'CANARY-o',
      mayImpersonate: true,
    })
    const nobody = { ...instead(), ews_username: email, ews_password: 'CANARY-o', email: 'nobody@people.test' }
    await expectRefused(await connect(nobody), { reason: 'mailbox_failed', field: 'email' })
  })
})

describe('a password that stops working', () => {
  const contacts = (id: string): Promise<Answer> => call('GET', `/v3/grants/${id}/contacts`)
  const status = async (id: string): Promise<string> => (await call('GET', `/v3/grants/${id}`)).body.data.grant_status
  const reported = async (trigger: string): Promise<number> => {
    const feed = expectStatus(await call('GET', '/v3/notifications?limit=200'), 200).body.data
    return feed.filter((notification: Json) => notification.type === trigger).length
  }

  test('makes the grant invalid once, is not tried again, and works again after an update', async () => {
    const { id } = await connected()
    expectStatus(await contacts(id), 200)
    ada.changePassword('CANARY-another')
    const answers = await Promise.all(Array.from({ length: 5 }, () => contacts(id)))
    for (const answer of answers) {
      expectStatus(answer, 401)
      expect(answer.body.error.type).toBe('grant.invalid_authentication')
    }
    expect(await status(id)).toBe('invalid')
    expect(await reported('grant.expired')).toBe(1)
    exchange.clearCalls()
    expectStatus(await contacts(id), 401)
    expect(exchange.calls).toEqual([])
    const settings = { ews_password: 'CANARY-another' }
    expectStatus(await call('PATCH', `/v3/grants/${id}`, { settings }), 200)
    expect(await connected({ ...good(), ...settings })).toMatchObject({ id, grant_status: 'valid' })
    expectStatus(await contacts(id), 200)
    expect(await reported('grant.expired')).toBe(1)
    expect(service.logs()).not.toContain('CANARY')
  })

  test('is noticed by the watcher too, which stops using it', async () => {
    await using watching = await openExchangeService(exchange, {
      env: { WAYPOST_POLL_SECONDS: '1' },
      overrides: { serving: true },
    })
    await watching.listen()
    const { key } = await watching.createApplication()
    const grace = exchange.addAccount({ email: `grace${number}@people.test`, password })
    const settings = { ews_password: password }
    const grant = await createExchangeGrant(watching, { email: ada.email, key, settings })
    const other = await createExchangeGrant(watching, { email: grace.email, key, settings })
    const reported = async (type: string): Promise<Json[]> => {
      const { body } = expectStatus(await watching.call('GET', '/v3/notifications?limit=200', { key }), 200)
      return body.data.filter((each: Json) => each.type === type)
    }
    const arrive = async (to: SimulatedExchangeAccount, subject: string): Promise<void> => {
      to.mail.deliver(Buffer.from(`From: bob@people.test\r\nTo: ${to.email}\r\nSubject: ${subject}\r\n\r\nText\r\n`))
      await expect
        .poll(async () => (await reported('message.created')).map(({ data }) => data.object.subject), limit)
        .toContain(subject)
    }
    const limit = { timeout: 60_000, interval: 100 }
    await arrive(ada, 'First of Ada')
    let refused = 0
    exchange.observe(({ status, requestHeaders }) => {
      const shows = /^(Basic |NTLM TlRMTVNTUAAD)/.test(requestHeaders.get('authorization') ?? '')
      if (status === 401 && shows) refused += 1
    })
    ada.changePassword('CANARY-another')
    ada.mail.deliver(Buffer.from('From: bob@people.test\r\nSubject: Unseen\r\n\r\nText\r\n'))
    await expect
      .poll(async () => (await watching.call('GET', `/v3/grants/${grant.id}`, { key })).body.data.grant_status, limit)
      .toBe('invalid')
    const before = refused
    expect(before).toBeLessThanOrEqual(5)
    // Others are polled meanwhile.
    for (const subject of ['First of Grace', 'Second of Grace']) await arrive(grace, subject)
    expect(refused).toBe(before)
    expect(await reported('grant.expired')).toHaveLength(1)
    expect((await watching.call('GET', `/v3/grants/${other.id}`, { key })).body.data.grant_status).toBe('valid')
    await createExchangeGrant(watching, { email: ada.email, key, settings: { ews_password: 'CANARY-another' } })
    await arrive(ada, 'Last of Ada')
    expect(await reported('grant.expired')).toHaveLength(1)
    expect(watching.logs()).not.toContain('CANARY')
  })
})

describe('the form for Exchange', () => {
  const begin = async (query: Record<string, string> = {}) => {
    const visitor = visitorOf(service)
    const begun = await visitor.get(authUrl(client.id, { provider: 'ews', ...query }))
    const page = new URL(begun.location ?? '', 'http://x').pathname
    return { visitor, page, first: await visitor.get(begun.location ?? '') }
  }

  test('requests the address, the user name and the password, reports errors, and redirects back with a code', async () => {
    const { visitor, page, first } = await begin()
    expect(first.text).toContain('Connect your Exchange account')
    const led = await visitor.post(page, { ...fieldsOf(first.text), email: ada.email })
    const form = await visitor.get(led.location ?? '')
    expect(fieldsOf(form.text)).toMatchObject({
      ews_username: ada.email,
      ews_password: '',
      ews_host: '',
      ews_port: '443',
    })
    const wrong = await visitor.post(page, { ...fieldsOf(form.text), ews_password: 'CANARY-wrong' })
    expect([wrong.status, wrong.text]).toEqual([422, expect.stringContaining('did not accept the user name')])
    ada.refuseSignIn('locked')
    const locked = await visitor.post(page, { ...fieldsOf(wrong.text), ews_password: password })
    expect([locked.status, locked.text]).toEqual([422, expect.stringContaining('the account is locked')])
    expect(locked.text).toContain('Your account is locked at the moment.')
    ada.refuseSignIn(undefined)
    const done = await visitor.post(page, {
      ...fieldsOf(locked.text),
      ews_username: `EXCHANGE\\${ada.username}`,
      ews_password: password,
      ews_host: 'https://mail.people.test/owa/',
    })
    const answer = await trade(service, client, resultOf(done.location).code ?? '')
    expect(answer.body).toMatchObject({
      email: ada.email,
      provider: 'ews',
      scope: expect.stringContaining('ews.messages'),
    })
    expect(service.logs()).not.toContain('CANARY')
  })

  test('accepts no other server for a connected address', async () => {
    await connected()
    const { visitor, page, first } = await begin({ login_hint: ada.email })
    const fields = { ...fieldsOf(first.text), ews_password: password, ews_host: 'mail.mallory.test' }
    const refused = await visitor.post(page, fields)
    expect(resultOf(refused.location)).toMatchObject({ error: expect.stringContaining('reauth') })
  })
})
