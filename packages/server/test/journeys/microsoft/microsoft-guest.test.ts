/**
 * The behavior of the service towards Graph: few requests, few at a time, waiting on request, and tokens only for
 * Graph. Clients get Graph's error messages; credentials are never exposed.
 */

import { openListener } from '@waypost/testing/listener'
import { sql } from '@waypost/testing/statement'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectRefusal, expectStatus, type Json } from '../../conformance/accounts.ts'
import { messagePath } from '../../conformance/mail-subject.ts'
import { mimeMessage } from '../../conformance/mime-messages.ts'
import { type MicrosoftAccount, type MicrosoftAccounts, openMicrosoftAccounts } from './microsoft-accounts.ts'

describe('as a client of Graph, the service', () => {
  let accounts: MicrosoftAccounts
  let account: MicrosoftAccount
  /** Credentials that Graph and the identity platform received. */
  const shown = new Set<string>()
  beforeAll(async () => {
    // Responses take a while, so that requests overlap.
    accounts = await openMicrosoftAccounts({
      env: { WAYPOST_LOG_LEVEL: 'trace' },
      microsoft: { latencyMs: 20, strictRotation: true },
    })
    accounts.simulator.observe(({ requestHeaders, requestBody, responseBody, path }) => {
      const bearer = /^Bearer (.+)$/.exec(requestHeaders.get('authorization') ?? '')?.[1]
      if (bearer) shown.add(bearer)
      if (!path.endsWith('/token')) return
      const form = new URLSearchParams(Buffer.from(requestBody).toString())
      const answer: Json = JSON.parse(Buffer.from(responseBody).toString())
      const said = [form.get('refresh_token'), form.get('client_secret'), answer.access_token, answer.refresh_token]
      for (const each of [...said, answer.id_token]) if (typeof each === 'string') shown.add(each)
    })
    account = await accounts.newAccount()
    for (let index = 0; index < 60; index++) {
      account.microsoft.mail.deliver(mimeMessage({ subject: `Number ${index}` }))
      account.microsoft.contacts.addContact({ givenName: `Contact ${index}` })
    }
  })
  afterAll(() => accounts?.[Symbol.asyncDispose]())

  const throttled = () => accounts.simulator.calls.filter(({ status }) => status === 429)

  test('makes four requests at a time for a mailbox, however many clients call it', async () => {
    const { data } = expectStatus(await account.get('/messages', { limit: 10 }), 200).body
    accounts.simulator.clearCalls()
    const requested = [
      ...data.map(
        ({ id }: Json) =>
          () =>
            account.get(messagePath(id)),
      ),
      ...data.map(
        ({ id }: Json) =>
          () =>
            account.put(messagePath(id), { unread: false }),
      ),
      () => account.get('/threads', { limit: 20 }),
      () => account.get('/threads', { limit: 20 }),
      () => account.get('/folders'),
      () => account.get('/contacts'),
    ]
    for (const answer of await Promise.all(requested.map((ask) => ask()))) expectStatus(answer, 200)
    expect(throttled()).toEqual([])
  })

  test('makes one call for a page of 50 messages or contacts', async () => {
    for (const path of ['/messages', '/contacts']) {
      accounts.requests()
      expect(expectStatus(await account.get(path, { limit: 50 }), 200).body.data).toHaveLength(50)
      expect(accounts.requests()).toEqual([`GET /v1.0/me${path}`])
    }
  })

  test.each([
    [429, 'ApplicationThrottled', 60, 429, 'rate_limit_error'],
    [503, 'serviceNotAvailable', 30, 504, 'provider_error'],
    [504, 'gatewayTimeout', 30, 504, 'provider_error'],
  ])(
    'tells a client that must wait (%i) for how long, and waits itself',
    async (status, code, retryAfter, reported, type) => {
      const patient = await accounts.newAccount()
      accounts.requests()
      accounts.simulator.fail({ path: '/v1.0/me/messages', times: 1 }, { status, code, retryAfter })
      const answer = await patient.get('/messages')
      expectStatus(answer, reported)
      expect(answer.body.error.type).toBe(type)
      expect(answer.body.error.provider_error).toMatchObject({ status, reason: code, retry_after: retryAfter })
      expect(answer.headers.get('retry-after')).toBe(`${retryAfter}`)
      expect(accounts.requests()).toHaveLength(1)
      // A throttled mailbox gets no request until then; others are not delayed.
      const next = await patient.get('/folders')
      expect(next.status).toBe(status === 429 ? 429 : 200)
      if (status === 429) expect(accounts.requests()).toEqual([])
      expectStatus(await account.get('/messages', { limit: 1 }), 200)
    },
  )

  test('reports a cursor that expired at Graph, and continues lists whose cursor does not depend on Graph', async () => {
    await accounts.newAccount()
    const directory = { source: 'domain', limit: 1 }
    const { next_cursor: next } = expectStatus(await account.get('/contacts', directory), 200).body
    expectStatus(await account.get('/contacts', { ...directory, page_token: next }), 200)
    const messages = expectStatus(await account.get('/messages', { limit: 10 }), 200).body
    accounts.simulator.expirePages()
    const again = await account.get('/contacts', { ...directory, page_token: next })
    expectRefusal(again, 'page_token: has expired at Microsoft: start the list again without it')
    expectStatus(await account.get('/messages', { limit: 10, page_token: messages.next_cursor }), 200)
  })

  test('follows no link to another host, and sends a token only to Graph', async () => {
    await using elsewhere = await openListener()
    const heard: unknown[] = []
    elsewhere.answer = (response, request) => {
      heard.push(request)
      response.end('{}')
    }
    const own = new URL(accounts.simulator.url)
    const links = [
      `${elsewhere.url}/v1.0/me/contacts?$skip=10`,
      `http://${own.host}@${new URL(elsewhere.url).host}/v1.0/me/contacts?$skip=10`,
      `//${new URL(elsewhere.url).host}/v1.0/me/contacts?$skip=10`,
      `${own.origin}/v1.0/../other?$skip=10`,
      'nonsense',
    ]
    for (const link of links) {
      for (const path of ['/contacts', '/messages', '/folders']) {
        const at = path === '/folders' ? '/v1.0/me/mailFolders' : `/v1.0/me${path}`
        accounts.simulator.fail({ path: at }, { status: 200, json: { value: [], '@odata.nextLink': link } })
        const answer = await account.get(path)
        expectStatus(answer, 504)
        expect(answer.body.error).toMatchObject({ type: 'provider_error', provider_error: { reason: 'foreign_link' } })
        expect(JSON.stringify(answer.body)).not.toContain('skip')
      }
    }
    expect(heard).toEqual([])
  })

  test('keeps tokens and secrets out of its log, its responses and its tables', async () => {
    const said: string[] = []
    const { simulator, service } = accounts
    const note = async (requested: Promise<{ body: unknown }>) => said.push(JSON.stringify((await requested).body))
    simulator.expireAccessTokens()
    simulator.fail(
      { path: /\/token$/ },
      { status: 400, json: { error: 'temporarily_unavailable', error_description: 'x' } },
    )
    await note(account.get('/messages', { limit: 1 }))
    await note(account.get('/messages', { limit: 1 }))
    simulator.fail({ path: '/v1.0/me/messages', times: 2 }, { status: 401, code: 'InvalidAuthenticationToken' })
    await note(account.get('/messages', { limit: 1 }))
    const other = await accounts.newAccount()
    simulator.fail({ path: '/v1.0/me/messages' }, { status: 500, code: 'InternalServerError' })
    await note(other.get('/messages'))
    await note(other.post('/messages/send', { to: [{ email: account.email }], subject: 'Hi', body: 'Hi' }))
    await note(other.get('/messages/nothing-there'))
    other.microsoft.revokeConsent()
    simulator.expireAccessTokens()
    await note(other.get('/messages'))
    expect(said.at(-1)).toContain('grant.invalid_authentication')
    const { database } = service.services.storage
    const names = {
      sqlite: "select name from sqlite_master where type = 'table'",
      postgresql: "select tablename as name from pg_tables where schemaname = 'public'",
    }
    const tables = await database.all(sql<{ name: string }>('', names[database.engine]))
    const rows = await Promise.all(tables.map(({ name }) => database.all(sql('', `select * from "${name}"`))))
    expect(shown.size).toBeGreaterThan(6)
    const everything = [service.logs(), ...said, JSON.stringify(rows)].join('\n')
    const leaked = [...shown].filter((secret) => everything.includes(secret))
    expect(leaked).toEqual([])
  })
})
