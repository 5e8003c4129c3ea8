/** Checks a mail server before any login: its encryption, its greeting and its capabilities. */

import { systemClock } from '@waypost/platform/clock'
import { isLoopbackHost } from '@waypost/platform/egress/addresses'
import type { Egress } from '@waypost/platform/egress/egress'
import { EgressError } from '@waypost/platform/egress/error'
import { inspectTls, type TlsReport } from '@waypost/platform/egress/inspect'
import { ConnectionFailed, networkFailed, notMail } from '@waypost/providers/mail/connection-failed'
import { type Security, securityByPort } from '@waypost/providers/mail/server-account'
import { type Arguments, needWord, textOption, UsageError } from '../program/command.ts'
import { Lines } from '../program/lines.ts'
import { type Finding, ok, problem, warning } from './findings.ts'
import { type CheckContext, isUnsafe, type Place, placeOf, remedies, shown, tlsFindings } from './server.ts'

/** A mail protocol before the login. */
export interface Protocol {
  /** The greeting of the server; undefined if it is not of this protocol. */
  greeting(lines: Lines): Promise<string | undefined>
  capabilities(lines: Lines): Promise<string[]>
  offersStartTls(capabilities: readonly string[]): boolean
  /** Requests TLS; returns whether the server is ready for it. */
  startTls(lines: Lines): Promise<boolean>
  /** The command that ends the connection. */
  leave: string
}

export interface Seen {
  security: Security
  tls: TlsReport | undefined
  greeting: string
  /** Capabilities of the server, over TLS if it has it. */
  capabilities: string[]
}

type CheckIo = Pick<CheckContext, 'signal'> & { egress: Pick<Egress, 'connect'> }

/** Throws a ConnectionFailed, or the reason of the signal. */
export async function seeServer(protocol: Protocol, place: Place, network: CheckIo): Promise<Seen> {
  try {
    const usual = securityByPort[place.port]
    if (usual === 'starttls') return await seePlain(protocol, place, network)
    try {
      return await seeTls(protocol, place, network)
    } catch (error) {
      // A server without TLS does not answer the handshake.
      if (usual === 'tls' || !(error instanceof EgressError && error.reason === 'tls_failed')) throw error
      return await seePlain(protocol, place, network)
    }
  } catch (error) {
    network.signal.throwIfAborted()
    throw networkFailed(error, place) ?? notMail(place, error)
  }
}

type Socket = Awaited<ReturnType<Egress['connect']>>

async function open(place: Place, { egress, signal }: CheckIo): Promise<Socket & Disposable> {
  const socket = await egress.connect({ ...place, signal })
  socket.on('error', () => undefined)
  return Object.assign(socket, { [Symbol.dispose]: () => void socket.destroy() })
}

async function seeTls(protocol: Protocol, place: Place, network: CheckIo): Promise<Seen> {
  using socket = await open(place, network)
  const { socket: secured, report } = await inspectTls(socket, { host: place.host, signal: network.signal })
  const lines = new Lines(secured, network.signal)
  const greeting = await greetingOf(protocol, lines, place)
  const capabilities = await protocol.capabilities(lines)
  lines.write(`${protocol.leave}\r\n`)
  return { security: 'tls', tls: report, greeting, capabilities }
}

async function seePlain(protocol: Protocol, place: Place, network: CheckIo): Promise<Seen> {
  using socket = await open(place, network)
  const lines = new Lines(socket, network.signal)
  const greeting = await greetingOf(protocol, lines, place)
  const plainly = await protocol.capabilities(lines)
  if (!protocol.offersStartTls(plainly) || !(await protocol.startTls(lines))) {
    return { security: 'none', tls: undefined, greeting, capabilities: plainly }
  }
  lines.detach()
  const { socket: secured, report } = await inspectTls(socket, { host: place.host, signal: network.signal })
  const safely = new Lines(secured, network.signal)
  const capabilities = await protocol.capabilities(safely)
  safely.write(`${protocol.leave}\r\n`)
  return { security: 'starttls', tls: report, greeting, capabilities }
}

async function greetingOf(protocol: Protocol, lines: Lines, place: Place): Promise<string> {
  const greeting = await protocol.greeting(lines)
  if (greeting === undefined) throw notMail(place, undefined)
  return shown(greeting)
}

const protections: Record<Security, string> = {
  tls: 'TLS from the first byte',
  starttls: 'TLS after STARTTLS',
  none: 'no encryption',
}

/** Findings about the connection. */
export function* connectionFindings({ host, port }: Place, seen: Seen): Generator<Finding> {
  yield ok('server', `${host} port ${port} responds, ${protections[seen.security]}: ${seen.greeting}`)
  if (seen.tls) yield* tlsFindings({ host, lenient: isLoopbackHost(host) }, seen.tls, systemClock.now())
  else if (isLoopbackHost(host)) {
    yield warning(
      'tls',
      'the server offers no encryption, which is accepted only on this machine',
      'turn on TLS or STARTTLS before other machines use it',
    )
  } else yield problem('tls', 'the server offers no encryption: neither TLS nor STARTTLS', remedies.tls)
}

/**
 * Findings before a login, and whether a login may be tried. If the server cannot be used, this is the only finding.
 */
export async function approach(
  protocol: Protocol,
  place: Place,
  polling: CheckContext,
): Promise<{ findings: Finding[]; seen: Seen | undefined; safe: boolean }> {
  try {
    const seen = await seeServer(protocol, place, polling)
    const findings = [...connectionFindings(place, seen)]
    return { findings, seen, safe: !findings.some(isUnsafe) }
  } catch (error) {
    if (!(error instanceof ConnectionFailed)) throw error
    return { findings: [failed('server', error)], seen: undefined, safe: false }
  }
}

const failed = (check: string, { failure, message }: ConnectionFailed): Finding =>
  problem(failure === 'credentials' ? 'login' : check, message, remedies[failure])

export const notTried: Finding = warning(
  'login',
  'skipped, because the password would not have been safe',
  'fix the problem above, then try again',
)

const maxPort = 65_535

/** The server on the command line, or the server of a mail address if its domain belongs to a well-known service. */
export function mailServerOf(
  args: Arguments,
  { title, port: usual, known }: { title: string; port: number; known(domain: string): Place | undefined },
): { place: Place; address: string | undefined } {
  const word = needWord(args, 0, 'HOST')
  const isAddress = word.includes('@')
  const domain = word.slice(word.lastIndexOf('@') + 1)
  const found = isAddress ? known(domain) : placeOf(word)
  if (!found) throw new UsageError(`the ${title} server of ${domain} is unknown: name it and add --user ${word}`)
  const port = Number(textOption(args, 'port') ?? found.port ?? usual)
  if (port > maxPort) throw new UsageError(`there is no port ${port}: the maximum is ${maxPort}`)
  return { place: { host: found.host, port }, address: isAddress ? word : undefined }
}

/** Findings after signing in; a refusal is a finding too. */
export async function* signingIn(findings: AsyncIterable<Finding>, { signal }: CheckContext): AsyncGenerator<Finding> {
  try {
    yield* findings
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof ConnectionFailed)) throw error
    yield failed('login', error)
  }
}
