/** `waypost doctor smtp`: what an SMTP server that takes mail of its users can do. Nothing is sent. */
import { hostsOf } from '../../providers/mail/vendors.ts'
import { openSmtp } from '../../providers/smtp/connection.ts'
import type { PlainRun } from '../program/command.ts'
import type { Lines } from '../program/lines.ts'
import { type Finding, ok, problem, warning } from './findings.ts'
import { approach, mailServerOf, notTried, type Protocol, type Seen, signingIn } from './mail.ts'
import { type Looking, lookAtServer, type Place } from './server.ts'

const usualPort = 587

/** The lines of a reply, with the code before the first. */
async function replyOf(lines: Lines): Promise<{ code: string; texts: string[] }> {
  const texts: string[] = []
  for (;;) {
    const [, code = '', more, text = ''] = /^(\d{3})(?:([ -])(.*))?$/.exec(await lines.next()) ?? []
    texts.push(text)
    if (more !== '-') return { code, texts }
  }
}

async function ask(lines: Lines, command: string): Promise<{ code: string; texts: string[] }> {
  lines.write(`${command}\r\n`)
  return replyOf(lines)
}

const protocol: Protocol = {
  async greeting(lines) {
    const { code, texts } = await replyOf(lines)
    return code === '220' ? texts.join(' ') : undefined
  },
  async capabilities(lines) {
    const { code, texts } = await ask(lines, 'EHLO localhost')
    return code === '250' ? texts.slice(1).map((text) => text.toUpperCase()) : []
  },
  offersStartTls: (capabilities) => capabilities.includes('STARTTLS'),
  startTls: async (lines) => (await ask(lines, 'STARTTLS')).code === '220',
  leave: 'QUIT',
}

const known = ['PLAIN', 'LOGIN', 'CRAM-MD5', 'XOAUTH2', 'OAUTHBEARER']

function* loginFindings(extensions: ReadonlyMap<string, string>): Generator<Finding> {
  const offered = extensions.get('AUTH')?.split(/[\s=]+/)
  const taken = known.filter((name) => offered?.includes(name))
  if (offered === undefined) {
    yield warning(
      'auth',
      'the server asks for no login: it takes mail of everybody, or of nobody',
      'use the port for programs of users, 465 or 587',
    )
  } else if (taken.length === 0) {
    yield problem('auth', 'the server offers no login that Waypost knows', 'let it offer PLAIN or LOGIN over TLS')
  } else yield ok('auth', `logins are taken by ${taken.join(', ')}`)
}

const megabytes = (bytes: number): string => `${Math.floor((bytes / 1024 / 1024) * 10) / 10} MB`
const usual = 'turn it on where the server has it'

function* extensionFindings(extensions: ReadonlyMap<string, string>): Generator<Finding> {
  const most = Number(extensions.get('SIZE') ?? Number.NaN)
  if (most > 0) yield ok('SIZE', `messages of up to ${megabytes(most)}; larger ones are refused before they are sent`)
  else if (most === 0) yield ok('SIZE', 'the server says no limit of size')
  else yield warning('SIZE', 'missing: a message that is too large is refused only once it was sent whole', usual)
  yield extensions.has('SMTPUTF8')
    ? ok('SMTPUTF8', 'addresses beyond ASCII can be written to')
    : warning('SMTPUTF8', 'missing: addresses with letters beyond ASCII are refused, and nothing is sent', usual)
  yield extensions.has('PIPELINING')
    ? ok('PIPELINING', 'sender and recipients are told at once')
    : warning('PIPELINING', 'missing: each recipient costs a round trip', usual)
  yield extensions.has('8BITMIME')
    ? ok('8BITMIME', 'text beyond ASCII goes as it is')
    : ok('8BITMIME', 'missing: what Waypost writes itself is ASCII on the wire')
  yield ok(
    'DSN',
    `${extensions.has('DSN') ? 'there' : 'missing'}: Waypost reads bounces, and asks for no other reports`,
  )
}

const asMap = (lines: readonly string[]): Map<string, string> =>
  new Map(
    lines.map((line) => {
      const [, word = '', rest = ''] = /^(\S+?)(?:[ =](.*))?$/.exec(line) ?? []
      return [word, rest]
    }),
  )

async function* knownUser(place: Place, seen: Seen, looking: Looking): AsyncGenerator<Finding> {
  const { credentials: auth, egress, signal } = looking
  if (!auth) return
  const ways = { connect: egress.connect, secure: egress.secure }
  const { dialogue, extensions } = await openSmtp({ ...place, security: seen.security, auth }, ways, signal)
  try {
    if (extensions.has('AUTH')) yield ok('login', `${auth.user} is let in; nothing was sent`)
    yield* extensionFindings(extensions)
    await dialogue.ask(['QUIT'], 2_000).catch(() => undefined)
  } finally {
    dialogue.end('done')
  }
}

async function* look(place: Place, looking: Looking): AsyncGenerator<Finding> {
  const { findings, seen, safe } = await approach(protocol, place, looking)
  yield* findings
  if (!seen) return
  const said = asMap(seen.capabilities)
  yield* loginFindings(said)
  if (!looking.credentials) yield* extensionFindings(said)
  else if (!safe) yield notTried
  else yield* signingIn(knownUser(place, seen, looking), looking)
}

export const doctorSmtp: PlainRun = async (call) => {
  const known = (domain: string): Place | undefined => {
    const hosts = hostsOf(domain)
    return hosts && { host: hosts.smtp, port: hosts.smtpPort ?? usualPort }
  }
  const { place, address } = mailServerOf(call.args, { title: 'SMTP', port: usualPort, known })
  return lookAtServer(call, address, (looking) => look(place, looking))
}
