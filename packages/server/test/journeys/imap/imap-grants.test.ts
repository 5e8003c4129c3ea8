/** Connection of IMAP accounts: success, errors, and passwords that stop working. */
import { createServer, type Server, type Socket } from 'node:net'
import tls from 'node:tls'
import { createEgress } from '@waypost/platform/egress/egress'
import { makeCertificate, testCertificate } from '@waypost/testing/peers/certificates'
import { freePort } from '@waypost/testing/peers/daemon'
import { sharedDovecot, startDovecot } from '@waypost/testing/peers/dovecot'
import type { Mailbox, MailServer } from '@waypost/testing/peers/mail-server'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { expectRefusal, expectStatus, type Fields, type Json } from '../../conformance/accounts.ts'
import { imapSettings } from '../../conformance/imap-subject.ts'
import { type Answer, openService, type TestService } from '../../harness.ts'

let server: MailServer
let service: TestService
beforeAll(async () => {
  server = await sharedDovecot({ oauth: true })
  service = await openService({ overrides: { egress: createEgress({ mode: 'private', ca: [server.ca] }) } })
})
afterAll(async () => {
  await service?.[Symbol.asyncDispose]()
  await server?.[Symbol.asyncDispose]()
})

let key: string
let mailbox: Mailbox
let good: Fields
beforeEach(async () => {
  key = (await service.createApplication('Mail')).key
  expectStatus(await call('POST', '/v3/connectors', { provider: 'imap' }), 201)
  mailbox = await server.addUser()
  good = imapSettings(server, mailbox)
})

const call = (method: string, path: string, body?: unknown): Promise<Answer> =>
  service.call(method, path, { key, ...(body === undefined ? {} : { body }) })
const connect = (settings: Fields): Promise<Answer> =>
  call('POST', '/v3/connect/custom', { provider: 'imap', settings })
const connected = async (settings: Fields): Promise<Json> => expectStatus(await connect(settings), 201).body.data
const messages = (grantId: string): Promise<Answer> => call('GET', `/v3/grants/${grantId}/messages`)
const reported = async (type: string): Promise<Json[]> => {
  const { body } = expectStatus(await call('GET', '/v3/notifications?limit=200'), 200)
  return body.data.filter((each: Json) => each.type === type)
}

/** Neither the response nor the log contains a secret. */
function expectNoSecret(secret: string, ...answers: Answer[]): void {
  for (const { body } of answers) expect(JSON.stringify(body)).not.toContain(secret)
  expect(service.logs()).not.toContain(secret)
  for (const encoded of [Buffer.from(secret).toString('base64').replace(/=+$/, ''), encodeURIComponent(secret)]) {
    if (encoded !== secret) expect(service.logs()).not.toContain(encoded)
  }
}

describe('a mail account', () => {
  test('is connected once its servers accept it, and its mail can be read', async () => {
    const answer = expectStatus(await connect(good), 201)
    const grant = answer.body.data
    expect(grant).toMatchObject({ provider: 'imap', email: mailbox.user, grant_status: 'valid' })
    expectNoSecret(mailbox.password, answer, await call('GET', `/v3/grants/${grant.id}`))
    await server.deliver(mailbox.user, 'Subject: Hello\n\nText')
    expect(expectStatus(await messages(grant.id), 200).body.data).toMatchObject([{ subject: 'Hello' }])
    expect(await reported('grant.created')).toHaveLength(1)
  })

  test('accepts ports as text', async () => {
    const ports = { imap_port: String(server.imapsPort), smtp_port: String(server.smtpPort) }
    const grant = await connected({ ...good, ...ports })
    expectStatus(await messages(grant.id), 200)
    expectRefusal(await connect({ ...good, imap_port: 'imaps' }), /imap_port/)
    expectRefusal(await connect({ ...good, imap_port: 70_000 }), /imap_port/)
  })

  test('can be connected without SMTP', async () => {
    const { smtp_host: _host, smtp_port: _port, ...reading } = good
    expectStatus(await messages((await connected(reading)).id), 200)
  })

  test.each([
    ['STARTTLS', () => ({ imap_port: server.imapPort })],
    ['TLS from the start, for sending too', () => ({ smtp_port: server.smtpsPort ?? 0 })],
  ])('is connected with %s', async (_, ports) => {
    expectStatus(await messages((await connected({ ...good, ...ports() })).id), 200)
  })

  test('is connected with an access token', async () => {
    const token = server.issueToken(mailbox.user)
    const { imap_password: _, ...rest } = good
    const answer = expectStatus(await connect({ ...rest, imap_access_token: token }), 201)
    const { id } = answer.body.data
    await server.deliver(mailbox.user, 'Subject: By token\n\nText')
    expect(expectStatus(await messages(id), 200).body.data).toMatchObject([{ subject: 'By token' }])
    expectNoSecret(token, answer)
  })

  test('needs a password or a token, and its connector', async () => {
    const { imap_password: _, ...rest } = good
    expectRefusal(await connect(rest), /imap_password/)
    expectRefusal(await connect({ ...good, imap_access_token: 'both' }), /imap_password|imap_access_token/)
    const other = await service.createApplication('Without a connector')
    const answer = await service.call('POST', '/v3/connect/custom', {
      key: other.key,
      body: { provider: 'imap', settings: good },
    })
    expectRefusal(answer, /connector/)
  })
})

describe('a rejected account', () => {
  /** Faulty servers, closed after each test. */
  const servers: { server: Server; sockets: Set<Socket> }[] = []
  afterEach(() => {
    for (const { server: each, sockets } of servers.splice(0)) {
      each.close()
      for (const socket of sockets) socket.destroy()
    }
  })
  async function serve(each: Server): Promise<number> {
    const sockets = new Set<Socket>()
    each.on('connection', (socket: Socket) => {
      sockets.add(socket)
      socket.on('error', () => {})
    })
    each.on('tlsClientError', () => {})
    const port = await freePort()
    await new Promise<void>((resolve) => each.listen(port, '127.0.0.1', resolve))
    servers.push({ server: each, sockets })
    return port
  }
  const speaking = (greeting: string | undefined) =>
    createServer((socket) => void (greeting === undefined || socket.write(greeting)))

  /** The account is refused with a message that names the setting, and nothing is stored. */
  async function expectRefused(settings: Fields, setting: RegExp, statuses = [400]): Promise<Answer> {
    const answer = await connect(settings)
    expect(statuses, JSON.stringify(answer.body)).toContain(answer.status)
    expect(answer.body.error.message).toMatch(setting)
    expect((await call('GET', '/v3/grants')).body.data).toEqual([])
    expect(await reported('grant.created')).toEqual([])
    for (const name of ['imap_password', 'imap_access_token', 'smtp_password']) {
      const secret = settings[name]
      if (typeof secret === 'string') expectNoSecret(secret, answer)
    }
    return answer
  }

  test('says that the password is wrong', async () => {
    const { body } = await expectRefused({ ...good, imap_password: 'CANARY-wrong-password' }, /imap_password/)
    expect(body.error.type).toBe('grant.invalid_authentication')
  })

  test('says that the user is unknown', async () => {
    const { body } = await expectRefused({ ...good, imap_username: 'nobody@mail.test' }, /imap_(username|password)/)
    expect(body.error.type).toBe('grant.invalid_authentication')
  })

  test('says that the token is wrong', async () => {
    const { imap_password: _, ...rest } = good
    const { body } = await expectRefused({ ...rest, imap_access_token: 'CANARY-wrong-token' }, /imap_access_token/)
    expect(body.error.type).toBe('grant.invalid_authentication')
  })

  test('says that the host has no address', async () => {
    await expectRefused({ ...good, imap_host: 'no-such-host.invalid' }, /imap_host.*no-such-host\.invalid/)
  })

  test('says that nothing listens', async () => {
    const { body } = await expectRefused({ ...good, imap_port: await freePort() }, /imap_(host|port)/)
    expect(body.error.message).toMatch(/connect/)
  })

  test('says that the certificate is not trusted', async () => {
    const { cert, key: secretKey } = await makeCertificate()
    const port = await serve(
      tls.createServer({ cert, key: secretKey }, (socket) => void socket.write('* OK ready\r\n')),
    )
    await expectRefused({ ...good, imap_port: port }, /imap_(host|port).*(certificate|TLS|secure)/)
  })

  test('says that the certificate is for another name', async () => {
    // The service trusts the certificate authority, so that only the name is wrong.
    const { ca, cert, key: secretKey } = await makeCertificate('DNS:elsewhere.test')
    await using trusting = await openService({ overrides: { egress: createEgress({ mode: 'private', ca: [ca] }) } })
    const { key: otherKey } = await trusting.createApplication('Mail')
    await trusting.call('POST', '/v3/connectors', { key: otherKey, body: { provider: 'imap' } })
    const port = await serve(
      tls.createServer({ cert, key: secretKey }, (socket) => void socket.write('* OK ready\r\n')),
    )
    const answer = await trusting.call('POST', '/v3/connect/custom', {
      key: otherKey,
      body: { provider: 'imap', settings: { ...good, imap_port: port } },
    })
    expectStatus(answer, 400)
    expect(answer.body.error.message).toMatch(/certificate|TLS|secure/)
  })

  test('says that the server did not respond in time', async () => {
    const port = await serve(speaking(undefined))
    await expectRefused({ ...good, imap_port: port }, /imap_(host|port).*(time|answer)/, [400, 504])
  })

  test('says that the server did not respond in time although TLS works', async () => {
    const { cert, key: secretKey } = await testCertificate()
    const port = await serve(tls.createServer({ cert, key: secretKey }, () => {}))
    await expectRefused({ ...good, imap_port: port }, /imap_(host|port).*(time|answer)/, [400, 504])
  })

  test.each([
    ['HTTP', 'HTTP/1.1 400 Bad Request\r\n\r\n'],
    ['noise', `${'\u0000\u0001noise'.repeat(100)}\r\n`],
    ['SMTP', '220 smtp.test ESMTP\r\n'],
  ])(
    'says that the server is no mail server when it speaks %s',
    async (_, greeting) => {
      const { cert, key: secretKey } = await testCertificate()
      const port = await serve(tls.createServer({ cert, key: secretKey }, (socket) => void socket.write(greeting)))
      await expectRefused({ ...good, imap_port: port }, /imap_(host|port).*mail server/)
    },
    60_000,
  )

  test('says that the server closes the connection at once', async () => {
    const { cert, key: secretKey } = await testCertificate()
    const port = await serve(
      tls.createServer({ cert, key: secretKey }, (socket) => void socket.end('* BYE not now\r\n')),
    )
    await expectRefused({ ...good, imap_port: port }, /imap_(host|port)/, [400, 504])
  })

  test('says that SMTP rejects the password', async () => {
    await expectRefused({ ...good, smtp_password: 'CANARY-wrong-smtp-password' }, /smtp_password/)
  })

  test('says that the SMTP host has no address, or does not listen', async () => {
    await expectRefused({ ...good, smtp_host: 'no-such-host.invalid' }, /smtp_host/)
    await expectRefused({ ...good, smtp_port: await freePort() }, /smtp_(host|port)/)
  })

  test('says that the SMTP server is no mail server', async () => {
    const port = await serve(speaking('* OK IMAP here\r\n'))
    await expectRefused({ ...good, smtp_port: port }, /smtp_(host|port)/, [400, 504])
  })

  test('leaves the existing grant unchanged', async () => {
    const grant = await connected(good)
    expectStatus(await connect({ ...good, imap_password: 'CANARY-not-it' }), 400)
    expect((await call('GET', `/v3/grants/${grant.id}`)).body.data).toMatchObject({
      id: grant.id,
      grant_status: 'valid',
    })
    expectStatus(await messages(grant.id), 200)
  })
})

describe('a password that stops working', () => {
  const status = async (id: string): Promise<string> => (await call('GET', `/v3/grants/${id}`)).body.data.grant_status

  test('makes the grant invalid once, and authentication revives the same one', async () => {
    const { id } = await connected(good)
    expectStatus(await messages(id), 200)
    const password = 'CANARY-changed-password'
    await server.changePassword(mailbox.user, password)
    await server.kick(mailbox.user)
    const answers = await Promise.all(Array.from({ length: 5 }, () => messages(id)))
    answers.push(await messages(id), await call('GET', `/v3/grants/${id}/folders`))
    for (const answer of answers) {
      expectStatus(answer, 401)
      expect(answer.body.error.type).toBe('grant.invalid_authentication')
    }
    expect(await status(id)).toBe('invalid')
    expect(await reported('grant.expired')).toHaveLength(1)
    expectNoSecret(mailbox.password, ...answers)

    const again = await connected({ ...good, imap_password: password })
    expect(again.id).toBe(id)
    expect(await status(id)).toBe('valid')
    expectStatus(await messages(id), 200)
    expect((await call('GET', '/v3/grants')).body.data).toHaveLength(1)
    expect(await reported('grant.expired')).toHaveLength(1)
    expectNoSecret(password)
  })

  test('does not make the grant invalid while the server cannot be reached', async () => {
    await using other = await startDovecot()
    await using reachable = await openService({
      overrides: { egress: createEgress({ mode: 'private', ca: [other.ca] }) },
    })
    const { key: otherKey } = await reachable.createApplication('Mail')
    await reachable.call('POST', '/v3/connectors', { key: otherKey, body: { provider: 'imap' } })
    const settings = imapSettings(other, await other.addUser())
    const made = await reachable.call('POST', '/v3/connect/custom', {
      key: otherKey,
      body: { provider: 'imap', settings },
    })
    const path = `/v3/grants/${expectStatus(made, 201).body.data.id}`
    await other.stop()
    const answer = await reachable.call('GET', `${path}/messages`, { key: otherKey })
    expectStatus(answer, 504)
    expect(answer.body.error.type).toBe('provider_error')
    expect((await reachable.call('GET', path, { key: otherKey })).body.data.grant_status).toBe('valid')
    await other.start()
    expectStatus(await reachable.call('GET', `${path}/messages`, { key: otherKey }), 200)
  })

  test('a revoked token has the same effect', async () => {
    const token = server.issueToken(mailbox.user)
    const { imap_password: _, ...rest } = good
    const { id } = await connected({ ...rest, imap_access_token: token })
    server.revokeToken(token)
    await server.kick(mailbox.user)
    expect(expectStatus(await messages(id), 401).body.error.type).toBe('grant.invalid_authentication')
    expect(await reported('grant.expired')).toHaveLength(1)
    const again = await connected({ ...rest, imap_access_token: server.issueToken(mailbox.user) })
    expect(again.id).toBe(id)
    expectStatus(await messages(id), 200)
  })
})
