/** A look at a server of mail before any login: how it is protected, what it greets with, what it says that it can. */

import { systemClock } from '../../lib/clock.ts'
import { isLoopbackHost } from '../../lib/egress/addresses.ts'
import type { Egress } from '../../lib/egress/egress.ts'
import { EgressError } from '../../lib/egress/error.ts'
import { inspectTls, type TlsReport } from '../../lib/egress/inspect.ts'
import { ConnectionFailed, networkFailed, notMail } from '../../providers/mail/connection-failed.ts'
import { type Security, securityByPort } from '../../providers/mail/server-account.ts'
import { type Arguments, needWord, textOption, UsageError } from '../program/command.ts'
import { Lines } from '../program/lines.ts'
import { type Finding, ok, problem, warning } from './findings.ts'
import { isUnsafe, type Looking, type Place, placeOf, remedies, shown, tlsFindings } from './server.ts'

/** How a protocol of mail is spoken until a login. */
export interface Protocol {
  /** The first words of the server; undefined where they are not those of the protocol. */
  greeting(lines: Lines): Promise<string | undefined>
  capabilities(lines: Lines): Promise<string[]>
  offersStartTls(capabilities: readonly string[]): boolean
  /** Asks for TLS; answers whether the server is ready for it. */
  startTls(lines: Lines): Promise<boolean>
  /** The command that takes leave. */
  leave: string
}

export interface Seen {
  security: Security
  tls: TlsReport | undefined
  greeting: string
  /** What the server says of itself, over TLS where it has it. */
  capabilities: string[]
}

type Ways = Pick<Looking, 'signal'> & { egress: Pick<Egress, 'connect'> }

/** Throws a ConnectionFailed, or the reason of the signal. */
export async function seeServer(protocol: Protocol, place: Place, ways: Ways): Promise<Seen> {
  try {
    const usual = securityByPort[place.port]
    if (usual === 'starttls') return await seePlain(protocol, place, ways)
    try {
      return await seeTls(protocol, place, ways)
    } catch (error) {
      // What speaks plainly answers no handshake.
      if (usual === 'tls' || !(error instanceof EgressError && error.reason === 'tls_failed')) throw error
      return await seePlain(protocol, place, ways)
    }
  } catch (error) {
    ways.signal.throwIfAborted()
    throw networkFailed(error, place) ?? notMail(place, error)
  }
}

type Socket = Awaited<ReturnType<Egress['connect']>>

async function open(place: Place, { egress, signal }: Ways): Promise<Socket & Disposable> {
  const socket = await egress.connect({ ...place, signal })
  socket.on('error', () => undefined)
  return Object.assign(socket, { [Symbol.dispose]: () => void socket.destroy() })
}

async function seeTls(protocol: Protocol, place: Place, ways: Ways): Promise<Seen> {
  using socket = await open(place, ways)
  const { socket: secured, report } = await inspectTls(socket, { host: place.host, signal: ways.signal })
  const lines = new Lines(secured, ways.signal)
  const greeting = await greetingOf(protocol, lines, place)
  const capabilities = await protocol.capabilities(lines)
  lines.write(`${protocol.leave}\r\n`)
  return { security: 'tls', tls: report, greeting, capabilities }
}

async function seePlain(protocol: Protocol, place: Place, ways: Ways): Promise<Seen> {
  using socket = await open(place, ways)
  const lines = new Lines(socket, ways.signal)
  const greeting = await greetingOf(protocol, lines, place)
  const plainly = await protocol.capabilities(lines)
  if (!protocol.offersStartTls(plainly) || !(await protocol.startTls(lines))) {
    return { security: 'none', tls: undefined, greeting, capabilities: plainly }
  }
  lines.detach()
  const { socket: secured, report } = await inspectTls(socket, { host: place.host, signal: ways.signal })
  const safely = new Lines(secured, ways.signal)
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

/** What is to be said of what was seen. */
export function* connectionFindings({ host, port }: Place, seen: Seen): Generator<Finding> {
  yield ok('server', `${host} port ${port} answers, ${protections[seen.security]}: ${seen.greeting}`)
  if (seen.tls) yield* tlsFindings({ host, lenient: isLoopbackHost(host) }, seen.tls, systemClock.now())
  else if (isLoopbackHost(host)) {
    yield warning(
      'tls',
      'the server offers no encryption, which is let pass on this very machine alone',
      'turn on TLS or STARTTLS before others than this machine use it',
    )
  } else yield problem('tls', 'the server offers no encryption: neither TLS nor STARTTLS', remedies.tls)
}

/** What was found before a login, and whether one may be tried; a server that cannot be used is the only finding then. */
export async function approach(
  protocol: Protocol,
  place: Place,
  looking: Looking,
): Promise<{ findings: Finding[]; seen: Seen | undefined; safe: boolean }> {
  try {
    const seen = await seeServer(protocol, place, looking)
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
  'it was not tried: the password would not have been safe',
  'mend what is said above, then try again',
)

const mostPort = 65_535

/**
 * The server that a command line names, and the address where it names one: of its domain `known` tells the server, where
 * it is one of a well-known service.
 */
export function mailServerOf(
  args: Arguments,
  { title, port: usual, known }: { title: string; port: number; known(domain: string): Place | undefined },
): { place: Place; address: string | undefined } {
  const word = needWord(args, 0, 'HOST')
  const isAddress = word.includes('@')
  const domain = word.slice(word.lastIndexOf('@') + 1)
  const found = isAddress ? known(domain) : placeOf(word)
  if (!found) throw new UsageError(`the ${title} server of ${domain} is not known: name it, and --user ${word}`)
  const port = Number(textOption(args, 'port') ?? found.port ?? usual)
  if (port > mostPort) throw new UsageError(`there is no port ${port}: the last one is ${mostPort}`)
  return { place: { host: found.host, port }, address: isAddress ? word : undefined }
}

/** What is found by signing in; a refusal is a finding too. */
export async function* signingIn(findings: AsyncIterable<Finding>, { signal }: Looking): AsyncGenerator<Finding> {
  try {
    yield* findings
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof ConnectionFailed)) throw error
    yield failed('login', error)
  }
}
