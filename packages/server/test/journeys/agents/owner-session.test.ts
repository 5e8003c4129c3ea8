/** The session of an account's owner: who gets one, its scope, and attacks that do not get one. */

import { createEgress } from '@waypost/platform/egress/egress'
import { sharedDovecot } from '@waypost/testing/peers/dovecot'
import type { Mailbox, MailServer } from '@waypost/testing/peers/mail-server'
import { sql } from '@waypost/testing/statement'
import { testClock } from '@waypost/testing/test-clock'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createOwnerSignIn, type OwnerSignIn } from '../../../src/api/pages/agents/owner-sign-in.ts'
import type { PageVisit } from '../../../src/api/pipeline/page.ts'
import { storeApproval } from '../../agents/approval-setup.ts'
import { openService, type TestService } from '../../harness.ts'
import { trade } from '../sign-in/hosted-google.ts'
import { fieldsOf, newClient, type Seen, type Visitor, visitorOf } from '../sign-in/hosted-visitor.ts'
import { actionOf, connectMailbox, follow, submitSignIn } from './owner-visitor.ts'

let server: MailServer
let service: TestService
let signIn: OwnerSignIn
let baseUrl: string
const clock = testClock()
beforeAll(async () => {
  server = await sharedDovecot()
  service = await openService({
    overrides: {
      clock,
      egress: createEgress({ mode: 'private', ca: [server.ca] }),
      findService: async () => undefined,
      findMailExchangers: async () => [],
    },
  })
  baseUrl = service.services.config.baseUrl
  signIn = createOwnerSignIn({ ...service.services.storage, baseUrl })
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
  await service.call('POST', '/v3/connectors', { key: client.key, body: { provider: 'imap' } })
  mailbox = await server.addUser()
  grantId = await connectMailbox(service, client.key, { server, mailbox })
  visitor = visitorOf(service)
  // Attempts are counted per minute.
  clock.advance(60_000)
})

const visitFrom = (who: Visitor): PageVisit => ({
  method: 'GET',
  header: (name) => (name === 'cookie' ? [...who.cookies].map((pair) => pair.join('=')).join('; ') : null),
  name: '',
  params: {},
  query: new URLSearchParams(),
  body: new Uint8Array(),
  address: '127.0.0.1',
  requestId: 'request',
  signal: AbortSignal.timeout(60_000),
})

/** Begins a sign-in as a page of the service does; the browser stores the cookie. */
async function begin(account?: { provider: string; email: string }, who = visitor): Promise<Seen> {
  const answer = signIn.beginOwnerSignIn(visitFrom(who), {
    applicationId: client.id,
    returnTo: `/account?client_id=${client.id}`,
    account,
  })
  const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(String(answer.headers['set-cookie'])) ?? []
  who.cookies.set(name, value)
  return follow(who, await who.get(String(answer.headers.location)))
}
const own = () => ({ provider: 'imap', email: mailbox.user })
const ownerAt = (who = visitor, applicationId = client.id) => signIn.ownerOf(visitFrom(who), applicationId)

/** Signs in up to the callback, and returns its response. */
async function arrive(form: Seen, password = mailbox.password): Promise<Seen> {
  const left = await submitSignIn(visitor, form, { imap_password: password })
  if (left.location === undefined) return left
  return visitor.get(left.location)
}

describe('the sign-in of an owner', () => {
  test('asks only for the password of the connected account, and leads back to the page', async () => {
    const form = await begin(own())
    expect(Object.keys(fieldsOf(form.text)).toSorted()).toEqual([
      'action',
      'csrf',
      'email',
      'imap_password',
      'provider',
    ])
    expect(form.text).toContain('We do not store it.')
    const back = await arrive(form)
    expect(back.status).toBe(303)
    expect(back.location).toBe(`/account?client_id=${client.id}`)
    expect(await ownerAt()).toMatchObject({ applicationId: client.id, grantIds: [grantId] })
  })

  test('writes cookies that scripts and other sites cannot use', async () => {
    const back = await arrive(await begin(own()))
    const session = back.headers.getSetCookie().find((line) => /^waypost-account-[0-9a-f]{16}=/.test(line))
    expect(session).toMatch(/; Path=\/; HttpOnly; SameSite=Lax; Max-Age=43200$/)
    expect(session).not.toContain(grantId)
    const secure = createOwnerSignIn({ ...service.services.storage, baseUrl: 'https://mail.test' }).beginOwnerSignIn(
      visitFrom(visitor),
      { applicationId: client.id, returnTo: '/account' },
    )
    expect(secure.headers['set-cookie']).toMatch(/^__Host-waypost-account-sign-in=.*; Secure$/)
  })

  test('changes nothing about the grant', async () => {
    const read = async () => (await service.call('GET', `/v3/grants/${grantId}`, { key: client.key })).body.data
    const before = await read()
    await arrive(await begin(own()))
    expect(await read()).toEqual(before)
  })

  test('adds a second account to the session, and ends twelve hours after each sign-in', async () => {
    await arrive(await begin(own()))
    const first = mailbox
    mailbox = await server.addUser()
    const second = await connectMailbox(service, client.key, { server, mailbox })
    clock.advance(6 * 3_600_000)
    await arrive(await begin(own()))
    expect((await ownerAt())?.grantIds).toEqual([grantId, second])
    clock.advance(6 * 3_600_000)
    expect((await ownerAt())?.grantIds).toEqual([second])
    clock.advance(6 * 3_600_000)
    expect(await ownerAt()).toBeUndefined()
    expect(first.user).not.toBe(mailbox.user)
  })

  test('ends for an account whose grant was deleted', async () => {
    await arrive(await begin(own()))
    await service.call('DELETE', `/v3/grants/${grantId}`, { key: client.key })
    expect(await ownerAt()).toBeUndefined()
  })
})

test('without a mail identity of the service, an approval waits and no mail is queued', async () => {
  const { id } = await storeApproval(service, { applicationId: client.id, grantId })
  const jobs = await service.services.storage.database.all(
    sql('test.approvalJobs', 'select kind from outbox where application_id = $1'),
    [client.id],
  )
  expect(jobs).toEqual([{ kind: 'approvals.expire' }])
  const { body } = await service.call('GET', `/v3/approvals/${id}`, { key: client.key })
  expect(body.data.status).toBe('pending')
})

describe('nobody becomes the owner', () => {
  test('with a wrong password', async () => {
    const answer = await arrive(await begin(own()), 'wrong')
    expect(answer.status).toBe(422)
    expect(await ownerAt()).toBeUndefined()
  })

  test('with a server, a port or a user name of their own', async () => {
    const other = await server.addUser()
    const form = await begin(own())
    const answer = await visitor.post(actionOf(form), {
      ...fieldsOf(form.text),
      imap_host: server.host,
      imap_username: other.user,
      imap_password: other.password,
    })
    expect(answer.status).toBe(422)
    expect(await ownerAt()).toBeUndefined()
  })

  test('with an account that is not connected: it gets no grant, and looks like a wrong password', async () => {
    const stranger = await server.addUser()
    const address = await begin()
    const form = await follow(visitor, await submitSignIn(visitor, address, { email: stranger.user }))
    const answer = await submitSignIn(visitor, form, { imap_password: stranger.password })
    expect(answer.status).toBe(422)
    expect(answer.text).toContain('The password was not accepted.')
    const { body } = await service.call('GET', '/v3/grants', { key: client.key })
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual([grantId])
  })

  test('with a code from another browser, a changed state, or without the cookie of the attempt', async () => {
    const left = await submitSignIn(visitor, await begin(own()), { imap_password: mailbox.password })
    const back = new URL(left.location ?? '')
    const victim = visitorOf(service)
    await begin(own(), victim)
    for (const who of [victim, visitorOf(service)]) {
      expect((await who.get(back.href)).status).toBeGreaterThanOrEqual(400)
      expect(await ownerAt(who)).toBeUndefined()
    }
    back.searchParams.set('state', 'x'.repeat(43))
    expect((await visitor.get(back.href)).status).toBeGreaterThanOrEqual(400)
    expect(await ownerAt()).toBeUndefined()
  })

  test('with a code that was used', async () => {
    const left = await submitSignIn(visitor, await begin(own()), { imap_password: mailbox.password })
    const cookies = new Map(visitor.cookies)
    await visitor.get(left.location ?? '')
    const again = visitorOf(service)
    for (const [name, value] of cookies) again.cookies.set(name, value)
    expect((await again.get(left.location ?? '')).status).toBe(403)
    expect(await ownerAt(again)).toBeUndefined()
  })

  test('with a forged, altered or foreign cookie', async () => {
    await arrive(await begin(own()))
    const [name = '', value = ''] = [...visitor.cookies].find(([each]) => /account-[0-9a-f]{16}$/.test(each)) ?? []
    const other = await newClient(service)
    const forgeries = ['', 'x', `${value}x`, value.replace(/.{3}$/, 'AAA'), JSON.stringify({ accounts: [{ grantId }] })]
    for (const forged of forgeries) {
      visitor.cookies.set(name, forged)
      expect(await ownerAt()).toBeUndefined()
    }
    // The same cookie with the name of another application's cookie.
    const otherName = String(createOwnerSignIn({ ...service.services.storage, baseUrl }).endSession(other.id)).split(
      '=',
      1,
    )[0]
    visitor.cookies.set(otherName ?? '', value)
    expect(await ownerAt(visitor, other.id)).toBeUndefined()
  })
})

describe('a code of such a sign-in', () => {
  const url = (more: Record<string, string> = {}) =>
    `/v3/connect/auth?${new URLSearchParams({
      client_id: client.id,
      redirect_uri: `${baseUrl}/account/return`,
      response_type: 'code',
      provider: 'imap',
      login_hint: mailbox.user,
      ...more,
    })}`

  test('gives no tokens, not even to the application', async () => {
    const verifier = 'v'.repeat(43)
    const form = await follow(
      visitor,
      await visitor.get(url({ code_challenge: verifier, code_challenge_method: 'plain' })),
    )
    const left = await submitSignIn(visitor, form, { imap_password: mailbox.password })
    const code = new URL(left.location ?? '').searchParams.get('code') ?? ''
    expect(code).not.toBe('')
    const answer = await trade(service, client, code, {
      redirect_uri: `${baseUrl}/account/return`,
      code_verifier: verifier,
    })
    expect(answer.status).toBe(400)
    expect(answer.body.error_description).toContain('gives no tokens')
  })

  test('needs a proof key', async () => {
    const answer = await visitor.get(url())
    expect(answer.location).toContain('error=invalid_request')
    expect(answer.location).toContain('code_challenge')
  })
})
