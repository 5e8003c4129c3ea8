/** Shared by `waypost doctor imap`, `smtp`, `caldav` and `carddav`: target, credentials, time limit, and failures. */

import { startDeadline } from '@waypost/platform/egress/deadline'
import { createEgress, type Egress } from '@waypost/platform/egress/egress'
import type { TlsReport } from '@waypost/platform/egress/inspect'
import type { Failure } from '@waypost/providers/mail/connection-failed'
import { readPassword } from '../password.ts'
import { type Call, numberOption, textOption, UsageError } from '../program/command.ts'
import { type Finding, ok, printFindings, problem, warning } from './findings.ts'

/** A user name and password. */
export interface Credentials {
  user: string
  password: string
}

/** Context of a server check. */
export interface CheckContext {
  egress: Egress
  signal: AbortSignal
  credentials: Credentials | undefined
}

/** Checks a server within the time limit, prints the findings, and returns the exit code. */
export async function checkServer(
  { terminal, args, output }: Call,
  address: string | undefined,
  poll: (polling: CheckContext) => AsyncIterable<Finding>,
): Promise<number> {
  const credentials = await credentialsFor({ terminal, args }, address)
  const seconds = numberOption(args, 'seconds')
  const message = `the server did not respond within ${seconds} s`
  using deadline = startDeadline({ ms: seconds * 1000, message, signals: [] })
  // The operator runs this command, so everything that this machine can reach is allowed.
  await using egress = createEgress({ mode: 'private', trustLoopback: true })
  const findings: Finding[] = []
  try {
    for await (const finding of poll({ egress, signal: deadline.signal, credentials })) findings.push(finding)
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
    if (args.options['password-stdin'] === true) throw new UsageError('--password-stdin needs --user')
    return undefined
  }
  const password = await readPassword(terminal, args, user)
  if (password !== undefined) return { user, password }
  if (named === undefined) return undefined
  throw new UsageError(
    `no password for ${named}: run it at a terminal, set DOCTOR_PASSWORD, or pipe it with --password-stdin`,
  )
}

const timedOut = (message: string): Finding => problem('server', message, remedies.timeout)

/** Remedies for a server that cannot be used. */
export const remedies: Record<Failure, string> = {
  host: 'check the spelling of the host and its DNS records',
  address: 'use a host that this machine can reach',
  port: 'check the port',
  connect: 'check host and port, that the server is running, and the firewalls in between',
  tls: 'turn on TLS 1.2 or newer, with a certificate that is valid for this name',
  timeout: 'check host and port: a firewall may drop packets; use --seconds for a longer time limit',
  credentials: 'check user and password; many services require an app password, and IMAP turned on for the account',
  method: 'make the server offer PLAIN or LOGIN over TLS, or connect the account with a token',
  limit: 'close other mail programs of the account, or allow more connections per user on the server',
  unavailable: 'try again later, or check the log of the server',
  protocol: 'check the port: IMAP uses 993 or 143, SMTP submission 465 or 587, CalDAV and CardDAV 443',
}

export interface Place {
  host: string
  port: number
}

/** Parses a host with an optional port after a colon. */
export function placeOf(word: string): { host: string; port: number | undefined } {
  const [, host = '', port] = /^(\[[\da-f:.]+\]|[^\s:/@]+)(?::(\d{1,5}))?$/i.exec(word) ?? []
  if (host === '') throw new UsageError(`"${word}" is neither a host, such as mail.example.com, nor a mail address`)
  return { host: host.replace(/^\[(.*)\]$/, '$1').toLowerCase(), port: port === undefined ? undefined : Number(port) }
}

/** Makes text from a server safe for a terminal. */
export const shown = (text: string): string => text.replaceAll(/[^\x20-\x7e\u00a0-\uffff]/g, '?').slice(0, 200)

const soonDays = 14
const tooOld = new Set(['TLSv1', 'TLSv1.1', 'SSLv3'])

/** Findings about the TLS of a server; with `lenient`, its certificate is accepted in any case. */
export function* tlsFindings(
  { host, lenient }: { host: string; lenient: boolean },
  report: TlsReport,
  now: number,
): Generator<Finding> {
  const { version, distrust, names, issuer, validTo } = report
  if (tooOld.has(version)) yield problem('tls', `only ${version}, which is obsolete`, remedies.tls)
  else yield ok('tls', version)
  const days = Math.floor((validTo - now) / 86_400_000)
  const whose = `for ${shown(names.join(', ')) || 'no name'}, by ${shown(issuer)}`
  const until = `${days} ${days === 1 ? 'day' : 'days'} left`
  if (distrust !== undefined && lenient) {
    yield warning(
      'certificate',
      `${whose}, ${until}; it is not trusted (${shown(distrust)}), which is accepted only on this machine`,
      'before other machines use it, install a certificate from a trusted authority',
    )
  } else if (distrust !== undefined) {
    yield problem(
      'certificate',
      `${whose}; it is not trusted: ${shown(distrust)}`,
      `install a certificate for ${host} from a trusted authority, or set NODE_EXTRA_CA_CERTS to your own authority, also for the service`,
    )
  } else if (days < soonDays) yield warning('certificate', `${whose}, ${until}`, 'renew it')
  else yield ok('certificate', `${whose}, ${until}`)
}

/** Whether a finding means that a password must not be sent to the server. */
export const isUnsafe = ({ check, state }: Finding): boolean =>
  state === 'problem' && (check === 'tls' || check === 'certificate')
