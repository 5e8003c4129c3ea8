import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import tls from 'node:tls'
import { makeCertificate, testCertificate } from '@waypost/testing/peers/certificates'
import { startCyrus } from '@waypost/testing/peers/cyrus'
import { daemon, serverFolder, serverUser } from '@waypost/testing/peers/daemon'
import { modernCapabilities, startDovecot } from '@waypost/testing/peers/dovecot'
import { domain, type Mailbox, type MailServer, type OwnMailServer } from '@waypost/testing/peers/mail-server'
import { ImapFlow, type ImapFlowOptions } from 'imapflow'
import { createTransport } from 'nodemailer'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'

/** Logs in from outside, and returns the outcome. */
async function logIn(
  server: MailServer,
  auth: ImapFlowOptions['auth'],
  options: ImapFlowOptions = {},
): Promise<string> {
  const client = new ImapFlow({
    host: server.host,
    port: server.imapsPort,
    secure: true,
    tls: { ca: server.ca },
    logger: false,
    ...options,
    ...(auth ? { auth } : {}),
  })
  client.on('error', () => {})
  try {
    await client.connect()
    return 'in'
  } catch (error) {
    if (error instanceof Error && 'authenticationFailed' in error) return 'refused'
    throw error
  } finally {
    client.close()
  }
}

const logInWithPassword = (server: MailServer, { user, password }: Mailbox, options?: ImapFlowOptions) =>
  logIn(server, { user, pass: password }, options)

const countOf = async (server: MailServer, user: string, folder = 'INBOX'): Promise<number | undefined> => {
  await using client = await server.client(user)
  const status = await client.status(folder, { messages: true })
  return status ? status.messages : undefined
}

/** The server's response, line by line, to a login and a command; `inside` runs before the connection closes. */
async function converse(
  server: MailServer,
  { user, password }: Mailbox,
  command: string,
  inside?: () => Promise<string>,
): Promise<string> {
  const socket = tls.connect({ port: server.imapsPort, host: 'localhost', servername: 'localhost', ca: server.ca })
  const said: string[] = []
  for await (const line of createInterface(socket)) {
    said.push(line)
    if (said.length === 1) socket.write(`1 LOGIN ${user} ${password}\r\n`)
    if (/^1 OK/.test(line)) socket.write(`2 ${command}\r\n`)
    if (/^(1 NO|2 )/.test(line)) break
  }
  const heard = await inside?.()
  socket.destroy()
  return heard ?? said.join('\n')
}

describe.each([
  ['dovecot', () => startDovecot({ oauth: true })],
  ['cyrus', () => startCyrus()],
])('%s', (_, start) => {
  let server: OwnMailServer
  beforeAll(async () => {
    server = await start()
  })
  afterAll(() => server[Symbol.asyncDispose]())

  test('takes its users in over TLS, by STARTTLS too, and nobody else', async () => {
    const mailbox = await server.addUser()
    expect(mailbox.user).toMatch(new RegExp(`@${domain}$`))
    expect(await logInWithPassword(server, mailbox)).toBe('in')
    const plain = { port: server.imapPort, secure: false, doSTARTTLS: true }
    expect(await logInWithPassword(server, mailbox, plain)).toBe('in')
    expect(await logInWithPassword(server, mailbox, { host: '127.0.0.1' })).toBe('in')
    expect(await logInWithPassword(server, { ...mailbox, password: 'wrong' })).toBe('refused')
    expect(await logInWithPassword(server, { ...mailbox, user: `nobody@${domain}` })).toBe('refused')
    await expect(logInWithPassword(server, mailbox, { tls: {} })).rejects.toThrow(/certificate/)
  })

  test('knows a new password at once, and forgets a user', async () => {
    const mailbox = await server.addUser()
    for (const password of ['password-1', 'password-2', 'password-3']) {
      await server.changePassword(mailbox.user, password)
      expect(await logInWithPassword(server, { ...mailbox, password })).toBe('in')
    }
    expect(await logInWithPassword(server, { ...mailbox, password: 'password-2' })).toBe('refused')
    await server.removeUser(mailbox.user)
    expect(await logInWithPassword(server, { ...mailbox, password: 'password-3' })).toBe('refused')
  })

  test('gives each user the usual folders, of their own', async () => {
    const [one, other] = [await server.addUser(), await server.addUser()]
    await server.deliver(one.user, 'Subject: Only for one\n\nText')
    expect(await countOf(server, one.user)).toBe(1)
    expect(await countOf(server, other.user)).toBe(0)
    await using client = await server.client(other.user)
    const uses = (await client.list()).map(({ path, specialUse }) => [path, specialUse]).sort()
    const named = ['Archive', 'Drafts', 'Junk', 'Sent', 'Trash'].map((name) => [name, `\\${name}`])
    expect(uses).toEqual([...named, ['INBOX', '\\Inbox']].sort())
  })

  test('keeps what is delivered byte by byte, with its flags and its date', async () => {
    const { user } = await server.addUser()
    const source = Buffer.from('Subject: =?utf-8?q?Caf=C3=A9?=\r\nX-Odd:  two  spaces\r\n\r\nText\r\n')
    const date = new Date('2026-03-04T05:06:07Z')
    await server.deliver(user, source, { folder: 'Sent', flags: ['\\Seen', '\\Flagged'], date })
    await using client = await server.client(user)
    await client.mailboxOpen('Sent')
    const message = await client.fetchOne('*', { source: true, flags: true, internalDate: true })
    if (!message) throw new Error('there is no message')
    expect(message.source?.equals(source)).toBe(true)
    expect([...(message.flags ?? [])].filter((flag) => flag !== '\\Recent').sort()).toEqual(['\\Flagged', '\\Seen'])
    expect(new Date(message.internalDate ?? 0)).toEqual(date)
  })

  test('drops the connections of one user, and goes on for everybody', async () => {
    const [one, other] = [await server.addUser(), await server.addUser()]
    await server.deliver(one.user, 'Subject: Before\n\nText')
    await using client = await server.client(one.user)
    await using bystander = await server.client(other.user)
    const closed = once(client, 'close')
    await server.kick(one.user)
    await closed
    await server.kick(one.user)
    await server.deliver(one.user, 'Subject: After\n\nText')
    expect(await countOf(server, one.user)).toBe(2)
    expect(await bystander.status('INBOX', { messages: true })).toMatchObject({ messages: 0 })
  })

  test('comes back from a stop with its mail, on its ports', async () => {
    const mailbox = await server.addUser()
    await server.deliver(mailbox.user, 'Subject: Kept\n\nText')
    await server.stop()
    await expect(logInWithPassword(server, mailbox)).rejects.toThrow(/ECONNREFUSED/)
    await server.start()
    expect(await logInWithPassword(server, mailbox)).toBe('in')
    expect(await countOf(server, mailbox.user)).toBe(1)
  })
})

describe('dovecot, beside mailboxes', () => {
  test('takes tokens until they are revoked, for IMAP and for SMTP', async () => {
    await using server = await startDovecot({ oauth: true })
    const { user } = await server.addUser()
    const token = server.issueToken(user)
    expect(await logIn(server, { user, accessToken: token })).toBe('in')
    const transport = createTransport({
      host: server.host,
      port: server.smtpPort,
      requireTLS: true,
      tls: { ca: server.ca },
      auth: { type: 'OAuth2', user, accessToken: token },
    })
    expect(await transport.verify()).toBe(true)
    server.revokeToken(token)
    expect(await logIn(server, { user, accessToken: token })).toBe('refused')
    await expect(transport.verify()).rejects.toThrow(/535/)
    transport.close()
  })

  test('passes on what its users send, and wants their password', async () => {
    await using server = await startDovecot()
    const { user, password } = await server.addUser()
    const transportAs = (pass: string, secure: boolean) =>
      createTransport({
        host: server.host,
        port: secure ? server.smtpsPort : server.smtpPort,
        secure,
        tls: { ca: server.ca },
        auth: { user, pass },
      })
    for (const secure of [true, false]) {
      const sent = { from: user, to: 'ann@elsewhere.test', subject: `Secure: ${secure}`, text: 'Text' }
      await transportAs(password, secure).sendMail(sent)
      await expect(transportAs('wrong', secure).verify()).rejects.toThrow(/535/)
    }
    expect(server.relayed.map(({ from, to }) => ({ from, to }))).toEqual([
      { from: user, to: ['ann@elsewhere.test'] },
      { from: user, to: ['ann@elsewhere.test'] },
    ])
    expect(server.relayed[0]?.source.toString()).toContain('Subject: Secure: true')
    const refused = transportAs(password, true).sendMail({ from: user, to: 'refused@elsewhere.test', text: 'Text' })
    await expect(refused).rejects.toThrow(/No such user/)
  })

  test('can keep quiet about what it can do, and lay its folders out in an old way', async () => {
    await using server = await startDovecot({ without: modernCapabilities, separator: '.', prefix: 'INBOX.' })
    const mailbox = await server.addUser()
    await using client = await server.client(mailbox.user)
    const said = [...client.capabilities.keys()]
    expect(said).toContain('IMAP4rev1')
    for (const name of ['CONDSTORE', 'QRESYNC', 'MOVE', 'IDLE', 'SPECIAL-USE', 'SORT', 'UIDPLUS', 'NOTIFY']) {
      expect(said).not.toContain(name)
    }
    const folders = await converse(server, mailbox, 'LIST "" *')
    expect(folders).toMatch(/"\."\s+"?INBOX\.Sent"?/)
    expect(folders).not.toMatch(/\\(Sent|Trash|Drafts|Junk|Archive)/)
  })

  test('can limit the connections of a user, those of the tests not counted', async () => {
    await using server = await startDovecot({ connectionsPerUser: 1 })
    const mailbox = await server.addUser()
    const inside = await converse(server, mailbox, 'NOOP', () => converse(server, mailbox, 'NOOP'))
    expect(inside).toMatch(/^1 NO .*Maximum number of connections/m)
    await server.deliver(mailbox.user, 'Subject: Delivered\n\nText')
    await vi.waitFor(async () => expect(await converse(server, mailbox, 'NOOP')).toMatch(/^2 OK/m))
  })
})

describe('a server that tests start', () => {
  test('fails with its log when it does not come up', async () => {
    const user = await serverUser('dovecot', 'nobody')
    const folder = await serverFolder('broken', user)
    await using server = daemon({
      name: 'sh',
      folder,
      user,
      program: 'sh',
      args: ['-c', 'echo no way; exit 1'],
      port: 1,
    })
    await expect(server.start()).rejects.toThrow(/sh did not start.*no way/s)
  })

  test('ends with all its processes and its folder when the tests are killed', async () => {
    const script = `
      import { modernCapabilities, startDovecot } from ${JSON.stringify(join(import.meta.dirname, '../../../testing/src/peers/dovecot.ts'))}
      const server = await startDovecot()
      console.log(server.imapPort)
      setInterval(() => {}, 1000)
    `
    const tests = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const port = Number((await createInterface(tests.stdout)[Symbol.asyncIterator]().next()).value)
    const connects = () =>
      new Promise<boolean>((resolve) => {
        const socket = tls.connect({ port, host: '127.0.0.1' })
        socket.once('error', (error) => resolve(!('code' in error && error.code === 'ECONNREFUSED')))
      })
    expect(await connects()).toBe(true)
    tests.kill('SIGKILL')
    await vi.waitFor(async () => expect(await connects()).toBe(false), { timeout: 10_000 })
  })

  test('leaves no folder behind', async () => {
    const user = await serverUser('dovecot', 'nobody')
    const folder = await serverFolder('short', user)
    await daemon({ name: 'none', folder, user, program: 'true', args: [], port: 1 })[Symbol.asyncDispose]()
    await expect(access(folder)).rejects.toThrow(/ENOENT/)
  })
})

describe('a certificate for tests', () => {
  test('is made once in a process, and apart on request', async () => {
    expect(await testCertificate()).toBe(await testCertificate())
    expect((await makeCertificate()).ca).not.toBe((await testCertificate()).ca)
  })
})
