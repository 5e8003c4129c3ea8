/**
 * What lies under a TLS connection that mostly waits. Over a socket of its own Node gives TLS 64 KB for what comes in, as
 * long as the connection is open, whether much comes or nothing; over any other stream as much as the longest piece took.
 * A socket that is not connected yet is any other stream to it. Each piece then takes one step more, which is nothing to
 * who waits, and something to who reads whole folders.
 */
import net, { type LookupFunction } from 'node:net'

export interface WaitingSocket {
  /** For `tls.connect`, before it is connected. */
  readonly socket: net.Socket
  connect(): void
}

/** Silence for so long is asked about, by the system and not by us. */
const keepAliveMs = 5_000

export function waitingSocket(host: string, port: number, lookup: LookupFunction): WaitingSocket {
  const socket = new net.Socket()
  const keepAlive = { keepAlive: true, keepAliveInitialDelay: keepAliveMs }
  return { socket, connect: () => void socket.connect({ host, port, lookup, ...keepAlive }) }
}
