/** What `waypost doctor imap`, `smtp`, `caldav` and `carddav` have in common: whom to ask, as whom, how long, and what failed. */

import { startDeadline } from '../../lib/egress/deadline.ts'
import { createEgress, type Egress } from '../../lib/egress/egress.ts'
import type { TlsReport } from '../../lib/egress/inspect.ts'
import type { Failure } from '../../providers/mail/connection-failed.ts'
import { readPassword } from '../password.ts'
import { type Call, numberOption, textOption, UsageError } from '../program/command.ts'
import { type Finding, ok, printFindings, problem, warning } from './findings.ts'

/** A user and its password. */
export interface Credentials {
  user: string
  password: string
}

/** What a look at a server works with. */
export interface Looking {
  egress: Egress
  signal: AbortSignal
  credentials: Credentials | undefined
}

export const usualSeconds = 30

/** Looks at a server within the deadline, prints what was found, and answers the exit code. */
export async function lookAtServer(
  { terminal, args, output }: Call,
  address: string | undefined,
  look: (looking: Looking) => AsyncIterable<Finding>,
): Promise<number> {
  const credentials = await credentialsFor({ terminal, args }, address)
  const seconds = numberOption(args, 'seconds', usualSeconds)
  const message = `the server did not answer within ${seconds} s`
  using deadline = startDeadline({ ms: seconds * 1000, message, signals: [] })
  // The operator asks, of whatever this machine reaches.
  await using egress = createEgress({ mode: 'private', trustLoopback: true })
  const findings: Finding[] = []
  try {
    for await (const finding of look({ egress, signal: deadline.signal, credentials })) findings.push(finding)
  } catch (error) {
    if (!deadline.signal.aborted) throw error
    findings.push(timedOut(message))
  }
  return printFindings(output, findings)
}

async function credentialsFor(
  { terminal, args }: Pick<Call, 'terminal' | 'args'>,
  address: string | undefined,
): Promise<Credentials | undefined> {
  const named = textOption(args, 'user')
  const user = named ?? address
  if (user === undefined) {
    if (args.options['password-stdin'] === true)
      throw new UsageError('--password-stdin needs --user: whose password it is')
    return undefined
  }
  const password = await readPassword(terminal, args, user)
  if (password !== undefined) return { user, password }
  if (named === undefined) return undefined
  throw new UsageError(
    `no password of ${named}: run it at a terminal, set DOCTOR_PASSWORD, or pipe it in with --password-stdin`,
  )
}

const timedOut = (message: string): Finding => problem('server', message, remedies.timeout)

/** What to do about a server that cannot be used. */
export const remedies: Record<Failure, string> = {
  host: 'check the spelling of the host, and its DNS records',
  address: 'name a host that can be reached from this machine',
  port: 'check the port',
  connect: 'check host and port, that the server runs, and the firewalls between',
  tls: 'turn on TLS 1.2 or newer, with a certificate that is valid for this name',
  timeout: 'check host and port: a firewall may swallow what is sent, or --seconds gives the server longer',
  credentials:
    'check user and password; many services want an app password for programs, and IMAP turned on for the account',
  method: 'let the server offer PLAIN or LOGIN over TLS, or connect the account with a token',
  limit: 'close other mail programs of the account, or let the server take more connections of a user',
  unavailable: 'try again later; the log of the server may say why',
  protocol: 'check the port: IMAP is 993 or 143, SMTP for programs 465 or 587, CalDAV and CardDAV 443',
}

export interface Place {
  host: string
  port: number
}

/** A host as it was written, with a port behind a colon where there is one. */
export function placeOf(word: string): { host: string; port: number | undefined } {
  const [, host = '', port] = /^(\[[\da-f:.]+\]|[^\s:/@]+)(?::(\d{1,5}))?$/i.exec(word) ?? []
  if (host === '') throw new UsageError(`"${word}" is neither a host, such as mail.example.com, nor a mail address`)
  return { host: host.replace(/^\[(.*)\]$/, '$1').toLowerCase(), port: port === undefined ? undefined : Number(port) }
}

/** What a server said, fit for a terminal: it may have sent anything. */
export const shown = (text: string): string => text.replaceAll(/[^\x20-\x7e\u00a0-\uffff]/g, '?').slice(0, 200)

const soonDays = 14
const tooOld = new Set(['TLSv1', 'TLSv1.1', 'SSLv3'])

/** What is to be said of the TLS of a server; `lenient` where its certificate is believed in any case. */
export function* tlsFindings(
  { host, lenient }: { host: string; lenient: boolean },
  report: TlsReport,
  now: number,
): Generator<Finding> {
  const { version, distrust, names, issuer, validTo } = report
  if (tooOld.has(version)) yield problem('tls', `${version} alone: it is not used any more`, remedies.tls)
  else yield ok('tls', version)
  const days = Math.floor((validTo - now) / 86_400_000)
  const whose = `for ${shown(names.join(', ')) || 'no name'}, by ${shown(issuer)}`
  const until = `${days} ${days === 1 ? 'day' : 'days'} left`
  if (distrust !== undefined && lenient) {
    yield warning(
      'certificate',
      `${whose}, ${until}; it is not trusted (${shown(distrust)}), which is let pass on this very machine alone`,
      'before others than this machine use it, give the server a certificate of an authority that is trusted',
    )
  } else if (distrust !== undefined) {
    yield problem(
      'certificate',
      `${whose}; it is not trusted: ${shown(distrust)}`,
      `give the server a certificate for ${host} of an authority that is trusted, or name your own authority in NODE_EXTRA_CA_CERTS, for the service too`,
    )
  } else if (days < soonDays) yield warning('certificate', `${whose}, ${until}`, 'renew it')
  else yield ok('certificate', `${whose}, ${until}`)
}

/** Whether a finding says that a password must not be shown to the server. */
export const isUnsafe = ({ check, state }: Finding): boolean =>
  state === 'problem' && (check === 'tls' || check === 'certificate')
