/** `waypost doctor imap`, `smtp`, `caldav` and `carddav` with real servers, and with servers that are unusable. */
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { PassThrough } from 'node:stream'
import { createEgress } from '@waypost/platform/egress/egress'
import { sharedCyrus } from '@waypost/testing/peers/cyrus'
import type { DavServer } from '@waypost/testing/peers/dav-server'
import { modernCapabilities, sharedDovecot } from '@waypost/testing/peers/dovecot'
import { type Exim, startExim } from '@waypost/testing/peers/exim'
import type { Mailbox, MailServer } from '@waypost/testing/peers/mail-server'
import { sharedRadicale } from '@waypost/testing/peers/radicale'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Finding } from '../../src/cli/doctor/findings.ts'
import { inspectImap } from '../../src/cli/doctor/imap.ts'
import { connectionFindings } from '../../src/cli/doctor/mail.ts'
import { shown, tlsFindings } from '../../src/cli/doctor/server.ts'
import { passwordVariable } from '../../src/cli/password.ts'
import { runHere } from '../command-line.ts'

interface Looked {
  code: number
  findings: Finding[]
  /** Messages by check and state: `IDLE ok`. */
  said: Record<string, string>
}

const byCheck = (findings: readonly Finding[]): Record<string, string> =>
  Object.fromEntries(findings.map(({ check, state, message }) => [`${check} ${state}`, message]))

/** Runs the command, with the password of a mailbox if one is given. */
async function doctor(args: string[], mailbox?: Mailbox): Promise<Looked> {
  const user = mailbox ? ['--user', mailbox.user] : []
  const env: Record<string, string> = mailbox ? { [passwordVariable]: mailbox.password } : {}
  const { code, stdout, stderr } = await runHere(['doctor', ...args, ...user, '--json'], env)
  expect(stderr).toBe('')
  if (mailbox) expect(stdout).not.toContain(mailbox.password)
  const findings = JSON.parse(stdout) as Finding[]
  return { code, findings, said: byCheck(findings) }
}

/** A server that sends the same response to every client, and records what it receives. */
async function openSayer(says: string, answer: (line: string) => string = () => '') {
  const reported: string[] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('data', (data) => {
      reported.push(data.toString('latin1'))
      const answered = answer(data.toString('latin1'))
      if (answered !== '' && socket.writable) socket.write(answered)
    })
    socket.write(says)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    reported,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

let dovecot: MailServer
let exim: Exim
let cyrus: MailServer & DavServer
let radicale: DavServer
let ann: Mailbox
beforeAll(async () => {
  ;[dovecot, cyrus, radicale] = await Promise.all([sharedDovecot(), sharedCyrus(), sharedRadicale()])
  exim = await startExim({ lmtp: dovecot.lmtpPort ?? 0 })
  ann = await dovecot.addUser()
})
afterAll(async () => {
  await exim?.[Symbol.asyncDispose]()
  for (const server of [dovecot, cyrus, radicale]) await server?.[Symbol.asyncDispose]()
})

describe('doctor imap', () => {
  test('reports supported and missing extensions of a dovecot, over TLS and after STARTTLS', async () => {
    for (const [port, how] of [
      [dovecot.imapsPort, /TLS from the first byte/],
      [dovecot.imapPort, /TLS after STARTTLS/],
    ] as const) {
      const { code, said, findings } = await doctor(['imap', 'localhost', '--port', String(port)], ann)
      expect(code).toBe(0)
      expect(said['server ok']).toMatch(how)
      expect(said['tls ok']).toMatch(/^TLSv1\.[23]$/)
      expect(said['certificate warning']).toMatch(/for localhost.*, 1 day left; it is not trusted .*this machine/)
      expect(said['login ok']).toContain(ann.user)
      expect(said['IDLE ok']).toMatch(/immediately/)
      expect(said['CONDSTORE ok']).toMatch(/only changes/)
      expect(said['MOVE ok']).toBeDefined()
      expect(said['UIDPLUS ok']).toBeDefined()
      expect(said['THREAD=REFS ok']).toBeDefined()
      expect(said['SPECIAL-USE ok']).toBeDefined()
      expect(said['OBJECTID warning']).toMatch(/missing: a renamed folder/)
      expect(said['folders ok']).toMatch(/^6 folders with 0 messages$/)
      expect(findings.every(({ state, remedy }) => state === 'ok' || remedy)).toBe(true)
    }
  })

  test('reports without a login what the server shows, and asks for no password', async () => {
    const { code, said } = await doctor(['imap', `localhost:${dovecot.imapsPort}`])
    expect(code).toBe(0)
    expect(said['auth ok']).toMatch(/PLAIN, LOGIN/)
    expect(said['IDLE ok']).toBeDefined()
    expect(said['extensions ok']).toMatch(/unknown before a login: .*OBJECTID.*--user/)
    expect(said).not.toHaveProperty('login ok')
  })

  test('recognizes the ids of a Cyrus, and lists the missing extensions of an old server', async () => {
    const bob = await cyrus.addUser()
    const knowing = await doctor(['imap', 'localhost', '--port', String(cyrus.imapsPort)], bob)
    expect(knowing.code).toBe(0)
    expect(knowing.said['OBJECTID ok']).toMatch(/recognized by its id/)
    expect(knowing.said['NOTIFY warning']).toMatch(/once a minute/)
    await using old = await sharedDovecot({ without: modernCapabilities })
    const cy = await old.addUser()
    const little = await doctor(['imap', 'localhost', '--port', String(old.imapsPort)], cy)
    expect(little.code).toBe(0)
    expect(little.findings.filter(({ message }) => message.startsWith('missing')).map(({ check }) => check)).toEqual([
      ...['IDLE', 'NOTIFY', 'CONDSTORE', 'OBJECTID', 'SPECIAL-USE', 'THREAD=REFS', 'MOVE', 'UIDPLUS'],
    ])
  })

  test('changes nothing in the mailbox', async () => {
    await dovecot.deliver(ann.user, 'Subject: unread\n\nText')
    const state = async () => {
      await using client = await dovecot.client(ann.user)
      return client.status('INBOX', { messages: true, unseen: true, uidNext: true, highestModseq: true })
    }
    const before = await state()
    const { said } = await doctor(['imap', 'localhost', '--port', String(dovecot.imapsPort)], ann)
    expect(said['folders ok']).toMatch(/with 1 messages/)
    expect(await state()).toEqual(before)
  })
})

describe('doctor smtp', () => {
  test('reports the limits and extensions of an exim, and sends nothing', async () => {
    for (const port of [exim.smtpPort, exim.smtpsPort]) {
      const { code, said } = await doctor(['smtp', 'localhost', '--port', String(port)], ann)
      expect(code).toBe(0)
      expect(said['server ok']).toMatch(/Exim/i)
      expect(said['auth ok']).toMatch(/PLAIN, LOGIN/)
      expect(said['login ok']).toMatch(/nothing was sent/)
      expect(said['SIZE ok']).toMatch(/up to 60 MB/)
      expect(said['PIPELINING ok']).toBeDefined()
    }
    expect(await exim.log()).not.toMatch(/<=/)
  })

  test('reports the same without a login', async () => {
    const { code, said } = await doctor(['smtp', 'localhost', '--port', String(exim.smtpPort)])
    expect(code).toBe(0)
    expect(said['server ok']).toMatch(/after STARTTLS/)
    expect(said['auth ok']).toMatch(/PLAIN, LOGIN/)
    expect(said['SIZE ok']).toMatch(/60 MB/)
    expect(said).not.toHaveProperty('login ok')
  })
})

describe('doctor caldav and carddav', () => {
  test('finds the calendars of a Cyrus, which sends invitations', async () => {
    const user = await cyrus.addDavUser()
    const { code, said } = await doctor(['caldav', cyrus.davUrl], user)
    expect(code).toBe(0)
    expect(said['tls warning']).toMatch(/plain http/)
    expect(said['discovery ok']).toContain(cyrus.calendarHome(user.user))
    expect(said['principal ok']).toContain(user.user)
    expect(said['collections ok']).toMatch(/^1 of calendars: /)
    expect(said['sync-collection ok']).toBeDefined()
    expect(said['scheduling ok']).toMatch(/Waypost sends no second mail/)
    expect(said['primary ok']).toMatch(/Default/)
  })

  test('finds the calendars of a Radicale, which sends no invitations, and its contacts', async () => {
    const user = await radicale.addDavUser()
    const calendars = await doctor(['caldav', radicale.davUrl], user)
    expect(calendars.code).toBe(0)
    expect(calendars.said['scheduling ok']).toMatch(/Waypost sends invitations through the account's SMTP server/)
    expect(calendars.said['primary warning']).toMatch(/use calendar ids/)
    const contacts = await doctor(['carddav', radicale.davUrl], user)
    expect(contacts.code).toBe(0)
    expect(contacts.said['collections ok']).toMatch(/^1 of address books: Contacts$/)
    expect(contacts.said).not.toHaveProperty('scheduling ok')
  })

  test('reports without a login the capabilities of the server', async () => {
    const { code, findings } = await doctor(['caldav', radicale.davUrl])
    expect(code).toBe(0)
    const discovery = findings.filter(({ check }) => check === 'discovery').map(({ message }) => message)
    expect(discovery.join('\n')).toMatch(/\/\.well-known\/caldav responds/)
    expect(discovery.join('\n')).toMatch(/calendar-access/)
  })

  test('reports a wrong password, and a server without CalDAV', async () => {
    const user = await radicale.addDavUser()
    const wrong = await doctor(['caldav', radicale.davUrl], { ...user, password: 'not-the-password' })
    expect(wrong.code).toBe(1)
    expect(wrong.said['login problem']).toMatch(/did not accept/)
    await using none = await openSayer(
      '',
      () => 'HTTP/1.1 404 Not Found\r\nconnection: close\r\ncontent-length: 0\r\n\r\n',
    )
    const missing = await doctor(['caldav', `http://127.0.0.1:${none.port}/`], user)
    expect(missing.code).toBe(1)
    expect(Object.keys(missing.said)).toContain('discovery problem')
  })
})

describe('a server that cannot be used', () => {
  test.each([
    ['imap', () => dovecot.imapsPort],
    ['smtp', () => exim.smtpPort],
  ])('that refuses the password over %s is reported with a remedy', async (protocol, port) => {
    const wrong = { ...ann, password: 'not-the-password' }
    const { code, findings } = await doctor([protocol, 'localhost', '--port', String(port())], wrong)
    expect(code).toBe(1)
    expect(findings.at(-1)).toMatchObject({
      check: 'login',
      state: 'problem',
      message: expect.stringMatching(/did not accept/),
      remedy: expect.stringMatching(/app password/),
    })
  })

  test('is reported if it uses another protocol, does not respond, or does not exist', async () => {
    await using ssh = await openSayer('SSH-2.0-OpenSSH_9.2\r\n')
    await using silent = await openSayer('')
    const polls = await Promise.all([
      doctor(['imap', 'localhost', '--port', String(exim.smtpPort)]),
      doctor(['smtp', 'localhost', '--port', String(dovecot.imapPort)]),
      doctor(['imap', '127.0.0.1', '--port', String(ssh.port)]),
      doctor(['smtp', '127.0.0.1', '--port', String(silent.port), '--seconds', '1']),
      doctor(['imap', '127.0.0.1', '--port', '1']),
    ])
    expect(polls.map(({ code }) => code)).toEqual([1, 1, 1, 1, 1])
    const messages = polls.map(({ said }) => said['server problem'])
    const notMail = expect.stringMatching(/does not respond like a mail server/)
    expect(messages).toEqual([
      ...[notMail, notMail, notMail],
      expect.stringMatching(/did not respond within 1 s/),
      expect.stringMatching(/could not connect|Could not connect/),
    ])
  })

  /** Checks a server on this machine under a host name that does not belong to it. */
  async function lookElsewhere(port: number): Promise<Finding[]> {
    const resolve = async () => [{ address: '127.0.0.1', family: 4 as const }]
    await using egress = createEgress({ mode: 'private', trustLoopback: true, resolve })
    const polling = { egress, signal: AbortSignal.timeout(30_000), credentials: ann }
    return await Array.fromAsync(inspectImap({ host: 'mail.example.test', port }, polling))
  }

  test('does not receive the password without encryption, or with an untrusted certificate', async () => {
    const answer = (line: string): string =>
      /CAPABILITY/.test(line) ? '* CAPABILITY IMAP4rev1 AUTH=PLAIN\r\nw1 OK done\r\n' : ''
    await using plain = await openSayer('* OK ready\r\n', answer)
    const open = byCheck(await lookElsewhere(plain.port))
    expect(open).toMatchObject({ 'tls problem': expect.stringMatching(/no encryption/) })
    expect(open['login warning']).toMatch(/skipped/)
    expect(plain.reported.join('')).not.toMatch(/LOGIN|AUTHENTICATE/)
    const untrusted = byCheck(await lookElsewhere(dovecot.imapsPort))
    expect(untrusted['certificate problem']).toMatch(/not trusted/)
    expect(untrusted['login warning']).toMatch(/skipped/)
    expect(untrusted).not.toHaveProperty('login ok')
  })

  test('is checked for its TLS version and its certificate', () => {
    const now = Date.parse('2026-01-01T00:00:00Z')
    const report = { version: 'TLSv1.3', distrust: undefined, names: ['mail.example.test'], issuer: 'CA' }
    const states = (days: number, changes: object = {}, lenient = false) =>
      [
        ...tlsFindings(
          { host: 'mail.example.test', lenient },
          { ...report, validTo: now + days * 86_400_000, ...changes },
          now,
        ),
      ].map(({ check, state }) => `${check} ${state}`)
    expect(states(90)).toEqual(['tls ok', 'certificate ok'])
    expect(states(5)).toEqual(['tls ok', 'certificate warning'])
    expect(states(90, { version: 'TLSv1.1' })).toEqual(['tls problem', 'certificate ok'])
    expect(states(-1, { distrust: 'CERT_HAS_EXPIRED' })).toEqual(['tls ok', 'certificate problem'])
    expect(states(90, { distrust: 'SELF_SIGNED' }, true)).toEqual(['tls ok', 'certificate warning'])
    const seen = { security: 'none', tls: undefined, greeting: 'hello', capabilities: [] } as const
    const plain = [...connectionFindings({ host: 'localhost', port: 143 }, { ...seen, capabilities: [] })]
    expect(plain.at(-1)).toMatchObject({ check: 'tls', state: 'warning' })
  })

  test('cannot send control characters to the terminal', () => {
    expect(shown('\u001b[2Jhello\u0007\u009b1m')).toBe('?[2Jhello??1m')
    expect(shown('x'.repeat(1000))).toHaveLength(200)
  })
})

describe('the password', () => {
  const args = () => ['doctor', 'imap', 'localhost', '--port', String(dovecot.imapsPort), '--user', ann.user]

  test('comes from standard input, or from a terminal that does not show it', async () => {
    const piped = new PassThrough()
    piped.end(`${ann.password}\n`)
    const fromPipe = await runHere([...args(), '--password-stdin'], {}, piped)
    expect(fromPipe.stdout).toMatch(/✓ login: /)
    const raw: boolean[] = []
    const terminal = Object.assign(new PassThrough(), { isTTY: true, setRawMode: (on: boolean) => raw.push(on) })
    terminal.write(`x\u007f${ann.password}\r`)
    const typed = await runHere(args(), {}, terminal)
    expect(typed.code).toBe(0)
    expect(typed.stderr).toBe(`Password for ${ann.user}: \n`)
    expect(typed.stdout).not.toContain(ann.password)
    expect(raw).toEqual([true, false])
  })

  test('is not accepted as an argument, and the error lists the other ways', async () => {
    const none = await runHere(args(), {})
    expect(none.code).toBe(2)
    expect(none.stderr).toMatch(/DOCTOR_PASSWORD.*--password-stdin/)
    const argued = await runHere([...args(), '--password', 'secret'], {})
    expect(argued.code).toBe(2)
    expect(argued.stderr).toMatch(/no option --password/)
  })
})

test.each([
  [['imap', 'me@unknown.example.test'], /the IMAP server of unknown.example.test is unknown/],
  [['smtp', 'me@unknown.example.test'], /the SMTP server of unknown.example.test is unknown/],
  [['imap', 'localhost', '--port', '70000'], /no port 70000/],
  [['imap', 'https://mail.example.test'], /neither a host/],
  [['caldav', 'cloud.example.test'], /begins with https:/],
  [['caldav', 'https://me:secret@cloud.example.test'], /--user/],
  [['imap', 'localhost', '--password-stdin'], /--user/],
])('doctor %j is refused with an explanation', async (args, words) => {
  const { code, stderr } = await runHere(['doctor', ...args], {})
  expect(code).toBe(2)
  expect(stderr).toMatch(words)
  expect(stderr).not.toContain('secret')
})
