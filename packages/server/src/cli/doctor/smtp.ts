/** `waypost doctor smtp`: what an SMTP submission server supports. Nothing is sent. */
import { hostsOf } from '@waypost/providers/mail/vendors'
import { openSmtp } from '@waypost/providers/smtp/connection'
import type { PlainRun } from '../program/command.ts'
import type { Lines } from '../program/lines.ts'
import { type Finding, ok, problem, warning } from './findings.ts'
import { approach, mailServerOf, notTried, type Protocol, type Seen, signingIn } from './mail.ts'
import { type CheckContext, checkServer, type Place } from './server.ts'

const usualPort = 587

/** The lines of a reply, and its code. */
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
      'the server requires no login: it accepts mail from everyone, or from nobody',
      'use a submission port, 465 or 587',
    )
  } else if (taken.length === 0) {
    yield problem(
      'auth',
      'the server offers no login method that Waypost supports',
      'make it offer PLAIN or LOGIN over TLS',
    )
  } else yield ok('auth', `login methods: ${taken.join(', ')}`)
}

const megabytes = (bytes: number): string => `${Math.floor((bytes / 1024 / 1024) * 10) / 10} MB`
const usual = 'turn it on if the server supports it'

function* extensionFindings(extensions: ReadonlyMap<string, string>): Generator<Finding> {
  const max = Number(extensions.get('SIZE') ?? Number.NaN)
  if (max > 0) yield ok('SIZE', `messages up to ${megabytes(max)}; larger ones are refused before they are sent`)
  else if (max === 0) yield ok('SIZE', 'the server reports no size limit')
  else yield warning('SIZE', 'missing: a message that is too large is refused only after it was sent completely', usual)
  yield extensions.has('SMTPUTF8')
    ? ok('SMTPUTF8', 'non-ASCII addresses are supported')
    : warning('SMTPUTF8', 'missing: non-ASCII addresses are refused, and nothing is sent', usual)
  yield extensions.has('PIPELINING')
    ? ok('PIPELINING', 'sender and recipients are sent in one step')
    : warning('PIPELINING', 'missing: each recipient costs a round trip', usual)
  yield extensions.has('8BITMIME')
    ? ok('8BITMIME', 'non-ASCII text is sent unchanged')
    : ok('8BITMIME', 'not needed: Waypost sends its own text as ASCII')
  yield ok('DSN', 'not needed: Waypost reads bounces and requests no other reports')
}

const asMap = (lines: readonly string[]): Map<string, string> =>
  new Map(
    lines.map((line) => {
      const [, word = '', rest = ''] = /^(\S+?)(?:[ =](.*))?$/.exec(line) ?? []
      return [word, rest]
    }),
  )

async function* knownUser(place: Place, seen: Seen, polling: CheckContext): AsyncGenerator<Finding> {
  const { credentials: auth, egress, signal } = polling
  if (!auth) return
  const network = { connect: egress.connect, secure: egress.secure }
  const { dialogue, extensions } = await openSmtp({ ...place, security: seen.security, auth }, network, signal)
  try {
    if (extensions.has('AUTH')) yield ok('login', `${auth.user} is logged in; nothing was sent`)
    yield* extensionFindings(extensions)
    await dialogue.ask(['QUIT'], 2_000).catch(() => undefined)
  } finally {
    dialogue.end('done')
  }
}

async function* poll(place: Place, polling: CheckContext): AsyncGenerator<Finding> {
  const { findings, seen, safe } = await approach(protocol, place, polling)
  yield* findings
  if (!seen) return
  const said = asMap(seen.capabilities)
  yield* loginFindings(said)
  if (!polling.credentials) yield* extensionFindings(said)
  else if (!safe) yield notTried
  else yield* signingIn(knownUser(place, seen, polling), polling)
}

export const doctorSmtp: PlainRun = async (call) => {
  const known = (domain: string): Place | undefined => {
    const hosts = hostsOf(domain)
    return hosts && { host: hosts.smtp, port: hosts.smtpPort ?? usualPort }
  }
  const { place, address } = mailServerOf(call.args, { title: 'SMTP', port: usualPort, known })
  return checkServer(call, address, (polling) => poll(place, polling))
}
