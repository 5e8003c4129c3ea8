import { once } from 'node:events'
import { mkdtempDisposable } from 'node:fs/promises'
import net from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Invitation, invitationsFor } from '@waypost/formats/itip/invitations'
import { testCertificate } from '@waypost/testing/peers/certificates'
import { type SmtpSink, startSmtpSink } from '@waypost/testing/peers/smtp-sink'
import ICAL from 'ical.js'
import { type ParsedMail, simpleParser } from 'mailparser'
import type { SMTPServerOptions } from 'smtp-server'
import { describe, expect, test } from 'vitest'
import { examine } from '../../src/cli/doctor/doctor.ts'
import { readConfig } from '../../src/config.ts'
import { createSystemMail, MailFailed, type SystemMail } from '../../src/sending/system-mail.ts'

const NEVER = new AbortController().signal
const PASSWORD = 'hunter2-p@ss'

/** A server that lets its users sign in. */
const startNode = (options: SMTPServerOptions = {}): Promise<SmtpSink> =>
  startSmtpSink({ disabledCommands: ['STARTTLS'], ...options })

const mailTo = (port: number, login = ''): SystemMail =>
  createSystemMail({ url: `smtp://${login}127.0.0.1:${port}`, from: 'Waypöst <system@waypost.test>' })

const guest = (email: string, name: string | null = null) =>
  ({ email, name, comment: null, phone_number: null, status: 'noreply' }) as const

/** Invitations as the service composes them. */
function invitations(fields: { title?: string; name?: string; method?: 'REQUEST' | 'CANCEL' } = {}): Invitation[] {
  const event = {
    id: 'event-1',
    object: 'event' as const,
    grant_id: '6f0c3c0e-5a0e-4f0a-9d8e-0a3d5d1f0001',
    calendar_id: 'calendar-1',
    title: fields.title ?? 'Besprechung über Käse 🧀 会議',
    description: 'Zeile eins\nZeile zwei\n.\nnach dem Punkt',
    location: 'Köln',
    when: { object: 'time' as const, time: 1_768_467_600, timezone: 'Europe/Berlin' },
    busy: true,
    status: 'confirmed' as const,
    hide_participants: false,
    participants: [guest('ann@example.com', fields.name ?? 'Änn Müller-Łukasz'), guest('bob@example.com')],
    resources: [],
    organizer: { email: 'olga@example.com', name: 'Ольга' },
    ical_uid: 'uid-1@waypost.test',
    read_only: false,
    metadata: {},
    created_at: null,
    updated_at: null,
  }
  const sender = { organizer: { email: 'olga@example.com', name: 'Ольга' }, sentBy: 'system@waypost.test', now: 0 }
  const set = { main: event, overrides: [] }
  return invitationsFor(fields.method === 'CANCEL' ? { ...sender, before: set } : { ...sender, after: set })
}

function firstOf<T>(list: readonly T[]): T {
  const [first] = list
  if (first === undefined) throw new Error('nothing there')
  return first
}

/** The content types of the parts, in order of the source. */
const partTypes = (raw: Buffer): string[] =>
  Array.from(raw.toString('latin1').matchAll(/^Content-Type: ([\w/-]+)/gim), ([, type = '']) => type)

const calendarsOf = (mail: ParsedMail) => mail.attachments.filter(({ contentType }) => contentType === 'text/calendar')

async function failure(promise: Promise<unknown>): Promise<MailFailed> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!(error instanceof MailFailed)) throw new Error(`not a MailFailed: ${error}`)
  expect(JSON.stringify([error.message, error.stack, error.cause, Object.entries(error)])).not.toContain(PASSWORD)
  return error
}

describe('an invitation by mail', () => {
  test.each(['REQUEST', 'CANCEL'] as const)(
    '%s has the parts of RFC 6047, with one method throughout',
    async (method) => {
      await using server = await startNode()
      await using systemMail = mailTo(server.port)
      const invitation = firstOf(invitations({ method }))
      await systemMail.send({ ...invitation, replyTo: 'olga@example.com' }, NEVER, 'test')

      const { source: raw, from, to } = firstOf(server.taken)
      expect([from, to]).toEqual(['system@waypost.test', ['ann@example.com']])
      expect(partTypes(raw)).toEqual([
        'multipart/mixed',
        'multipart/alternative',
        'text/plain',
        'text/html',
        'text/calendar',
        'application/ics',
      ])
      const mail = await simpleParser(raw)
      const calendar = firstOf(calendarsOf(mail))
      expect(calendarsOf(mail)).toHaveLength(1)
      const type = calendar.headers.get('content-type')
      expect(type).toMatchObject({ value: 'text/calendar', params: { method, charset: 'UTF-8' } })
      const parsed = new ICAL.Component(ICAL.parse(calendar.content.toString()))
      expect(parsed.getFirstPropertyValue('method')).toBe(method)
      expect(calendar.content.toString()).toBe(invitation.ics)

      const attached = mail.attachments.filter(({ filename }) => filename === 'invite.ics')
      expect(attached.map(({ contentType, contentDisposition }) => [contentType, contentDisposition])).toEqual([
        ['application/ics', 'attachment'],
      ])
      expect(firstOf(attached).content.equals(calendar.content)).toBe(true)

      expect(mail.subject).toBe(invitation.subject)
      expect(mail.text?.trimEnd()).toBe(invitation.text)
      expect(mail.html === false ? '' : mail.html?.trimEnd()).toBe(invitation.html)
      expect(mail.from?.value).toEqual([{ name: 'Waypöst', address: 'system@waypost.test' }])
      expect(mail.replyTo?.value[0]?.address).toBe('olga@example.com')
      expect(parsed.getFirstSubcomponent('vevent')?.getFirstProperty('attendee')?.getFirstParameter('cn')).toBe(
        'Änn Müller-Łukasz',
      )
    },
  )

  test('is sent to each guest separately, over few connections', async () => {
    let connections = 0
    await using server = await startNode({
      onConnect(_session, callback) {
        connections += 1
        callback()
      },
    })
    await using systemMail = mailTo(server.port)
    for (const mail of [...invitations(), ...invitations()]) await systemMail.send(mail, NEVER, 'test')
    expect(server.taken.map(({ to }) => to)).toEqual([
      ['ann@example.com'],
      ['bob@example.com'],
      ['ann@example.com'],
      ['bob@example.com'],
    ])
    expect(connections).toBe(1)
  })

  test('has its own address for SENT-BY', () => {
    expect(createSystemMail({ url: 'smtp://x.test', from: 'a@b.test' }).address).toBe('a@b.test')
    expect(createSystemMail({ url: 'smtps://x.test', from: '"A, B" <a@b.test>' }).address).toBe('a@b.test')
  })

  test('logs in with the decoded user and password', async () => {
    await using server = await startNode({
      allowInsecureAuth: true,
      onAuth({ username, password }, _session, callback) {
        if (password === PASSWORD) callback(null, { user: username ?? '' })
        else callback(new Error(`535 wrong password ${password}`))
      },
    })
    await using systemMail = mailTo(server.port, `me%40x:${encodeURIComponent(PASSWORD)}@`)
    await systemMail.send(firstOf(invitations()), NEVER, 'test')
    expect(firstOf(server.taken).user).toBe('me@x')
    await using stranger = mailTo(server.port, `me:${encodeURIComponent(`${PASSWORD}x`)}@`)
    expect(await failure(stranger.send(firstOf(invitations()), NEVER, 'test'))).toMatchObject({
      reason: 'login_refused',
    })
  })
})

describe('injected text', () => {
  const evils = [
    'x\r\nBcc: evil@evil.test',
    'x\nBcc: evil@evil.test',
    'x\r\n\r\nbody',
    'x\0y',
    '\r\n.\r\nMAIL FROM:<evil@evil.test>\r\nRCPT TO:<evil@evil.test>\r\nDATA\r\n',
    '"; method=PUBLISH; x="',
    '=?utf-8?Q?x=0D=0ABcc:_evil@evil.test?=',
    'a, evil@evil.test',
    '<evil@evil.test>',
  ]

  test.each(evils)('%j in the event adds neither header nor recipient', async (evil) => {
    await using server = await startNode()
    await using systemMail = mailTo(server.port)
    await systemMail.send(firstOf(invitations({ title: evil, name: evil })), NEVER, 'test')
    expect(server.taken).toHaveLength(1)
    const { source: raw, to } = firstOf(server.taken)
    expect(to).toEqual(['ann@example.com'])
    const mail = await simpleParser(raw)
    expect(mail.headerLines.map(({ key }) => key).toSorted()).toEqual([
      'content-type',
      'date',
      'from',
      'message-id',
      'mime-version',
      'subject',
      'to',
    ])
    expect(mail.to?.value.map(({ address }) => address)).toEqual(['ann@example.com'])
    expect(partTypes(raw)).toHaveLength(6)
    expect(calendarsOf(mail)).toHaveLength(1)
  })

  test.each(evils)('%j in an address or a subject is refused before a connection is opened', async (evil) => {
    await using systemMail = mailTo(1)
    const mail = firstOf(invitations())
    const refusal = { reason: 'bad_message', permanent: true, maybeSent: false }
    expect(await failure(systemMail.send({ ...mail, to: `${evil}@example.com` }, NEVER, 'test'))).toMatchObject(refusal)
    expect(
      await failure(systemMail.send({ ...mail, replyTo: `olga@example.com${evil}` }, NEVER, 'test')),
    ).toMatchObject(refusal)
    if (/\p{Cc}/u.test(evil)) {
      expect(await failure(systemMail.send({ ...mail, subject: evil }, NEVER, 'test'))).toMatchObject(refusal)
    }
  })
})

describe('a mail that cannot be sent', () => {
  const mail = firstOf(invitations())

  test('fails at once if nothing listens', async () => {
    const listener = net.createServer().listen(0, '127.0.0.1')
    await once(listener, 'listening')
    const address = listener.address()
    listener.close()
    await once(listener, 'close')
    if (address === null || typeof address === 'string') throw new Error('no port')
    await using systemMail = mailTo(address.port, `me:${encodeURIComponent(PASSWORD)}@`)
    const error = await failure(systemMail.send(mail, NEVER, 'test'))
    expect(error).toMatchObject({ reason: 'unreachable', permanent: false, maybeSent: false })
    expect(error.message).toBe('No session with the mail server (ECONNREFUSED); check its address and TLS settings')
  })

  test.each([
    [550, true],
    [451, false],
  ])('is refused by reply %i', async (responseCode, permanent) => {
    await using server = await startNode({
      onRcptTo(_address, _session, callback) {
        callback(Object.assign(new Error(`no such user ${PASSWORD}`), { responseCode }))
      },
    })
    await using systemMail = mailTo(server.port)
    const error = await failure(systemMail.send(mail, NEVER, 'test'))
    expect(error).toMatchObject({ reason: 'refused', permanent, maybeSent: false })
    expect(error.message).toBe(`The mail server refused the mail (EENVELOPE, reply ${responseCode})`)
  })

  test('may have been accepted if the connection breaks after the text, and is not sent twice', async () => {
    let texts = 0
    const received = Promise.withResolvers<void>()
    await using server = await startNode({
      onData(stream) {
        texts += 1
        stream.on('end', received.resolve).resume()
      },
    })
    const relay = net.createServer((socket) => {
      const inner = net.connect(server.port, '127.0.0.1')
      inner.pipe(socket)
      socket.on('error', () => {})
      inner.on('error', () => {})
      socket.on('data', (chunk) => {
        inner.write(chunk)
        if (chunk.includes('\r\n.\r\n')) received.promise.then(() => socket.destroy())
      })
      socket.on('close', () => inner.destroy())
    })
    relay.listen(0, '127.0.0.1')
    await once(relay, 'listening')
    const address = relay.address()
    if (address === null || typeof address === 'string') throw new Error('no port')
    try {
      await using systemMail = mailTo(address.port)
      expect(await failure(systemMail.send(mail, NEVER, 'test'))).toMatchObject({
        reason: 'broken_off',
        maybeSent: true,
      })
      expect(texts).toBe(1)
    } finally {
      relay.close()
    }
  })

  test('is canceled with the signal', async () => {
    const controller = new AbortController()
    await using server = await startNode({ onConnect: () => controller.abort() })
    await using systemMail = mailTo(server.port)
    const sending = failure(systemMail.send(mail, controller.signal, 'test'))
    expect(await sending).toMatchObject({ reason: 'aborted', maybeSent: true })
    expect(await failure(systemMail.send(mail, controller.signal, 'test'))).toMatchObject({
      reason: 'aborted',
      maybeSent: false,
    })
  })

  describe('a relay with a self-signed certificate', () => {
    test.each([
      ['smtp', false],
      ['smtps', true],
    ] as const)('is accepted on this machine, by %s, and nowhere else', async (scheme, secure) => {
      const { cert, key } = await testCertificate()
      await using relay = await startSmtpSink({ disabledCommands: ['AUTH'], secure, cert, key })
      const from = 'system@waypost.test'
      for (const host of ['127.0.0.1', 'localhost']) {
        await using mail = createSystemMail({ url: `${scheme}://${host}:${relay.port}`, from })
        await mail.send({ to: 'ann@x.test', subject: host, text: 'Hello' }, NEVER, 'test')
      }
      expect(relay.taken).toHaveLength(2)
      // A name that resolves to this machine, but is not one of its own: it counts as another machine.
      await using other = createSystemMail({ url: `${scheme}://127.1:${relay.port}`, from })
      await expect(other.send({ to: 'ann@x.test', subject: 'x', text: 'x' }, NEVER, 'test')).rejects.toThrow(MailFailed)
      // It was reached; only its certificate was refused.
      if (!secure) expect(relay.connections).toBe(3)
      expect(relay.taken).toHaveLength(2)
    })
  })

  test('is checked by the doctor without sending mail: the connection, TLS and the login', async () => {
    const { cert, key } = await testCertificate()
    await using server = await startSmtpSink({
      disabledCommands: [],
      cert,
      key,
      onAuth: ({ password }, _, done) =>
        password === PASSWORD ? done(null, { user: 'ann' }) : done(new Error('Invalid username or password')),
    })
    const examined = async (settings: Record<string, string>) => {
      await using folder = await mkdtempDisposable(join(tmpdir(), 'waypost-doctor-'))
      const { config, secrets } = readConfig({ WAYPOST_DATA_DIR: folder.path, ...settings })
      return (await examine(config, secrets)).filter(({ check }) => check === 'mail')
    }
    const identity = (login: string, port = server.port) => ({
      WAYPOST_SMTP_URL: `smtp://${login}127.0.0.1:${port}`,
      WAYPOST_MAIL_FROM: 'Waypost <system@waypost.test>',
    })
    const shown = encodeURIComponent(PASSWORD)
    expect(await examined(identity(`ann:${shown}@`))).toEqual([
      {
        check: 'mail',
        state: 'ok',
        message: expect.stringMatching(/responds and accepts the login; mail is sent from/),
      },
    ])
    const wrong = await examined(identity('ann:not-this-one@'))
    expect(wrong).toMatchObject([{ state: 'problem', message: expect.stringMatching(/refused the login/) }])
    expect(JSON.stringify(wrong)).not.toContain('not-this-one')
    await server[Symbol.asyncDispose]()
    expect(await examined(identity(''))).toMatchObject([
      {
        state: 'problem',
        message: expect.stringMatching(/No session with the mail server/),
        remedy: expect.any(String),
      },
    ])
    expect(await examined({})).toMatchObject([
      {
        state: 'warning',
        message: expect.stringMatching(/not sent/),
        remedy: expect.stringContaining('WAYPOST_SMTP_URL'),
      },
    ])
    expect(server.taken).toEqual([])
  })

  test('requires TLS before it sends a password to another machine', async () => {
    await using server = await startNode({ allowInsecureAuth: true })
    // 127.0.0.1 in a form that does not count as this machine.
    const url = `smtp://me:${encodeURIComponent(PASSWORD)}@[::ffff:127.0.0.1]:${server.port}`
    await using systemMail = createSystemMail({ url, from: 'a@b.test' })
    const error = await failure(systemMail.send(mail, NEVER, 'test'))
    expect(error).toMatchObject({ reason: 'unreachable', message: expect.stringContaining('ETLS') })
    expect(server.taken).toEqual([])
  })
})

describe('invalid settings', () => {
  test.each([
    [`http://me:${PASSWORD}@x.test`, 'a@b.test'],
    [`smtp//me:${PASSWORD}`, 'a@b.test'],
    ['smtp://', 'a@b.test'],
    ['smtp://x.test', 'nobody'],
    ['smtp://x.test', 'A <a@b.test>, B <c@d.test>'],
    ['smtp://x.test', 'A\r\nBcc: x <a@b.test>'],
  ])('%s with %j are refused without revealing the password', (url, from) => {
    let message = ''
    try {
      createSystemMail({ url, from })
    } catch (error) {
      message = error instanceof TypeError ? error.message : 'another error'
    }
    expect(message).toMatch(/^The (address of the mail server|sender of system mail)/)
    expect(message).not.toContain(PASSWORD)
  })
})
