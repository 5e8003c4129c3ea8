/** Sending by SMTP: the effect of each failure on the message, and the copy in the mailbox of a real server. */
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { createEgress } from '@waypost/platform/egress/egress'
import type { MailObject } from '@waypost/providers/operations'
import { SendFailed } from '@waypost/providers/provider'
import { sharedDovecot } from '@waypost/testing/peers/dovecot'
import type { Mailbox, MailServer } from '@waypost/testing/peers/mail-server'
import { startSmtpSink } from '@waypost/testing/peers/smtp-sink'
import { ImapFlow } from 'imapflow'
import type { SMTPServerOptions } from 'smtp-server'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { onTheWire } from '../../../../providers/src/smtp/dialogue.ts'
import { Submission, type SubmissionOptions } from '../../../../providers/src/smtp/submission.ts'
import { createLedger } from '../../../src/sending/ledger/ledger.ts'
import type { NewSend } from '../../../src/sending/ledger/new-sends.ts'
import { imapSettings } from '../../conformance/imap-subject.ts'
import { openService, type TestService } from '../../harness.ts'

const never = new AbortController().signal
const egress = createEgress({ mode: 'private' })
afterAll(() => egress[Symbol.asyncDispose]())

const mailOf = (more: Partial<MailObject> = {}): MailObject => {
  const messageId = more.messageId ?? `${randomUUID()}@example.com`
  return {
    messageId,
    from: 'ann@example.com',
    recipients: ['bob@example.com', 'carla@example.com'],
    source: Buffer.from(
      `Message-ID: <${messageId}>\r\nDate: Mon, 02 Mar 2026 10:00:00 +0000\r\nFrom: ann@example.com\r\nTo: bob@example.com\r\nSubject: Hello\r\n\r\nText\r\n`,
    ),
    ...more,
  }
}

const submissionTo = (port: number, more: Partial<SubmissionOptions> = {}): Submission =>
  new Submission({
    account: async () => ({ host: '127.0.0.1', port, security: 'none', auth: { user: 'ann', password: 'secret' } }),
    network: { connect: egress.connect, secure: egress.secure },
    ...more,
  })

/** The outcome of an attempt, and whether transmission had begun. */
async function attempt(submission: Submission, mail = mailOf()) {
  const begin = vi.fn(async () => undefined)
  const failure = await submission.submit(mail, begin, never).then(
    () => undefined,
    (error: unknown) => error,
  )
  submission.retire()
  if (failure !== undefined && !(failure instanceof SendFailed)) throw failure
  return { begun: begin.mock.calls.length === 1, failure }
}

/** A point in an SMTP dialogue. */
type Moment = 'connect' | 'greeting' | 'EHLO' | 'MAIL' | 'RCPT' | 'DATA' | '354' | 'body' | 'dot'

/** A server that behaves correctly up to a point and then fails. */
async function startFaulty(at: Moment, act: (socket: Socket) => void): Promise<AsyncDisposable & { port: number }> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined))
    if (at === 'connect') return act(socket)
    if (at === 'greeting') {
      socket.write('220-still')
      return act(socket)
    }
    socket.write('220 faulty\r\n')
    let text = ''
    let inBody = false
    const answer = (word: Moment, reply: string): void => (word === at ? act(socket) : void socket.write(reply))
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1')
      for (;;) {
        if (inBody) {
          if (text === '') return
          if (at === 'body') return act(socket)
          if (!text.includes('\r\n.\r\n')) return
          inBody = false
          text = ''
          return answer('dot', '250 taken\r\n')
        }
        const end = text.indexOf('\r\n')
        if (end === -1) return
        const word = text.slice(0, 4).toUpperCase()
        text = text.slice(end + 2)
        if (word === 'EHLO') answer('EHLO', '250-faulty\r\n250 PIPELINING\r\n')
        else if (word === 'MAIL') answer('MAIL', '250 ok\r\n')
        else if (word === 'RCPT') answer('RCPT', '250 ok\r\n')
        else if (word === 'DATA') {
          if (at === 'DATA') return act(socket)
          socket.write('354 go on\r\n')
          inBody = true
          if (at === '354') return act(socket)
        } else socket.write('250 ok\r\n')
      }
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    port: address.port,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Relays everything to a server; `act` changes the newest connection of a client. */
async function startFront(
  port: number,
  act: (socket: Socket) => void,
): Promise<AsyncDisposable & { port: number; act(): void }> {
  let newest: Socket | undefined
  const server = createServer((socket) => {
    newest = socket.on('error', () => undefined)
    const behind = connect(port, '127.0.0.1').on('error', () => undefined)
    socket.pipe(behind)
    behind.pipe(socket)
    socket.on('close', () => behind.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    port: address.port,
    act: () => newest && act(newest),
    async [Symbol.asyncDispose]() {
      newest?.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

const drop = (socket: Socket): void => void socket.destroy()
const reset = (socket: Socket): void => void socket.resetAndDestroy()
const hangUp = (socket: Socket): void => void socket.end()

describe('a connection that breaks', () => {
  const before: Moment[] = ['connect', 'greeting', 'EHLO', 'MAIL', 'RCPT']
  test.for(before.flatMap((moment) => [drop, reset, hangUp].map((act) => [moment, act.name, act] as const)))(
    'at %s (%s): nothing was sent, and a retry is possible',
    async ([moment, , act]) => {
      await using server = await startFaulty(moment, act)
      const { begun, failure } = await attempt(submissionTo(server.port))
      expect(begun).toBe(false)
      expect(failure).toMatchObject({ permanent: false, maybeSent: false, status: undefined })
    },
  )

  test.for([drop, reset, hangUp].map((act) => [act.name, act] as const))(
    'at DATA (%s), before the server said 354: nothing was sent',
    async ([, act]) => {
      await using server = await startFaulty('DATA', act)
      const { begun, failure } = await attempt(submissionTo(server.port))
      expect(begun).toBe(false)
      expect(failure).toMatchObject({ permanent: false, maybeSent: false })
    },
  )

  test.for([drop, reset, hangUp].map((act) => [act.name, act] as const))(
    'at 354 (%s): the outcome is unknown if it was received',
    async ([, act]) => {
      await using server = await startFaulty('354', act)
      const { begun, failure } = await attempt(submissionTo(server.port))
      expect(failure).toMatchObject({ permanent: false, maybeSent: begun })
    },
  )

  const after: Moment[] = ['body', 'dot']
  const partial = (socket: Socket): void => void socket.end('250 2.0.0 Ok: que')
  test.for(after.flatMap((moment) => [drop, reset, hangUp, partial].map((act) => [moment, act.name, act] as const)))(
    'at %s (%s): the outcome is unknown',
    async ([moment, , act]) => {
      await using server = await startFaulty(moment, act)
      // Larger than what a socket accepts at once.
      const source = Buffer.concat([mailOf().source, Buffer.alloc(4_000_000, 'Lots of text.\r\n')])
      const { begun, failure } = await attempt(submissionTo(server.port), mailOf({ source }))
      expect(begun).toBe(true)
      expect(failure).toMatchObject({ permanent: false, maybeSent: true })
    },
  )

  test('after the last reply is not a failure', async () => {
    await using server = await startFaulty('dot', (socket) => socket.end('250 taken\r\n'))
    expect(await attempt(submissionTo(server.port))).toEqual({ begun: true, failure: undefined })
  })
})

describe('a reply', () => {
  const replies: readonly [Moment, string, number, { begun: boolean; permanent: boolean }][] = [
    ['connect', '421 too busy\r\n', 421, { begun: false, permanent: false }],
    ['connect', '554 not you\r\n', 554, { begun: false, permanent: false }],
    ['MAIL', '421 too busy\r\n', 421, { begun: false, permanent: false }],
    ['MAIL', '451 not now\r\n', 451, { begun: false, permanent: false }],
    ['MAIL', '550 not you\r\n', 550, { begun: false, permanent: true }],
    ['RCPT', '450 not now\r\n', 450, { begun: false, permanent: false }],
    ['RCPT', '550-no such\r\n550 user\r\n', 550, { begun: false, permanent: true }],
    ['DATA', '451 not now\r\n', 451, { begun: false, permanent: false }],
    ['DATA', '554 no\r\n', 554, { begun: false, permanent: true }],
    ['dot', '451 not now\r\n', 451, { begun: true, permanent: false }],
    ['dot', '554 spam\r\n', 554, { begun: true, permanent: true }],
  ]
  test.for(replies)(
    'at %s: %j means that the message was not accepted',
    async ([moment, reply, status, { begun, permanent }]) => {
      await using server = await startFaulty(moment, (socket) => void socket.write(reply))
      const result = await attempt(submissionTo(server.port))
      expect(result.begun).toBe(begun)
      expect(result.failure).toMatchObject({ permanent, maybeSent: false, ...(moment === 'connect' ? {} : { status }) })
    },
  )

  test.for<[string, string]>([
    ['garbage', 'HTTP/1.1 400 Bad Request\r\n\r\n'],
    ['a flood', `250-${'x'.repeat(100_000)}\r\n`],
  ])('of %s before the message is not from a mail server', async ([, text]) => {
    await using server = await startFaulty('MAIL', (socket) => void socket.write(text))
    const { begun, failure } = await attempt(submissionTo(server.port))
    expect(begun).toBe(false)
    expect(failure).toMatchObject({ permanent: false, maybeSent: false })
  })

  test('of garbage after the message leaves the outcome unknown', async () => {
    await using server = await startFaulty('dot', (socket) => void socket.write('what?\r\n'))
    expect((await attempt(submissionTo(server.port))).failure).toMatchObject({ maybeSent: true })
  })

  test('that is slow is awaited', async () => {
    await using server = await startFaulty('dot', (socket) => void setImmediate(() => socket.write('250 taken\r\n')))
    expect((await attempt(submissionTo(server.port))).failure).toBeUndefined()
  })
})

describe('exchanges', () => {
  /** Answers no command before it received all of them, up to DATA. */
  async function startPatient(): Promise<AsyncDisposable & { port: number; heard: string[] }> {
    const heard: string[] = []
    const server = createServer((socket) => {
      socket.on('error', () => undefined)
      socket.write('220 patient\r\n')
      let text = ''
      socket.on('data', (chunk) => {
        text += chunk.toString('latin1')
        if (/^EHLO/i.test(text)) socket.write('250-patient\r\n250 PIPELINING\r\n')
        else if (/^DATA\r\n$/im.test(text)) {
          heard.push(...text.trim().split('\r\n'))
          socket.write(`${'250 ok\r\n'.repeat(text.split('\r\n').length - 2)}354 go on\r\n`)
        } else if (/^QUIT/i.test(text)) socket.end('221 bye\r\n')
        else if (text.endsWith('\r\n.\r\n')) socket.write('250 taken\r\n')
        else return
        text = ''
      })
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    if (address === null || typeof address === 'string') throw new Error('no port')
    return {
      port: address.port,
      heard,
      async [Symbol.asyncDispose]() {
        server.close()
        await once(server, 'close')
      },
    }
  }

  test('are two per message if the server supports pipelining', async () => {
    await using server = await startPatient()
    expect(await attempt(submissionTo(server.port))).toEqual({ begun: true, failure: undefined })
    const words = server.heard.map((command) => command.split(':')[0])
    expect(words).toEqual(['MAIL FROM', 'RCPT TO', 'RCPT TO', 'DATA'])
  })
})

describe('recipients', () => {
  const choosy: SMTPServerOptions = {
    onRcptTo({ address }, _session, done) {
      const code = Number(/^(\d{3})-/.exec(address)?.[1] ?? 250)
      done(code === 250 ? null : Object.assign(new Error('no'), { responseCode: code }))
    },
  }
  test.for<[string[], boolean, number]>([
    [['bob@x.test', '550-carla@x.test'], true, 550],
    [['450-bob@x.test', '550-carla@x.test', 'dora@x.test'], true, 550],
    [['450-bob@x.test', 'carla@x.test'], false, 450],
  ])('all or none: %j', async ([recipients, permanent, status]) => {
    for (const hidePIPELINING of [true, false]) {
      await using sink = await startSmtpSink({ ...choosy, hidePIPELINING })
      const { begun, failure } = await attempt(submissionTo(sink.port), mailOf({ recipients }))
      expect(failure).toMatchObject({ permanent, maybeSent: false, status })
      const refused = recipients.filter((address) => /^\d/.test(address))
      for (const address of refused) expect(failure?.message).toContain(address)
      for (const address of recipients.filter((one) => !refused.includes(one)))
        expect(failure?.message).not.toContain(address)
      expect(begun).toBe(false)
      expect(sink.taken).toEqual([])
    }
  })

  test.for<[string, string]>([
    [
      '5.7.515 Access denied, sending domain x.test does not meet the required authentication level',
      'SPF, DKIM and DMARC',
    ],
    ['5.7.26 This mail has been blocked because the sender is unauthenticated.', 'Gmail requires SPF or DKIM'],
    ['5.7.236 Access denied', 'a domain of your own'],
    ['5.7.233 Access denied', 'in 24 hours'],
    ['5.7.30 Basic authentication is not supported for Client Submission.', 'the provider microsoft'],
  ])('a refusal of a well-known service says what to do: %j', async ([reply, remedy]) => {
    const onMailFrom: SMTPServerOptions['onMailFrom'] = (_address, _session, done) =>
      done(Object.assign(new Error(reply), { responseCode: 550 }))
    await using sink = await startSmtpSink({ onMailFrom })
    const { failure } = await attempt(submissionTo(sink.port))
    expect(failure).toMatchObject({ permanent: true, status: 550 })
    expect(failure?.message).toContain(reply)
    expect(failure?.message).toContain(remedy)
  })

  test.for([
    '5.7.30 Basic authentication is not supported for Client Submission.',
    '5.7.139 Authentication unsuccessful, SmtpClientAuthentication is disabled for the Tenant.',
  ])('a password that no password can replace fails the message, and not the account: %s', async (reply) => {
    const onAuth: SMTPServerOptions['onAuth'] = (_auth, _session, done) =>
      done(Object.assign(new Error(reply), { responseCode: 535 }))
    const options = { disabledCommands: ['STARTTLS'], allowInsecureAuth: true, authOptional: false }
    await using sink = await startSmtpSink({ ...options, onAuth })
    const { begun, failure } = await attempt(submissionTo(sink.port))
    expect(begun).toBe(false)
    expect(failure).toMatchObject({ permanent: true, maybeSent: false })
    expect(failure?.message).toContain('connect the account with the provider microsoft')
  })

  test('a connection can be reused after a refusal', async () => {
    await using sink = await startSmtpSink(choosy)
    const submission = submissionTo(sink.port)
    const refused = submission.submit(mailOf({ recipients: ['550-a@x.test'] }), async () => undefined, never)
    await expect(refused).rejects.toThrow(SendFailed)
    await submission.submit(mailOf({ recipients: ['bob@x.test'] }), async () => undefined, never)
    expect(sink.taken.map(({ to }) => to)).toEqual([['bob@x.test']])
    expect(sink.connections).toBe(1)
    submission.retire()
  })

  test('with line breaks are refused before any command is sent', async () => {
    await using sink = await startSmtpSink()
    for (const recipients of [['a@x.test>\r\nRCPT TO:<b@x.test'], ['a b@x.test'], ['<a@x.test>'], []]) {
      const { failure } = await attempt(submissionTo(sink.port), mailOf({ recipients }))
      expect(failure).toMatchObject({ permanent: true })
    }
    expect(sink.connections).toBe(0)
  })

  test('with non-ASCII addresses need a server with SMTPUTF8', async () => {
    await using old = await startSmtpSink({ hideSMTPUTF8: true })
    const mail = mailOf({ recipients: ['bøb@x.test'] })
    expect((await attempt(submissionTo(old.port), mail)).failure).toMatchObject({
      permanent: true,
      message: expect.stringContaining('(bøb@x.test); nothing was sent'),
    })
    await using sink = await startSmtpSink({ hideSMTPUTF8: false })
    expect((await attempt(submissionTo(sink.port), mail)).failure).toBeUndefined()
    expect(sink.taken.map(({ to }) => to)).toEqual([['bøb@x.test']])
  })

  test('non-ASCII addresses in headers need such a server too; display names do not', async () => {
    await using old = await startSmtpSink({ hideSMTPUTF8: true })
    const withReplyTo = (value: string) =>
      mailOf({ source: Buffer.from(`From: ann@x.test\r\nReply-To: ${value}\r\n\r\nText\r\n`) })
    expect((await attempt(submissionTo(old.port), withReplyTo('Bøb <bøb@x.test>'))).failure).toMatchObject({
      permanent: true,
      message: expect.stringContaining('(bøb@x.test); nothing was sent'),
    })
    expect((await attempt(submissionTo(old.port), withReplyTo('Bøb <bob@x.test>'))).failure).toBeUndefined()
    await using sink = await startSmtpSink({ hideSMTPUTF8: false })
    expect((await attempt(submissionTo(sink.port), withReplyTo('bøb@x.test'))).failure).toBeUndefined()
    expect([old.taken.length, sink.taken.length]).toEqual([1, 1])
  })
})

describe('the bytes', () => {
  test.for<[string, string, string]>([
    ['as they are', 'A: b\r\n\r\nText\r\n', 'A: b\r\n\r\nText\r\n'],
    ['dots at the beginning of lines', '.\r\n..\r\n.a\r\nb.\r\n', '..\r\n...\r\n..a\r\nb.\r\n'],
    ['a last line without an end', 'a', 'a\r\n'],
    ['a lone LF', 'a\n.b\n', 'a\r\n..b\r\n'],
    ['a lone CR, which is a line for some', 'a\r.\r\nb\r', 'a\r\n..\r\nb\r\n'],
    ['a lone LF among whole lines', 'a\r\nb\nc\r\n', 'a\r\nb\r\nc\r\n'],
    ['a lone CR among whole lines', 'a\r\nb\rc\r\n', 'a\r\nb\r\nc\r\n'],
    ['an end within', 'a\r\n.\r\nb\n.\nc', 'a\r\n..\r\nb\r\n..\r\nc\r\n'],
  ])('on the wire: %s', ([, given, wire]) => {
    const written = Buffer.concat([...onTheWire(Buffer.from(given, 'latin1'))]).toString('latin1')
    expect(written).toBe(wire)
  })

  test('on the wire do not depend on how they are split', () => {
    const pieces = ['\r\n', '.', '\n', '\r', 'text', '\r\n.\r\n']
    const text = Array.from(randomBytes(60_000), (byte) => pieces[byte % pieces.length]).join('')
    const wire = Buffer.concat([...onTheWire(Buffer.from(text))]).toString()
    expect(wire.length).toBeGreaterThan(130_000)
    expect(wire).not.toMatch(/\r(?!\n)|(?<!\r)\n/)
    expect(wire).not.toMatch(/^\.(?!\.)/m)
    expect(wire.replace(/^\./gm, '')).toBe(text.replace(/\r\n|\r|\n/g, '\r\n').replace(/([^\n])$/, '$1\r\n'))
  })

  test('arrive unchanged, including 8-bit and large ones', async () => {
    await using sink = await startSmtpSink()
    const source = Buffer.concat([
      Buffer.from('Subject: Grüße\r\n\r\n.\r\n..\r\n', 'utf8'),
      Buffer.from(randomBytes(6_000_000).toString('base64').replace(/.{76}/g, '$&\r\n')),
      Buffer.from([0xff, 0xfe, 0x0d, 0x0a]),
    ])
    expect((await attempt(submissionTo(sink.port), mailOf({ source }))).failure).toBeUndefined()
    expect(sink.taken[0]?.source.equals(source)).toBe(true)
    expect(sink.taken[0]).toMatchObject({ from: 'ann@example.com', to: ['bob@example.com', 'carla@example.com'] })
  })

  test("that exceed the server's limit are not sent", async () => {
    await using sink = await startSmtpSink({ size: 1_000 })
    const source = Buffer.concat([mailOf().source, Buffer.alloc(2_000, 'x')])
    const { begun, failure } = await attempt(submissionTo(sink.port), mailOf({ source }))
    expect(begun).toBe(false)
    expect(failure).toMatchObject({ permanent: true, status: 552 })
  })
})

describe('connections', () => {
  test('are few, reused, and closed when idle', async () => {
    await using sink = await startSmtpSink()
    const submission = submissionTo(sink.port, { idleMs: 300 })
    await Promise.all(Array.from({ length: 20 }, () => submission.submit(mailOf(), async () => undefined, never)))
    expect(sink.taken).toHaveLength(20)
    expect(sink.connections).toBeLessThanOrEqual(2)
    await vi.waitFor(() => expect(submission.size).toBe(0))
    await submission.submit(mailOf(), async () => undefined, never)
    expect(sink.taken).toHaveLength(21)
    submission.retire()
    expect(submission.size).toBe(0)
  })

  test('that the server closed are replaced, and transmission begins once', async () => {
    // The first one ends after its message, silently or with 421. The client notices when it wants to continue.
    for (const last of ['', '421 idle for too long\r\n']) {
      await using sink = await startSmtpSink()
      await using front = await startFront(sink.port, (socket) => void socket.end(last))
      const submission = submissionTo(front.port)
      const begin = vi.fn(async () => undefined)
      await submission.submit(mailOf(), begin, never)
      front.act()
      await submission.submit(mailOf(), begin, never)
      expect(begin).toHaveBeenCalledTimes(2)
      expect(sink.taken).toHaveLength(2)
      expect(sink.connections).toBe(2)
      submission.retire()
    }
  })

  test('are closed with the request as long as transmission has not begun', async () => {
    const request = new AbortController()
    await using server = await startFaulty('MAIL', () => request.abort())
    const begin = vi.fn(async () => undefined)
    const submission = submissionTo(server.port)
    const sent = submission.submit(mailOf(), begin, request.signal)
    await expect(sent).rejects.toThrow()
    expect(begin).not.toHaveBeenCalled()
    expect(submission.size).toBe(0)
  })

  test('send nothing more when another node has taken over the message', async () => {
    await using sink = await startSmtpSink()
    const submission = submissionTo(sink.port)
    const lost = submission.submit(mailOf(), () => Promise.reject(new Error('lost')), never)
    await expect(lost).rejects.toThrow('lost')
    expect(sink.taken).toEqual([])
    expect(submission.size).toBe(0)
  })
})

describe('an account at a real server', () => {
  let server: MailServer
  let service: TestService
  let owner: { id: string; key: string }
  beforeAll(async () => {
    server = await sharedDovecot()
    const guarded = createEgress({ mode: 'private', ca: [server.ca] })
    service = await openService({ overrides: { egress: guarded } })
    owner = await service.createApplication('Sending')
    await service.call('POST', '/v3/connectors', { key: owner.key, body: { provider: 'imap' } })
  })
  afterAll(async () => {
    await service[Symbol.asyncDispose]()
    await server[Symbol.asyncDispose]()
  })

  const newGrant = async (change: (settings: Record<string, unknown>) => Record<string, unknown> = (same) => same) => {
    const mailbox = await server.addUser()
    const settings = change(imapSettings(server, mailbox))
    const made = await service.call('POST', '/v3/connect/custom', {
      key: owner.key,
      body: { provider: 'imap', settings },
    })
    if (made.status !== 201) throw new Error(JSON.stringify(made.body))
    return { mailbox, grantId: made.body.data.id as string }
  }
  /** Accepts a message and sends it. */
  async function sendBy(grantId: string, mail: MailObject) {
    const { database, clock, secrets, seals } = service.services.storage
    const { notify } = service.services.notifications
    const { node } = service.services.runtime
    const { sender } = service.services.mail
    const ledger = createLedger({ database, clock, secrets, seals, notify, nodeId: node.id })
    const send: NewSend = { id: randomUUID(), applicationId: owner.id, grantId, mail, dueAt: clock.now(), facts: {} }
    await database.transaction((tx) => ledger.accept(tx, send))
    return sender.sendAccepted(send, never)
  }
  /** Sends several messages in one session, and returns the number of copies of each in the sent folder. */
  async function copiesOf(mailbox: Mailbox, mails: readonly MailObject[]) {
    const sources = (await held(mailbox, 'Sent')).map(({ source }) => source?.toString() ?? '')
    return mails.map(({ messageId }) => sources.filter((source) => source.includes(messageId)).length)
  }
  /** The content of a folder, as another program sees it. */
  async function held({ user }: Mailbox, folder: string) {
    await using client = await server.client(user)
    const { exists } = await client.mailboxOpen(folder)
    return exists === 0 ? [] : await client.fetchAll('1:*', { source: true, flags: true })
  }
  const mailFrom = ({ user }: Mailbox): MailObject => {
    const mail = mailOf({ from: user })
    return { ...mail, source: Buffer.from(mail.source.toString().replace('ann@example.com', user)) }
  }

  test.for<[string, (settings: Record<string, unknown>) => Record<string, unknown>]>([
    ['STARTTLS', (settings) => settings],
    ['TLS from the first byte', (settings) => ({ ...settings, smtp_port: server.smtpsPort })],
  ])('sends with %s, once, and files one copy that is read', async ([, change]) => {
    const { mailbox, grantId } = await newGrant(change)
    const mail = mailFrom(mailbox)
    const outcome = await sendBy(grantId, mail)
    const relayed = server.relayed.filter(({ source }) => source.includes(mail.messageId))
    expect(relayed).toHaveLength(1)
    expect(relayed[0]).toMatchObject({ from: mailbox.user, to: ['bob@example.com', 'carla@example.com'] })
    // A relaying server adds its headers before the message.
    expect(relayed[0]?.source.toString().endsWith(Buffer.from(mail.source).toString())).toBe(true)
    const copies = await held(mailbox, 'Sent')
    // The copy also names the Bcc recipients.
    const copy = `Bcc: <carla@example.com>\r\n${Buffer.from(mail.source)}`
    expect(copies.map(({ source }) => source?.toString())).toEqual([copy])
    expect(copies[0]?.flags?.has('\\Seen')).toBe(true)
    // The id in the response is the message's id from then on.
    if (outcome.state !== 'sent') throw new Error(outcome.state)
    const read = await service.call('GET', `/v3/grants/${grantId}/messages/${outcome.messageId}`, { key: owner.key })
    expect(read).toMatchObject({ status: 200, body: { data: { subject: 'Hello', folders: ['Sent'], unread: false } } })
  })

  test('finds the copy that the server filed, and files none', async () => {
    const { mailbox, grantId } = await newGrant()
    const mail = mailFrom(mailbox)
    await server.deliver(mailbox.user, Buffer.from(mail.source), { folder: 'Sent' })
    expect(await sendBy(grantId, mail)).toMatchObject({ state: 'sent' })
    expect(await held(mailbox, 'Sent')).toHaveLength(1)
  })

  test('files one copy of each of many concurrent messages', async () => {
    const { mailbox, grantId } = await newGrant()
    const mails = Array.from({ length: 20 }, () => mailFrom(mailbox))
    const outcomes = await Promise.all(mails.map((mail) => sendBy(grantId, mail)))
    expect(outcomes.map(({ state }) => state)).toEqual(mails.map(() => 'sent'))
    expect(await copiesOf(mailbox, mails)).toEqual(mails.map(() => 1))
  })

  test('files one copy if the connection breaks during filing', async () => {
    const { mailbox, grantId } = await newGrant()
    const mails = Array.from({ length: 4 }, () => mailFrom(mailbox))
    let broken = 0
    for (const mail of mails) {
      expect(await sendBy(grantId, mail)).toMatchObject({ state: 'sent' })
      // The copy arrives, but the response is lost.
      vi.spyOn(ImapFlow.prototype, 'append').mockImplementationOnce(async function (this: ImapFlow, ...args) {
        vi.restoreAllMocks()
        broken++
        await this.append(...args)
        this.close()
        return false
      })
    }
    vi.restoreAllMocks()
    expect(broken).toBe(3)
    expect(await copiesOf(mailbox, mails)).toEqual(mails.map(() => 1))
  })

  test('needs one command for a copy and none for the response, if the server files no copies', async () => {
    const { mailbox, grantId } = await newGrant()
    const send = async (more: object = {}) => {
      const body = { to: [{ email: 'bob@example.com' }], subject: 'Counted', body: '<p>Hello</p>', ...more }
      const sent = await service.call('POST', `/v3/grants/${grantId}/messages/send`, { key: owner.key, body })
      expect(sent.status).toBe(200)
      return sent.body.data
    }
    // The server is found to store no copies itself.
    await send()
    const exec = vi.spyOn(ImapFlow.prototype as unknown as { exec(command: string): Promise<unknown> }, 'exec')
    const files = [{ filename: 'a.txt', content_type: 'text/plain', content: btoa('a file') }]
    const answers = [await send(), await send({ attachments: files })]
    const commands = exec.mock.calls.map(([command]) => command)
    exec.mockRestore()
    expect(commands).toEqual(['APPEND', 'APPEND'])
    // The response equals what the account returns from then on.
    for (const { id, thread_id, folders, date, attachments } of answers) {
      const target = `/v3/grants/${grantId}/messages/${id}`
      const { body } = await service.call('GET', target, { key: owner.key })
      expect(body.data).toMatchObject({ id, thread_id, folders, date, unread: false })
      expect(body.data.attachments.map((file: { id: string }) => file.id)).toEqual(
        attachments.map((file: { id: string }) => file.id),
      )
    }
    expect(await held(mailbox, 'Sent')).toHaveLength(3)
  })

  test('files a copy even after the sent folder was deleted', async () => {
    const { mailbox, grantId } = await newGrant()
    await sendBy(grantId, mailFrom(mailbox))
    {
      await using client = await server.client(mailbox.user)
      await client.mailboxDelete('Sent')
    }
    const mail = mailFrom(mailbox)
    expect(await sendBy(grantId, mail)).toMatchObject({ state: 'sent' })
    await vi.waitFor(async () => expect(await held(mailbox, 'Sent')).toHaveLength(1))
  })

  test('names refused recipients and sends nothing', async () => {
    const { mailbox, grantId } = await newGrant()
    const mail = { ...mailFrom(mailbox), recipients: ['bob@example.com', 'refused@example.com'] }
    const outcome = await sendBy(grantId, mail)
    expect(outcome).toMatchObject({ state: 'failed', error: { code: 'send_refused', status: 402 } })
    expect(outcome.state === 'failed' && outcome.error.message).toContain('refused@example.com')
    expect(server.relayed.filter(({ source }) => source.includes(mail.messageId))).toEqual([])
    expect(await held(mailbox, 'Sent')).toEqual([])
  })

  test('without an SMTP server reports which settings are missing', async () => {
    const { mailbox, grantId } = await newGrant(({ smtp_host: _h, smtp_port: _p, ...settings }) => settings)
    const outcome = await sendBy(grantId, mailFrom(mailbox))
    expect(outcome).toMatchObject({ state: 'failed', error: { code: 'not_supported_by_provider' } })
    expect(outcome.state === 'failed' && outcome.error.message).toContain('smtp_host')
  })

  test('with a wrong password makes the grant invalid', async () => {
    const { mailbox, grantId } = await newGrant()
    await server.changePassword(mailbox.user, 'another one')
    expect(await sendBy(grantId, mailFrom(mailbox))).toMatchObject({
      state: 'failed',
      error: { code: 'grant_invalid' },
    })
    const grant = await service.call('GET', `/v3/grants/${grantId}`, { key: owner.key })
    expect(grant.body.data.grant_status).toBe('invalid')
  })
})
