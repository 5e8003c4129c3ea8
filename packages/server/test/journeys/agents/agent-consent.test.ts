/**
 * People connect agents: the official clients of both generations run the complete authorization against the server, an
 * owner or an administrator decides on the consent page, and invalid requests change nothing.
 */
import { createHash } from 'node:crypto'
import { auth, Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { auth as olderAuth } from '@modelcontextprotocol/sdk/client/auth.js'
import { createEgress, type Egress, EgressError } from '@waypost/platform/egress/egress'
import { sharedDovecot } from '@waypost/testing/peers/dovecot'
import type { Mailbox, MailServer } from '@waypost/testing/peers/mail-server'
import { type TestClock, testClock } from '@waypost/testing/test-clock'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openService, type TestService } from '../../harness.ts'
import { newClient, type Seen, type Visitor, visitorOf } from '../sign-in/hosted-visitor.ts'
import { connectMailbox, openAsOwner } from './owner-visitor.ts'

const redirect = 'https://client.test/callback'
const verifier = 'v'.repeat(50)
const challenge = createHash('sha256').update(verifier).digest('base64url')

let clock: TestClock
let server: MailServer
let service: TestService
let base: string
/** Metadata documents by URL, as served by public hosts. */
const documents = new Map<string, { status: number; body: string; fails?: EgressError }>()
let limitsOfFetch: object = {}
beforeAll(async () => {
  clock = testClock()
  server = await sharedDovecot()
  const publicEgress = createEgress({ mode: 'public' })
  const openPublicEgress = (): Egress => ({
    ...publicEgress,
    request: async (requested) => {
      const found = documents.get(String(requested.url))
      if (!found) return publicEgress.request(requested)
      limitsOfFetch = {
        deadlineMs: requested.deadlineMs,
        maxBytes: requested.maxBytes,
        onOverflow: requested.onOverflow,
      }
      if (found.fails) throw found.fails
      return { status: found.status, headers: {}, body: Buffer.from(found.body), truncated: false }
    },
    [Symbol.asyncDispose]: async () => undefined,
  })
  service = await openService({
    overrides: {
      ...{ clock, openPublicEgress, egress: createEgress({ mode: 'private', ca: [server.ca] }) },
      ...{ findService: async () => undefined, findMailExchangers: async () => [] },
    },
  })
  base = service.services.config.baseUrl
})
afterAll(async () => {
  await service?.[Symbol.asyncDispose]()
  await server?.[Symbol.asyncDispose]()
})

let client: { id: string; key: string }
let mailbox: Mailbox
let grantId: string
let visitor: Visitor
beforeEach(async () => {
  client = await newClient(service)
  await service.call('PATCH', '/v3/applications', { key: client.key, body: { mcp_enabled: true } })
  await service.call('POST', '/v3/connectors', { key: client.key, body: { provider: 'imap' } })
  mailbox = await server.addUser()
  grantId = await connectMailbox(service, client.key, { server, mailbox })
  visitor = visitorOf(service)
  clock.advance(60_000)
})

const resource = (): string => `${base}/mcp/${client.id}`
const json = async (path: string, body: unknown) => {
  const headers = { 'content-type': 'application/json' }
  const response = await service.app.request(path, { method: 'POST', headers, body: JSON.stringify(body) })
  return { status: response.status, body: JSON.parse(await response.text()) }
}
const register = async (uris: readonly string[] = [redirect]): Promise<string> =>
  (await json('/oauth/register', { redirect_uris: uris, client_name: 'Assistant' })).body.client_id
const authorizePath = (clientId: string, more: Record<string, string> = {}): string =>
  `/oauth/authorize?${new URLSearchParams({
    ...{ client_id: clientId, redirect_uri: redirect, response_type: 'code', state: 'a state' },
    ...{ code_challenge: challenge, code_challenge_method: 'S256', resource: resource(), ...more },
  })}`
const trade = async (fields: Record<string, string>) => {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const response = await service.app.request('/oauth/token', {
    ...{ method: 'POST', headers, body: String(new URLSearchParams(fields)) },
  })
  return { status: response.status, body: JSON.parse(await response.text()) }
}

const decoded = (text: string): string =>
  text.replaceAll('&amp;', '&').replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&lt;', '<')
/** The fields of the consent form, with the boxes that are checked. */
function formOf({ text }: Seen): [string, string][] {
  const fields: [string, string][] = []
  for (const [input] of text.matchAll(/<input [^>]*>/g)) {
    const name = / name="([^"]*)"/.exec(input)?.[1]
    const value = decoded(/ value="([^"]*)"/.exec(input)?.[1] ?? '')
    if (name !== undefined && (!input.includes('type="checkbox"') || / checked/.test(input))) fields.push([name, value])
  }
  return fields
}
const submit = async (
  who: Visitor,
  fields: readonly (readonly [string, string])[],
  headers: Record<string, string> = {},
): Promise<Seen> => {
  const cookie = [...who.cookies].map((pair) => pair.join('=')).join('; ')
  const body = String(new URLSearchParams(fields.map(([name, value]) => [name, value])))
  const sent = { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html', cookie, ...headers }
  const response = await service.app.request('/oauth/authorize', { method: 'POST', headers: sent, body })
  const text = await response.text()
  const next = /http-equiv="refresh" content="0;url=([^"]*)"/.exec(text)?.[1]
  const location = response.headers.get('location') ?? (next === undefined ? undefined : decoded(next))
  return { status: response.status, headers: response.headers, text, location }
}
/** The owner signs in and sees the consent page. */
const signInAt = (path: string, who = visitor): Promise<Seen> =>
  openAsOwner(who, path.replace('/oauth/authorize?', '/oauth/sign-in?'), mailbox)
/** The owner signs in, allows the selected rights, and returns to the client. */
async function allow(path: string, choose: (fields: [string, string][]) => [string, string][] = (all) => all) {
  const page = await signInAt(path)
  return submit(visitor, [...choose(formOf(page)), ['decision', 'allow']])
}
const codeAt = (seen: Seen): string => new URL(seen.location ?? '').searchParams.get('code') ?? ''
const agentsOf = async (key = client.key) => (await service.call('GET', '/v3/agents', { key })).body.data
const tradeCode = (clientId: string, code: string, more: Record<string, string> = {}) =>
  trade({
    ...{ grant_type: 'authorization_code', client_id: clientId, code, redirect_uri: redirect },
    ...{ code_verifier: verifier, ...more },
  })

/** The storage of a client of the libraries. */
function provider() {
  const retained: { location?: URL; verifier?: string; tokens?: object; client?: object } = {}
  return {
    retained,
    redirectUrl: redirect,
    clientMetadata: { redirect_uris: [redirect], client_name: 'Library' },
    state: () => 'of the library',
    clientInformation: () => retained.client as never,
    saveClientInformation: (value: object) => {
      retained.client = value
    },
    tokens: () => retained.tokens as never,
    saveTokens: (value: object) => {
      retained.tokens = value
    },
    redirectToAuthorization: (url: URL) => {
      retained.location = url
    },
    saveCodeVerifier: (value: string) => {
      retained.verifier = value
    },
    codeVerifier: () => retained.verifier ?? '',
  }
}

describe('the official clients', () => {
  test.each([
    ['2026-07-28', auth],
    ['2025-11-25', olderAuth],
  ] as const)('of %s are authorized by the owner of an account, call a tool, and refresh', async (_, authorize) => {
    const store = provider()
    const fetchFn = (input: string | URL, init?: RequestInit) => service.app.fetch(new Request(input, init))
    const options = { serverUrl: resource(), fetchFn }
    expect(await authorize(store as never, options)).toBe('REDIRECT')
    const { pathname, search } = store.retained.location ?? new URL(base)
    const back = new URL((await allow(`${pathname}${search}`)).location ?? '')
    expect(Object.fromEntries(back.searchParams)).toMatchObject({ state: 'of the library', iss: base })
    const authorizationCode = back.searchParams.get('code') ?? ''
    const iss = back.searchParams.get('iss') ?? ''
    expect(await authorize(store as never, { ...options, authorizationCode, iss } as never)).toBe('AUTHORIZED')
    const [agent] = await agentsOf()
    expect(agent).toMatchObject({
      ...{ name: 'Library', connected_by: mailbox.user, grant_ids: [grantId], status: 'active' },
      rights: { approval: ['send', 'delete', 'invite'] },
    })
    expect(agent.rights.operations).toContain('mail.read')
    expect(agent.rights.operations).not.toContain('mail.delete')
    // With tokens, the library refreshes them.
    const before = store.retained.tokens
    expect(await authorize(store as never, options)).toBe('AUTHORIZED')
    expect(store.retained.tokens).not.toEqual(before)
    const mcp = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } })
    const headers = { authorization: `Bearer ${(store.retained.tokens as { access_token: string }).access_token}` }
    await mcp.connect(
      new StreamableHTTPClientTransport(new URL(resource()), { fetch: fetchFn as never, requestInit: { headers } }),
    )
    const { tools } = await mcp.listTools()
    expect(tools.map(({ name }) => name)).toContain('find_messages')
    expect(tools.map(({ name }) => name)).not.toContain('send_message')
    await mcp.close()
    await service.call('DELETE', `/v3/agents/${agent.id}`, { key: client.key })
    const stopped = await service.app.request(`/mcp/${client.id}`, { method: 'POST', headers, body: '{}' })
    expect(stopped.status).toBe(401)
  })
})

describe('the consent page', () => {
  test('shows who asks before and after the sign-in, and cannot be framed', async () => {
    const id = await register()
    const entry = await visitor.get(authorizePath(id))
    expect(entry.text).toContain('Assistant')
    expect(entry.text).toContain('Unverified')
    expect(entry.text).toContain('client.test')
    const page = await signInAt(authorizePath(id))
    expect(page.text).toContain(mailbox.user)
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    const requested = formOf(page)
    expect(requested.filter(([name]) => name === 'grant')).toEqual([['grant', grantId]])
    expect(requested.filter(([name]) => name === 'ask').map(([, kind]) => kind)).toEqual(['send', 'delete', 'invite'])
    const germans = await visitor.get(authorizePath(id, { ui_locales: 'de' }))
    expect(germans.text).toContain('Welche Konten?')
  })

  test('the person can grant fewer rights, grant them without approval, or refuse', async () => {
    const id = await register()
    const without = (fields: [string, string][]) => fields.filter(([name]) => name !== 'right' && name !== 'ask')
    const fewer = await allow(authorizePath(id), (all) => [...without(all), ['right', 'mail.send'], ['ask', 'delete']])
    const { body } = await tradeCode(id, codeAt(fewer))
    expect(body.scope).toBe('mail.send')
    expect((await agentsOf())[0].rights).toMatchObject({ operations: ['mail.send', 'mcp'], approval: ['delete'] })
    const none = await submit(visitor, [
      ...without(formOf(await visitor.get(authorizePath(id)))),
      ['decision', 'allow'],
    ])
    expect(none.status).toBe(400)
    expect(none.text).toContain('Choose at least one right.')
    const denied = await submit(visitor, [...formOf(await visitor.get(authorizePath(id))), ['decision', 'deny']])
    expect(new URL(denied.location ?? '').searchParams.get('error')).toBe('access_denied')
    expect(await agentsOf()).toHaveLength(1)
  })

  test('a form without the token of this session, or from another site, is refused', async () => {
    const id = await register()
    const fields: [string, string][] = [...formOf(await signInAt(authorizePath(id))), ['decision', 'allow']]
    const forged = await submit(
      visitor,
      fields.filter(([name]) => name !== 'csrf'),
    )
    const foreign = await submit(visitor, fields, { origin: 'https://evil.test' })
    const crossSite = await submit(visitor, fields, { 'sec-fetch-site': 'cross-site' })
    const stranger = await submit(visitorOf(service), fields)
    const other = await register()
    const moved = await submit(
      visitor,
      fields.map(([name, value]) => [name, name === 'client_id' ? other : value] as const),
    )
    for (const seen of [forged, foreign, crossSite, stranger, moved]) {
      expect(seen.status).toBe(403)
      expect(seen.location).toBeUndefined()
    }
  })

  test('nobody can give an agent the account of another person', async () => {
    const id = await register()
    const { id: foreign } = await service.createGrant('other@one.test', client.key)
    const fields = formOf(await signInAt(authorizePath(id)))
    const seen = await submit(visitor, [...fields, ['grant', foreign], ['decision', 'allow']])
    expect(seen.status).toBe(400)
    expect(await agentsOf()).toEqual([])
  })

  test('an administrator selects grants of the application, which is audited', async () => {
    const id = await register()
    const { id: room } = await service.createGrant('room@one.test', client.key)
    const signedIn = await service.app.request('/v3/admin/session', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
      body: JSON.stringify({ password: 'CANARY-admin-password' }),
    })
    for (const line of signedIn.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      visitor.cookies.set(name, value)
    }
    const path = authorizePath(id, { as: 'administrator' })
    const page = await visitor.get(path)
    expect(page.text).toContain('room@one.test')
    const searched = await submit(visitor, [
      ...formOf(page),
      ['grant', grantId],
      ['search', 'room@'],
      ['decision', 'search'],
    ])
    expect(searched.text).toContain(mailbox.user)
    expect(searched.text).toContain('room@one.test')
    const back = await submit(visitor, [...formOf(searched), ['grant', room], ['decision', 'allow']])
    expect((await tradeCode(id, codeAt(back))).status).toBe(200)
    const [agent] = await agentsOf()
    expect(agent).toMatchObject({ connected_by: 'administrator', grant_ids: [grantId, room].toSorted() })
    const audit = await service.call('GET', `/v3/admin/audit?action=agents.connect&application_id=${client.id}`, {
      admin: true,
    })
    expect(audit.body.data).toHaveLength(1)
    expect((await visitorOf(service).get(path)).status).toBe(403)
  })

  test('a client that requests more rights stays the same agent and keeps its rights', async () => {
    const id = await register()
    const first = await tradeCode(id, codeAt(await allow(authorizePath(id, { scope: 'mail.read' }))))
    expect(first.body.scope).toBe('mail.read')
    const again = await submit(visitor, [
      ...formOf(await visitor.get(authorizePath(id, { scope: 'mcp mail.send' }))),
      ['decision', 'allow'],
    ])
    const second = await tradeCode(id, codeAt(again))
    expect(second.body.scope).toBe('mail.read mail.send')
    expect(await agentsOf()).toHaveLength(1)
    const refreshed = await trade({
      grant_type: 'refresh_token',
      client_id: id,
      refresh_token: first.body.refresh_token,
    })
    expect(refreshed.body.error).toBe('invalid_grant')
  })
})

describe('bad requests', () => {
  test('an unknown client or redirect URI is shown, and never returned to', async () => {
    const id = await register([redirect, 'http://127.0.0.1/cb'])
    const refused = [
      authorizePath('wpac_unknown'),
      authorizePath(client.key),
      ...['https://client.test/callback/', 'https://client.test/callback?x=1', 'https://evil.test/callback'].map(
        (uri) => authorizePath(id, { redirect_uri: uri }),
      ),
      ...['http://127.0.0.1:4000/other', 'http://127.0.0.2:4000/cb', 'javascript:alert(1)'].map((uri) =>
        authorizePath(id, { redirect_uri: uri }),
      ),
    ]
    for (const path of refused) {
      const seen = await visitor.get(path)
      expect({ path, status: seen.status, location: seen.location }).toEqual({ path, status: 400, location: undefined })
    }
    // A program on the same machine gets its port when it starts (RFC 8252).
    expect((await visitor.get(authorizePath(id, { redirect_uri: 'http://127.0.0.1:51004/cb' }))).status).toBe(200)
  })

  test('an invalid request is redirected to the client with the error and the issuer', async () => {
    const id = await register()
    const wrong: [Record<string, string>, string][] = [
      [{ response_type: 'token' }, 'unsupported_response_type'],
      [{ code_challenge_method: 'plain' }, 'invalid_request'],
      [{ code_challenge: 'short' }, 'invalid_request'],
      [{ code_challenge: '' }, 'invalid_request'],
      [{ resource: 'https://other.test/mcp' }, 'invalid_target'],
      [{ state: 's'.repeat(2_500) }, 'invalid_request'],
    ]
    for (const [more, error] of wrong) {
      const { searchParams } = new URL((await visitor.get(authorizePath(id, more))).location ?? '')
      expect({ more, error: searchParams.get('error') }).toEqual({ more, error })
      expect(searchParams.get('iss')).toBe(base)
    }
    // Several applications have an endpoint, so the address without an application is ambiguous.
    expect((await visitor.get(authorizePath(id, { resource: `${base}/mcp` }))).text).toContain('Ask the people who run')
    await service.call('PATCH', '/v3/applications', { key: client.key, body: { mcp_enabled: false } })
    expect((await visitor.get(authorizePath(id))).status).toBe(400)
  })

  test('a code is valid once, for its client, verifier, address and resource, for minutes', async () => {
    const id = await register()
    const other = await register()
    await signInAt(authorizePath(id))
    const newCode = async () =>
      codeAt(await submit(visitor, [...formOf(await visitor.get(authorizePath(id))), ['decision', 'allow']]))
    const wrong: [string, Record<string, string>][] = [
      [other, {}],
      [id, { code_verifier: 'w'.repeat(50) }],
      [id, { code_verifier: challenge }],
      [id, { redirect_uri: 'https://client.test/other' }],
      [id, { resource: `${base}/mcp` }],
    ]
    for (const [who, more] of wrong) {
      const code = await newCode()
      const answer = await tradeCode(who, code, more)
      expect({ more, status: answer.status }).toEqual({ more, status: 400 })
      // A code allows one attempt, even a failed one.
      expect((await tradeCode(id, code)).body.error).toBe('invalid_grant')
    }
    const late = await newCode()
    clock.advance(301_000)
    expect((await tradeCode(id, late)).body.error).toBe('invalid_grant')
    expect(await agentsOf()).toEqual([])
    const code = await newCode()
    expect((await tradeCode(id, code)).status).toBe(200)
    expect((await agentsOf())[0].status).toBe('active')
    expect((await tradeCode(id, code)).body.error).toBe('invalid_grant')
    expect((await agentsOf())[0].status).toBe('disconnected')
  })
})

describe('a metadata document', () => {
  const url = 'https://assistant.example/client.json'
  const described = { client_id: url, client_name: 'Described', redirect_uris: [redirect] }
  const serve = (body: object | string, status = 200) =>
    documents.set(url, { status, body: typeof body === 'string' ? body : JSON.stringify(body) })

  test('describes the client, and its host is shown as proven', async () => {
    serve(described)
    const page = await visitor.get(authorizePath(url))
    expect(page.text).toContain('Published by assistant.example')
    const { body } = await tradeCode(url, codeAt(await allow(authorizePath(url))))
    expect(body.scope).toContain('mail.read')
    expect((await agentsOf())[0]).toMatchObject({ client_id: url, name: 'Described' })
    // The document is cached for minutes, then read again.
    serve({}, 404)
    expect((await visitor.get(authorizePath(url))).status).toBe(200)
    clock.advance(700_000)
    expect((await visitor.get(authorizePath(url))).status).toBe(400)
  })

  test('that is foreign, redirected, broken or demands a secret is refused', async () => {
    const refused: [object | string, number][] = [
      [{ ...described, client_id: 'https://other.example/client.json' }, 200],
      [{ ...described, redirect_uris: ['http://evil.test/'] }, 200],
      [{ ...described, token_endpoint_auth_method: 'private_key_jwt' }, 200],
      ['<html>', 200],
      [described, 302],
      [described, 500],
    ]
    for (const [body, status] of refused) {
      serve(body, status)
      clock.advance(700_000)
      expect((await visitor.get(authorizePath(url))).status).toBe(400)
    }
  })

  test('that is too large or too slow is refused', async () => {
    for (const reason of ['too_large', 'timeout'] as const) {
      clock.advance(700_000)
      documents.set(url, { status: 200, body: JSON.stringify(described), fails: new EgressError(reason, reason) })
      expect((await visitor.get(authorizePath(url))).status).toBe(400)
      expect(limitsOfFetch).toEqual({ deadlineMs: 5_000, maxBytes: 65_536, onOverflow: 'fail' })
    }
  })

  test('at a private address or an odd URL is never fetched', async () => {
    const places = [
      ...['https://127.0.0.1/client.json', 'https://10.0.0.1/c', 'https://[::1]/c', 'https://169.254.169.254/latest'],
      ...['https://localhost/client.json', 'http://assistant.example/client.json', 'https://assistant.example/'],
      ...['https://user@assistant.example/c', 'https://assistant.example/a/../c', 'https://assistant.example/c#x'],
      'https://assistant.example:22/c',
    ]
    for (const place of places) {
      const seen = await visitor.get(authorizePath(place))
      expect({ place, status: seen.status }).toEqual({ place, status: 400 })
      clock.advance(60_000)
    }
  })
})
