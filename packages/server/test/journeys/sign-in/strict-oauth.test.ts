/** An installation whose operator sets strict OAuth (`WAYPOST_OAUTH=strict`). */
import { hash } from 'node:crypto'
import { createEgress } from '@waypost/platform/egress/egress'
import { sharedDovecot } from '@waypost/testing/peers/dovecot'
import type { MailServer } from '@waypost/testing/peers/mail-server'
import { testClock } from '@waypost/testing/test-clock'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openService, type TestService } from '../../harness.ts'
import { authUrl, fieldsOf, newClient, redirectUri, resultOf, visitorOf } from './hosted-visitor.ts'

const verifier = 'v'.repeat(43)
const challenge = { code_challenge: hash('sha256', verifier, 'base64url'), code_challenge_method: 'S256' }
const clock = testClock()
let server: MailServer
let service: TestService
let client: { id: string; key: string }

beforeAll(async () => {
  server = await sharedDovecot()
  service = await openService({
    env: { WAYPOST_OAUTH: 'strict' },
    overrides: { clock, egress: createEgress({ mode: 'private', ca: [server.ca] }) },
  })
})
afterAll(async () => {
  await service?.[Symbol.asyncDispose]()
  await server?.[Symbol.asyncDispose]()
})
beforeEach(async () => {
  client = await newClient(service)
  await service.call('POST', '/v3/connectors', { key: client.key, body: { provider: 'imap' } })
})

const token = (fields: Record<string, string>) =>
  service.call('POST', '/v3/connect/token', { key: null, body: { client_id: client.id, ...fields } })

async function signIn(): Promise<string> {
  const mailbox = await server.addUser()
  const visitor = visitorOf(service)
  const query = { provider: 'imap', login_hint: mailbox.user, access_type: 'offline', ...challenge }
  const begun = await visitor.get(authUrl(client.id, query))
  const seen = await visitor.get(begun.location ?? '')
  const done = await visitor.post(new URL(begun.location ?? '', 'http://x').pathname, {
    ...fieldsOf(seen.text),
    ...{ imap_host: server.host, imap_port: String(server.imapsPort), imap_password: mailbox.password },
    ...{ smtp_host: server.host, smtp_port: String(server.smtpPort) },
  })
  return resultOf(done.location).code ?? ''
}

describe('a sign-in', () => {
  test.each([
    ['no challenge', {}],
    ['the method plain', { code_challenge: verifier, code_challenge_method: 'plain' }],
    ['a challenge without a method', { code_challenge: verifier }],
  ])('with %s is refused before the user types a password', async (_, query) => {
    const begun = await visitorOf(service).get(authUrl(client.id, { provider: 'imap', ...query }))
    expect(`${begun.location} ${begun.text}`).toMatch(/code_challenge(%3A)?.*S256/)
    expect(resultOf(begun.location ?? redirectUri).code).toBeUndefined()
  })

  test('issues refresh tokens that can be used once and expire after 90 days', async () => {
    const code = await signIn()
    const trade = { grant_type: 'authorization_code', code, redirect_uri: redirectUri }
    const issued = await token({ ...trade, code_verifier: verifier })
    expect(issued.status).toBe(200)
    const first: string = issued.body.refresh_token
    const next = await token({ grant_type: 'refresh_token', refresh_token: first, client_secret: client.key })
    expect(next.status).toBe(200)
    expect(next.body.refresh_token).not.toBe(first)
    clock.advance(90 * 86_400_000)
    const late = await token({
      grant_type: 'refresh_token',
      refresh_token: next.body.refresh_token,
      client_secret: client.key,
    })
    expect(late.body.error_description).toContain('expired')
  })

  test('has all its tokens revoked when a used refresh token is presented again', async () => {
    const code = await signIn()
    const trade = { grant_type: 'authorization_code', code, redirect_uri: redirectUri }
    const { body } = await token({ ...trade, code_verifier: verifier })
    const refresh = { grant_type: 'refresh_token', client_secret: client.key }
    const next = await token({ ...refresh, refresh_token: body.refresh_token })
    expect((await token({ ...refresh, refresh_token: body.refresh_token })).status).toBe(400)
    expect((await token({ ...refresh, refresh_token: next.body.refresh_token })).status).toBe(400)
    expect((await service.call('GET', '/v3/grants/me', { key: next.body.access_token })).status).toBe(401)
  })
})
