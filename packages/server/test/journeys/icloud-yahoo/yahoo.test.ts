/**
 * Yahoo accounts: hosted sign-in, tokens that expire and are refused, scopes, app passwords, and servers like Yahoo's
 * own.
 */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startScriptedImap } from '@waypost/testing/peers/scripted-imap'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { doJobs } from '../../../src/node.ts'
import type { Json } from '../../conformance/accounts.ts'
import { mimeMessage } from '../../conformance/mime-messages.ts'
import type { Answer, TestService } from '../../harness.ts'
import {
  createYahooGrant,
  everyScope,
  openYahoo,
  openYahooService,
  type YahooPeer,
  yahooConnector,
} from '../../peers/yahoo.ts'
import { trade } from '../sign-in/hosted-google.ts'
import { authUrl, fieldsOf, newClient, resultOf, visitorOf } from '../sign-in/hosted-visitor.ts'

let peer: YahooPeer
let service: TestService
let client: { id: string; key: string }

/** Every token that was issued. */
const tokens = new Set<string>()

/** Every app password that was issued. */
const passwords: string[] = []
let dataDir: string

beforeAll(async () => {
  peer = await openYahoo()
  peer.simulator.observe(({ responseBody }) => {
    for (const [, token = ''] of Buffer.from(responseBody)
      .toString()
      .matchAll(/"(?:access|refresh|id)_token": "([^"]+)"/g)) {
      tokens.add(token)
    }
  })
  dataDir = await mkdtemp(join(tmpdir(), 'waypost-yahoo-'))
  service = await openYahooService(peer, { dataDir, env: { WAYPOST_LOG_LEVEL: 'trace' } })
})
afterAll(async () => {
  await service?.[Symbol.asyncDispose]()
  await rm(dataDir, { recursive: true, force: true })
  await peer?.[Symbol.asyncDispose]()
})
beforeEach(async () => {
  client = await newClient(service)
})

const call = (method: string, path: string, body?: unknown): Promise<Answer> =>
  service.call(method, path, { key: client.key, ...(body === undefined ? {} : { body }) })
const custom = (settings: Record<string, unknown>) =>
  call('POST', '/v3/connect/custom', { provider: 'yahoo', settings })

async function connect(scope?: string[]): Promise<void> {
  const made = await call('POST', '/v3/connectors', { ...yahooConnector(peer.simulator), ...(scope ? { scope } : {}) })
  if (made.status !== 201) throw new Error(JSON.stringify(made.body))
}

/** A whole sign-in, up to the application's redirect URI. */
async function signIn(email: string, { deny = false, query = {} }: { deny?: boolean; query?: object } = {}) {
  const visitor = visitorOf(service)
  const left = await visitor.get(authUrl(client.id, { provider: 'yahoo', ...query }))
  const back = await peer.simulator.consent(left.location ?? '', { email, deny })
  return { page: new URL(left.location ?? ''), result: resultOf((await visitor.get(back.href)).location) }
}

async function connected(email: string): Promise<string> {
  const { result } = await signIn(email)
  const traded = await trade(service, client, result.code ?? '')
  expect(traded.status).toBe(200)
  return traded.body.grant_id
}

const refreshes = () =>
  peer.simulator.calls.filter(({ path }) => path === '/oauth2/get_token').map(({ status }) => status)

describe('a hosted sign-in', () => {
  test('leads to Yahoo and back, and the mail of the account is read and sent', async () => {
    await connect(['mail-w', 'profile'])
    const { email } = await peer.newUser('Ada Lovelace')
    const { page, result } = await signIn(email, { query: { state: 'a b&c' } })
    expect(page.origin + page.pathname).toBe(`${peer.simulator.url}/oauth2/request_auth`)
    expect(Object.fromEntries(page.searchParams)).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      scope: 'openid email mail-w profile',
    })
    expect(result.state).toBe('a b&c')
    const { grant_id } = (await trade(service, client, result.code ?? '')).body
    const grant = (await call('GET', `/v3/grants/${grant_id}`)).body.data
    expect(grant).toMatchObject({
      email,
      name: 'Ada Lovelace',
      provider: 'yahoo',
      provider_user_id: peer.simulator.account(email).guid,
      grant_status: 'valid',
      settings: {},
      scope: ['openid', 'email', 'mail-w', 'profile'],
    })
    await peer.mail.deliver(email, mimeMessage({ subject: 'Hello' }))
    const { data } = (await call('GET', `/v3/grants/${grant_id}/messages`)).body
    expect(data.map(({ subject }: Json) => subject)).toEqual(['Hello'])
    const mail = { to: [{ email: 'bob@example.com' }], subject: `By token ${email}`, body: 'Hello' }
    expect((await call('POST', `/v3/grants/${grant_id}/messages/send`, mail)).status).toBe(200)
    expect(peer.mail.relayed.filter(({ source }) => source.includes(`By token ${email}`))).toHaveLength(1)
    // The refresh request contains the redirect URI of the code, as Yahoo requires.
    peer.simulator.expireAccessTokens()
    await peer.mail.kick(email)
    expect((await call('GET', `/v3/grants/${grant_id}/folders`)).status).toBe(200)
  })

  test("has folders with Yahoo's names and their special-use attributes", async () => {
    await connect()
    const { email } = await peer.newUser()
    const { data } = (await call('GET', `/v3/grants/${await connected(email)}/folders`)).body
    const uses = Object.fromEntries(data.map(({ name, attributes }: Json) => [name, attributes[0]]))
    expect(uses).toMatchObject({
      INBOX: '\\Inbox',
      Draft: '\\Drafts',
      Sent: '\\Sent',
      Bulk: '\\Junk',
      Trash: '\\Trash',
      Archive: '\\Archive',
    })
  })

  test('that a user declines, or whose client is refused, gets a readable error', async () => {
    await connect()
    const { email } = await peer.newUser()
    expect((await signIn(email, { deny: true })).result).toMatchObject({ error: 'access_denied' })
    const { client_id } = yahooConnector(peer.simulator).settings
    await call('PATCH', '/v3/connectors/yahoo', { settings: { client_id, client_secret: 'wrong' } })
    const { result } = await signIn(email)
    expect(result).toMatchObject({ error: 'oauth_failed', error_description: expect.stringContaining('client_secret') })
    const { body } = await call('POST', '/v3/connectors/yahoo/test')
    expect(body.data.checks[0]).toMatchObject({ name: 'client', ok: false })
  })

  test('names the scopes that are enough for a connector', async () => {
    await connect(['mail-w'])
    const { data } = (await call('POST', '/v3/connectors/yahoo/test')).body
    const checks = Object.fromEntries(data.checks.map(({ name, ok }: Json) => [name, ok]))
    expect(checks).toEqual({ client: true, redirect_uri: true, scopes: true })
  })

  test('requires scopes that Yahoo has', async () => {
    await expect(connect(['mail-w', 'mail-x'])).rejects.toThrow('mail-x')
  })
})

describe('a grant', () => {
  test('continues with the next token when one expires, and refreshes once', async () => {
    await connect()
    const { email } = await peer.newUser()
    const id = await connected(email)
    expect((await call('GET', `/v3/grants/${id}/messages`)).status).toBe(200)
    peer.simulator.expireAccessTokens()
    peer.simulator.clearCalls()
    // An open connection stays open; the next one is refused, and opened with another token.
    expect((await call('GET', `/v3/grants/${id}/messages`)).status).toBe(200)
    expect(refreshes()).toEqual([])
    await peer.mail.kick(email)
    await vi.waitFor(async () => {
      expect((await call('GET', `/v3/grants/${id}/messages`)).status).toBe(200)
      expect(refreshes()).toEqual([200])
    }, 30_000)
    expect((await call('GET', `/v3/grants/${id}`)).body.data.grant_status).toBe('valid')
  })

  test.each([
    ['TOKEN_EXPIRED', /expired/],
    ['ACCOUNT_NOT_AUTHORIZED', /revoked/],
    ['INVALID_GRANT', /no longer accepts/],
  ] as const)('whose refresh is refused (%s) becomes invalid with the reason', async (problem, words) => {
    await connect()
    const { email } = await peer.newUser()
    const id = await connected(email)
    peer.simulator.account(email).refuseRefresh(problem)
    peer.simulator.expireAccessTokens()
    peer.simulator.clearCalls()
    const lost = await call('GET', `/v3/grants/${id}/messages`)
    expect([lost.status, lost.body.error.type]).toEqual([401, 'grant.invalid_authentication'])
    expect(lost.body.error.message).toMatch(words)
    expect(refreshes()).toHaveLength(1)
    expect((await call('GET', `/v3/grants/${id}`)).body.data.grant_status).toBe('invalid')
    expect((await call('GET', `/v3/grants/${id}/messages`)).status).toBe(401)
    expect(refreshes()).toHaveLength(1)
    expect(await connected(email)).toBe(id)
    expect((await call('GET', `/v3/grants/${id}/messages`)).status).toBe(200)
  })

  test('survives an outage of the token endpoint', async () => {
    await connect()
    const { email } = await peer.newUser()
    const id = await connected(email)
    peer.simulator.expireAccessTokens()
    peer.simulator.fail({ path: '/oauth2/get_token' }, { status: 503, error: 'ERROR_HANDLING_REQUEST' })
    expect((await call('GET', `/v3/grants/${id}/messages`)).status).toBe(504)
    expect((await call('GET', `/v3/grants/${id}/messages`)).status).toBe(200)
  })

  test('without a scope gets its name before a request to Yahoo', async () => {
    const { email } = await peer.newUser()
    const scopes = ['openid', 'email', 'mail-r']
    const { id, scope } = await createYahooGrant(service, peer.simulator, { email, key: client.key, scopes })
    expect(scope).toEqual(scopes)
    expect((await call('GET', `/v3/grants/${id}/messages`)).status).toBe(200)
    peer.simulator.clearCalls()
    const refused = await call('POST', `/v3/grants/${id}/drafts`, { subject: 'x' })
    expect([refused.status, refused.body.error.type]).toEqual([403, 'insufficient_scopes'])
    expect(refused.body.error.message).toContain('mail-w')
    expect(peer.simulator.calls).toEqual([])
    const calendars = await call('GET', `/v3/grants/${id}/calendars`)
    expect(calendars.body.error.type).toBe('not_supported_by_provider')
  })

  test('that is deleted is not revoked at Yahoo', async () => {
    const { email } = await peer.newUser()
    const { id } = await createYahooGrant(service, peer.simulator, { email, key: client.key })
    peer.simulator.clearCalls()
    expect((await call('DELETE', `/v3/grants/${id}`)).status).toBe(200)
    await doJobs(service.services)
    expect(peer.simulator.calls).toEqual([])
  })
})

describe('custom authentication', () => {
  test('accepts refresh tokens, with their redirect URI', async () => {
    await connect()
    const { email } = await peer.newUser()
    const redirectUri = 'https://app.test/yahoo'
    const token = () => peer.simulator.grantToken(email, everyScope, { redirectUri }).refreshToken
    const without = await custom({ refresh_token: token() })
    expect(without.body.error.message).toContain('redirect_uri')
    const made = await custom({ refresh_token: token(), redirect_uri: redirectUri })
    expect([made.status, made.body.data.email, made.body.data.settings]).toEqual([201, email, {}])
    peer.simulator.expireAccessTokens()
    expect((await call('GET', `/v3/grants/${made.body.data.id}/folders`)).status).toBe(200)
  })

  test('refuses an invalid token, or one without an identity, and does not repeat it', async () => {
    await connect()
    const refused = await custom({ refresh_token: 'CANARY-nonsense' })
    expect([refused.status, refused.body.error.type]).toEqual([401, 'grant.refresh_token_invalid'])
    expect(JSON.stringify(refused.body)).not.toContain('CANARY')
    const { email } = await peer.newUser()
    const nameless = await custom({ refresh_token: peer.simulator.grantToken(email, ['mail-w']).refreshToken })
    expect(nameless.status).toBe(400)
    expect(nameless.body.error.message).toContain('openid email')
  })

  test('accepts an app password, which has no scopes', async () => {
    await connect()
    const { email, password } = await peer.newUser()
    passwords.push(password)
    const made = await custom({ username: email, password })
    expect(made.body.data).toMatchObject({ email, provider: 'yahoo', scope: [], settings: { username: email } })
    expect(JSON.stringify(made.body)).not.toContain(password)
    const id = made.body.data.id
    await peer.mail.deliver(email, mimeMessage({ subject: 'Hello' }))
    expect((await call('GET', `/v3/grants/${id}/messages`)).body.data).toHaveLength(1)
    const mail = { to: [{ email: 'bob@example.com' }], subject: `By password ${email}`, body: 'Hello' }
    expect((await call('POST', `/v3/grants/${id}/messages/send`, mail)).status).toBe(200)
    expect(peer.mail.relayed.filter(({ source }) => source.includes(`By password ${email}`))).toHaveLength(1)
    const wrong = await custom({ username: email, password: 'wrong' })
    expect([wrong.status, wrong.body.error.type]).toEqual([400, 'grant.invalid_authentication'])
    expect(wrong.body.error.message).toContain('settings.password')
    // The same account with a token is the same grant.
    const again = await custom({ refresh_token: peer.simulator.grantToken(email, everyScope).refreshToken })
    expect([again.body.data.id, again.body.data.settings]).toEqual([id, {}])
    expect((await call('GET', `/v3/grants/${id}/messages?subject=Hello`)).body.data).toHaveLength(1)
  })

  test.each([
    [{}, 'settings.refresh_token'],
    [{ refresh_token: 'x', username: 'a@yahoo.com', password: 'x' }, 'settings.refresh_token'],
    [{ username: 'a@yahoo.com' }, 'settings.password'],
    [{ password: 'x' }, 'settings.username'],
    [{ username: 'a', password: 'x' }, 'settings.username'],
  ])('requires a token, or an address with a password: %j', async (settings, field) => {
    await connect()
    const refused = await custom(settings)
    expect([refused.status, Object.keys(refused.body.error.validation_errors)]).toEqual([400, [field]])
  })
})

describe('an application without a client at Yahoo', () => {
  beforeEach(async () => {
    expect((await call('POST', '/v3/connectors', { provider: 'yahoo' })).status).toBe(201)
  })

  test('requests an app password from its users on the hosted page', async () => {
    const { email, password } = await peer.newUser()
    const visitor = visitorOf(service)
    const begun = await visitor.get(authUrl(client.id, { provider: 'yahoo', login_hint: email }))
    const seen = await visitor.get(begun.location ?? '')
    expect(seen.text).toContain('https://login.yahoo.com/myaccount/security/app-password')
    const { pathname } = new URL(begun.location ?? '', 'http://x')
    const give = (written: string) => visitor.post(pathname, { ...fieldsOf(seen.text), password: written })
    const wrong = await give('wrong')
    expect([wrong.status, wrong.text.includes('The password was not accepted.')]).toEqual([422, true])
    const { code = '' } = resultOf((await give(` ${password.slice(0, 4)} ${password.slice(4)}`)).location)
    const { grant_id } = (await trade(service, client, code)).body
    expect((await call('GET', `/v3/grants/${grant_id}`)).body.data.settings).toEqual({ username: email })
    expect((await call('GET', `/v3/grants/${grant_id}/folders`)).status).toBe(200)
  })

  test('gets what it lacks if it sends a refresh token, and that its connector works without', async () => {
    const refused = await custom({ refresh_token: 'x' })
    expect(refused.body.error.message).toContain('client_id')
    expect((await call('POST', '/v3/connectors/yahoo/test')).body.data).toMatchObject({ ok: true })
    const half = await call('PATCH', '/v3/connectors/yahoo', { settings: { client_id: 'x' } })
    expect(Object.keys(half.body.error.validation_errors)).toEqual(['settings.client_secret'])
  })
})

test('tokens of a simulated sign-in are never sent to Yahoo itself', async () => {
  await using apart = await openYahooService(peer, { env: { WAYPOST_YAHOO_IMAP_URL: '', WAYPOST_YAHOO_SMTP_URL: '' } })
  const { key } = await apart.createApplication('Apart')
  const { email } = await peer.newUser()
  const { id } = await createYahooGrant(apart, peer.simulator, { email, key })
  const refused = await apart.call('GET', `/v3/grants/${id}/messages`, { key })
  expect(refused.status).toBe(504)
  expect(refused.body.error.message).toContain('WAYPOST_YAHOO_IMAP_URL')
})

describe("a server like Yahoo's", () => {
  test('gets no OR and NOT searches, few connections, and may respond in any order', async () => {
    await using imap = await startScriptedImap({
      script({ tag, name, args }, line) {
        if (name !== 'UID SEARCH' || !hasChoice(args)) return false
        line.say(`${tag} NO [SERVERBUG] SEARCH Server error - Please try again later`)
        return true
      },
    })
    for (const folder of ['Draft', 'Sent', 'Bulk', 'Trash', 'Archive']) imap.addFolder(folder)
    for (const [subject, from, to] of [
      ['one', 'ann@people.test', 'bob@people.test'],
      ['two', 'cleo@people.test', 'bob@people.test'],
      ['three', 'dora@people.test', 'cleo@people.test'],
      ['four', 'dora@people.test', 'ann@people.test'],
    ] as const) {
      imap.add(mimeMessage({ subject, from, to }), { date: new Date('2026-06-01T12:00:00Z') })
    }
    imap.folder('INBOX').messages.reverse()
    await using apart = await openYahooService(peer, {
      env: { WAYPOST_YAHOO_IMAP_URL: `imap://127.0.0.1:${imap.port}` },
    })
    const { key } = await apart.createApplication('Apart')
    await apart.call('POST', '/v3/connectors', { key, body: yahooConnector(peer.simulator) })
    const { email: username, password } = await peer.newUser()
    const body = { provider: 'yahoo', settings: { username, password } }
    const { id } = (await apart.call('POST', '/v3/connect/custom', { key, body })).body.data
    const tried = imap.count('LOGIN')
    const found = async (query: string): Promise<string[]> => {
      const answer = await apart.call('GET', `/v3/grants/${id}/messages?${query}`, { key })
      expect(answer.status).toBe(200)
      return answer.body.data.map(({ subject }: Json) => subject).sort()
    }
    const [dora, any, both, plain, ...others] = await Promise.all([
      found('from=ann@people.test,dora@people.test'),
      found('any_email=cleo@people.test'),
      found('from=ann@people.test,dora@people.test&to=bob@people.test,cleo@people.test'),
      found('from=dora@people.test&unread=true'),
      ...Array.from({ length: 4 }, () => found('subject=two')),
    ])
    expect(dora).toEqual(['four', 'one', 'three'])
    expect(any).toEqual(['three', 'two'])
    expect(both).toEqual(['one', 'three'])
    expect(plain).toEqual(['four', 'three'])
    expect(others).toEqual(Array(4).fill(['two']))
    expect(imap.count('LOGIN') - tried).toBeLessThanOrEqual(2)
    expect(imap.commands.filter(({ name, args }) => name === 'UID SEARCH' && hasChoice(args))).toEqual([])
  })
})

test('no token and no app password is in the log or in the store', async () => {
  const secrets = [...tokens, ...passwords]
  expect(tokens.size).toBeGreaterThan(20)
  expect(passwords.length).toBeGreaterThan(0)
  const files = (await readdir(dataDir, { recursive: true, withFileTypes: true })).filter((each) => each.isFile())
  const retained = await Promise.all(files.map(({ parentPath, name }) => readFile(join(parentPath, name), 'latin1')))
  expect(retained.join('').length).toBeGreaterThan(100_000)
  const all = [service.logs(), ...retained]
  expect(secrets.filter((secret) => all.some((text) => text.includes(secret)))).toEqual([])
})

const hasChoice = (args: readonly unknown[]): boolean => JSON.stringify(args).match(/"(OR|NOT)"/) !== null
