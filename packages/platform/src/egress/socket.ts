/**
 * Opens a socket to a host name in four checked steps:
 *   1. The host is parsed. An IP literal is checked immediately, because Node does not resolve literals.
 *   2. A name is resolved once, to all its records, and refused if any of them is refused.
 *   3. The socket gets this list instead of a resolver, so a second, different answer (DNS rebinding) is impossible.
 *   4. The connected peer is checked again before a byte is sent, as protection against proxies and our own mistakes.
 */
import dns from 'node:dns/promises'
import { once } from 'node:events'
import net from 'node:net'
import os from 'node:os'
import tls from 'node:tls'
import { type AddressMode, addressVerdict } from './addresses.ts'
import { type AllowList, checkAllowed, checkAllowedAddress } from './allow.ts'
import { startDeadline, untilAborted } from './deadline.ts'
import { EgressError } from './error.ts'
import { parseHost, remedyIn } from './host.ts'

/** Legitimate names have a handful of records. A longer list only costs time and memory. */
const MAX_RECORDS = 64

export interface ResolvedAddress {
  readonly address: string
  readonly family: 4 | 6
}

/** Resolves a name to all its addresses. Rejects if there is none. */
export type Resolve = (host: string, signal?: AbortSignal) => Promise<ResolvedAddress[]>

export interface Guard {
  readonly mode: () => AddressMode
  readonly resolve: Resolve
  readonly dnsTimeoutMs: number
  readonly ownAddresses: () => readonly string[]
  /** Undefined allows every host. */
  readonly allow: AllowList | undefined
}

export interface SocketTarget {
  readonly host: string
  readonly port: number
  readonly tls: tls.ConnectionOptions | undefined
  readonly signal: AbortSignal
}

/** Resolves a host to its addresses. Rejects unless all of them are allowed. */
export async function resolveChecked(
  guard: Guard,
  { host, port }: { host: string; port: number | undefined },
  signal: AbortSignal,
): Promise<ResolvedAddress[]> {
  const mode = guard.mode()
  const name = parseHost(host, mode)
  checkAllowed(guard.allow, name, port)
  const family = net.isIP(name)
  const records = family === 0 ? await resolveName(guard, name, signal) : [{ address: name }]
  const own = guard.ownAddresses()
  return records.map(({ address }) => {
    const verdict = addressVerdict(address, { mode, own })
    if (!verdict.allowed) throw unreachable(mode, name, new Error(`${name} is ${address}: ${verdict.reason}`))
    checkAllowedAddress(guard.allow, { host: name, port }, address)
    return { address, family: net.isIP(address) === 4 ? 4 : 6 }
  })
}

/**
 * Opens a TCP or TLS connection to a checked address of `host`. With TLS, the certificate must be valid for `host`.
 */
export async function openSocket(guard: Guard, target: SocketTarget): Promise<net.Socket | tls.TLSSocket> {
  const host = parseHost(target.host, guard.mode())
  const addresses = await resolveChecked(guard, { host, port: target.port }, target.signal)
  const socket = await openTcp({ ...target, host }, addresses)
  checkPeer(guard, host, socket)
  return target.tls === undefined ? socket : openTls(socket, { ...target, host, tls: target.tls })
}

/** The system's resolver. */
export const systemResolve: Resolve = async (host) => {
  const records = await dns.lookup(host, { all: true, order: 'verbatim' })
  return records.map(({ address }) => ({ address, family: net.isIP(address) === 4 ? 4 : 6 }))
}

/** The addresses of this machine's network interfaces. */
export function interfaceAddresses(): string[] {
  return Object.values(os.networkInterfaces()).flatMap((entries) => entries?.map(({ address }) => address) ?? [])
}

async function resolveName(guard: Guard, name: string, signal: AbortSignal): Promise<ResolvedAddress[]> {
  const ms = guard.dnsTimeoutMs
  const message = `The name ${name} was not resolved within ${ms} ms; check its DNS servers`
  using deadline = startDeadline({ ms, message, signals: [signal] })
  const records = await untilAborted(guard.resolve(name, deadline.signal), deadline.signal).catch((cause: unknown) => {
    if (deadline.signal.aborted) throw deadline.signal.reason
    if (guard.mode() === 'public') throw unreachable('public', name, cause)
    throw new EgressError('dns_failed', `The name ${name} could not be resolved; check its spelling`, { cause })
  })
  if (records.length === 0 && guard.mode() === 'public') throw unreachable('public', name, new Error('no records'))
  if (records.length === 0 || records.length > MAX_RECORDS) {
    const message = `The name ${name} has ${records.length} addresses; give it 1 to ${MAX_RECORDS} A or AAAA records`
    throw new EgressError('dns_failed', message)
  }
  return records
}

/** A lookup function that returns only these addresses, so no second DNS answer is used. */
export const lookupAmong =
  (addresses: readonly ResolvedAddress[]): net.LookupFunction =>
  (_name, { all }, callback) => {
    const [first] = addresses
    if (all) callback(null, [...addresses])
    else if (first) callback(null, first.address, first.family)
    else callback(new Error('no address'), '', 0)
  }

async function openTcp(target: SocketTarget, addresses: readonly ResolvedAddress[]): Promise<net.Socket> {
  const { host, port, signal } = target
  signal.throwIfAborted()
  const lookup = lookupAmong(addresses)
  const socket = net.connect({ host, port, lookup, autoSelectFamily: true, noDelay: true, keepAlive: true })
  try {
    await once(socket, 'connect', { signal })
    return socket
  } catch (cause) {
    abandon(socket)
    signal.throwIfAborted()
    throw new EgressError('connect_failed', `Could not connect to ${host} port ${port}; check that it is up`, { cause })
  }
}

function checkPeer(guard: Guard, host: string, socket: net.Socket): void {
  const peer = socket.remoteAddress
  if (peer === undefined) {
    abandon(socket)
    throw new EgressError('connect_failed', `${host} closed the connection at once; check that it is up`)
  }
  const mode = guard.mode()
  const verdict = addressVerdict(peer, { mode, own: guard.ownAddresses() })
  if (verdict.allowed) return
  abandon(socket)
  throw unreachable(mode, host, new Error(`the peer is ${peer}: ${verdict.reason}`))
}

/**
 * The error for a host whose address may not be reached. In mode `public`, a name that resolves to an internal
 * address and a name that does not resolve get the same message, so that a caller cannot learn which internal names
 * exist.
 */
function unreachable(mode: AddressMode, host: string, cause: unknown): EgressError {
  const message =
    mode === 'public'
      ? `${host} does not lead to a public address: check its spelling and its DNS records; ${remedyIn(mode)}`
      : `${host} leads to an address that may not be reached; ${remedyIn(mode)}`
  return new EgressError('refused_address', message, { cause })
}

/** Secures an open socket. A failure closes it. */
export async function openTls(
  socket: net.Socket,
  { host, tls: options, signal }: Omit<SocketTarget, 'port'> & { tls: tls.ConnectionOptions },
): Promise<tls.TLSSocket> {
  try {
    // An IP address cannot be a server name (RFC 6066 §3); Node then checks the certificate against `host`.
    const servername = net.isIP(host) === 0 ? host : ''
    const secured = tls.connect({ ...strictTls(options), socket, host, servername })
    await once(secured, 'secureConnect', { signal }).catch((error: unknown) => {
      abandon(secured)
      throw error
    })
    return secured
  } catch (cause) {
    abandon(socket)
    signal.throwIfAborted()
    const remedy = 'it needs TLS 1.2 or newer and a trusted certificate for that name'
    throw new EgressError('tls_failed', `No secure connection to ${host} was possible; ${remedy}`, { cause })
  }
}

/** The caller's TLS options, without those that would weaken the connection. */
function strictTls(options: tls.ConnectionOptions): tls.ConnectionOptions {
  return {
    ...options,
    rejectUnauthorized: true,
    checkServerIdentity: tls.checkServerIdentity,
    minVersion: options.minVersion === 'TLSv1.3' ? 'TLSv1.3' : 'TLSv1.2',
    secureProtocol: undefined,
    secureContext: undefined,
  }
}

function abandon(socket: net.Socket): void {
  socket.on('error', () => {})
  socket.destroy()
}
