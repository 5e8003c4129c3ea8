/**
 * Connecting iCloud accounts: the user names that Apple's servers accept, app-specific passwords, and the hosted
 * form.
 */

import { createEgress } from '@waypost/platform/egress/egress'
import { testCertificate } from '@waypost/testing/peers/certificates'
import { freePort } from '@waypost/testing/peers/daemon'
import { startHomes } from '@waypost/testing/peers/dav-homes'
import { type IcloudMail, icloudFolders, icloudMailEnv, startIcloudMail } from '@waypost/testing/peers/icloud-mail'
import type { Mailbox } from '@waypost/testing/peers/mail-server'
import { startScriptedImap } from '@waypost/testing/peers/scripted-imap'
import { startSmtpSink } from '@waypost/testing/peers/smtp-sink'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { expectStatus, type Fields, type Json } from '../../conformance/accounts.ts'
import { type Answer, openService, type TestService } from '../../harness.ts'
import { trade } from '../sign-in/hosted-google.ts'
import { authUrl, fieldsOf, newClient, resultOf, visitorOf } from '../sign-in/hosted-visitor.ts'

let server: IcloudMail
let service: TestService
beforeAll(async () => {
  server = await startIcloudMail()
  const egress = createEgress({ mode: 'private', ca: [server.ca] })
  service = await openService({ env: icloudMailEnv(server), overrides: { egress } })
})
afterAll(async () => {
  await service?.[Symbol.asyncDispose]()
  await server?.[Symbol.asyncDispose]()
})

let client: { id: string; key: string }
let mailbox: Mailbox
beforeEach(async () => {
  client = await newClient(service)
  expectStatus(await call('POST', '/v3/connectors', { provider: 'icloud' }), 201)
  mailbox = await server.addUser()
})
const call = (method: string, path: string, body?: unknown, from = service): Promise<Answer> =>
  from.call(method, path, { key: client.key, ...(body === undefined ? {} : { body }) })
const connect = (settings: Fields): Promise<Answer> =>
  call('POST', '/v3/connect/custom', { provider: 'icloud', settings })
const good = (): Fields => ({ username: mailbox.user, password: mailbox.password })
const connected = async (settings = good()): Promise<Json> => expectStatus(await connect(settings), 201).body.data

describe('an iCloud account', () => {
  test('is connected with its address and a password, and sends and reads', async () => {
    const grant = await connected()
    expect(grant).toMatchObject({
      provider: 'icloud',
      email: mailbox.user,
      grant_status: 'valid',
      settings: { username: mailbox.user, imap_username: mailbox.user },
    })
    expect(JSON.stringify(grant)).not.toContain(mailbox.password)
    await server.deliver(mailbox.user, 'Subject: Hello\n\nText')
    const listed = await call('GET', `/v3/grants/${grant.id}/messages`)
    expect(listed.body.data).toMatchObject([{ subject: 'Hello' }])
    const folders = expectStatus(await call('GET', `/v3/grants/${grant.id}/folders`), 200).body.data
    expect(folders).toContainEqual(
      expect.objectContaining({ name: icloudFolders.sent, attributes: expect.arrayContaining(['\\Sent']) }),
    )
    const body = { to: [{ email: 'bob@people.test' }], subject: 'Out' }
    expectStatus(await call('POST', `/v3/grants/${grant.id}/messages/send`, body), 200)
    expect(server.relayed.at(-1)).toMatchObject({ from: mailbox.user, to: ['bob@people.test'] })
  })

  test('that is connected again is the same grant, with the new password', async () => {
    const grant = await connected()
    await server.changePassword(mailbox.user, 'another-one')
    const read = await call('GET', `/v3/grants/${grant.id}/messages`)
    expect(read.status).toBe(401)
    const again = await connected({ ...good(), password: 'another-one' })
    expect(again).toMatchObject({ id: grant.id, grant_status: 'valid' })
    const settings = { password: 'another-one' }
    expectStatus(await call('PATCH', `/v3/grants/${grant.id}`, { settings }), 200)
    expectStatus(await call('GET', `/v3/grants/${grant.id}/messages`), 200)
  })

  test('is told that the regular password is not accepted, and where to create an app-specific one', async () => {
    const refused = await connect({ ...good(), password: 'my-usual-CANARY' })
    expect(refused).toMatchObject({ status: 400, body: { error: { type: 'grant.invalid_authentication' } } })
    expect(refused.body.error.message).toMatch(/settings\.password: .*app-specific password.*account\.apple\.com/)
    expect(JSON.stringify(refused.body) + service.logs()).not.toContain('my-usual-CANARY')
    expect(expectStatus(await connect({ username: 'me', password: 'x' }), 400).body.error.message).toContain(
      'settings.username: must be an email address',
    )
  })

  test('has calendars and contacts too, which need more than mail access by an alias', async () => {
    const { id } = await connected()
    expect(expectStatus(await call('GET', `/v3/grants/${id}/calendars`), 200).body.data).toMatchObject([
      { grant_id: id, is_primary: false },
    ])
    expect(expectStatus(await call('GET', `/v3/grants/${id}/contacts`), 200).body.data).toEqual([])
    mailbox = await server.addUser()
    await server.dav.removeDavUser(mailbox.user)
    const refused = await connect(good())
    expect(refused).toMatchObject({ status: 400, body: { error: { field: 'settings.username' } } })
    expect(refused.body.error.message).toContain('primary address of the Apple Account')
  })

  test('sends no List-Unsubscribe headers, in any form', async () => {
    const { id } = await connected()
    const header = { name: 'list-unsubscribe', value: '<mailto:off@people.test>' }
    const fields = { to: [{ email: 'bob@people.test' }], custom_headers: [header] }
    const refused = expectStatus(await call('POST', `/v3/grants/${id}/messages/send`, fields), 422).body.error
    expect(refused).toMatchObject({ type: 'not_supported_by_provider', capability: 'custom_headers.name' })
    const mime = `From: ${mailbox.user}\r\nTo: bob@people.test\r\nSubject: Raw\r\nList-Unsubscribe: <mailto:off@people.test>\r\n\r\nText`
    const form = new FormData()
    form.append('mime', mime)
    const sent = await service.app.request(`/v3/grants/${id}/messages/send?type=mime`, {
      method: 'POST',
      headers: { authorization: `Bearer ${client.key}` },
      body: form,
    })
    expect([sent.status, await sent.json()]).toMatchObject([422, { error: { type: 'not_supported_by_provider' } }])
    expect(server.relayed.some(({ source }) => source.includes('Subject: Raw'))).toBe(false)
  })
})

/** An SMTP server that stores a sent copy, or does not, with the mailboxes of the same iCloud. */
async function openFiling(files: boolean) {
  const { key, cert } = await testCertificate()
  const smtp = await startSmtpSink({
    ...{ key, cert, disabledCommands: ['AUTH'] },
    async onTake({ from, source }) {
      const added = Buffer.concat([Buffer.from('X-Filed: by the server\r\n'), source])
      if (files) await server.deliver(from, added, { folder: icloudFolders.sent, flags: ['\\Seen'] })
    },
  })
  const env = { ...icloudMailEnv(server), WAYPOST_ICLOUD_SMTP_URL: `smtp://localhost:${smtp.port}` }
  const egress = createEgress({ mode: 'private', ca: [server.ca] })
  const own = await openService({ env, overrides: { egress } })
  await own.listen()
  await own.call('POST', '/v3/connectors', { body: { provider: 'icloud' } })
  const settings = { ...good(), watch: false }
  const made = await own.call('POST', '/v3/connect/custom', { body: { provider: 'icloud', settings } })
  const { id } = expectStatus(made, 201).body.data
  return {
    /** Sends a message, and returns the headers of all copies once there is one. */
    async copies(subject: string): Promise<string[]> {
      const body = { to: [{ email: 'bob@people.test' }], subject }
      const sent = await own.call('POST', `/v3/grants/${id}/messages/send`, { body })
      expectStatus(sent, 200)
      await expect
        .poll(async () => (await own.call('GET', `/v3/grants/${id}/messages/${sent.body.data.id}`)).status, {
          timeout: 60_000,
          interval: 200,
        })
        .toBe(200)
      await using client = await server.client(mailbox.user)
      await client.mailboxOpen(icloudFolders.sent)
      const found = await client.fetchAll('1:*', { source: true })
      return found.map(({ source }) => String(source)).filter((source) => source.includes(`Subject: ${subject}`))
    },
    async [Symbol.asyncDispose]() {
      await own[Symbol.asyncDispose]()
      await smtp[Symbol.asyncDispose]()
    },
  }
}

describe('the sent copy', () => {
  test("is only the server's if it stores one", async () => {
    await using filing = await openFiling(true)
    expect(await filing.copies('First')).toEqual([expect.stringContaining('X-Filed')])
    expect(await filing.copies('Second')).toEqual([expect.stringContaining('X-Filed')])
  })

  test('is ours if the server stores none', async () => {
    await using filing = await openFiling(false)
    expect(await filing.copies('First')).toEqual([expect.not.stringContaining('X-Filed')])
    expect(await filing.copies('Second')).toEqual([expect.not.stringContaining('X-Filed')])
  })
})

describe('the user names of an account', () => {
  /** Servers that accept one user name, and record which they received. */
  async function openServers(taken: string) {
    const shown: string[] = []
    const imap = await startScriptedImap({
      capabilities: ['IMAP4rev1', 'IDLE', 'UIDPLUS'],
      script({ name, args, tag }, line) {
        if (name !== 'LOGIN') return false
        const user = String(args[0])
        shown.push(user)
        line.say(user === taken ? `${tag} OK in` : `${tag} NO [AUTHENTICATIONFAILED] no`)
        return true
      },
    })
    const submitted: string[] = []
    const smtp = await startSmtpSink({
      disabledCommands: ['STARTTLS'],
      allowInsecureAuth: true,
      onAuth({ username = '' }, _session, done) {
        submitted.push(username)
        done(null, { user: username })
      },
    })
    const dav = await startHomes()
    const env = {
      WAYPOST_ICLOUD_IMAP_URL: `imap://localhost:${imap.port}`,
      WAYPOST_ICLOUD_SMTP_URL: `smtp://localhost:${smtp.port}`,
      WAYPOST_ICLOUD_CALDAV_URL: dav.url,
      WAYPOST_ICLOUD_CARDDAV_URL: dav.url,
    }
    const egress = createEgress({ mode: 'private', trustLoopback: true })
    const own = await openService({ env, overrides: { egress } })
    const { key } = await own.createApplication()
    await own.call('POST', '/v3/connectors', { key, body: { provider: 'icloud' } })
    return {
      shown,
      submitted,
      davUsers: dav.users,
      async connect(settings: Fields) {
        const body = { provider: 'icloud', settings: { password: 'p', watch: false, ...settings } }
        return own.call('POST', '/v3/connect/custom', { key, body })
      },
      async [Symbol.asyncDispose]() {
        await own[Symbol.asyncDispose]()
        await imap[Symbol.asyncDispose]()
        await smtp[Symbol.asyncDispose]()
        await dav[Symbol.asyncDispose]()
      },
    }
  }

  test('are the part before the @ for IMAP, and the whole address for SMTP', async () => {
    await using servers = await openServers('ada')
    const made = expectStatus(await servers.connect({ username: 'ada@icloud.com' }), 201).body.data
    expect(made.settings).toMatchObject({ username: 'ada@icloud.com', imap_username: 'ada' })
    expect(servers.shown).toEqual(['ada'])
    expect(servers.submitted).toEqual(['ada@icloud.com'])
  })

  test('are the whole address if the part before the @ is not accepted', async () => {
    await using servers = await openServers('ada@me.com')
    const made = expectStatus(await servers.connect({ username: 'ada@me.com' }), 201).body.data
    expect(made.settings).toMatchObject({ imap_username: 'ada@me.com' })
    expect(servers.shown).toEqual(['ada', 'ada@me.com'])
  })

  test('are those at Apple if the mailbox has a custom domain, or the Apple Account has another address', async () => {
    await using servers = await openServers('ada')
    const own = { username: 'ada@icloud.com', email: 'ada@lovelace.test' }
    expect(expectStatus(await servers.connect(own), 201).body.data).toMatchObject({ email: 'ada@lovelace.test' })
    const other = { username: 'ada@other.test', email: 'ada@icloud.com' }
    expect(expectStatus(await servers.connect(other), 201).body.data).toMatchObject({ email: 'ada@icloud.com' })
    expect(servers.submitted).toEqual(['ada@icloud.com', 'ada@icloud.com'])
    expect([...servers.davUsers]).toEqual(['ada@icloud.com', 'ada@other.test'])
  })

  test('are not reported as wrong if the servers cannot be reached', async () => {
    const env = { WAYPOST_ICLOUD_IMAP_URL: `imaps://localhost:${await freePort()}` }
    await using own = await openService({ env, overrides: { egress: createEgress({ mode: 'private' }) } })
    await own.call('POST', '/v3/connectors', { body: { provider: 'icloud' } })
    const body = { provider: 'icloud', settings: { username: 'ada@icloud.com', password: 'p' } }
    const answer = await own.call('POST', '/v3/connect/custom', { body })
    expect(answer).toMatchObject({ status: 504, body: { error: { type: 'provider_error' } } })
    expect(answer.body.error.validation_errors).toBeUndefined()
  })
})

describe('the form for iCloud', () => {
  test('requests the address and an app-specific password, reports errors, and redirects back with a code', async () => {
    await service.call('POST', '/v3/connectors', { key: client.key, body: { provider: 'imap' } })
    const visitor = visitorOf(service)
    const begun = await visitor.get(authUrl(client.id))
    const choice = await visitor.get(begun.location ?? '')
    expect(choice.text.match(/>(Continue with )?iCloud</g)).toHaveLength(1)
    const page = new URL(begun.location ?? '', 'http://x').pathname
    const requested = await visitor.get(`${page}?provider=icloud`)
    expect(requested.text).toContain('Connect your iCloud account')
    const led = await visitor.post(page, { ...fieldsOf(requested.text), email: mailbox.user })
    const shown = await visitor.get(led.location ?? '')
    expect(shown.text).toContain('App-specific password')
    expect(shown.text).toContain('https://account.apple.com/account/manage')
    const wrong = await visitor.post(page, { ...fieldsOf(shown.text), password: 'usual' })
    expect(wrong.status).toBe(422)
    expect(wrong.text).toContain('Use the password that iCloud created for other apps')
    const done = await visitor.post(page, { ...fieldsOf(wrong.text), password: ` ${mailbox.password} ` })
    const answer = await trade(service, client, resultOf(done.location).code ?? '')
    expect(answer.body).toMatchObject({ email: mailbox.user, provider: 'icloud' })
  })

  test('is shown for an Apple address', async () => {
    await service.call('POST', '/v3/connectors', { key: client.key, body: { provider: 'imap' } })
    const visitor = visitorOf(service)
    const begun = await visitor.get(authUrl(client.id, { login_hint: 'ada@icloud.com', prompt: 'detect' }))
    const seen = await visitor.get(begun.location ?? '')
    const page = new URL(begun.location ?? '', 'http://x').pathname
    const form = await visitor.post(page, fieldsOf(seen.text))
    expect(form.text).toContain('App-specific password')
    const found = await call('POST', '/v3/providers/detect?email=ada@icloud.com')
    expect(found.body.data).toMatchObject({ detected: true, provider: 'icloud' })
  })

  test('accepts no other Apple Account for a connected address', async () => {
    const other = await server.addUser()
    await connected({ ...good(), email: 'ada@lovelace.test' })
    const visitor = visitorOf(service)
    const begun = await visitor.get(authUrl(client.id, { provider: 'icloud', login_hint: 'ada@lovelace.test' }))
    const shown = await visitor.get(begun.location ?? '')
    const page = new URL(begun.location ?? '', 'http://x').pathname
    const stranger = { username: other.user, password: other.password }
    const refused = await visitor.post(page, { ...fieldsOf(shown.text), ...stranger })
    expect(resultOf(refused.location)).toMatchObject({ error: expect.stringContaining('reauth') })
  })
})
